"""Turns what people write for a time into the timestamps that the store compares.

Everything is read as a stretch (a day, a week, a month): `since` takes its first second and
`until` its last, so that until="2026-01-02" includes that day. A date without a zone is a day
in UTC, as dates are stored. "today" and its like follow the person's own clock; away from
UTC the stretch is widened to hold both that day and the UTC day of the same name, because a
note stamped with a bare date must not be lost to an offset.
"""

from __future__ import annotations

import re

from scrubjay.errors import UsageError
from scrubjay.types.base import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import date, datetime

    Span = tuple[datetime, datetime]  # the first instant, and the first one after

_CURE = (
    'Write for example 2026-01-31, "2026-01-31 14:30", 2026-01, 2026, today, yesterday, '
    '"3 days ago", 2w, "last month", "last monday", "jan 5" or "5 Jan 2026".'
)
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_FULL_MONTHS = (
    "january", "february", "march", "april", "may", "june",
    "july", "august", "september", "october", "november", "december",
)  # fmt: skip
_DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_NUMBERS = {
    "a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7,
    "eight": 8, "nine": 9, "ten": 10, "eleven": 11, "twelve": 12,
}  # fmt: skip
_UNITS = {
    "second": ("s", "sec", "secs", "second", "seconds"),
    "minute": ("min", "mins", "minute", "minutes"),
    "hour": ("h", "hr", "hrs", "hour", "hours"),
    "day": ("d", "day", "days"),
    "week": ("w", "wk", "wks", "week", "weeks"),
    "month": ("mo", "month", "months"),
    "year": ("y", "yr", "yrs", "year", "years"),
}
_SECONDS = {"second": 1, "minute": 60, "hour": 3600}
_MONTHS_IN = {"month": 1, "year": 12}
_DATED_FILE = re.compile(r"(?:^|[/\\])(\d{4})-(\d{2})-(\d{2})\.md$", re.ASCII)
_DAY = re.compile(r"(\d{4})-(\d{2})-(\d{2})", re.ASCII)


def moment(text: str, *, now: datetime | None = None, end: bool = False) -> str:
    """The UTC second that `text` names: the first one, or with `end` the last one.

    `now` is what "today" is counted from, with its zone; by default the clock of this machine.
    """
    wanted = " ".join(str(text).lower().replace(",", " ").split())
    plain = _DAY.fullmatch(wanted)
    if plain and _exists(*map(int, plain.groups())):  # by far the most common, and needs no import
        return wanted + ("T23:59:59Z" if end else "T00:00:00Z")
    from datetime import UTC, datetime, timedelta

    here = now or datetime.now().astimezone()
    if here.tzinfo is None:
        here = here.replace(tzinfo=UTC)
    try:
        span = _iso_date(wanted) or _iso_time(wanted) or _named_date(wanted, here)
        span = span or _spoken(wanted, here) or _counted(wanted, here)
        if span is not None:
            chosen = span[1] - timedelta(microseconds=1) if end else span[0]
            return chosen.astimezone(UTC).replace(microsecond=0, tzinfo=None).isoformat() + "Z"
    except (ValueError, OverflowError) as error:
        raise UsageError(f"There is no such time as {text!r}.", str(error).capitalize() + ".", _CURE) from error
    raise UsageError(f"{text!r} is not a time that can be understood.", _ambiguity(wanted), _CURE)


def day_of(path: str) -> str | None:
    """The day that a file is named after ("notes/2026-01-31.md"), if it is one that exists."""
    found = _DATED_FILE.search(path)
    if found is None or not _exists(*map(int, found.groups())):
        return None
    return "-".join(found.groups())


