from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.errors import UsageError
from scrubjay.search.when import day_of, moment

NOW = datetime(2026, 3, 31, 15, 20, 10, tzinfo=UTC)  # a Tuesday


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("2026-01-02", "2026-01-02T00:00:00Z", "2026-01-02T23:59:59Z"),
        ("2026/01/02", "2026-01-02T00:00:00Z", "2026-01-02T23:59:59Z"),
        ("20260102", "2026-01-02T00:00:00Z", "2026-01-02T23:59:59Z"),
        ("2.1.2026", "2026-01-02T00:00:00Z", "2026-01-02T23:59:59Z"),
        ("2026-02", "2026-02-01T00:00:00Z", "2026-02-28T23:59:59Z"),
        ("2024-02", "2024-02-01T00:00:00Z", "2024-02-29T23:59:59Z"),
        ("2026", "2026-01-01T00:00:00Z", "2026-12-31T23:59:59Z"),
        ("2026-W01", "2025-12-29T00:00:00Z", "2026-01-04T23:59:59Z"),
        ("2026-Q4", "2026-10-01T00:00:00Z", "2026-12-31T23:59:59Z"),
        ("2026-01-02T03", "2026-01-02T03:00:00Z", "2026-01-02T03:59:59Z"),
        ("2026-01-02 03:04", "2026-01-02T03:04:00Z", "2026-01-02T03:04:59Z"),
        ("2026-01-02T03:04:05Z", "2026-01-02T03:04:05Z", "2026-01-02T03:04:05Z"),
        ("2026-01-02T03:04:05.678Z", "2026-01-02T03:04:05Z", "2026-01-02T03:04:05Z"),
        ("2026-01-02T00:30:00+02:00", "2026-01-01T22:30:00Z", "2026-01-01T22:30:00Z"),
        ("2026-01-02 20:00 -0530", "2026-01-03T01:30:00Z", "2026-01-03T01:30:59Z"),
        ("jan 5", "2026-01-05T00:00:00Z", "2026-01-05T23:59:59Z"),
        ("Dec 5", "2025-12-05T00:00:00Z", "2025-12-05T23:59:59Z"),
        ("5 Jan 2025", "2025-01-05T00:00:00Z", "2025-01-05T23:59:59Z"),
        ("January 5th, 2025", "2025-01-05T00:00:00Z", "2025-01-05T23:59:59Z"),
        ("the 5th of jan. 2025", "2025-01-05T00:00:00Z", "2025-01-05T23:59:59Z"),
        ("sept 2025", "2025-09-01T00:00:00Z", "2025-09-30T23:59:59Z"),
        ("february", "2026-02-01T00:00:00Z", "2026-02-28T23:59:59Z"),
        ("now", "2026-03-31T15:20:10Z", "2026-03-31T15:20:10Z"),
        ("Today", "2026-03-31T00:00:00Z", "2026-03-31T23:59:59Z"),
        (" yesterday ", "2026-03-30T00:00:00Z", "2026-03-30T23:59:59Z"),
        ("tomorrow", "2026-04-01T00:00:00Z", "2026-04-01T23:59:59Z"),
        ("this week", "2026-03-30T00:00:00Z", "2026-04-05T23:59:59Z"),
        ("last  week", "2026-03-23T00:00:00Z", "2026-03-29T23:59:59Z"),
        ("this month", "2026-03-01T00:00:00Z", "2026-03-31T23:59:59Z"),
        ("last month", "2026-02-01T00:00:00Z", "2026-02-28T23:59:59Z"),
        ("next month", "2026-04-01T00:00:00Z", "2026-04-30T23:59:59Z"),
        ("this year", "2026-01-01T00:00:00Z", "2026-12-31T23:59:59Z"),
        ("last year", "2025-01-01T00:00:00Z", "2025-12-31T23:59:59Z"),
        ("monday", "2026-03-30T00:00:00Z", "2026-03-30T23:59:59Z"),
        ("tuesday", "2026-03-31T00:00:00Z", "2026-03-31T23:59:59Z"),
        ("last tue", "2026-03-24T00:00:00Z", "2026-03-24T23:59:59Z"),
        ("last monday", "2026-03-30T00:00:00Z", "2026-03-30T23:59:59Z"),
        ("3 days ago", "2026-03-28T00:00:00Z", "2026-03-28T23:59:59Z"),
        ("2w", "2026-03-17T00:00:00Z", "2026-03-17T23:59:59Z"),
        ("1 month ago", "2026-02-28T00:00:00Z", "2026-02-28T23:59:59Z"),
        ("two years ago", "2024-03-31T00:00:00Z", "2024-03-31T23:59:59Z"),
        ("an hour ago", "2026-03-31T14:20:10Z", "2026-03-31T14:20:10Z"),
        ("30min", "2026-03-31T14:50:10Z", "2026-03-31T14:50:10Z"),
        ("last 3 days", "2026-03-28T00:00:00Z", "2026-03-31T23:59:59Z"),
        ("past month", "2026-02-28T00:00:00Z", "2026-03-31T23:59:59Z"),
        ("in 2 days", "2026-04-02T00:00:00Z", "2026-04-02T23:59:59Z"),
    ],
)
def test_what_people_write(text: str, first: str, last: str) -> None:
    assert moment(text, now=NOW) == first
    assert moment(text, now=NOW, end=True) == last


