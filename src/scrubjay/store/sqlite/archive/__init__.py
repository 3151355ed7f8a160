"""Everything that cannot be made again, as records without row numbers, and back.

Row numbers mean something in one file only, so a record names what it belongs to by its id, and
what can be derived (full-text tables, links that stand in texts, names) is left out: it is made
again where the records are read.
"""

from __future__ import annotations

from scrubjay.store.sqlite.archive.into import Incoming
from scrubjay.store.sqlite.archive.out import records
from scrubjay.types.base import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from contextlib import AbstractContextManager

    import apsw

    from scrubjay.store.sqlite.archive.out import Named
    from scrubjay.store.sqlite.history import Log
    from scrubjay.store.sqlite.vectors import VectorIndex
    from scrubjay.store.sqlite.write import Forget


class Archive:
    """See `scrubjay.ports.Archive`."""

    def __init__(
        self,
        connection: apsw.Connection,
        reading: Callable[[], AbstractContextManager[apsw.Connection]],
        index: VectorIndex,
        forget: Forget,
        log: Log,
    ) -> None:
        self._connection = connection
        self._reading = reading
        self._index = index
        self._forget = forget
        self._log = log

    def records(self, *, vectors: bool = False, history: bool = False) -> Iterator[Named]:
        """Everything of one moment, whoever writes meanwhile; the store is kept for it until the end."""
        with self._reading() as connection:
            outer = connection.in_transaction
            if not outer:
                connection.execute("BEGIN")
            try:
                yield from records(connection, self._index if vectors else None, history=history)
            finally:
                if not outer:
                    connection.execute("ROLLBACK")

    def incoming(self) -> Incoming:
        """To be used inside a write transaction."""
        return Incoming(self._connection, self._index, self._forget, self._log)
