"""Real builds, ended by SIGKILL at random moments: what is on disk afterwards is one whole generation."""

from __future__ import annotations

import random
import time
from pathlib import Path

import pytest
from many_lessons import lesson_id, write_lessons
from store_workspace import built, edit, generated, here, start, workspace

from lessonbuild.artifact_store import ArtifactStore
from lessonbuild.check import check

KILLS = 20
LESSONS = 2


def test_two_builds_at_once_take_turns(tmp_path: Path) -> None:
    root = workspace(tmp_path, lessons=False)
    write_lessons(root, LESSONS)
    both = [start(root, "lessons"), start(root, "lessons")]
    said = [process.communicate()[0] for process in both]
    assert [process.returncode for process in both] == [0, 0]
    assert sorted(text.splitlines()[-1].split(",")[0] for text in said) == [
        "0 lessons rendered",
        "2 lessons rendered",
    ]
    assert here(check, root)[0].exit_code == 0


@pytest.mark.parametrize("seed", [1, 2])
def test_check_accepts_the_last_good_output_after_every_kill(tmp_path: Path, seed: int) -> None:
    root = workspace(tmp_path, lessons=False)
    write_lessons(root, LESSONS)
    sources = [
        root / "lesson-data" / "lessons" / lesson_id(number) / "lesson.md" for number in range(LESSONS)
    ]

    def write_source(word: str, other: str) -> None:
        for source in sources:
            edit(source, f"for a {other}while", f"for a {word}while")

    generations = {}
    for word, other in (("long ", ""), ("", "long ")):
        write_source(word, other)
        began = time.monotonic()
        built(root)
        seconds = time.monotonic() - began
        generations[word] = generated(root)

    moments = random.Random(seed)
    now = ""
    killed = {"before the switch": 0, "after it": 0, "never": 0}
    for _ in range(KILLS // 2):
        word = "long " if now == "" else ""
        write_source(word, now)
        process = start(root, "lessons")
        # Half of the kills fall into the last part of a build, where files are written.
        share = moments.choice([moments.uniform(0, 1), moments.uniform(0.6, 1.05)])
        time.sleep(seconds * share)
        process.kill()
        process.communicate()
        with ArtifactStore(root).open():  # as every command does first
            found = generated(root)
        assert found in generations.values(), "the files are of one build"
        switched = found == generations[word]
        killed["never" if process.returncode == 0 else "after it" if switched else "before the switch"] += 1
        if switched:
            now = word
        else:
            write_source(now, word)
        report, said = here(check, root)
        assert report.exit_code == 0, said
    assert killed["before the switch"] > 2, killed
    assert not (root / "lesson-data/.pending").exists()
    assert not list(root.rglob("lesson-data/**/*.tmp"))
