"""`kb timeline` over a real base: words for dates, days on a terminal, an anchor in the middle."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

import scrubjay


@pytest.fixture
def _utc(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Words follow the person's clock; here the person is in Greenwich."""
    with monkeypatch.context() as patch:
        patch.setenv("TZ", "UTC")
        if hasattr(time, "tzset"):
            time.tzset()
        yield
    if hasattr(time, "tzset"):
        time.tzset()


@pytest.fixture
def days(tmp_path: Path, _utc: None) -> str:
    """Notes of today at noon, and of 1, 2, 9 and 40 days ago; two of them on one day."""
    place = str(tmp_path / "days.db")
    today = datetime.now(UTC).replace(hour=12, minute=0, second=0, microsecond=0)
    with scrubjay.open(place) as kb:
        kb.notes(
            {
                "id": f"d{back}{letter}",
                "text": f"what happened {back} days ago",
                "title": f"Day {back}{letter}",
                "created_at": (today - timedelta(days=back)).isoformat(),
                "tags": ["even"] if back % 2 == 0 else [],
            }
            for back, letter in ((40, ""), (9, ""), (2, "a"), (2, "b"), (1, ""), (0, ""))
        )
    return place


def ids(kb: Any, place: str, *words: str) -> list[str]:
    done = kb("timeline", "--base", place, "--json", *words)
    assert done.code == 0, done.err
    return [entry["id"] for entry in json.loads(done.out)["entries"]]


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ((), ["d40", "d9", "d2a", "d2b", "d1", "d0"]),
        (("--since", "today"), ["d0"]),
        (("--since", "yesterday"), ["d1", "d0"]),
        (("--since", "yesterday", "--until", "yesterday"), ["d1"]),
        (("--since", "3d"), ["d2a", "d2b", "d1", "d0"]),
        (("--since", "3 days ago", "--until", "yesterday"), ["d2a", "d2b", "d1"]),
        (("--until", "30d"), ["d40"]),
        (("--since", "tomorrow"), []),
        (("--limit", "2"), ["d1", "d0"]),
        (("--tags", "even", "--since", "5d"), ["d2a", "d2b", "d0"]),
        (("--anchor", "d2b", "--before", "1", "--after", "1"), ["d2a", "d2b", "d1"]),
        (("--anchor", "d40", "--before", "3", "--after", "1"), ["d40", "d9"]),
        (("--anchor", "d0"), ["d40", "d9", "d2a", "d2b", "d1", "d0"]),
    ],
)
def test_words_and_anchors(kb: Any, days: str, words: tuple[str, ...], found: list[str]) -> None:
    assert ids(kb, days, *words) == found


def test_a_terminal_shows_a_heading_a_day(kb: Any, days: str) -> None:
    done = kb("timeline", "--base", days, "--anchor", "d1", "--before", "2", terminal=True, NO_COLOR="1")
    headings = [line for line in done.out.splitlines() if line and not line.startswith((" ", "▸"))]
    assert len(headings) == 3
    assert "2 days ago" in headings[0]
    assert "today" in headings[2]
    assert [line[0] for line in done.out.splitlines() if "Day " in line] == [" ", " ", "▸", " "]


def test_a_chunk_can_be_the_anchor(kb: Any, days: str) -> None:
    with scrubjay.open(days) as base:
        chunk = base.search("happened 9", mode="keyword", top=1).hits[0]
    assert chunk.id.startswith("c_")
    around = ids(kb, days, "--anchor", chunk.id, "--before", "0", "--after", "0")
    assert around == [chunk.document_id]


@pytest.mark.parametrize("words", [("--since", "the day the music died"), ("--anchor", "nobody"), ("--limit", "0")])
def test_what_cannot_be_meant_is_said(kb: Any, days: str, words: tuple[str, ...]) -> None:
    done = kb("timeline", "--base", days, *words)
    assert done.code in (1, 2)
    assert done.err
    assert done.out == ""


@pytest.mark.parametrize(
    ("written", "told"),
    [
        ("2026-11-18T23:59:00Z", "2 days ago"),
        ("2026-11-18T00:30:00Z", "2 days ago"),
        ("2026-11-19T23:59:00Z", "yesterday"),
        ("2026-11-19", "yesterday"),
        ("2026-11-20T00:00:30Z", "today"),
        ("2026-11-20T12:00:00Z", "today"),
        ("2026-11-21T12:00:00Z", "tomorrow"),
        ("2026-11-10T12:00:00Z", "10 days ago"),
        ("2026-10-01T12:00:00Z", "7 weeks ago"),
    ],
)
@pytest.mark.usefixtures("_utc")
def test_days_are_counted_by_the_calendar(monkeypatch: pytest.MonkeyPatch, written: str, told: str) -> None:
    import datetime as module

    from scrubjay.cli.read import _day_age
    from scrubjay.types import Entry

    class Midnight(datetime):
        """A minute into Friday 20 November 2026."""

        @classmethod
        def now(cls, tz: Any = None) -> datetime:
            return datetime(2026, 11, 20, 0, 1, tzinfo=UTC).astimezone(tz)

    monkeypatch.setattr(module, "datetime", Midnight)
    assert _day_age(Entry("d", written, "note", (), "", "")) == told