@pytest.mark.parametrize(
    "text",
    ["", "soon", "2025-02-29", "2026-13", "2026-01-32", "1/2/2026", "6m", "jan 40", "feb 30 2026", "jan 5 6",
     "2026-01-02T25:00", "0000", "days", "last", "ago", "99999999999999999999 days ago", "3 days ago ago", "٣ days ago",
     "jan feb", "12", "9999999 years ago"],
)  # fmt: skip
def test_what_cannot_be_understood_names_examples(text: str) -> None:
    with pytest.raises(UsageError) as caught:
        moment(text, now=NOW)
    assert "3 days ago" in caught.value.cure


def test_an_ambiguous_date_says_why() -> None:
    with pytest.raises(UsageError, match="month/day"):
        moment("01/02/2026", now=NOW)
    with pytest.raises(UsageError, match="minutes or months"):
        moment("6m", now=NOW)


def test_today_holds_the_own_day_and_the_utc_day_of_that_name() -> None:
    west = NOW.replace(hour=20, tzinfo=timezone(timedelta(hours=-8)))  # already the next day in UTC
    assert moment("today", now=west) == "2026-03-31T00:00:00Z"
    assert moment("today", now=west, end=True) == "2026-04-01T07:59:59Z"
    east = NOW.replace(hour=2, tzinfo=timezone(timedelta(hours=8)))  # still the day before in UTC
    assert moment("today", now=east) == "2026-03-30T16:00:00Z"
    assert moment("today", now=east, end=True) == "2026-03-31T23:59:59Z"


def test_a_written_date_does_not_depend_on_the_clock() -> None:
    east = NOW.replace(tzinfo=timezone(timedelta(hours=8)))
    assert moment("5 jan 2026", now=east) == "2026-01-05T00:00:00Z"
    assert moment("2026-01-05", now=east, end=True) == "2026-01-05T23:59:59Z"


def test_a_now_without_a_zone_is_utc() -> None:
    assert moment("now", now=NOW.replace(tzinfo=None)) == "2026-03-31T15:20:10Z"


def test_the_clock_of_the_machine_is_the_default() -> None:
    before = datetime.now(UTC).replace(microsecond=0)
    assert before <= datetime.fromisoformat(moment("now")) <= datetime.now(UTC)


@given(st.dates(min_value=date(1, 1, 2), max_value=date(9999, 12, 30)))
def test_every_day_is_read_as_itself(day: date) -> None:
    for text in (day.isoformat(), day.isoformat().replace("-", "/"), f"{day.day}.{day.month}.{day.year:04}"):
        assert moment(text, now=NOW) == f"{day.isoformat()}T00:00:00Z"
        assert moment(text, now=NOW, end=True) == f"{day.isoformat()}T23:59:59Z"


@given(st.text(max_size=20))
def test_any_text_is_a_time_or_a_usage_error(text: str) -> None:
    try:
        first, last = moment(text, now=NOW), moment(text, now=NOW, end=True)
    except UsageError:
        return
    assert datetime.fromisoformat(first) <= datetime.fromisoformat(last)


@pytest.mark.parametrize(
    ("path", "day"),
    [
        ("2026-01-01.md", "2026-01-01"),
        ("memory/2026-01-01.md", "2026-01-01"),
        ("a/b/2026-01-01.md", "2026-01-01"),
        ("a\\2024-02-29.md", "2024-02-29"),
        ("notes.md", None),
        ("MEMORY.md", None),
        ("2025-13-40.md", None),
        ("2025-02-29.md", None),
        ("2026-01-01.txt", None),
        ("x2026-01-01.md", None),
        ("2026-01-01.md/notes.md", None),
        ("0000-01-01.md", None),
    ],
)
def test_r018_r021_the_day_a_file_is_named_after(path: str, day: str | None) -> None:
    assert day_of(path) == day


@given(st.integers(0, 9999), st.integers(0, 13), st.integers(0, 32))
def test_r021_only_days_that_exist(year: int, month: int, day: int) -> None:
    try:
        date(year, month, day)
        expected = f"{year:04}-{month:02}-{day:02}"
    except ValueError:
        expected = None
    assert day_of(f"{year:04}-{month:02}-{day:02}.md") == expected
