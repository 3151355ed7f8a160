"""Whole copies of a base: made while it is used, checked, and put back.

SQLite's own backup reads one moment of the file, whoever writes meanwhile. A copy is made under
another name, checked from the first page to the last, and only then gets its name: a file that
is called a backup is one. Restoring writes *into* the base that is there, as one transaction, so
that a server which has it open goes on with the new content and never with a mixture.
"""

from __future__ import annotations

import os
from contextlib import closing, contextmanager, suppress
from glob import escape, glob

import apsw

from scrubjay.errors import BaseMissing, BaseReadOnly, BaseTooNew, NotABase, UsageError
from scrubjay.store.sqlite import connect
from scrubjay.types.base import TYPE_CHECKING
from scrubjay.types.carrying import Copied

if TYPE_CHECKING:
    from collections.abc import Iterator

_PAGES = 5000  # copied at a time, so that Ctrl-C is noticed
_BESIDE = ("-wal", "-shm", "-journal")  # parts of a base that is in use


def backup(connection: apsw.Connection, target: str, *, force: bool = False) -> Copied:
    """Writes the connection's base, as it is at this moment, into a file of its own."""
    target = os.path.abspath(os.path.expanduser(target))
    _refuse(connection, target, force)
    with _draft(target) as draft:
        with closing(apsw.Connection(draft)) as copy:
            _pour(connection, copy)
        made = inspect(draft)
        _forget_derived(target, parts=True)
        os.replace(draft, target)
    return made._replace(file=target)


def _refuse(connection: apsw.Connection, target: str, force: bool) -> None:
    own = connection.filename
    if os.path.isdir(target):
        name = os.path.join(target, "kb-backup.db")
        raise UsageError(f"{target} is a folder.", "A backup is one file.", f"Name the file: kb backup {name}")
    if not os.path.isdir(os.path.dirname(target)):
        raise UsageError(f"There is no folder {os.path.dirname(target)}.", "", "Make it, or name another place.")
    if not os.path.lexists(target):
        return
    if own and os.path.exists(target) and os.path.samefile(own, target):
        raise UsageError(f"{target} is the base itself.", "", "Name another file for the copy.")
    if not force:
        raise UsageError(f"{target} is there already.", "Nothing was written.", "Name another file, or say --force.")


@contextmanager
def _draft(target: str) -> Iterator[str]:
    """A name beside the target that is gone afterwards, whatever happens."""
    draft = f"{target}.{os.getpid()}.tmp"
    _unlink(draft)
    try:
        with connect.translating(target):
            yield draft
    except OSError as error:
        raise BaseReadOnly(f"{target} cannot be written.", str(error.strerror), "Name another place.") from error
    finally:
        for end in ("", *_BESIDE):
            _unlink(draft + end)


def _pour(source: apsw.Connection, target: apsw.Connection) -> None:
    """All pages of one moment: the source's read transaction holds it still."""
    outer = source.in_transaction
    if not outer:
        source.execute("BEGIN")
    try:
        source.execute("SELECT count(*) FROM sqlite_schema").get  # noqa: B018 - begins the reading
        with target.backup("main", source, "main") as copying:
            while not copying.done:
                copying.step(_PAGES)
    finally:
        if not outer:
            source.execute("ROLLBACK")


def inspect(path: str) -> Copied:
    """What is in a file, looked through from end to end; raises when it is not a sound base of ours."""
    if not os.path.isfile(path):
        raise BaseMissing(f"There is no file {path}.", "", "Name a file that `kb backup` made.")
    with connect.translating(path), closing(connect._opened_read_only(path)) as connection:
        if connection.pragma("application_id") != connect.APPLICATION_ID:
            raise NotABase(f"{path} is not a base.", "It is a SQLite file of another program.", "Name another file.")
        schema = int(connection.pragma("user_version"))
        if schema > connect.SCHEMA_VERSION:
            raise BaseTooNew(
                f"{path} was written by a newer scrubjay.",
                f"Its format is {schema}; this program knows up to {connect.SCHEMA_VERSION}.",
                "Update: pip install --upgrade scrubjay",
            )
        problems = [str(row[0]) for row in connection.execute("PRAGMA integrity_check(3)")]
        if problems != ["ok"]:
            raise NotABase(f"{path} is damaged.", f"SQLite says: {'; '.join(problems)}", "Use another copy.")
        documents = int(connection.execute("SELECT count(*) FROM documents").get)
        chunks = int(connection.execute("SELECT count(*) FROM chunks").get)
        return Copied(path, os.path.getsize(path), documents, chunks, schema)