def _exists(year: int, month: int, day: int) -> bool:
    if not (1 <= year <= 9999 and 1 <= month <= 12):
        return False
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    longest = 30 + (month + month // 8) % 2 if month != 2 else 28 + leap
    return 1 <= day <= longest


def _ambiguity(wanted: str) -> str:
    if re.fullmatch(r"\d{1,2}/\d{1,2}/\d{2,4}", wanted, re.ASCII):
        return "It is read as month/day in some countries and day/month in others."
    if re.fullmatch(r"\d+ ?m( ago)?", wanted, re.ASCII):
        return "m may be minutes or months: write min or mo."
    return ""


# --- stretches -------------------------------------------------------------------------------


def _days(first: date, after: date, here: datetime | None = None) -> Span:
    """Whole days in UTC and, for words that follow the person's clock, also in their zone."""
    from datetime import UTC, datetime

    opens = datetime(first.year, first.month, first.day, tzinfo=UTC)
    closes = datetime(after.year, after.month, after.day, tzinfo=UTC)
    if here is None:
        return opens, closes
    return min(opens, opens.replace(tzinfo=here.tzinfo)), max(closes, closes.replace(tzinfo=here.tzinfo))


def _one_day(day: date, here: datetime | None = None) -> Span:
    from datetime import timedelta

    return _days(day, day + timedelta(days=1), here)


def _months(year: int, month: int, count: int, here: datetime | None = None) -> Span:
    """`count` months from the first of one on; `month` may run over the year's ends."""
    from datetime import date

    def first_of(index: int) -> date:
        return date(year + index // 12, index % 12 + 1, 1)

    return _days(first_of(month - 1), first_of(month - 1 + count), here)


def _shifted(day: date, unit: str, count: int) -> date:
    """The same day so many units later; the last of the month where the day does not exist."""
    from datetime import timedelta

    if unit not in _MONTHS_IN:
        return day + timedelta(days=count * (7 if unit == "week" else 1))
    index = day.year * 12 + day.month - 1 + count * _MONTHS_IN[unit]
    year, month, number = index // 12, index % 12 + 1, day.day
    while number > 28 and not _exists(year, month, number):
        number -= 1
    return day.replace(year=year, month=month, day=number)


def _whole(unit: str, offset: int, here: datetime) -> Span:
    """The calendar's week, month or year that is `offset` away from this one."""
    from datetime import timedelta

    today = here.date()
    if unit == "day":
        return _one_day(_shifted(today, "day", offset), here)
    if unit == "week":
        monday = today - timedelta(days=today.weekday() - 7 * offset)
        return _days(monday, monday + timedelta(days=7), here)
    if unit == "month":
        return _months(today.year, today.month + offset, 1, here)
    return _months(today.year + offset, 1, 12, here)


# --- what can be written ---------------------------------------------------------------------


def _iso_time(wanted: str) -> Span | None:
    """2026-01-31T14, … 14:30, … 14:30:05.25, each with or without a zone."""
    from datetime import UTC, datetime, timedelta

    found = re.fullmatch(
        r"(\d{4}-\d{2}-\d{2})[t ](\d{2})(?::?(\d{2})(?::?(\d{2})(?:\.\d+)?)?)? ?(z|utc|[+-]\d{2}(?::?\d{2})?)?",
        wanted, re.ASCII,
    )  # fmt: skip
    if found is None:
        return None
    day, hour, minute, second, zone = found.groups()
    at = datetime.fromisoformat(f"{day}T{hour}:{minute or '00'}:{second or '00'}")
    if zone and zone not in ("z", "utc"):
        digits = zone[1:].replace(":", "").ljust(4, "0")
        offset = timedelta(hours=int(digits[:2]), minutes=int(digits[2:]))
        at -= offset if zone[0] == "+" else -offset
    at = at.replace(tzinfo=UTC)
    return at, at + timedelta(seconds=1 if second else 60 if minute else 3600)


def _iso_date(wanted: str) -> Span | None:
    """2026-01-31, 2026/01/31, 20260131, 31.1.2026, 2026-01, 2026-w05, 2026-q1, 2026."""
    from datetime import date, timedelta

    found = re.fullmatch(r"(\d{4})([-/.]?)(\d{2})\2(\d{2})", wanted, re.ASCII)
    if found:
        return _one_day(date(int(found[1]), int(found[3]), int(found[4])))
    found = re.fullmatch(r"(\d{1,2})\. ?(\d{1,2})\. ?(\d{4})", wanted, re.ASCII)
    if found:
        return _one_day(date(int(found[3]), int(found[2]), int(found[1])))
    found = re.fullmatch(r"(\d{4})-?w(\d{2})", wanted, re.ASCII)
    if found:
        monday = date.fromisocalendar(int(found[1]), int(found[2]), 1)
        return _days(monday, monday + timedelta(days=7))
    found = re.fullmatch(r"(\d{4})[- ]?q([1-4])", wanted, re.ASCII)
    if found:
        return _months(int(found[1]), int(found[2]) * 3 - 2, 3)
    found = re.fullmatch(r"(\d{4})(?:[-/](\d{1,2}))?", wanted, re.ASCII)
    if found is None:
        return None
    if found[2] and not 1 <= int(found[2]) <= 12:
        raise ValueError("a year has twelve months")
    return _months(int(found[1]), int(found[2] or 1), 1 if found[2] else 12)


def _named_date(wanted: str, here: datetime) -> Span | None:
    """jan 5, 5 january, jan 5 2026, 5th of jan 2026, january 2026, march: never in the future."""
    from datetime import date

    words = [re.sub(r"^(\d{1,2})(?:st|nd|rd|th)$", r"\1", word) for word in wanted.split() if word not in ("of", "the")]
    names = [word for word in words if _month_number(word)]
    numbers = [word for word in words if re.fullmatch(r"\d{1,2}|\d{4}", word, re.ASCII)]
    if len(names) != 1 or len(names) + len(numbers) != len(words) or len(numbers) > 2:
        return None
    month, today = _month_number(names[0]), here.date()
    day = next((int(number) for number in numbers if len(number) < 4), 0)
    year = next((int(number) for number in numbers if len(number) == 4), 0)
    if len(numbers) != bool(day) + bool(year):
        return None
    if not year:
        year = today.year - ((month, day or 1) > (today.month, today.day))
    return _one_day(date(year, month, day)) if day else _months(year, month, 1)


def _month_number(word: str) -> int:
    short = word.rstrip(".")
    if short == "sept":
        return 9
    if short in _MONTHS:
        return _MONTHS.index(short) + 1
    return _FULL_MONTHS.index(short) + 1 if short in _FULL_MONTHS else 0


def _spoken(wanted: str, here: datetime) -> Span | None:
    """now, today, yesterday, last week, this year, next month, monday, last tuesday."""
    from datetime import timedelta

    if wanted == "now":
        return here, here + timedelta(seconds=1)
    offset = {"today": 0, "yesterday": -1, "tomorrow": 1}.get(wanted)
    if offset is not None:
        return _whole("day", offset, here)
    head, _, tail = wanted.rpartition(" ")
    offset = {"last": -1, "previous": -1, "this": 0, "next": 1}.get(head)
    if offset is not None and tail in ("week", "month", "year", "day"):
        return _whole(tail, offset, here)
    weekday = next((i for i, name in enumerate(_DAYS) if tail in (name, name[:3])), None)
    if weekday is None or head not in ("", "last", "on", "this", "previous"):
        return None
    back = (here.weekday() - weekday) % 7
    if back == 0 and head in ("last", "previous"):
        back = 7
    return _one_day(_shifted(here.date(), "day", -back), here)


def _counted(wanted: str, here: datetime) -> Span | None:
    """3 days ago, 2w, an hour ago, in 2 weeks, last 3 days, past month."""
    from datetime import timedelta

    found = re.fullmatch(r"(in |last |past |the last )?(\d+ ?|[a-z]+ )?([a-z]+)( ago)?", wanted, re.ASCII)
    if found is None:
        return None
    lead, number, word, ago = found.groups()
    unit = next((unit for unit, forms in _UNITS.items() if word in forms), "")
    if number is None:
        count = 1 if lead == "past " else None
    else:
        number = number.strip()
        count = int(number) if number.isdigit() else _NUMBERS.get(number)
    if not unit or count is None or (lead and ago):
        return None
    back = count if lead == "in " else -count
    if unit in _SECONDS:
        at = here + timedelta(seconds=back * _SECONDS[unit])
        return at, here if lead and back < 0 else at + timedelta(seconds=1)
    span = _one_day(_shifted(here.date(), unit, back), here)
    return (span[0], _whole("day", 0, here)[1]) if lead and back < 0 else span
