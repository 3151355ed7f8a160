"""Reading chunks back: one statement however many are asked for. On the path of every search."""

from __future__ import annotations

from array import array

from scrubjay.types import Chunk
from scrubjay.types.base import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    import apsw

TAGS = "(SELECT group_concat(tag, char(31)) FROM (SELECT tag FROM tags WHERE document = d.number ORDER BY tag))"
_CHUNK = (
    f"SELECT c.number, c.id, d.id, d.path, d.title, d.kind, {TAGS}, d.created_at, c.trail, c.line_start, c.line_end,"
    " c.page, c.ordinal, c.text FROM chunks AS c JOIN documents AS d ON d.number = c.document"
)


def tags_of(joined: str | None) -> tuple[str, ...]:
    return tuple(joined.split("\x1f")) if joined else ()


def _chunk(row: Sequence[Any]) -> Chunk:
    number, identity, document, path, title, kind, tags, created, trail, first, last, page, ordinal, text = row
    headings = tuple(trail.split("\x1f")) if trail else ()
    return Chunk(
        number,
        identity,
        document,
        path,
        title,
        kind,
        tags_of(tags),
        created,
        headings,
        (first, last),
        page,
        ordinal,
        text,
    )


def fetch(connection: apsw.Connection, numbers: Sequence[int]) -> list[Chunk]:
    """The chunks in the order asked; those that are gone are left out."""
    import apsw

    if not numbers:
        return []
    asked = array("q", numbers)
    rows = connection.execute(f"{_CHUNK} WHERE c.number IN (SELECT value FROM carray(?))", (apsw.carray(asked),))
    found = {row[0]: _chunk(row) for row in rows}
    return [found[number] for number in numbers if number in found]


def remembers(connection: apsw.Connection) -> bool:
    """Whether any memory is not the last word, so that every search must heed it; in most bases all are."""
    return bool(
        connection.execute(
            "SELECT EXISTS (SELECT 1 FROM memories WHERE tier = 'deprecated')"
            " OR EXISTS (SELECT 1 FROM memories WHERE expires_at IS NOT NULL)"
            " OR EXISTS (SELECT 1 FROM memory_records WHERE undone_at IS NULL"
            " AND kind IN ('superseded', 'deprecated', 'refined', 'merged', 'conflict'))"
            " OR EXISTS (SELECT 1 FROM edges WHERE relation = 'supersedes')"
        ).get
    )


def chunks(connection: apsw.Connection, document_ids: Sequence[str]) -> list[Chunk]:
    """All chunks of some documents: the documents in no order, their chunks in the text's."""
    import apsw

    if not document_ids:
        return []
    asked = apsw.carray(tuple(document_ids))
    rows = connection.execute(
        f"{_CHUNK} WHERE d.id IN (SELECT value FROM carray(?)) ORDER BY c.document, c.ordinal", (asked,)
    )
    return [_chunk(row) for row in rows]


def chunks_by_id(connection: apsw.Connection, chunk_ids: Sequence[str]) -> dict[str, Chunk]:
    import apsw

    if not chunk_ids:
        return {}
    asked = apsw.carray(tuple(chunk_ids))
    found = map(_chunk, connection.execute(f"{_CHUNK} WHERE c.id IN (SELECT value FROM carray(?))", (asked,)))
    return {chunk.id: chunk for chunk in found}


def chunk_by_id(connection: apsw.Connection, chunk_id: str) -> Chunk | None:
    row = connection.execute(f"{_CHUNK} WHERE c.id = ?", (chunk_id,)).fetchone()
    return None if row is None else _chunk(row)
