"""Keeps what was changed, and reads it again.

Written beside every change, inside its transaction. Adding costs one short row; only what is
replaced or deleted is kept with its content, and a text that is replaced once is kept once.
"""

from __future__ import annotations

import json
from array import array

from scrubjay.store.sqlite import clock
from scrubjay.types.base import TYPE_CHECKING
from scrubjay.types.history import StoredChange

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any

    import apsw

    from scrubjay.store.sqlite.parts import Parts
    from scrubjay.store.sqlite.past import PastStore
    from scrubjay.types import Piece

_HEADER = (
    "SELECT d.id, d.path, d.title, d.kind, d.created_at, d.modified_at, d.indexed_at, d.summary, d.size,"
    " d.metadata, (SELECT json_group_array(tag) FROM (SELECT tag FROM tags WHERE document = d.number ORDER BY tag)),"
    " (SELECT path FROM chunks WHERE document = d.number ORDER BY ordinal LIMIT 1),"
    " (SELECT title FROM chunks WHERE document = d.number ORDER BY ordinal LIMIT 1)"
    " FROM documents AS d WHERE d.number = ?"
)
_FIELDS = (
    "id", "path", "title", "kind", "created_at", "modified_at", "indexed_at", "summary", "size", "metadata", "tags",
    "words", "searched_title",
)  # fmt: skip
_SAME = ("path", "title", "kind", "created_at", "summary", "metadata", "tags")  # what makes a document another
_UNCHANGED = (
    "(d.indexed_at <= ?1 OR d.id IN (SELECT document FROM changes WHERE at <= ?1))"
    " AND d.id NOT IN (SELECT value FROM carray(?2))"
)
_CHANGE = "SELECT number, at, document, what, actor, before, pieces FROM changes"


class Log:
    """Writes changes down. `actor` says who makes them; without one nothing is kept."""

    def __init__(self, connection: apsw.Connection, actor: str) -> None:
        self._connection = connection
        self.actor = actor

    def added(self, document_ids: Iterable[str], at: str) -> None:
        if self.actor:
            self._connection.executemany(
                "INSERT INTO changes (at, document, what, actor) VALUES (?, ?, 'added', ?)",
                [(at, document_id, self.actor) for document_id in document_ids],
            )

    def header(self, number: int) -> dict[str, Any] | None:
        """What a document is now, to be handed in again when it has changed."""
        if not self.actor:
            return None
        row = self._connection.execute(_HEADER, (number,)).fetchone()
        return None if row is None else dict(zip(_FIELDS, row, strict=True))

    def pieces(self, number: int) -> list[str]:
        rows = self._connection.execute("SELECT id FROM chunks WHERE document = ? ORDER BY ordinal", (number,))
        return [identity for (identity,) in rows]

    def keep(self, chunks: Sequence[int]) -> None:
        """Called before chunks are deleted: their texts stay readable."""
        if self.actor:
            self._connection.executemany(
                "INSERT INTO old_chunks (id, document, gone, page, trail, text, hash)"
                " SELECT c.id, d.id, ?, c.page, c.trail, c.text,"
                " (SELECT hash FROM embeddings WHERE chunk = c.number AND hash IS NOT NULL LIMIT 1)"
                " FROM chunks AS c JOIN documents AS d ON d.number = c.document WHERE c.number = ?"
                " ON CONFLICT (id) DO UPDATE SET gone = excluded.gone, hash = coalesce(excluded.hash, hash)",
                [(clock.now(), number) for number in chunks],
            )

    def changed(
        self, number: int, before: Mapping[str, Any] | None, pieces: Sequence[str] | None, what: str = "updated"
    ) -> None:
        """`pieces` are the ids of the chunks before, when they are others now."""
        if before is None:
            return
        after = None if what == "deleted" else self.header(number)
        if pieces is None and after is not None and all(before[name] == after[name] for name in _SAME):
            return  # read again and found the same
        self._connection.execute(
            "INSERT INTO changes (at, document, what, actor, before, pieces) VALUES (?, ?, ?, ?, ?, ?)",
            (
                clock.now(), before["id"], what, self.actor, json.dumps(before, ensure_ascii=False),
                None if pieces is None else "\n".join(pieces),
            ),
        )  # fmt: skip


