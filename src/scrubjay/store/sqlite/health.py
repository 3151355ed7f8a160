"""How the base is: counts and sizes for `kb status`, integrity for `kb doctor`."""

from __future__ import annotations

import os

from scrubjay.store.sqlite import models, waiting
from scrubjay.types import Check
from scrubjay.types.base import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any

    import apsw


def status(connection: apsw.Connection, location: str) -> dict[str, Any]:
    known = models.stored(connection)
    counted = waiting.counts(connection)
    return {
        "size_bytes": _size(location),
        "documents": connection.execute("SELECT count(*) FROM documents").get,
        "chunks": connection.execute("SELECT count(*) FROM chunks").get,
        "by_kind": dict(connection.execute("SELECT kind, count(*) FROM documents GROUP BY kind ORDER BY 2 DESC")),
        "tags": connection.execute("SELECT count(DISTINCT tag) FROM tags").get,
        "models": [{**model.identity._asdict(), "state": model.state} for model in known],
        "vectors": connection.execute("SELECT count(*) FROM embeddings WHERE status IN ('success', 'partial')").get,
        "pending": counted.get("pending", 0) + counted.get("retry", 0),
        "failed": counted.get("failed", 0),
        "partial": counted.get("partial", 0),
        "token_vectors": _token_vectors(connection),
        "schema": connection.pragma("user_version"),
        "newest": connection.execute("SELECT max(indexed_at) FROM documents").get,
    }


def _token_vectors(connection: apsw.Connection) -> dict[str, int]:
    """How many chunks have them, and what they take; the lengths are known without reading the rows."""
    row: Any = connection.execute(
        "SELECT count(*), coalesce(sum(length(scales) + length(rows)), 0) FROM token_vectors"
    ).fetchone()
    return {"chunks": row[0], "bytes": row[1]}


def _size(location: str) -> int:
    return sum(os.path.getsize(path) for path in (location, location + "-wal") if os.path.exists(path))


def checks(connection: apsw.Connection) -> list[Check]:
    """What is there and whether the file is sound: asks SQLite itself, nothing is assumed."""
    import apsw

    found = [
        Check("SQLite", True, f"{apsw.sqlitelibversion()} (apsw {apsw.apswversion()})"),
        _feature(connection, "FTS5", "porter unicode61"),
        _feature(connection, "trigram", "trigram"),
        Check("schema", True, f"format {connection.pragma('user_version')}"),
        _integrity(connection),
    ]
    for table in ("chunks_fts", "chunks_trigram"):
        found.append(_mirror(connection, table))
    return found


def _feature(connection: apsw.Connection, name: str, tokenizer: str) -> Check:
    import apsw

    try:
        connection.execute(f"CREATE VIRTUAL TABLE temp.probe USING fts5(text, tokenize = '{tokenizer}')")
        connection.execute("DROP TABLE temp.probe")
    except apsw.Error as error:
        return Check(name, False, str(error), "Reinstall apsw from the package index: its SQLite has it.")
    return Check(name, True, f"tokenizer {tokenizer}")


def _integrity(connection: apsw.Connection) -> Check:
    problems = [str(row[0]) for row in connection.execute("PRAGMA integrity_check(5)")]
    orphans = connection.execute("PRAGMA foreign_key_check").fetchall()
    if problems != ["ok"] or orphans:
        detail = "; ".join(problems) if problems != ["ok"] else f"{len(orphans)} rows without their document"
        return Check("integrity", False, detail, "Restore a copy, or make a new base and add again.")
    return Check("integrity", True, "the file is sound")


def _mirror(connection: apsw.Connection, table: str) -> Check:
    """Only the check with rank 1 compares the index with the rows it mirrors."""
    import apsw

    if connection.readonly("main"):
        return Check(table, None, "not checked: the base is read-only")
    try:
        connection.execute(f"INSERT INTO {table} ({table}, rank) VALUES ('integrity-check', 1)")
    except apsw.CorruptError as error:
        return Check(table, False, f"does not mirror the chunks: {error}", "Run `kb doctor --repair`.")
    return Check(table, True, "mirrors the chunks")


def repair(connection: apsw.Connection) -> None:
    """Builds the full-text tables anew from the chunks, which are the truth."""
    for table in ("chunks_fts", "chunks_trigram"):
        connection.execute(f"INSERT INTO {table} ({table}) VALUES ('rebuild')")
