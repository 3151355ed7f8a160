from __future__ import annotations

from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.errors import UsageError
from scrubjay.evaluate.plot import bars, lines

SVG = "{http://www.w3.org/2000/svg}"
SERIES = {"keyword": {"notes": 0.672, "code": 0.382}, "hybrid": {"notes": 0.801}}


def texts(svg: str) -> list[str]:
    return [element.text or "" for element in ElementTree.fromstring(svg).iter(SVG + "text")]


def test_a_bar_for_every_value_with_its_number() -> None:
    drawn = bars(SERIES, title="nDCG@10")
    shown = texts(drawn)
    assert {"nDCG@10", "keyword", "hybrid", "notes", "code", "0.672", "0.382", "0.801"} <= set(shown)
    assert len(list(ElementTree.fromstring(drawn).iter(SVG + "rect"))) == 1 + 2 + 3  # ground, legend, bars


def test_bars_are_as_high_as_their_values() -> None:
    drawn = ElementTree.fromstring(bars({"a": {"x": 1.0, "y": 0.5, "z": -0.5}}))
    heights = [float(rect.get("height", "0")) for rect in drawn.iter(SVG + "rect")][2:]
    assert heights[0] == pytest.approx(2 * heights[1], abs=0.2)
    assert heights[2] == pytest.approx(heights[1], abs=0.2)


def test_a_line_through_all_points() -> None:
    drawn = ElementTree.fromstring(lines({"p50": [(100, 3), (10, 1)], "p95": [(10, 2)]}, title="ms"))
    (first, second) = [line.get("points", "").split() for line in drawn.iter(SVG + "polyline")]
    assert (len(first), len(second)) == (2, 1)
    xs = [float(point.split(",")[0]) for point in first]
    assert xs == sorted(xs)
    assert len(list(drawn.iter(SVG + "circle"))) == 3


def test_the_same_data_gives_the_same_file() -> None:
    assert bars(SERIES) == bars(SERIES)


def test_names_are_text() -> None:
    drawn = bars({'<script>"&': {"a<b\x00": 1.0}}, title="</svg>")
    assert "<script>" not in drawn
    assert "a<b" in texts(drawn)


def test_nothing_cannot_be_drawn() -> None:
    for draw in (lambda: bars({}), lambda: bars({"a": {}}), lambda: lines({"a": []})):
        with pytest.raises(UsageError, match="nothing"):
            draw()
    with pytest.raises(UsageError, match="number"):
        bars({"a": {"x": float("nan")}})


@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=6))
def test_every_value_stays_on_the_paper(values: list[float]) -> None:
    drawn = ElementTree.fromstring(bars({"a": {f"g{at}": value for at, value in enumerate(values)}}, height=300))
    for rect in drawn.iter(SVG + "rect"):
        top, tall = float(rect.get("y", "0")), float(rect.get("height", "0"))
        assert top >= 0
        assert top + tall <= 300.1
    ElementTree.fromstring(lines({"a": list(enumerate(values))}))
