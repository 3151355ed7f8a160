"""When: the one form in which times are stored, and the version by which readers know what is out of date.

Times are UTC to the second, so that text order is time order.
"""

from __future__ import annotations

import time

from scrubjay.types.base import TYPE_CHECKING

if TYPE_CHECKING:
    import apsw

_WRITING = 2  # apsw.SQLITE_TXN_WRITE


def now() -> str:
    return stamp(time.time())


def utc(text: str) -> str:
    """An ISO date or time in the stored form; without a zone it is taken for UTC."""
    if len(text) == 20 and text[-1] == "Z":
        return text
    if len(text) == 10:
        return f"{text}T00:00:00Z"
    from datetime import UTC, datetime

    try:
        moment = datetime.fromisoformat(text)
        moment = moment.astimezone(UTC) if moment.tzinfo else moment
        return moment.replace(microsecond=0, tzinfo=None).isoformat() + "Z"
    except (OverflowError, ValueError):  # at the ends of time
        return f"{text[:19]}Z"


def stamp(seconds: float) -> str:
    try:
        return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(seconds))
    except (OverflowError, ValueError, OSError):  # a file from the year 40000
        return "1970-01-01T00:00:00Z"


def version(connection: apsw.Connection) -> tuple[int, int] | None:
    """Changes with every write to the file, this connection's and anybody else's.

    None, which is equal to no version, inside a transaction that writes: it may be rolled back.
    """
    if connection.in_transaction and connection.txn_state("main") == _WRITING:
        return None
    return int(connection.pragma("data_version")), connection.total_changes()
