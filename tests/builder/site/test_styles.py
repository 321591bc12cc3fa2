"""One stylesheet from many files: dark in both ways, light on paper, nothing forgotten."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from site_project import write

from lessonbuild.site.errors import SiteError
from lessonbuild.site.styles import DARK, FOLDER, ORDER, build_stylesheet, in_both_dark_modes

ROOT = Path(__file__).parents[3]


def test_dark_values_stand_under_the_system_and_under_the_readers_choice() -> None:
    text = in_both_dark_modes("/* why */\n:root { --ink: #fff; }\n")
    assert text.count("--ink: #fff;") == 2
    assert '@media screen and (prefers-color-scheme: dark) { :root:not([data-theme="light"]) {' in text
    assert '@media screen { :root[data-theme="dark"] {' in text


def test_paper_is_always_light() -> None:
    style = build_stylesheet(ROOT, "").decode()
    dark = re.search(r"--paper: (#\w+)", (ROOT / FOLDER / DARK).read_text())
    assert dark is not None
    media = re.findall(r"@media ([^{]+)\{:root[^{]*\{[^}]*--paper: ?" + dark[1], style)
    assert len(media) == 2
    assert all(each.startswith("screen") for each in media)
    assert len(re.findall(f"--paper: ?{dark[1]}", style)) == 2


def test_every_file_is_part_of_the_stylesheet(root: Path) -> None:
    assert {path.name for path in (ROOT / FOLDER).glob("*.css")} == set(ORDER)
    write(root, "site/css/forgotten.css", "p { color: red }")
    with pytest.raises(SiteError, match=r"site/css/forgotten\.css is not in the order"):
        build_stylesheet(root, "")


def test_tokens_dark_holds_nothing_but_values(root: Path) -> None:
    write(root, f"site/css/{DARK}", ":root { --ink: #fff; }\np { color: red }")
    with pytest.raises(SiteError, match=r"tokens-dark\.css must hold one :root block"):
        build_stylesheet(root, "")


def test_every_role_that_figures_draw_has_its_colour() -> None:
    palette = (ROOT / "site/js/figures/palette.js").read_text()
    table = palette[palette.index("const ROLES") : palette.index("\n});")]
    roles = set(re.findall(r'^\s+"?([a-z-]+)"?: look\(', table, re.MULTILINE))
    tokens = (ROOT / FOLDER / "tokens.css").read_text()
    assert "objective-positive" in roles
    assert roles == set(re.findall(r"--role-([a-z-]+):", tokens))


def test_motion_only_where_it_is_welcome() -> None:
    for path in (ROOT / FOLDER).glob("*.css"):
        for match in re.finditer(r"\b(?:transition|animation)(?:-[a-z]+)?:", path.read_text()):
            before = path.read_text()[: match.start()]
            last_media = before.rfind("@media")
            assert "prefers-reduced-motion: no-preference" in before[last_media:], path.name
