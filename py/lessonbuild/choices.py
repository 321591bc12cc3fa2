"""The exercise kind `choice`: one question, several options, each with feedback, and each run by the build.

    - [x] {value}`clipped_objective(1.4, -2, clip_epsilon=0.2) | .1f`: the minimum keeps the worse one.
      > Feedback as a quotation under the option.
    - [ ] {literal}`+2.4`: the sign plays no part. {run}`clipped_objective(1.4, 2, clip_epsilon=0.2)`
      > Feedback that names the mistake.

The right option must give the solution's value, which `:answer:` works out in plain NumPy; each wrong one
must give another value; and each must give the number that its label shows. So feedback speaks about mistakes
that are real.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from markdown_it.tree import SyntaxTreeNode

from lessonbuild.core import Call
from lessonbuild.equations import agree, short, unchecked_reason
from lessonbuild.errors import Fault, quoted
from lessonbuild.expressions import Expression
from lessonbuild.numerals import shown
from lessonbuild.source.blocks import Place, blocks
from lessonbuild.source.directives import Invocation
from lessonbuild.source.draft import Draft, Node
from lessonbuild.source.inline import inline, plain_text
from lessonbuild.source.markdown import line_of, parse
from lessonbuild.values import NO_BREAK_SPACE

_MARK: Final = re.compile(r"\[(?P<mark>[xX ])\](?:\s+|$)")
_NUMBER: Final = re.compile(r"(?P<sign>[+-]?)[0-9]*(?:\.(?P<places>[0-9]+)|[0-9])")


@dataclass(slots=True)
class _Option:
    """An option as it is written."""

    line: int
    correct: bool
    label: list[Node]
    feedback: list[Node]
    call: Call | None = None
    run_label: str = ""


def read_choice(draft: Draft, given: Invocation) -> Node:
    """Read the body of a choice, run its options, and return question, options and solution."""
    question: list[list[Node]] = []
    options: list[_Option] = []
    solutions: list[Node] = []
    for node in parse(given.body.text, given.body.line).children:
        if node.type == "paragraph" and not options:
            question.append(inline(draft, node.children[0]))
        elif node.type in {"bullet_list", "ordered_list"}:
            options += [_read_option(draft, item) for item in node.children]
        else:
            for block in blocks(draft, [node], Place("exercise")):
                if block["type"] == "solution":
                    solutions.append(block)
                else:
                    message = "an exercise holds a question, a list of options, and a solution; move this out"
                    draft.reporter.error(line_of(node), "exercise-question", message)
    if len(question) != 1:
        message = f"the question has {len(question) or 'no'} paragraphs before the options; it needs one"
        draft.reporter.error(given.line, "exercise-question", message)
    if len(solutions) != 1:
        message = f"the exercise has {len(solutions) or 'no'} solutions; it needs one :::{{solution}}"
        draft.reporter.error(given.line, "exercise-solution", message)
    _check_options(draft, given, options)
    entries = _run_options(draft, given, options)
    return {
        "question": question[0] if question else [],
        "options": entries,
        "solution": solutions[0]["blocks"] if solutions else [],
    }


def _read_option(draft: Draft, item: SyntaxTreeNode) -> _Option:
    option = _Option(line_of(item), False, [], [])
    runs: list[Node] = []
    for node in item.children:
        if node.type == "paragraph":
            if not option.label:
                option.correct = _take_mark(draft, node, option.line)
            words = inline(draft, node.children[0], runs)
            if option.label and plain_text(words).strip():
                message = "an option's label is one paragraph; its feedback is a quotation: > …"
                draft.reporter.error(line_of(node), "exercise-options", message)
            option.label += words
        elif node.type == "blockquote":
            option.feedback += blocks(draft, node.children, Place("feedback"))
        else:
            message = (
                "an option holds a label and a quotation with its feedback; move this into the quotation"
            )
            draft.reporter.error(line_of(node), "exercise-options", message)
            blocks(draft, [node], Place("feedback"))
    _trim(option.label)
    if len(runs) > 1:
        draft.reporter.error(option.line, "exercise-run", "the option has two {run} roles; it is run once")
    first = next(_shown_values(option.label), None)
    if runs:
        option.call, option.run_label = runs[0]["call"], runs[0]["label"]
    elif first is not None:
        option.call = draft.values.of(first).call
    option.run_label = option.run_label or plain_text(option.label).strip()
    return option


def _take_mark(draft: Draft, paragraph: SyntaxTreeNode, line: int) -> bool:
    """Cut ``[x]`` or ``[ ]`` off the beginning of a label."""
    children = paragraph.children[0].children
    first = children[0] if children else None
    match = _MARK.match(first.content) if first is not None and first.type == "text" else None
    if match is None or first is None or first.token is None:
        message = "an option begins with [x] when it is right and with [ ] when it is wrong"
        draft.reporter.error(line, "exercise-options", message)
        return False
    first.token.content = first.content[match.end() :]
    return match["mark"] in "xX"


def _trim(label: list[Node]) -> None:
    """Remove the space that a mark or a {run} role leaves at the ends of a label."""
    while label and label[-1]["t"] == "text" and not label[-1]["text"].strip(" "):
        label.pop()
    if label and label[-1]["t"] == "text":
        label[-1]["text"] = label[-1]["text"].rstrip(" ")


def _check_options(draft: Draft, given: Invocation, options: Sequence[_Option]) -> None:
    right = [option for option in options if option.correct]
    if len(options) < 2:
        message = f"a choice needs two options or more; it has {len(options)}"
        draft.reporter.error(given.line, "exercise-options", message)
    elif len(right) != 1:
        line = right[1].line if len(right) > 1 else given.line
        message = f"{len(right) or 'no'} options are marked [x]; exactly one is right"
        draft.reporter.error(line, "exercise-options", message)
    seen: set[str] = set()
    for option in options:
        text = plain_text(option.label).strip()
        if not text:
            draft.reporter.error(option.line, "exercise-options", "the option has no label")
        elif text in seen:
            draft.reporter.error(option.line, "exercise-options", f"two options read {quoted(text)}")
        seen.add(text)
        if not option.feedback:
            message = "the option has no feedback; write it below as a quotation: > …"
            draft.reporter.error(option.line, "exercise-feedback", message)


def _run_options(draft: Draft, given: Invocation, options: Sequence[_Option]) -> list[Node]:
    reason = unchecked_reason(draft, given, ("answer",))
    answer: Any = None
    if reason is not None:
        name = given.argument.partition(" ")[2].strip()
        draft.notes.append(f"{draft.reporter.file}:{given.line}: exercise {name} is not checked: {reason}")
    else:
        with draft.reporter.faults_at(given.line):
            answer = _answer(given)
    entries = []
    for option in options:
        entry: Node = {
            "label": option.label,
            "correct": option.correct,
            "feedback": option.feedback,
            "run": None,
            "result": None,
        }
        with draft.reporter.faults_at(option.line):
            _run(draft, option, entry, answer, needed=reason is None)
        entries.append(entry)
    return entries


def _answer(given: Invocation) -> Any:
    """The solution's value, worked out without the core."""
    option = given.first("answer")
    if option is None:
        message = "{exercise} needs :answer: with the solution's value as NumPy arithmetic, or `:check: none`"
        raise Fault("option-required", message)
    try:
        return Expression(option.text, with_core=False).value({})
    except Fault as fault:
        raise Fault(fault.rule, fault.message, option.line) from None