def restore(file: str, location: str, stamp: str, *, busy_seconds: float = 10.0, force: bool = False) -> Copied:
    """Makes the base at `location` what `file` holds; what was there is kept aside."""
    file = os.path.abspath(os.path.expanduser(file))
    location = os.path.abspath(os.path.expanduser(location))
    held = inspect(file)
    if os.path.exists(location) and os.path.samefile(file, location):
        raise UsageError(f"{file} is the base itself.", "", "Name a copy of it.")
    aside = ""
    if os.path.lexists(location):
        aside = _unused(f"{location}-before-{stamp}")
        if not _replaced_inside(file, location, aside, busy_seconds):
            _moved_aside(location, aside, force)
            _placed(file, location)
    else:
        connect._make_folder(location)
        _placed(file, location)
    _forget_derived(location)
    connect.connect(location, create=False, busy_seconds=busy_seconds).close()  # brings an older one up to date
    return held._replace(file=location, aside=aside)


def _unused(path: str) -> str:
    count, wanted = 1, path
    while os.path.lexists(wanted):
        count += 1
        wanted = f"{path}-{count}"
    return wanted


def _replaced_inside(file: str, location: str, aside: str, busy_seconds: float) -> bool:
    """Whether the base that is there was sound enough to take the new content as a transaction."""
    try:
        with closing(apsw.Connection(location, flags=apsw.SQLITE_OPEN_READWRITE)) as present:
            present.set_busy_timeout(int(busy_seconds * 1000))
            if present.pragma("application_id") != connect.APPLICATION_ID:
                return False
            backup(present, aside)
            with closing(connect._opened_read_only(file)) as source:
                _pour(source, present)
            present.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            return True
    except (apsw.NotADBError, apsw.CorruptError, NotABase, BaseTooNew):
        _unlink(aside)
        return False
    except apsw.Error as error:
        _unlink(aside)  # nothing was replaced, so nothing has to be kept
        raise connect.translated(error, location) from error


def _moved_aside(location: str, aside: str, force: bool) -> None:
    """For what cannot be read as a base: it is renamed, with the parts that belong to it."""
    with open(location, "rb") as there:
        ours = int.from_bytes(there.read(72)[68:72], "big") == connect.APPLICATION_ID
    if not ours and not force:
        raise NotABase(
            f"{location} is not a base.", "It is a file of another kind; it was not touched.",
            "Name another place with --base, or say --force to put it aside.",
        )  # fmt: skip
    for end in ("", *_BESIDE):
        if os.path.lexists(location + end):
            os.replace(location + end, aside + end)


def vacuum(connection: apsw.Connection, location: str) -> tuple[int, int]:
    """Writes the file anew without its gaps; its size before and after."""
    if location == connect.MEMORY:
        return 0, 0
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    before = os.path.getsize(location)
    connection.execute("VACUUM")
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return before, os.path.getsize(location)


def _placed(file: str, location: str) -> None:
    with _draft(location) as draft:
        with closing(apsw.Connection(draft)) as copy, closing(connect._opened_read_only(file)) as source:
            _pour(source, copy)
        os.replace(draft, location)


def _forget_derived(location: str, *, parts: bool = False) -> None:
    """What stands beside a base and was made from what it held; with `parts`, of a file that goes."""
    for path in glob(f"{escape(location)}-vectors-*.cache"):
        _unlink(path)
    _unlink(f"{location}-recent")
    if parts:
        for end in _BESIDE:
            _unlink(location + end)


def _unlink(path: str) -> None:
    with suppress(OSError):
        os.unlink(path)
