"""Keeps saved searches, what they found and what of it was handed to somebody."""

from __future__ import annotations

import json
from array import array

from scrubjay.errors import DuplicateId
from scrubjay.store.sqlite import clock
from scrubjay.types.alerts import Alert
from scrubjay.types.base import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scrubjay.store.sqlite.parts import Parts
    from scrubjay.types.alerts import Found

_ALERT = (
    "SELECT name, query, filters, similar, created_at, (SELECT count(*) FROM alert_matches WHERE alert = a.number),"
    " (SELECT count(*) FROM alert_matches WHERE alert = a.number AND reported_at IS NULL), number FROM alerts AS a"
)


class Alerts:
    """See `scrubjay.ports.Alerts`."""

    def __init__(self, store: Parts) -> None:
        self._connection = store._connection
        self._reading = store._reading
        self._writing = store.writing

    def any(self) -> bool:
        """Whether there is one at all: asked after every writing, so it must cost nothing."""
        with self._reading() as connection:
            return connection.execute("SELECT 1 FROM alerts LIMIT 1").fetchone() is not None

    def all(self) -> list[Alert]:
        with self._reading() as connection:
            rows = connection.execute(f"{_ALERT} ORDER BY name")
            return [Alert(name, query, json.loads(filters), *rest) for name, query, filters, *rest in rows]

    def add(self, alert: Alert) -> Alert:
        """What is there already counts as seen."""
        with self._writing():
            if self._connection.execute("SELECT 1 FROM alerts WHERE name = ?", (alert.name,)).fetchone():
                raise DuplicateId(
                    f"There is a saved search {alert.name!r} already.", "A name stands for one.",
                    f"Give another --name, or first: kb alert remove {alert.name}",
                )  # fmt: skip
            self._connection.execute(
                "INSERT INTO alerts (name, query, filters, similar, created_at) VALUES (?, ?, ?, ?, ?)",
                (alert.name, alert.query, json.dumps(alert.filters, ensure_ascii=False), alert.similar, clock.now()),
            )
            self.seen(self._connection.last_insert_rowid(), self.newest())
        return next(each for each in self.all() if each.name == alert.name)

    def remove(self, name: str) -> bool:
        with self._writing():
            self._connection.execute("DELETE FROM alerts WHERE name = ?", (name,))
            return self._connection.changes() > 0

    def newest(self) -> int:
        """The number of the newest chunk that was ever written."""
        with self._reading() as connection:
            return int(connection.execute("SELECT seq FROM sqlite_sequence WHERE name = 'chunks'").get or 0)

    def progress(self, alert: int) -> int | None:
        """The newest chunk that this one has looked at; None where it has never looked."""
        with self._reading() as connection:
            row = connection.execute("SELECT seen FROM alert_progress WHERE alert = ?", (alert,)).fetchone()
            return None if row is None else int(row[0])

    def seen(self, alert: int, chunk: int) -> None:
        with self._writing():
            self._connection.execute(
                "INSERT INTO alert_progress VALUES (?, ?) ON CONFLICT (alert) DO UPDATE SET seen = excluded.seen",
                (alert, chunk),
            )

    def newer(self, chunk: int) -> array[int]:
        with self._reading() as connection:
            rows = connection.execute("SELECT number FROM chunks WHERE number > ? ORDER BY number", (chunk,))
            return array("q", [number for (number,) in rows])

    def found(self, alert: int, finds: Sequence[Found]) -> int:
        """Keeps what was found. Of one document the first is to be reported; how many there are."""
        now, told, documents = clock.now(), 0, set[str]()
        with self._writing():
            for find in finds:
                again = find.document in documents
                documents.add(find.document)
                self._connection.execute(
                    "INSERT INTO alert_matches VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
                    (alert, find.chunk, find.document, now, find.share, find.similarity, now if again else None),
                )
                told += self._connection.changes() if not again else 0
        return told

    def due(self) -> list[tuple[int, str, str]]:
        """What waits to be reported: alert, chunk, and when it was found; oldest first."""
        with self._reading() as connection:
            return [
                (alert, chunk, at)
                for alert, chunk, at in connection.execute(
                    "SELECT alert, chunk, at FROM alert_matches WHERE reported_at IS NULL ORDER BY at, alert, chunk"
                )
            ]

    def take(self, alert: int, chunk: str) -> tuple[float | None, float | None] | None:
        """Marks one as reported and says what made it a match; None when another process was first."""
        with self._writing():
            row = self._connection.execute(
                "UPDATE alert_matches SET reported_at = ? WHERE alert = ? AND chunk = ? AND reported_at IS NULL"
                " RETURNING share, similarity",
                (clock.now(), alert, chunk),
            ).fetchone()
            return None if row is None else (row[0], row[1])

    def give_back(self, alert: int, chunk: str) -> None:
        """It could not be handed over after all."""
        with self._writing():
            self._connection.execute(
                "UPDATE alert_matches SET reported_at = NULL WHERE alert = ? AND chunk = ?", (alert, chunk)
            )
