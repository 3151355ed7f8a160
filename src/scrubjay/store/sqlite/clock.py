"""The one form in which times are stored: UTC to the second, so that text order is time order."""

from __future__ import annotations

import time


def now() -> str:
    return stamp(time.time())


def stamp(seconds: float) -> str:
    try:
        return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(seconds))
    except (OverflowError, ValueError, OSError):  # a file from the year 40000
        return "1970-01-01T00:00:00Z"
