"""What the page's scripts, readers without scripts and screen readers rely on."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from dom import Element, parse
from fake_renderer import FakeRenderer
from sample_lesson import sample_artifact

from lessonbuild.site.environment import make_environment
from lessonbuild.site.errors import SiteError
from lessonbuild.site.page_data import data_script
from lessonbuild.site.pages import LessonFiles, LessonParts, PageMaker, Shell

ROOT = Path(__file__).parents[3]
TOPIC = "Model lifecycle: post-training"
FILES = LessonFiles("sample-lesson-0123456789abcdef.json", "publications/s.json", "publications/s.md")
ASSETS = {name: f"{name}-0.x" for name in ("early", "page", "style", "icon", "worker", "plotly")}
HOSTILE = "<script>alert(1)</script>\"'&amp;</span>"


@pytest.fixture
def maker() -> PageMaker:
    return PageMaker(make_environment(ROOT, FakeRenderer()), "Course & title")


@pytest.fixture
def parts(maker: PageMaker) -> LessonParts:
    return maker.lesson_parts(sample_artifact(), FILES, TOPIC)


@pytest.fixture
def main(parts: LessonParts) -> Element:
    return parse(parts.main)


def test_the_shell_names_page_lesson_and_root(maker: PageMaker) -> None:
    shell = Shell("lesson", "A & B", "About", "../", ("x.data.js", "../assets/page.js"), "sample-lesson")
    page = parse(maker.wrap("<p>content</p>", shell, ASSETS))
    html = page.one("html")
    assert html.attributes == {
        "lang": "en",
        "data-runtime": "static",
        "data-page": "lesson",
        "data-lesson": "sample-lesson",
        "data-root": "../",
    }
    assert page.one("title").text == "A & B"
    blocking, *deferred = page.all("script")
    assert blocking.attributes == {"src": "../assets/early-0.x"}
    assert [script.attributes for script in deferred] == [
        {"defer": "", "src": "x.data.js"},
        {"defer": "", "src": "../assets/page.js"},
    ]
    assert all(script.text == "" for script in page.all("script")), "no script stands inside the page"
    assert page.one("a", class_="skip")["href"] == "#main"


def test_a_page_has_its_landmarks_and_headings_in_order(main: Element) -> None:
    assert len(main.all("main")) == 1
    assert [nav["aria-label"] for nav in main.all("nav")] == ["On this page", "Contents"]
    levels = [int(each.tag[1]) for each in main.walk() if each.tag in ("h1", "h2", "h3", "h4", "h5")]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))
    ids = [each["id"] for each in main.walk() if each.get("id")]
    assert len(ids) == len(set(ids))


def test_the_topic_stands_in_words(main: Element) -> None:
    assert main.one("p", class_="eyebrow").text == TOPIC


def test_contents_lead_to_the_sections(main: Element) -> None:
    ids = {each.get("id") for each in main.walk()}
    links = main.one("nav", aria_label="Contents").all("a")
    assert [link.text for link in links][:2] == ["The mechanism", "Check your understanding"]
    assert {link["href"].removeprefix("#") for link in links} <= ids


def test_prose_carries_what_scripts_look_for(main: Element) -> None:
    value = main.all("span", data_fixture="negative")[0]
    assert value.text == "−2.8"
    button = main.one("button", data_set=True)
    assert button["data-set"] == "ppo-clip"
    assert json.loads(button["data-params"]) == {"ratio": 1.4, "advantage": -2}
    assert main.one("span", data_without_script=True).text == button.text
    live = main.one("output", data_live=True)
    assert (live["data-live"], live["aria-live"], live.text) == ("ppo-clip.objective", "off", "2.40")
    cite = main.one("a", class_="cite")
    assert (cite["href"], cite.text) == ("#source-ppo", "[1]")
    assert main.one("li", id="source-ppo").one("a")["href"] == "https://arxiv.org/abs/1707.06347"
    assert [each.text for each in main.all("span", class_="elsewhere")] == [
        "Output head and decoding (not here yet)"
    ] * 2


def test_a_widget_is_complete_before_scripts_run(main: Element) -> None:
    widget = main.one("section", data_widget="ppo-clip")
    assert (widget["id"], widget["data-state"]) == ("ppo-clip", "first-frame")
    assert main.one(id=widget["aria-labelledby"]).text == "One sample under the clip"
    assert [each["class"] for each in widget.all("div", class_="picture")] == [
        "picture wide",
        "picture narrow",
    ]
    plot = widget.one("div", data_plot=True)
    assert plot["role"] == "img"
    assert plot["aria-label"] == "One sample under the clip: Contribution of one sample"
    stage = widget.one("figure", class_="stage")
    assert stage["style"] == "--wide-ratio: 680 / 380; --narrow-ratio: 328 / 310"
    assert stage.one("figcaption").text == "What one sampled action contributes as the ratio changes."
    assert widget.one(data_summary=True)["role"] == "status"
    assert widget.one(data_case="above-positive").text == "A > 0, ratio above the interval"
    output = widget.one("output", data_output="objective")
    assert (output["data-value"], output.text, output["aria-live"]) == ("2.4", "2.40", "off")
    assert [cell["data-value"] for cell in widget.one("table").all("td")][:4] == ["0", "0", "0.8", "1.6"]
    assert all(head["scope"] == "col" for head in widget.all("th"))


def test_controls_are_native_and_labelled(main: Element) -> None:
    controls = main.one("form", class_="controls")
    assert controls.get("data-needs-script") == ""
    control = controls.one(data_control="clip_epsilon")
    slider = control.one("input", type="range")
    assert {name: slider[name] for name in ("name", "min", "max", "step", "value", "aria-valuetext")} == {
        "name": "clip_epsilon",
        "min": "0.05",
        "max": "0.5",
        "step": "0.01",
        "value": "0.2",
        "aria-valuetext": "0.20",
    }
    assert control.one("label")["for"] == slider["id"]
    assert [option["value"] for option in control.one("datalist", id=slider["list"]).all("option")] == [
        "0.1",
        "0.2",
        "0.3",
    ]
    typed = control.one("input", type="number")
    assert (typed["data-number-for"], typed["aria-label"]) == ("clip_epsilon", "Clip width, typed")
    assert [button["data-act"] for button in controls.all("button")] == ["0", "reset"]
    assert "hidden" in controls.one(data_notice=True).attributes


def test_an_exercise_shows_its_question_and_keeps_its_solution(main: Element, parts: LessonParts) -> None:
    exercise = main.one("section", data_exercise="clipped-negative")
    assert (exercise["data-kind"], exercise["data-status"], exercise["data-hash"]) == (
        "choice",
        "open",
        "0123456789abcdef",
    )
    assert [radio["value"] for radio in exercise.all("input", type="radio")] == ["0", "1", "2"]
    assert "disabled" in exercise.one("button", data_action="reveal").attributes
    assert "disabled" not in exercise.one("button", data_action="check").attributes
    assert exercise.one(data_feedback=True).text == ""
    assert exercise.one(data_solution=True).text == ""
    link = exercise.one("noscript").one("a")
    assert link["href"] == "sample-lesson-solutions.html#exercise-clipped-negative"
    for secret in ("SOLUTION-TEXT", "FEEDBACK-RIGHT", "FEEDBACK-CLAMP"):
        assert secret not in parts.main
        assert secret in parts.solutions
    assert "correct" not in parts.main


def test_the_data_holds_what_the_page_leaves_out(parts: LessonParts) -> None:
    script = data_script(parts.data, "../", ASSETS).decode()
    assert script.startswith("globalThis.lessonData={")
    data = json.loads(script.removeprefix("globalThis.lessonData=").rstrip().removesuffix(";"))
    assert data["assets"] == {
        "worker": "../assets/worker-0.x",
        "plotly": "../assets/plotly-0.x",
        "runtime": "../runtime/",
    }
    assert data["lesson"]["artifact"] == FILES.artifact
    assert data["widgets"]["ppo-clip"]["frame"]["params"]["ratio"] == 1.4
    assert [each["id"] for each in data["fixtures"]] == ["positive", "negative"]
    exercise = data["exercises"]["clipped-negative"]
    assert [option["correct"] for option in exercise["options"]] == [True, False, False]
    assert exercise["options"][1]["feedbackHtml"] == "<p>FEEDBACK-CLAMP: that is the other candidate.</p>"
    assert exercise["options"][1]["result"] == {"value": -2.4, "display": "-2.4"}
    title, solution = parse(exercise["solutionHtml"]).all("p")
    assert (title.text, solution.text) == ("Worked solution", "SOLUTION-TEXT rA")
    assert exercise["hints"] == ["Write down both candidates.", "Both are negative."]


def test_solutions_stand_on_a_page_of_their_own(parts: LessonParts) -> None:
    page = parse(parts.solutions)
    question = page.one("section", id="exercise-clipped-negative")
    assert [each.text.partition(":")[0] for each in question.all("p", class_="answer-label")] == [
        "Right",
        "Wrong",
        "Wrong",
    ]
    assert page.all("a")[0]["href"] == "sample-lesson.html"


def hostile(value: Any, key: str = "") -> Any:
    """The artifact with every shown text replaced by something that must not become markup."""
    kept = {"t", "type", "id", "key", "widget", "exercise", "equation", "fixture", "source", "output", "kind"}
    kept |= {"view", "name", "control", "which", "lang", "hash", "href", "url", "tex", "call", "case", "role"}
    if isinstance(value, dict):
        return {name: hostile(each, name) for name, each in value.items()}
    if isinstance(value, list):
        return [hostile(each, key) for each in value]
    return HOSTILE if isinstance(value, str) and key not in kept else value


def test_text_never_becomes_markup(maker: PageMaker) -> None:
    parts = maker.lesson_parts(hostile(sample_artifact()), FILES, TOPIC)
    for text in (parts.main, parts.solutions):
        page = parse(text)
        assert not page.all("script")
        assert HOSTILE in page.text
    data = json.loads(parts.data)
    assert "<script" not in data["exercises"]["clipped-negative"]["solutionHtml"]
    assert "<script" not in data["exercises"]["clipped-negative"]["hints"][0]
    shell = Shell("lesson", HOSTILE, HOSTILE, "../", (), "sample-lesson")
    assert len(parse(maker.wrap("", shell, ASSETS)).all("script")) == 1


@pytest.mark.parametrize(
    "address",
    ["javascript:alert(1)", " javascript:alert(1)", "java\nscript:x", "data:text/html,x", "//host/x"],
)
def test_an_address_that_runs_something_stops_the_build(maker: PageMaker, address: str) -> None:
    artifact = sample_artifact()
    artifact["sections"][0]["blocks"][0]["inline"] = [
        {"t": "link", "href": address, "children": [{"t": "text", "text": "x"}]}
    ]
    with pytest.raises(SiteError, match="neither a web address nor a page"):
        maker.lesson_parts(artifact, FILES, TOPIC)


@pytest.mark.parametrize(
    "address", ["https://example.org/a:b", "other.html#x", "#part", "../index.html?a=b:c"]
)
def test_other_addresses_pass(maker: PageMaker, address: str) -> None:
    artifact = sample_artifact()
    artifact["sections"][0]["blocks"][0]["inline"] = [{"t": "link", "href": address, "children": []}]
    assert (
        address
        in parse(maker.lesson_parts(artifact, FILES, TOPIC).main)
        .one("main")
        .all("a", href=address)[0]["href"]
    )


@pytest.mark.parametrize(("place", "node"), [("block", {"type": "video"}), ("inline", {"t": "blink"})])
def test_a_node_that_the_templates_do_not_know_is_an_error(
    maker: PageMaker, place: str, node: dict[str, str]
) -> None:
    artifact = sample_artifact()
    blocks = [node] if place == "block" else [{"type": "paragraph", "inline": [node]}]
    artifact["sections"][0]["blocks"] = blocks
    with pytest.raises(SiteError, match=f"no form for the {place} type"):
        maker.lesson_parts(artifact, FILES, TOPIC)


def test_infinity_in_a_frame_stays_a_word(maker: PageMaker) -> None:
    artifact = sample_artifact()
    artifact["widgets"][0]["frame"]["outputs"][0] |= {"value": "Infinity", "text": "∞"}
    page = parse(maker.lesson_parts(artifact, FILES, TOPIC).main)
    assert page.one("output", data_output="objective")["data-value"] == "Infinity"
