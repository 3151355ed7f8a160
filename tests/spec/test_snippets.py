from __future__ import annotations

from scrubjay.disclose.snippet import snippet
from scrubjay.disclose.summary import summary


def test_r054_summary() -> None:
    assert len(summary("x" * 250)) == 100
    assert summary("é" * 250) == "é" * 100
    assert summary("x" * 250, "own") == "own"


def test_r060_from_the_stored_text_centred_and_highlightable() -> None:
    text = "before it " * 60 + "The Quick brown fox " + "after it " * 60
    shown, marks = snippet(text, ["quick"], width=200)
    assert shown.strip("…") in text
    assert [shown[start:end] for start, end in marks] == ["Quick"]
    assert abs(marks[0][0] - len(shown) / 2) < 40
    assert len(shown) <= 200


def test_f13_a_preview_never_cuts_inside_a_character() -> None:
    family = "👨\u200d👩\u200d👧\u200d👦"
    for width in range(20, 40):
        shown, _ = snippet(family * 40, ["x"], width=width)
        assert set(shown.removesuffix("…").split(family)) == {""}
