"""Records become rows, each in a transaction of its own inside the caller's.

A record that is there already changes nothing, so the same file may be read twice, or read on
after it was stopped. What is there under the same id and says something else is never
overwritten unless that was asked for.
"""

from __future__ import annotations

import json
from base64 import b64decode

import apsw

from scrubjay.errors import ReadError
from scrubjay.store.sqlite import clock, models, waiting, write
from scrubjay.store.sqlite.archive import out, tables
from scrubjay.types.base import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from types import TracebackType
    from typing import Any

    from scrubjay.store.sqlite.history import Log
    from scrubjay.store.sqlite.vectors import VectorIndex
    from scrubjay.types import Draft, ModelIdentity, Piece

    Record = Mapping[str, Any]


class refusing:
    """Within it, what the database will not take becomes a reason for the person whose file it is."""

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: object, error: BaseException | None, trace: TracebackType | None) -> None:
        if isinstance(error, apsw.ConstraintError | apsw.MismatchError):
            raise ReadError(f"the base refuses it ({error})") from error


class Incoming:
    """Takes records into one base. Each method says what became of its record:
    "added", "same", "replaced", or "differs" for what is left as the base has it."""

    def __init__(
        self, connection: apsw.Connection, index: VectorIndex, forget: write.Forget, log: Log | None
    ) -> None:
        self._connection = connection
        self._index = index
        self._forget = forget
        self._log = log
        self._has_history = False
        self._numbers: dict[tuple[str, int], int] = {}  # of rows, in the file that is read → here

    def header(self, record: Record) -> None:
        """The first line of an export: whether how its documents came to be is told further on."""
        self._has_history = bool(record.get("history"))

    def source(self, record: Record) -> str:
        tags, exclude = (json.dumps(list(record.get(name) or ()), ensure_ascii=False) for name in ("tags", "exclude"))
        self._connection.execute(
            "INSERT INTO sources (path, tags, exclude, kind, added_at, last_read_at) VALUES (?, ?, ?, ?, ?, ?)"
            " ON CONFLICT (path) DO NOTHING",
            (str(record["path"]), tags, exclude, record.get("kind"), record.get("added_at") or clock.now(),
             record.get("last_read_at")),
        )  # fmt: skip
        return "added" if self._connection.changes() else "same"

    def document(self, draft: Draft, pieces: Sequence[Piece], record: Record, *, replace: bool = False) -> str:
        """Writes a document as its record has it. Without chunk ids in the record, they are made."""
        with refusing():
            known = self._known(draft)
            if known is not None and self._says(known, draft, pieces):
                return "same"
            if known is None or replace:
                self._put(draft, pieces, record, None if known is None and self._has_history else self._log)
        return "added" if known is None else "replaced" if replace else "differs"

    def _put(self, draft: Draft, pieces: Sequence[Piece], record: Record, log: Log | None) -> None:
        with self._connection:
            source = self._connection.execute(
                "SELECT number FROM sources WHERE path = ?", (record.get("source"),)
            ).fetchone()
            full = draft._replace(source_id=source[0] if source else None)
            now = clock.utc(str(record["indexed_at"])) if record.get("indexed_at") else None
            written = write.put(self._connection, full, pieces, now, forget=self._forget, log=log)
            number = write.document_number(self._connection, written.id)
            self._finish(number, record)

    def _known(self, draft: Draft) -> int | None:
        by_id = self._number("documents", draft.id) if draft.id else None
        if draft.path is not None:
            by_path = self._connection.execute("SELECT number FROM documents WHERE path = ?", (draft.path,)).fetchone()
            if by_path is not None:
                if by_id is not None and by_id != by_path[0]:
                    raise ReadError(f"the base has other documents with the id {draft.id} and the path {draft.path}")
                return int(by_path[0])
            if by_id is not None:
                raise ReadError(f"the base has a document {draft.id} with another path than {draft.path}")
        return by_id

    def _says(self, number: int, draft: Draft, pieces: Sequence[Piece]) -> bool:
        """Whether the base says the same: text, title, tags, dates, metadata."""
        row: Any = self._connection.execute(
            "SELECT title, kind, metadata, created_at FROM documents WHERE number = ?", (number,)
        ).fetchone()
        title, kind, metadata, created = row
        texts = self._connection.execute("SELECT text FROM chunks WHERE document = ? ORDER BY ordinal", (number,))
        own = self._connection.execute("SELECT tag FROM tags WHERE document = ?", (number,))
        tags = {str(tag).lower() for (tag,) in own}
        return (
            [text for (text,) in texts] == [piece.text for piece in pieces]
            and (title, kind, json.loads(metadata)) == (draft.title, draft.kind, dict(draft.metadata))
            and {tag.lower() for tag in draft.tags} <= tags
            and (draft.created_at is None or clock.utc(draft.created_at) == created)
        )

    def _finish(self, number: int, record: Record) -> None:
        """What a draft cannot say: chunk ids of another maker, tags by hand, columns of other parts."""
        for tag in record.get("tags_by_hand") or ():
            self._connection.execute("UPDATE tags SET by_hand = 1 WHERE document = ? AND tag = ?", (number, tag))
        self._columns("documents", number, record, out.DOCUMENT)
        own: list[Any] = self._connection.execute(
            "SELECT number, id FROM chunks WHERE document = ? ORDER BY ordinal", (number,)
        ).fetchall()
        for (chunk, identity), given in zip(own, record.get("chunks") or (), strict=False):
            if given.get("id") and given["id"] != identity:
                self._connection.execute("UPDATE chunks SET id = ? WHERE number = ?", (given["id"], chunk))
            self._columns("chunks", chunk, given, out.CHUNK)

    def _columns(self, table: str, number: int, record: Record, known: tuple[str, ...]) -> None:
        for name in tables.own(self._connection, table, known):
            if name in record:
                self._connection.execute(
                    f"UPDATE {table} SET {name} = ? WHERE number = ?", (_value(record[name]), number)
                )

    def edge(self, record: Record) -> str:
        source, target = self._end(record["source"]), self._end(record["target"])
        if source[0] == target[0]:
            raise ReadError("both ends are one document")
        now = clock.now()
        with refusing():
            self._connection.execute(
                "INSERT INTO edges (source, source_chunk, target, target_chunk, relation, origin, strength, evidence,"
                " created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
                (*source, *target, record["relation"], record.get("origin") or "user", record.get("strength", 1.0),
                 record.get("evidence") or "", record.get("created_at") or now, record.get("updated_at") or now),
            )  # fmt: skip
        return "added" if self._connection.changes() else "same"

    def _end(self, identity: Any) -> tuple[int, int]:
        document = self._number("documents", identity)
        if document is not None:
            return document, 0
        row = self._connection.execute("SELECT document, number FROM chunks WHERE id = ?", (identity,)).fetchone()
        if row is None:
            raise ReadError(f"there is no document or passage {identity!r} that it could belong to")
        return int(row[0]), int(row[1])

    def _number(self, table: str, identity: Any) -> int | None:
        named = "path" if table == "sources" else "id"
        row = self._connection.execute(f"SELECT number FROM {table} WHERE {named} = ?", (identity,)).fetchone()
        return None if row is None else int(row[0])

    def row(self, record: Record) -> str:
        """A row of any other table; its keys are looked up, its own number is given anew."""
        table, given = str(record["table"]), record["values"]
        if table not in (*tables.plain(self._connection), *tables.HISTORY):
            raise ReadError(f"this version keeps no table {table!r}")
        values, key = {}, None
        for column in tables.columns(self._connection, table):
            if column.name not in given:
                continue
            if column.key:
                key = column.name
            else:
                values[column.name] = self._referred(column, given[column.name])
        there = " AND ".join(f"{name} IS ?" for name in values)
        same = self._connection.execute(f"SELECT {key or '1'} FROM {table} WHERE {there}", tuple(values.values()))
        found = same.fetchone()
        if found is None:
            insert = f"INSERT INTO {table} ({', '.join(values)}) VALUES ({', '.join('?' * len(values))})"
            with refusing():
                self._connection.execute(f"{insert} ON CONFLICT DO NOTHING", tuple(values.values()))
            if not self._connection.changes():
                return "differs"
        if key is not None:
            self._numbers[table, given[key]] = int(found[0]) if found else self._connection.last_insert_rowid()
        return "added" if found is None else "same"

    def _referred(self, column: tables.Column, given: Any) -> Any:
        if not column.refers or given is None:
            return _value(given)
        if column.refers in ("documents", "chunks", "sources"):
            number = self._number(column.refers, given)
        else:
            number = self._numbers.get((column.refers, given))
        if number is None:
            raise ReadError(f"{column.name} refers to {given!r}, which is not here")
        return number

    def vectors(self, identity: ModelIdentity, record: Record) -> int:
        """Vectors for chunks that have none yet; how many there were."""
        known = models.stored(self._connection)
        if known and identity not in [model.identity for model in known]:
            raise ReadError(f"its vectors are of {identity.name}; those of this base are of {known[0].identity.name}")
        data = memoryview(b64decode(record["float32"])).cast("f")
        if len(data) != len(record["chunks"]) * identity.dim:
            raise ReadError("the number of vectors is not that of the chunks")
        model = models.use(self._connection, identity, str(record.get("state") or "active"))
        rows, vectors = [], []
        for place, chunk in enumerate(record["chunks"]):
            found = self._connection.execute(
                "SELECT c.number, c.title, c.trail, c.text FROM chunks AS c JOIN embeddings AS e ON e.chunk = c.number"
                " WHERE c.id = ? AND e.model = ? AND e.status <> 'success'",
                (chunk, model),
            ).fetchone()
            if found is not None:
                number, title, trail, text = found
                rows.append((number, waiting.embedding_text(title, trail, text)))
                vectors.append(data[place * identity.dim : (place + 1) * identity.dim].tolist())
        if rows:
            waiting.put(self._connection, self._index, model, rows, vectors)
        return len(rows)


def _value(given: Any) -> Any:
    if isinstance(given, dict):
        return b64decode(given["base64"]) if set(given) == {"base64"} else json.dumps(given, ensure_ascii=False)
    return json.dumps(given, ensure_ascii=False) if isinstance(given, list) else given
