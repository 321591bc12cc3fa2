"""The panel language: axes that stay, bars that say their sign, cells of the table."""

from __future__ import annotations

import math

from policygrad.views import figure as fig


def test_an_axis_grows_in_named_steps_only() -> None:
    tops = (0.5, 1.0, 2.0)
    assert [fig.roomy([0.1, value], tops) for value in (0.2, 0.5, 0.51, 1.9, 7.0)] == [
        0.5,
        0.5,
        1.0,
        2.0,
        2.0,
    ]


def test_an_axis_has_ticks_only_when_they_are_given() -> None:
    assert fig.axis("ratio", (0, 2)) == {"label": "ratio", "unit": "", "range": [0, 2]}
    assert fig.axis("KL", (0, 1), unit="nats", ticks=(0, 1))["ticks"] == [0, 1]


def test_signed_bars_say_their_sign_and_stay_inside_the_panel() -> None:
    mark = fig.signed_bars(["a", "b", "c", "d"], [0.25, -0.5, 0.0, math.inf], 2, top=1.0)
    assert mark["role"] == ["positive", "negative", "positive", "positive"]
    assert mark["y"] == [0.25, -0.5, 0.0, 1.0]
    assert mark["text"] == ["+0.25", "−0.50", "0.00", "+∞"]


def test_marks_are_plain_data() -> None:
    assert fig.line("kl", range(3), (1.0, 2.0, 3.0)) == {
        "role": "kl", "label": "", "x": [0, 1, 2], "y": [1.0, 2.0, 3.0]
    }  # fmt: skip
    assert fig.line("kl", [0], [1], label_at=0.5)["label_at"] == 0.5
    assert fig.rule("old", 1, along="y")["axis"] == "y"
    assert fig.band("clip", 0.8, 1.2)["from"] == 0.8


def test_cells_hold_the_full_number_and_its_text() -> None:
    assert fig.cell(1 / 3, 2) == {"value": 1 / 3, "text": "0.33"}
    assert fig.cell(math.inf, 2) == {"value": "Infinity", "text": "∞"}
    assert fig.words("sum") == {"value": "sum", "text": "sum"}


def test_a_table_names_its_columns_and_their_units() -> None:
    table = fig.table("caption", [("KL", "nats")], [[fig.cell(1, 0)]])
    assert table["columns"] == [{"label": "KL", "unit": "nats"}]
    assert table["rows"] == [[{"value": 1, "text": "1"}]]
