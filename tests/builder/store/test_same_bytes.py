"""The same sources give the same bytes, whatever the process, its environment and the place of the folder."""

from __future__ import annotations

from pathlib import Path

from store_workspace import ROOT, built, edit, generated, run, workspace

ENVIRONMENTS = [
    {"PYTHONHASHSEED": "1", "LANG": "C", "LC_ALL": "C", "TZ": "UTC"},
    {
        "PYTHONHASHSEED": "2",
        "LANG": "tr_TR.UTF-8",
        "LC_ALL": "tr_TR.UTF-8",
        "TZ": "Pacific/Kiritimati",
        "PYTHONUTF8": "0",
        "OMP_NUM_THREADS": "1",
        "SOURCE_DATE_EPOCH": "1",
    },
]


def test_two_builds_in_different_surroundings_give_the_same_bytes(tmp_path: Path) -> None:
    outputs = []
    for number, environment in enumerate(ENVIRONMENTS):
        folder = tmp_path / f"place {number}"  # a space in the path, too
        folder.mkdir()
        root = workspace(folder)
        for path in [*root.glob("lesson-data/*.json"), *root.glob("lesson-data/publications/*")]:
            path.unlink()
        code, out, err = run(root, "lessons", **environment)
        assert code == 0, out + err
        outputs.append(generated(root))
    assert outputs[0] == outputs[1]
    assert len(outputs[0]) == 4


def test_the_committed_files_are_what_this_machine_builds(tmp_path: Path) -> None:
    root = workspace(tmp_path)
    code, out, err = run(root, "check")
    assert code == 0, out + err
    assert generated(root) == generated(ROOT)


def test_an_edit_and_its_undoing_lead_back_to_the_same_bytes(tmp_path: Path) -> None:
    root = workspace(tmp_path)
    built(root)
    whole = generated(root)
    (source,) = root.glob("lesson-data/lessons/*/lesson.md")
    edit(source, "that is the whole story", "that would be the whole story")
    assert "4 files written" in built(root)
    assert generated(root).keys() != whole.keys()
    edit(source, "that would be the whole story", "that is the whole story")
    built(root)
    assert generated(root) == whole
