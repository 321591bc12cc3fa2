"""The exercise kind `choice`: one question, several options, each with feedback of its own.

    - [x] {value}`clipped_objective(1.4, -2, clip_epsilon=0.2) | .1f`: the minimum keeps the worse one.
      > Feedback as a quotation under the option.
    - [ ] {literal}`+2.4`: the sign plays no part. {run}`clipped_objective(1.4, 2, clip_epsilon=0.2)`
      > Feedback that names the mistake.

Every option is run when the lesson is built: see `choice_runs`.
"""

import re
from collections.abc import Sequence
from typing import Final

from markdown_it.tree import SyntaxTreeNode

from lessonbuild.choice_runs import Option, run_options, shown_values
from lessonbuild.errors import quoted
from lessonbuild.source.blocks import Place, blocks
from lessonbuild.source.directives import Invocation
from lessonbuild.source.draft import Draft, Node
from lessonbuild.source.inline import inline, plain_text
from lessonbuild.source.markdown import line_of, parse

_MARK: Final = re.compile(r"\[(?P<mark>[xX ])\](?:\s+|$)")


def read_choice(draft: Draft, given: Invocation) -> Node:
    """Read the body of a choice, run its options, and return question, options and solution."""
    question: list[list[Node]] = []
    options: list[Option] = []
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
    entries = run_options(draft, given, options)
    return {
        "question": question[0] if question else [],
        "options": entries,
        "solution": solutions[0]["blocks"] if solutions else [],
    }


def _read_option(draft: Draft, item: SyntaxTreeNode) -> Option:
    option = Option(line_of(item), False, [], [])
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
    first = next(shown_values(option.label), None)
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


def _check_options(draft: Draft, given: Invocation, options: Sequence[Option]) -> None:
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
