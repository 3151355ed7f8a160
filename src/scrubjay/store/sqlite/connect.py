"""Opening the file: pragmas, migration, and SQLite's errors turned into ones a person can use.

A base on a read-only disk is still searched; a base made by a newer program, another kind of
file and a locked file each get their own sentence instead of a code.
"""

from __future__ import annotations

import os
from time import monotonic, sleep

import apsw

from scrubjay.errors import (
    BaseFull,
    BaseLocked,
    BaseMissing,
    BaseReadOnly,
    BaseTooNew,
    DeadlinePassed,
    NotABase,
    ScrubjayError,
)
from scrubjay.types.base import TYPE_CHECKING

if TYPE_CHECKING:
    from types import TracebackType
    from typing import Any

APPLICATION_ID = 0x4B42534A  # "KBSJ": says that a SQLite file is a base of ours
SCHEMA_VERSION = 10  # the number of the newest file in schema/
MEMORY = ":memory:"


class translating:
    """Within it, SQLite's errors become ours, each naming the file and the cure."""

    def __init__(self, location: str) -> None:
        self.location = location

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: object, error: BaseException | None, trace: TracebackType | None) -> None:
        if isinstance(error, apsw.InterruptError):
            raise DeadlinePassed("The base was not read to the end in time.") from error
        if isinstance(error, apsw.Error):
            raise translated(error, self.location) from error


def translated(error: apsw.Error, location: str) -> ScrubjayError:
    """The error a person should read in place of SQLite's."""
    detail = str(error)
    if isinstance(error, apsw.BusyError | apsw.LockedError):
        return BaseLocked(
            f"{location} is locked.",
            "Another process has been writing to it for longer than we wait.",
            "Try again when it is done; `kb config set store.busy_seconds 60` waits longer.",
        )
    if isinstance(error, apsw.ReadOnlyError | apsw.PermissionsError):
        return BaseReadOnly(
            f"{location} cannot be written.",
            f"The file, its folder or its disk is read-only ({detail}).",
            "Make it writable, or use another base with --base.",
        )
    if isinstance(error, apsw.FullError):
        return BaseFull(
            f"{location} could not be written.",
            "The disk is full.",
            "Free some space; what was written before is kept.",
        )
    if isinstance(error, apsw.NotADBError):
        return NotABase(f"{location} is not a base.", "It is a file of another kind.", "Name another file with --base.")
    if isinstance(error, apsw.CorruptError):
        return NotABase(
            f"{location} is damaged.",
            f"SQLite says: {detail}.",
            "Restore a copy, or `kb init` a new base and add again.",
        )
    if isinstance(error, apsw.CantOpenError):
        return BaseMissing(
            f"{location} cannot be opened.",
            "The folder does not exist, or may not be entered.",
            "Make the folder, or name another base with --base.",
        )
    if isinstance(error, apsw.IOError):
        return BaseFull(
            f"{location} could not be read or written.",
            f"The disk answered with an error ({detail}).",
            "Check the disk and its free space; what was written before is kept.",
        )
    return ScrubjayError(f"{location}: the database refused the request.", detail, "Run `kb doctor`.")


def connect(location: str, *, create: bool = True, busy_seconds: float = 10.0) -> apsw.Connection:
    """An open, migrated connection. Raises BaseMissing, NotABase, BaseTooNew and their kin."""
    with translating(location):
        connection = _opened(location, create)
        try:
            connection.set_busy_timeout(int(busy_seconds * 1000))
            _recognised(connection, location)
            connection.execute(
                "PRAGMA foreign_keys = ON; PRAGMA synchronous = NORMAL; PRAGMA temp_store = MEMORY;"
                "PRAGMA cache_size = -65536; PRAGMA mmap_size = 1073741824"
            )
        except BaseException:
            connection.close()
            raise
    return connection


def begin(connection: apsw.Connection, lock: Any) -> None:
    """Takes `lock` and begins to write. While another process writes it waits without `lock`.

    SQLite's own waiting would hold the connection all the time, and every reader of this process
    with it. Between two attempts they read; how long is waited is the connection's busy timeout.
    """
    patience, end, pause = None, 0.0, 0.001
    while True:
        lock.acquire()
        try:
            if patience is None:
                patience = int(connection.pragma("busy_timeout"))
                end = monotonic() + patience / 1000
            connection.set_busy_timeout(0)
            try:
                connection.execute("BEGIN IMMEDIATE")
                return
            finally:
                connection.set_busy_timeout(patience)
        except BaseException as error:
            lock.release()
            if not isinstance(error, apsw.BusyError) or monotonic() >= end:
                raise
        sleep(pause)
        pause = min(pause * 2, 0.05)


def read_only(connection: apsw.Connection) -> bool:
    return connection.readonly("main")


def _opened(location: str, create: bool) -> apsw.Connection:
    if location == MEMORY:
        return apsw.Connection(MEMORY)
    if os.path.isdir(location):
        raise NotABase(
            f"{location} is a folder.", "A base is one file.", f"Use --base {os.path.join(location, 'kb.db')}"
        )
    if not os.path.exists(location):
        if not create:
            raise BaseMissing(
                f"There is no base at {location}.",
                "Nothing has been added yet.",
                "`kb add FOLDER` makes one and fills it; `kb init` makes an empty one here.",
            )
        _make_folder(location)
    elif not os.access(location, os.W_OK) or not os.access(os.path.dirname(location) or ".", os.W_OK):
        return _opened_read_only(location)
    return apsw.Connection(location)


def _make_folder(location: str) -> None:
    folder = os.path.dirname(os.path.abspath(location))
    try:
        os.makedirs(folder, exist_ok=True)
    except OSError as error:
        raise BaseReadOnly(
            f"The folder {folder} could not be made.", str(error.strerror), "Use another place with --base."
        ) from error


def _opened_read_only(location: str) -> apsw.Connection:
    """A write-ahead log needs a writable folder; without one the file is read as it stands."""
    flags = apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI
    quoted = location.replace("%", "%25").replace("?", "%3f").replace("#", "%23")
    live = os.path.exists(location + "-wal") and os.path.getsize(location + "-wal") > 0
    try:
        connection = apsw.Connection(f"file:{quoted}" + ("" if live else "?immutable=1"), flags=flags)
        connection.execute("SELECT 1 FROM sqlite_schema").get  # noqa: B018 - reading is what may fail
    except apsw.CantOpenError:
        connection = apsw.Connection(f"file:{quoted}?immutable=1", flags=flags)
    return connection


def _recognised(connection: apsw.Connection, location: str) -> None:
    """Checks that the file is ours and brings it up to date."""
    version = int(connection.pragma("user_version"))
    if version == SCHEMA_VERSION and connection.pragma("application_id") == APPLICATION_ID:
        return
    if version > SCHEMA_VERSION and connection.pragma("application_id") == APPLICATION_ID:
        raise BaseTooNew(
            f"{location} was written by a newer scrubjay.",
            f"Its format is {version}; this program knows up to {SCHEMA_VERSION}.",
            "Update: pip install --upgrade scrubjay",
        )
    from scrubjay.store.sqlite.migrate import migrate

    migrate(connection, location)