class History:
    """See `scrubjay.ports.History`."""

    def __init__(self, store: Parts) -> None:
        self._store = store
        self._connection = store._connection
        self._reading = store._reading
        self._writing = store.writing

    @property
    def began(self) -> str:
        """Since when changes are kept. That row belongs to no document, so the index leads to it."""
        with self._reading() as connection:
            return str(connection.execute("SELECT min(at) FROM changes WHERE document = ''").get)

    def changes(self, document_id: str) -> list[StoredChange]:
        """All that happened to a document, oldest first."""
        with self._reading() as connection:
            rows = connection.execute(f"{_CHANGE} WHERE document = ? ORDER BY at, number", (document_id,))
            return [_change(row) for row in rows]

    def changed_since(self, moment: str) -> dict[str, list[StoredChange]]:
        """Every document that changed after a moment, with its changes since, oldest first."""
        found: dict[str, list[StoredChange]] = {}
        with self._reading() as connection:
            rows = connection.execute(f"{_CHANGE} WHERE at > ? AND what <> 'began' ORDER BY at, number", (moment,))
            for row in rows:
                change = _change(row)
                found.setdefault(change.document, []).append(change)
        return found

    def texts(self, chunk_ids: Iterable[str]) -> dict[str, tuple[str, tuple[str, ...], int | None]]:
        """Text, headings and page of chunks, those that are there and those that were."""
        import apsw

        asked = apsw.carray(tuple(dict.fromkeys(chunk_ids)) or ("",))
        with self._reading() as connection:
            rows = connection.execute(
                "SELECT id, text, trail, page FROM old_chunks WHERE id IN (SELECT value FROM carray(?1))"
                " UNION ALL SELECT id, text, trail, page FROM chunks WHERE id IN (SELECT value FROM carray(?1))",
                (asked,),
            )
            return {
                identity: (text, tuple(trail.split("\x1f")) if trail else (), page)
                for identity, text, trail, page in rows
            }

    def present(self, document_id: str) -> tuple[dict[str, Any], tuple[str, ...]] | None:
        """What a document is now, and the ids of its chunks; None when it is gone."""
        log = Log(self._connection, "reader")
        with self._reading() as connection:
            row = connection.execute("SELECT number FROM documents WHERE id = ?", (document_id,)).fetchone()
            if row is None:
                return None
            header = log.header(int(row[0])) or {}
            return opened(header), tuple(log.pieces(int(row[0])))

    def unchanged(self, moment: str, changed: Sequence[str]) -> array[int]:
        """The chunks, ascending, of documents that were there at a moment and have not changed since."""
        import apsw

        with self._reading() as connection:
            rows = connection.execute(
                f"SELECT c.number FROM documents AS d JOIN chunks AS c ON c.document = d.number WHERE {_UNCHANGED}",
                (moment, apsw.carray(tuple(changed) or ("",))),
            )
            return array("q", sorted(number for (number,) in rows))

    def unchanged_documents(self, moment: str, changed: Sequence[str]) -> set[str]:
        """The same, as the ids of the documents."""
        import apsw

        with self._reading() as connection:
            rows = connection.execute(
                f"SELECT d.id FROM documents AS d WHERE {_UNCHANGED}", (moment, apsw.carray(tuple(changed) or ("",)))
            )
            return {identity for (identity,) in rows}

    def placed(self, chunk_ids: Sequence[str]) -> list[Piece]:
        """Old pieces in order, with their lines counted anew."""
        from scrubjay.store.sqlite.past import placed

        texts = self.texts(chunk_ids)
        return placed([texts[piece] for piece in chunk_ids if piece in texts])

    def store_of(self, moment: str, states: Sequence[Any], changed: Sequence[str]) -> PastStore:
        """What a search may ask as if it were the store at that moment."""
        from scrubjay.store.sqlite.past import PastStore

        return PastStore(self._store, moment, states, changed)  # type: ignore[arg-type]  # it is the whole store

    def forget(self, moment: str) -> tuple[int, int]:
        """Lets go of what is older; how many changes and texts that were."""
        with self._writing():
            self._connection.execute("DELETE FROM changes WHERE at < ? AND what <> 'began'", (moment,))
            changes = self._connection.changes()
            self._connection.execute("DELETE FROM old_chunks WHERE gone < ?", (moment,))
            texts = self._connection.changes()
            self._connection.execute("UPDATE changes SET at = ? WHERE what = 'began' AND at < ?", (moment, moment))
            return changes, texts


def opened(header: Mapping[str, Any]) -> dict[str, Any]:
    """A header with its lists and objects made whole again."""
    return {**header, "metadata": json.loads(header["metadata"]), "tags": json.loads(header["tags"])}


def _change(row: Sequence[Any]) -> StoredChange:
    number, at, document, what, actor, before, pieces = row
    return StoredChange(
        number, at, document, what, actor, None if before is None else opened(json.loads(before)),
        None if pieces is None else tuple(pieces.split("\n") if pieces else ()),
    )  # fmt: skip
