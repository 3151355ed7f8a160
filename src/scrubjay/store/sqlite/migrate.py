"""Brings a file from any older format to the present one, in one transaction.

Each numbered file of schema/ is applied once; `PRAGMA user_version` is the number of the last.
A failure leaves the file exactly as it was. Two processes may do this at the same moment: the
second waits for the first and then finds nothing to do.
"""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING

import apsw

from scrubjay.errors import NotABase
from scrubjay.store.sqlite import connect

if TYPE_CHECKING:
    from collections.abc import Sequence

SCHEMA_FOLDER = Path(__file__).parent / "schema"


def steps() -> list[tuple[int, str]]:
    """The numbered scripts, oldest first."""
    numbered = [(int(file.name.split("_", 1)[0]), file) for file in sorted(SCHEMA_FOLDER.glob("[0-9]*_*.sql"))]
    return [(number, file.read_text("utf-8")) for number, file in numbered if number <= connect.SCHEMA_VERSION]


def migrate(connection: apsw.Connection, location: str, scripts: Sequence[tuple[int, str]] | None = None) -> int:
    """Applies what is missing and returns the version reached."""
    _be_ours_or_empty(connection, location)
    if connect.read_only(connection):
        raise NotABase(
            f"{location} needs to be brought up to date and cannot be written.",
            "It was made by an older scrubjay.",
            "Make it writable once, or copy it to a place that is.",
        )
    if location != connect.MEMORY:
        _write_ahead(connection)
    connection.execute("BEGIN IMMEDIATE")
    try:
        version = int(connection.pragma("user_version"))
        for number, script in steps() if scripts is None else scripts:
            if number > version:
                connection.execute(script)
                connection.execute(f"PRAGMA user_version = {number:d}")
                version = number
        connection.execute(f"PRAGMA application_id = {connect.APPLICATION_ID:d}")
        connection.execute("COMMIT")
    except BaseException:
        connection.execute("ROLLBACK")
        raise
    return version


def _be_ours_or_empty(connection: apsw.Connection, location: str) -> None:
    ours = connection.pragma("application_id") == connect.APPLICATION_ID
    tables = connection.execute("SELECT count(*) FROM sqlite_schema").get
    # looked at again, because another process may have just made the base that was empty a moment ago
    if not ours and tables and connection.pragma("application_id") != connect.APPLICATION_ID:
        raise NotABase(
            f"{location} is not a base.",
            "It is a SQLite file of another program.",
            "Name another file with --base; this one was not touched.",
        )


def _write_ahead(connection: apsw.Connection) -> None:
    """Switching the journal needs the file alone for a moment and does not wait by itself."""
    for attempt in range(100):
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            return
        except apsw.BusyError:
            if attempt == 99:
                raise
            time.sleep(0.05)
