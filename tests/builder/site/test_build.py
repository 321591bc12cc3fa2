"""The finished folder: complete, relative, the same bytes anywhere, never half written."""

from __future__ import annotations

import hashlib
import io
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest
from dom import parse
from sample_lesson import sample_artifact
from site_project import add_lessons, make_project, write

from lessonbuild.project import Project
from lessonbuild.report import Report
from lessonbuild.site import build as build_module
from lessonbuild.site.build import build_site
from lessonbuild.site.errors import SiteError

Sample = tuple[Project, dict[str, Any]]
PAGES = ("index.html", "licences.html", "lessons/sample-lesson.html", "lessons/sample-lesson-solutions.html")


def build(sample: Sample, out: Path) -> str:
    """Build and return what the report said."""
    said = io.StringIO()
    build_site(*sample, out, Report(out=said, err=said))
    return said.getvalue()


def content(folder: Path) -> dict[str, bytes]:
    """Every file below a folder."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()
    }


@pytest.fixture
def site(sample_site: Sample, tmp_path: Path) -> Path:
    build(sample_site, tmp_path / "dist")
    return tmp_path / "dist"


def test_everything_that_pages_name_is_there(site: Path) -> None:
    files = content(site)
    for name in PAGES:
        page = parse(files[name].decode())
        for element in page.walk():
            for attribute in ("href", "src"):
                address = element.get(attribute)
                if address is None or (element.tag == "a" and address.startswith("https://")):
                    continue
                parts = urlsplit(address)
                assert not parts.scheme, f"{name} names {address}"
                assert not parts.netloc, f"{name} names {address}"
                assert not parts.path.startswith("/"), f"{name} names {address}"
                target = (site / name).parent / unquote(parts.path) if parts.path else site / name
                assert target.resolve().relative_to(site.resolve()).as_posix() in files, (
                    f"{name} names {address}"
                )
                if parts.fragment:
                    ids = [each.get("id") for each in parse(target.read_text()).walk()]
                    assert parts.fragment in ids, f"{name} names {address}"


def test_no_file_asks_another_origin_for_anything(site: Path) -> None:
    for name, data in content(site).items():
        if name.endswith(".css"):
            addresses = re.findall(r"url\(([^)]*)\)", data.decode())
            assert addresses
            assert all((site / name).parent.joinpath(each.strip("\"'")).is_file() for each in addresses)
            assert "@import" not in data.decode()
        if name.endswith(".html"):
            page = parse(data.decode())
            loaded = [
                each for each in page.walk() if each.tag in ("script", "link", "img", "iframe", "source")
            ]
            assert all("//" not in (each.get("src") or each.get("href") or "") for each in loaded)


def test_shared_files_are_named_by_their_bytes(site: Path) -> None:
    names = [name for name in content(site) if name.startswith("assets/")]
    kinds = {re.sub(r"-[0-9a-f]{10}", "", name) for name in names}
    assert kinds == {
        *(f"assets/{script}.js" for script in ("early", "page", "atlas", "worker", "plotly")),
        "assets/style.css",
        "assets/icon.svg",
        "assets/fonts/KaTeX_Main-Regular.woff2",
        "assets/fonts/KaTeX_Math-Italic.woff2",
    }
    for name in names:
        digits = re.search(r"-([0-9a-f]{10})\.", name)
        assert digits is not None
        assert hashlib.sha256((site / name).read_bytes()).hexdigest().startswith(digits[1])


def test_runtime_and_lesson_data_are_copied_and_nothing_else_of_theirs(site: Path) -> None:
    files = content(site)
    assert {name for name in files if name.startswith("runtime/")} == {
        "runtime/manifest.json",
        "runtime/numpy.whl",
        "runtime/pyodide.mjs",
    }
    copied = sorted(name.removeprefix("lesson-data/") for name in files if name.startswith("lesson-data/"))
    assert copied[0] == "index.json"
    assert copied[1:] == [
        "publications/atlas-lesson-sample-lesson.json",
        "publications/atlas-lesson-sample-lesson.md",
        next(name for name in copied if re.fullmatch(r"sample-lesson-[0-9a-f]{16}\.json", name)),
    ]


def test_the_folder_lists_its_files_with_their_hashes(site: Path) -> None:
    files = content(site)
    listed = json.loads(files.pop("site-files.json"))["sha256"]
    assert listed == {name: hashlib.sha256(data).hexdigest() for name, data in files.items()}


def test_the_licences_page_has_every_work_with_its_text(site: Path) -> None:
    page = parse((site / "licences.html").read_text())
    rows = {row.one("th").text: [cell.text for cell in row.all("td")] for row in page.one("tbody").all("tr")}
    assert list(rows) == [
        "Policy gradients, executable",
        "Pyodide",
        "CPython and its standard library",
        "NumPy",
        "Plotly.js, cartesian bundle",
        "KaTeX",
        "KaTeX fonts",
    ]
    licences = {name: cells[1] for name, cells in rows.items()}
    assert licences["Pyodide"] == "MPL-2.0"
    assert licences["CPython and its standard library"] == "PSF-2.0"
    assert licences["KaTeX fonts"] == "OFL-1.1"
    assert all(cells[0] for cells in rows.values()), "every work has a version"
    text = page.text
    for words in (
        "Mozilla Public License Version 2.0",
        "PYTHON SOFTWARE FOUNDATION LICENSE VERSION 2",
        "SIL OPEN FONT LICENSE",
        "NUMPY LICENCE TEXT",
        "FFT LICENCE TEXT",
        "Julian R Seward",
        "Permission is hereby granted, free of charge",
    ):
        assert words in text


def test_a_package_inside_our_scripts_must_be_on_the_licences_page(
    sample_site: Sample, tmp_path: Path
) -> None:
    root = sample_site[0].root
    write(root, "site/js/atlas/main.js", 'import x from "kleur";\nconsole.log(x);\n')
    with pytest.raises(SiteError, match='npm package "kleur" is inside our scripts'):
        build(sample_site, tmp_path / "dist")
    text = '{ title = "Its licence", from = "node_modules/kleur/license" }'
    listed = f'[[component]]\nname = "K"\npackage = "kleur"\npurpose = "x"\nnote = "y"\ntexts = [{text}]\n'
    with (root / "site/licences/components.toml").open("a") as file:
        file.write(f"\n{listed}")
    build(sample_site, tmp_path / "dist")
    page = parse((tmp_path / "dist/licences.html").read_text())
    assert "Permission is hereby granted" in page.one("section", id="k").text


def test_the_index_has_a_card_for_each_lesson(site: Path) -> None:
    page = parse((site / "index.html").read_text())
    card = page.one("article", class_="card")
    assert (card["id"], card["data-title"], card["data-topic"]) == (
        "sample-lesson",
        "A sample & its figures",
        "Model lifecycle: post-training",
    )
    assert card.one("p", class_="eyebrow").text == "Model lifecycle: post-training"
    assert card.one("h3").one("a")["href"] == "lessons/sample-lesson.html"
    assert card.one("div", class_="card-picture").one("svg")
    assert card.one("p", class_="card-facts").text == "1 figure · 1 question · 2 computed numbers"
    assert page.one("a", class_="start-link")["href"] == "lessons/sample-lesson.html"
    assert "Builds on Output head and decoding (not here yet)" in card.one("details").text
    assert page.one(data_atlas_count=True).text == "1 lesson"
    assert page.one("h1").text == "Course & title"


def test_the_same_sources_give_the_same_bytes_in_another_place(
    site: Path, another_root: Callable[[str], Path], tmp_path: Path
) -> None:
    root = another_root("elsewhere")
    build((make_project(root), add_lessons(root, sample_artifact())), tmp_path / "other" / "public")
    assert content(tmp_path / "other" / "public") == content(site)
    assert str(tmp_path).encode() not in b"".join(content(site).values())


def test_only_a_changed_lesson_is_drawn_again(root: Path, tmp_path: Path) -> None:
    artifacts = [sample_artifact(f"lesson-{number}") for number in range(5)]
    project = make_project(root)
    assert "5 lessons drawn, 0 from cache" in build(
        (project, add_lessons(root, *artifacts)), tmp_path / "dist"
    )
    before = content(tmp_path / "dist")
    artifacts[2]["description"] = "Another description."
    assert "1 lesson drawn, 4 from cache" in build(
        (project, add_lessons(root, *artifacts)), tmp_path / "dist"
    )
    after = content(tmp_path / "dist")
    assert "Another description." in after["lessons/lesson-2.html"].decode()
    assert {name for name in before if name.endswith(".html") and before[name] != after[name]} == {
        "index.html",
        "lessons/lesson-2.html",
    }


def test_a_change_in_a_template_or_a_damaged_cache_draws_anew(sample_site: Sample, tmp_path: Path) -> None:
    root = sample_site[0].root
    build(sample_site, tmp_path / "dist")
    (entry,) = (root / ".cache/site/pages").glob("*.json")
    entry.write_text(entry.read_text().replace("The mechanism", "The accident"))
    assert "1 lesson drawn" in build(sample_site, tmp_path / "dist")
    assert "The accident" not in (tmp_path / "dist/lessons/sample-lesson.html").read_text()
    template = root / "site/templates/lesson.html"
    template.write_text(template.read_text().replace("On this page", "Here"))
    assert "1 lesson drawn" in build(sample_site, tmp_path / "dist")
    assert 'aria-label="Here"' in (tmp_path / "dist/lessons/sample-lesson.html").read_text()


def test_a_failed_build_leaves_the_last_good_site(sample_site: Sample, site: Path) -> None:
    before = content(site)
    write(sample_site[0].root, "site/js/lesson/main.js", "const const;\n")
    with pytest.raises(SiteError, match=r"(?s)esbuild is not content.*main\.js"):
        build(sample_site, site)
    assert content(site) == before
    assert [path.name for path in site.parent.iterdir() if path.name.startswith(".dist")] == []


def test_a_build_that_is_killed_leaves_the_last_good_site(
    sample_site: Sample, site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = content(site)
    # A killed process cleans nothing up: what it had begun stays beside the site.
    write(site.parent, ".dist.new-4194305/index.html", "half a page")
    assert content(site) == before
    build(sample_site, site)
    assert content(site) == before
    assert [path.name for path in site.parent.iterdir() if path.name.startswith(".dist")] == []

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(build_module, "components", interrupted)
    with pytest.raises(KeyboardInterrupt):
        build(sample_site, site)
    assert content(site) == before
