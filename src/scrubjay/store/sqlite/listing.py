"""Reading documents, the timeline, tags and sources: what lists and reports are made of."""

from __future__ import annotations

import json

from scrubjay.store.sqlite.filters import conditions
from scrubjay.store.sqlite.read import TAGS, tags_of
from scrubjay.types import Document, Entry, FileState, Filter, Source
from scrubjay.types.base import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    import apsw

_DOCUMENT = (
    f"SELECT d.id, d.path, d.title, d.kind, {TAGS}, d.created_at, d.modified_at, d.summary, d.size,"
    " (SELECT count(*) FROM chunks WHERE document = d.number), d.metadata FROM documents AS d"
)
_ENTRY = f"SELECT d.id, d.created_at, d.kind, {TAGS}, d.title, d.summary, d.number FROM documents AS d"


def _document(row: Sequence[Any]) -> Document:
    identity, path, title, kind, tags, created, modified, summary, size, count, metadata = row
    return Document(
        identity, path, title, kind, tags_of(tags), created, modified, summary, size, count, json.loads(metadata)
    )


def document(connection: apsw.Connection, document_id: str) -> Document | None:
    row = connection.execute(f"{_DOCUMENT} WHERE d.id = ?", (document_id,)).fetchone()
    return None if row is None else _document(row)


def documents_by_id(connection: apsw.Connection, document_ids: Sequence[str]) -> dict[str, Document]:
    import apsw

    if not document_ids:
        return {}
    asked = apsw.carray(tuple(document_ids))
    found = map(_document, connection.execute(f"{_DOCUMENT} WHERE d.id IN (SELECT value FROM carray(?))", (asked,)))
    return {document.id: document for document in found}


def documents(connection: apsw.Connection, where: Filter, limit: int | None, offset: int = 0) -> list[Document]:
    condition, values = conditions(where)
    rows = connection.execute(
        f"{_DOCUMENT} WHERE {condition} ORDER BY d.path IS NULL, d.path, d.created_at, d.number LIMIT ? OFFSET ?",
        (*values, -1 if limit is None else limit, offset),
    )
    return [_document(row) for row in rows]


def count(connection: apsw.Connection, where: Filter) -> int:
    condition, values = conditions(where)
    return int(connection.execute(f"SELECT count(*) FROM documents AS d WHERE {condition}", values).get)


def timeline(
    connection: apsw.Connection, where: Filter, limit: int | None, anchor: str | None, before: int, after: int
) -> list[Entry]:
    """Chronological. Without an anchor and with a limit: the latest ones, oldest of them first."""
    condition, values = conditions(where)
    size = -1 if limit is None else limit
    if anchor is None:
        latest = connection.execute(
            f"{_ENTRY} WHERE {condition} ORDER BY d.created_at DESC, d.number DESC LIMIT ?", (*values, size)
        )
        return _entries(latest)[::-1]
    place = connection.execute("SELECT created_at, number FROM documents WHERE id = ?", (anchor,)).fetchone()
    if place is None:
        return []
    here = f"{condition} AND (d.created_at, d.number)"
    earlier = connection.execute(
        f"{_ENTRY} WHERE {here} < (?, ?) ORDER BY d.created_at DESC, d.number DESC LIMIT ?", (*values, *place, before)
    )
    entries = _entries(earlier)[::-1]
    later = connection.execute(
        f"{_ENTRY} WHERE {here} >= (?, ?) OR d.number = ? ORDER BY d.created_at, d.number LIMIT ?",
        (*values, *place, place[1], after + 1),
    )
    return entries + _entries(later)


def _entries(rows: Iterable[Sequence[Any]]) -> list[Entry]:
    return [
        Entry(identity, created, kind, tags_of(tags), title, summary)
        for identity, created, kind, tags, title, summary, _ in rows
    ]


def opening_texts(connection: apsw.Connection, document_ids: Sequence[str], characters: int) -> dict[str, str]:
    """The first characters of each document, for those that have no summary of their own."""
    import apsw

    if not document_ids:
        return {}
    rows = connection.execute(
        "SELECT d.id, substr(c.text, 1, ?) FROM documents AS d JOIN chunks AS c ON c.document = d.number"
        " AND c.ordinal = 0 WHERE d.id IN (SELECT value FROM carray(?))",
        (characters, apsw.carray(tuple(document_ids))),
    )
    return dict(rows)


def file_states(connection: apsw.Connection, folder: str | None) -> dict[str, FileState]:
    condition, values = conditions(Filter(path=folder)) if folder else ("d.path IS NOT NULL", [])
    rows = connection.execute(
        f"SELECT d.id, d.path, d.mtime_ns, d.size, d.content_hash FROM documents AS d WHERE {condition}", values
    )
    return {path: FileState(identity, path, mtime, size, content) for identity, path, mtime, size, content in rows}


def file_state(connection: apsw.Connection, path: str) -> FileState | None:
    row = connection.execute(
        "SELECT id, path, mtime_ns, size, content_hash FROM documents WHERE path = ?", (path,)
    ).fetchone()
    return None if row is None else FileState(*row)


def known_ids(connection: apsw.Connection, beginning: str, limit: int) -> list[str]:
    """Ids that begin so, documents first: for short forms and for suggestions."""
    table = "chunks" if beginning.startswith("c_") else "documents"
    rows = connection.execute(
        f"SELECT id FROM {table} WHERE id >= ? AND id < ? ORDER BY id LIMIT ?", (beginning, beginning + "\uffff", limit)
    )
    return [identity for (identity,) in rows]


def tags(connection: apsw.Connection) -> dict[str, int]:
    return dict(connection.execute("SELECT tag, count(*) FROM tags GROUP BY tag ORDER BY count(*) DESC, tag"))


def sources(connection: apsw.Connection) -> list[Source]:
    rows = connection.execute(
        "SELECT s.number, s.path, s.tags, s.exclude, s.kind, s.last_read_at, count(d.number), coalesce(sum(d.size), 0)"
        " FROM sources AS s LEFT JOIN documents AS d ON d.source = s.number GROUP BY s.number ORDER BY s.path"
    )
    return [
        Source(number, path, tuple(json.loads(own)), tuple(json.loads(exclude)), kind, read_at, documents, size)
        for number, path, own, exclude, kind, read_at, documents, size in rows
    ]
