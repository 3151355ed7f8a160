"""What was decided about memories: written, listed, marked undone. Nothing is ever taken out.

A record holds what undoing has to put back, as its maker wrote it; here it is only kept.
"""

from __future__ import annotations

import json

from scrubjay.errors import UnknownId
from scrubjay.store.sqlite import clock
from scrubjay.types.base import TYPE_CHECKING
from scrubjay.types.memory import Record

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from contextlib import AbstractContextManager
    from typing import Any

    import apsw

_RECORD = (
    "SELECT 'r_' || r.number, r.kind, a.id, b.id, r.similarity, r.measured_by, r.reason, r.created_at, r.undone_at,"
    " a.title, coalesce(b.title, '') FROM memory_records AS r JOIN documents AS a ON a.number = r.document"
    " LEFT JOIN documents AS b ON b.number = r.other"
)


class Records:
    """See `scrubjay.ports.Records`."""

    def __init__(
        self,
        connection: apsw.Connection,
        reading: Callable[[], AbstractContextManager[apsw.Connection]],
        writing: Callable[[], AbstractContextManager[None]],
    ) -> None:
        self._connection = connection
        self._reading = reading
        self._writing = writing

    def add(self, record: Record, before: Mapping[str, Any]) -> Record:
        """Keeps a decision, with what undoing it puts back; the record with its id."""
        with self._writing():
            number = self._connection.execute(
                "INSERT INTO memory_records (kind, document, other, similarity, measured_by, reason, before,"
                " created_at) SELECT ?, a.number, b.number, ?, ?, ?, ?, ? FROM documents AS a"
                " LEFT JOIN documents AS b ON b.id = ? WHERE a.id = ? RETURNING number",
                (
                    record.kind, record.similarity, record.measured_by, record.reason,
                    json.dumps(before, ensure_ascii=False), clock.now(), record.other, record.document,
                ),
            ).get  # fmt: skip
            return self.get(f"r_{number}")

    def get(self, record_id: str) -> Record:
        number = record_id.strip().removeprefix("r_")
        with self._reading() as connection:
            row = None
            if number.isascii() and number.isdecimal() and len(number) < 19:
                row = connection.execute(f"{_RECORD} WHERE r.number = ?", (int(number),)).fetchone()
        if row is None:
            raise UnknownId(
                f"There is no record {record_id!r}.", "It may have gone with a document that was removed.",
                "`kb conflicts --all` lists the records.",
            )  # fmt: skip
        return Record(*row)

    def before(self, record_id: str) -> dict[str, Any]:
        """What undoing this record puts back."""
        number = int(self.get(record_id).id.removeprefix("r_"))
        with self._reading() as connection:
            kept = connection.execute("SELECT before FROM memory_records WHERE number = ?", (number,)).get
        found: dict[str, Any] = json.loads(str(kept))
        return found

    def all(self, kinds: Sequence[str] = (), document_id: str | None = None, *, undone: bool = False) -> list[Record]:
        """Of these kinds, or of all; about one document, or any; the newest first."""
        import apsw

        conditions = ["1"]
        values: list[Any] = []
        if kinds:
            conditions.append("r.kind IN (SELECT value FROM carray(?))")
            values.append(apsw.carray(tuple(kinds)))
        if document_id is not None:
            conditions.append("? IN (a.id, b.id)")
            values.append(document_id)
        if not undone:
            conditions.append("r.undone_at IS NULL")
        with self._reading() as connection:
            rows = connection.execute(f"{_RECORD} WHERE {' AND '.join(conditions)} ORDER BY r.number DESC", values)
            return [Record(*row) for row in rows]

    def of_documents(self, document_ids: Iterable[str]) -> dict[str, list[Record]]:
        """What holds of each of these documents, whichever of the two it is; the newest first."""
        import apsw

        asked = tuple(dict.fromkeys(document_ids))
        found: dict[str, list[Record]] = {}
        if not asked:
            return found
        with self._reading() as connection:
            ends: list[Any] = connection.execute(
                "SELECT number FROM documents WHERE id IN (SELECT value FROM carray(?))", (apsw.carray(asked),)
            ).fetchall()
            numbers = ", ".join(str(int(number)) for (number,) in ends)
            rows = connection.execute(
                f"{_RECORD} WHERE r.number IN (SELECT number FROM memory_records WHERE document IN ({numbers})"
                f" UNION SELECT number FROM memory_records WHERE other IN ({numbers}))"
                " AND r.undone_at IS NULL ORDER BY r.number DESC"
            )
            for row in rows:
                record = Record(*row)
                for end in {record.document, record.other}:
                    if end is not None:
                        found.setdefault(end, []).append(record)
        return found

    def undone(self, record_id: str) -> Record:
        """Marks a record undone; what it did is put back by whoever asked."""
        number = int(self.get(record_id).id.removeprefix("r_"))
        with self._writing():
            self._connection.execute("UPDATE memory_records SET undone_at = ? WHERE number = ?", (clock.now(), number))
            return self.get(record_id)
