from __future__ import annotations

from scrubjay.disclose.timeline import by_day, line
from scrubjay.types import Entry


def entry(number: int, at: str, **more: object) -> Entry:
    return Entry(f"d_{number}", at, "note", ("ops",), **{"title": "T", "summary": "S", **more})  # type: ignore[arg-type]


def test_neighbours_of_one_day_are_together_in_the_order_given() -> None:
    entries = [entry(1, "2026-01-01T08:00:00Z"), entry(2, "2026-01-01T09:00:00Z"), entry(3, "2026-01-02T01:00:00Z")]
    assert [(day.day, [each.id for each in day.entries]) for day in by_day(entries)] == [
        ("2026-01-01", ["d_1", "d_2"]),
        ("2026-01-02", ["d_3"]),
    ]
    assert by_day([]) == []


def test_a_line_says_when_what_and_about_what() -> None:
    assert line(entry(1, "2026-01-01T08:00:00Z")) == "08:00  d_1  T #ops — S"
    assert line(entry(1, "2026-01-01", title="", summary="")) == "--:--  d_1  (no title) #ops"
    assert line(entry(1, "2026-01-01T08:00:00Z", summary="T")).endswith("T #ops")
