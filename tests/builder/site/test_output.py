"""What may be replaced, and how."""

from __future__ import annotations

from pathlib import Path

import pytest

from lessonbuild.site import exchange as exchange_module
from lessonbuild.site.errors import SiteError
from lessonbuild.site.exchange import exchange, restore
from lessonbuild.site.output import replacing


def fill(out: Path, text: str) -> None:
    """Put a site of one file at `out`."""
    with replacing(out) as site:
        site.write("index.html", text.encode())
        site.finish()


def test_a_new_an_empty_and_an_own_folder_are_filled(tmp_path: Path) -> None:
    out = tmp_path / "deep" / "dist"
    fill(out, "one")
    fill(out, "two")
    assert (out / "index.html").read_text() == "two"
    (tmp_path / "empty").mkdir()
    (tmp_path / "empty" / ".DS_Store").write_text("")
    fill(tmp_path / "empty", "three")
    assert (tmp_path / "empty" / "index.html").read_text() == "three"


def test_a_folder_with_other_files_is_refused_and_untouched(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("years of work")
    with pytest.raises(SiteError, match=r"is not empty and was not made by this build.*--out"):
        fill(tmp_path, "x")
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.tex"]


def test_files_that_were_added_to_a_site_are_not_thrown_away(tmp_path: Path) -> None:
    out = tmp_path / "dist"
    fill(out, "one")
    (out / "CNAME").write_text("example.org")
    with pytest.raises(SiteError, match="holds CNAME, which this build did not write and would lose"):
        fill(out, "two")
    assert (out / "index.html").read_text() == "one"


def test_the_folder_behind_a_link_is_filled_and_the_link_stays(tmp_path: Path) -> None:
    (tmp_path / "www").mkdir()
    link = tmp_path / "link"
    link.symlink_to("www")
    for text in ("one", "two"):
        fill(link, text)
        assert link.is_symlink()
        assert (tmp_path / "www" / "index.html").read_text() == text
    assert sorted(path.name for path in tmp_path.iterdir()) == ["link", "www"]
    (tmp_path / "ahead").symlink_to("later")
    fill(tmp_path / "ahead", "three")
    assert (tmp_path / "later" / "index.html").read_text() == "three"


def test_the_current_folder_and_the_root_are_folders_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "notes.txt").write_text("kept")
    monkeypatch.chdir(tmp_path)
    for out in (".", ""):
        with pytest.raises(SiteError, match=r"is not empty and was not made by this build"):
            fill(Path(out), "x")
    with pytest.raises(SiteError, match=r"is the root of a file system"):
        fill(Path(tmp_path.anchor), "x")
    assert [path.name for path in tmp_path.iterdir()] == ["notes.txt"]


def test_a_file_is_no_place_for_a_site(tmp_path: Path) -> None:
    (tmp_path / "dist").write_text("")
    with pytest.raises(SiteError, match="is a file; the site needs a folder"):
        fill(tmp_path / "dist", "x")


@pytest.mark.parametrize("in_one_step", [True, False])
def test_exchange_puts_the_new_folder_in_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, in_one_step: bool
) -> None:
    if not in_one_step:
        monkeypatch.setattr(exchange_module, "_exchange_in_one_step", lambda *_: False)
    for name in ("old", "new"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "file").write_text(name)
    exchange(tmp_path / "new", tmp_path / "old")
    assert (tmp_path / "old" / "file").read_text() == "new"


def test_a_kill_between_two_renames_is_mended_by_the_next_build(tmp_path: Path) -> None:
    out = tmp_path / "dist"
    fill(out, "last good")
    out.rename(tmp_path / ".dist.old")
    restore(out)
    assert (out / "index.html").read_text() == "last good"
    # Killed one step later: the new site is in place, the old one only has to go.
    (tmp_path / ".dist.old").mkdir()
    fill(out, "next")
    assert [path.name for path in tmp_path.iterdir()] == ["dist"]
