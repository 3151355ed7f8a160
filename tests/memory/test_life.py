from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from scrubjay.memory.life import SAID_AGAIN, age, retained, said_again, stability, used
from scrubjay.memory.retention import LONGEST, after_use, stability_of
from scrubjay.types.memory import Life

NOW = datetime(2026, 3, 1, tzinfo=UTC)


def before(days: float) -> str:
    return f"{NOW - timedelta(days=days):%Y-%m-%dT%H:%M:%SZ}"


def test_a_memory_starts_as_stable_as_its_kind() -> None:
    assert stability(Life(), "declarative") == stability_of(60)
    assert stability(Life(3.0), "declarative") == 3.0
    assert stability(Life(), "meta-cognitive") is None


@pytest.mark.parametrize(
    ("moment", "days"),
    [
        (before(2), 2),
        ("2026-02-27", 2),
        ("2027-01-01", 0),
        ("no date", 0),
        (None, 0),
        ("", 0),
        ("2026-02-28T00:00:00", 1),
    ],
)
def test_age(moment: str | None, days: float) -> None:
    assert age(moment, NOW) == days


def test_use_strengthens_by_how_much_was_forgotten() -> None:
    half = stability_of(60)
    assert half is not None
    late, soon = used(Life(), "declarative", before(60), NOW), used(Life(), "declarative", before(1), NOW)
    assert late is not None
    assert soon is not None
    assert late.stability == after_use(half, 60)
    assert (late.stability or 0) > (soon.stability or 0) > half
    assert (late.uses, late.used_at) == (1, "2026-03-01T00:00:00Z")


def test_a_second_look_within_the_hour_is_the_same_use() -> None:
    assert used(Life(5.0, 1, before(0.5 / 24)), "declarative", before(9), NOW) is None
    assert used(Life(5.0, 1, before(2 / 24)), "declarative", before(9), NOW) is not None


def test_saying_it_again_always_adds_something() -> None:
    at_once = said_again(Life(5.0, 1, before(0)), "declarative", before(9), NOW)
    assert at_once == (5.0 * SAID_AGAIN, 2, "2026-03-01T00:00:00Z")
    assert said_again(Life(LONGEST), "declarative", before(9), NOW).stability == LONGEST
    assert said_again(Life(), "meta-cognitive", before(9), NOW).stability is None


def test_what_is_left_counts_from_the_last_use() -> None:
    assert retained(Life(10.0, 1, before(10)), "working", before(500), NOW) == (pytest.approx(0.9), 10, 10.0)
    assert retained(Life(), "declarative", before(60), NOW)[0] == pytest.approx(0.5)
    assert retained(Life(), "meta-cognitive", before(9999), NOW)[0] == 1