def _run(draft: Draft, option: _Option, entry: Node, answer: Any, *, needed: bool) -> None:
    if option.call is None:
        if needed:
            message = "the option is not run; show its number with {value}, or add {run}`call | what it is`"
            raise Fault("exercise-run", message)
        return
    value = draft.values.compute(option.call)
    form, unit = _check_label(draft, option, value)
    entry["run"] = {"call": option.call.name, "args": dict(option.call.args), "label": option.run_label}
    entry["result"] = {"value": value, "display": shown(value, form).text + unit}
    if answer is None:
        return
    same = agree(_floats(value), answer)
    if option.correct and not same:
        message = f"the right option gives {short(_floats(value))}, but :answer: is {short(answer)}"
        raise Fault("exercise-answer", message)
    if not option.correct and same:
        message = f"this wrong option gives {short(answer)}, which is the right answer"
        raise Fault("exercise-answer", message)


def _check_label(draft: Draft, option: _Option, value: Any) -> tuple[str, str]:
    """Compare the run's value with the first number of the label; return how it is shown, and its unit."""
    node = next(_numbers(option.label), None)
    if node is None:
        return ".3g", ""
    if node["t"] == "value":
        known = draft.values.of(node)
        form = known.form or "d"
        if shown(value, form).text != node["text"]:
            message = f"the label shows {node['text']}, but the run gives {shown(value, form).text}"
            raise Fault("exercise-label", message)
        return form, NO_BREAK_SPACE + known.unit if known.unit else ""
    match = _NUMBER.search(node["text"].replace("−", "-"))
    places = len((match and match["places"]) or "")
    given = float(match.group()) if match else float("nan")
    if not isinstance(value, int | float) or not abs(value - given) <= 0.5 * 10.0**-places + 1e-9:
        message = f"the label shows {node['text']}, but the run gives {short(_floats(value))}"
        raise Fault("exercise-label", message)
    sign = "+" if match and match["sign"] == "+" else ""
    return f"{sign}.{places}f", ""


def _floats(value: Any) -> Any:
    """Return a JSON value, in which infinity is a string, as floats."""
    return [_floats(entry) for entry in value] if isinstance(value, list) else float(value)


def _numbers(label: Sequence[Node]) -> Iterator[Node]:
    """Yield the nodes of a label that show a number, in order."""
    for node in label:
        if node["t"] in {"value", "literal"}:
            yield node
        yield from _numbers(node.get("children", []))


def _shown_values(label: Sequence[Node]) -> Iterator[Node]:
    return (node for node in _numbers(label) if node["t"] == "value")
