"""A base as records: what it was told, in an order in which it can be told again."""

from __future__ import annotations

import json
from base64 import b64encode

from scrubjay.store.sqlite import clock, models
from scrubjay.store.sqlite.archive import tables
from scrubjay.types.base import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    import apsw

    from scrubjay.store.sqlite.vectors import VectorIndex

    Record = dict[str, Any]
    Named = tuple[str, Record]

FORM = 1
DOCUMENT = (
    "number", "id", "path", "title", "kind", "created_at", "modified_at", "indexed_at", "summary", "size", "mtime_ns",
    "content_hash", "source", "metadata",
)  # fmt: skip
CHUNK = (
    "number", "id", "document", "ordinal", "line_start", "line_end", "page", "title", "trail", "path", "text",
    "bigrams",
)  # fmt: skip
_EDGE = (
    "SELECT a.id, (SELECT id FROM chunks WHERE number = e.source_chunk), b.id,"
    " (SELECT id FROM chunks WHERE number = e.target_chunk), e.relation, e.origin, e.strength, e.evidence,"
    " e.created_at, e.updated_at FROM edges AS e JOIN documents AS a ON a.number = e.source"
    " JOIN documents AS b ON b.number = e.target WHERE e.origin IN ('user', 'learned') ORDER BY e.number"
)


def records(connection: apsw.Connection, index: VectorIndex | None = None, *, history: bool = False) -> Iterator[Named]:
    """Kind and record, one after the other. Give the index to have the vectors too."""
    yield "scrubjay", _header(connection, index is not None, history)
    for path, tags, exclude, kind, added, read in connection.execute(
        "SELECT path, tags, exclude, kind, added_at, last_read_at FROM sources ORDER BY number"
    ):
        told = {"path": path, "tags": json.loads(tags), "exclude": json.loads(exclude), "kind": kind}
        yield "source", {**told, "added_at": added, "last_read_at": read}
    for document in _documents(connection):
        yield "document", document
    for (
        source,
        source_chunk,
        target,
        target_chunk,
        relation,
        origin,
        strength,
        evidence,
        made,
        changed,
    ) in connection.execute(_EDGE):
        ends = {"source": source_chunk or source, "target": target_chunk or target, "relation": relation}
        told = {"origin": origin, "strength": strength, "evidence": evidence}
        yield "edge", {**ends, **told, "created_at": made, "updated_at": changed}
    for table in [*tables.plain(connection), *(tables.HISTORY if history else ())]:
        for row in _rows(connection, table):
            yield "row", {"table": table, "values": row}
    if index is not None:
        yield from _vectors(connection, index)


def _header(connection: apsw.Connection, vectors: bool, history: bool) -> Record:
    return {
        "form": FORM,
        "schema": connection.pragma("user_version"),
        "exported_at": clock.now(),
        "documents": connection.execute("SELECT count(*) FROM documents").get,
        "chunks": connection.execute("SELECT count(*) FROM chunks").get,
        "vectors": vectors,
        "history": history,
    }


def _documents(connection: apsw.Connection) -> Iterator[Record]:
    more = tables.own(connection, "documents", DOCUMENT)
    more_of_chunk = tables.own(connection, "chunks", CHUNK)
    chunks = f"SELECT {', '.join((*CHUNK, *more_of_chunk))} FROM chunks WHERE document = ? ORDER BY ordinal"
    every = connection.execute(
        f"SELECT {', '.join((*DOCUMENT, *more))}, (SELECT path FROM sources AS s WHERE s.number = documents.source)"
        " FROM documents ORDER BY number"
    )
    for *row, source in every:
        given = dict(zip((*DOCUMENT, *more), row, strict=True))
        number = given.pop("number")
        tags = connection.execute("SELECT tag, by_hand FROM tags WHERE document = ? ORDER BY tag", (number,)).fetchall()
        yield {
            **{name: value(each) for name, each in given.items()},
            "source": source,
            "metadata": json.loads(given["metadata"]),
            "tags": [tag for tag, _ in tags],
            "tags_by_hand": [tag for tag, by_hand in tags if by_hand],
            "chunks": [_chunk((*CHUNK, *more_of_chunk), each) for each in connection.execute(chunks, (number,))],
        }


def _chunk(names: tuple[str, ...], row: tuple[Any, ...]) -> Record:
    given = dict(zip(names, row, strict=True))
    trail = given["trail"].split("\x1f") if given["trail"] else []
    lines = [given["line_start"], given["line_end"]]
    left = {"number", "document", "ordinal", "line_start", "line_end", "bigrams", "trail"}
    told = {name: value(each) for name, each in given.items() if name not in left}
    return {"id": told.pop("id"), "lines": lines, "trail": trail, **told}


def _rows(connection: apsw.Connection, table: str) -> Iterator[Record]:
    """A table's rows: keys to documents, chunks and sources as ids, other numbers as they are."""
    parts = []
    for column in tables.columns(connection, table):
        if column.refers in ("documents", "chunks", "sources"):
            named = "path" if column.refers == "sources" else "id"
            parts.append(f"(SELECT {named} FROM {column.refers} WHERE number = t.{column.name}) AS {column.name}")
        else:
            parts.append(f"t.{column.name}")
    names = [column.name for column in tables.columns(connection, table)]
    for row in connection.execute(f"SELECT {', '.join(parts)} FROM {table} AS t ORDER BY 1"):
        yield {name: value(each) for name, each in zip(names, row, strict=True)}


def value(given: Any) -> Any:
    """What JSON cannot say, said in JSON: bytes."""
    return {"base64": b64encode(given).decode()} if isinstance(given, bytes) else given


def _vectors(connection: apsw.Connection, index: VectorIndex) -> Iterator[Named]:
    from array import array

    for model in models.stored(connection):
        told = {"model": model.identity._asdict(), "state": model.state}
        for numbers, rows in index.all(model.number):
            ids = _ids(connection, numbers)
            known = [(ids[number], row) for number, row in zip(numbers, rows, strict=True) if number in ids]
            data = b"".join(row.tobytes() if hasattr(row, "tobytes") else array("f", row).tobytes() for _, row in known)
            yield "vectors", {**told, "chunks": [chunk for chunk, _ in known], "float32": b64encode(data).decode()}


def _ids(connection: apsw.Connection, numbers: Any) -> dict[int, str]:
    import apsw

    return dict(
        connection.execute(
            "SELECT number, id FROM chunks WHERE number IN (SELECT value FROM carray(?))", (apsw.carray(numbers),)
        )
    )
