"""The parts of a store that have a surface of their own: links, history, copies, records.

Each is made when it is first asked for, so that a search by words pays for none of them.
"""

from __future__ import annotations

from contextlib import contextmanager

from scrubjay.types.base import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from contextlib import AbstractContextManager

    import apsw

    from scrubjay.store.sqlite.alerts import Alerts
    from scrubjay.store.sqlite.archive import Archive
    from scrubjay.store.sqlite.covering import Covering
    from scrubjay.store.sqlite.graph import Graph
    from scrubjay.store.sqlite.history import History, Log
    from scrubjay.store.sqlite.memory import Memory
    from scrubjay.store.sqlite.tokens import Tokens
    from scrubjay.store.sqlite.tuning import Tuning
    from scrubjay.store.sqlite.vectors import VectorIndex
    from scrubjay.store.sqlite.vocabulary import Vocabulary
    from scrubjay.types import StoredModel, Words
    from scrubjay.types.carrying import Copied


_STEPS = 1000  # of SQLite's machine between two looks at the clock


class Parts:
    """What `SqliteStore` is made of besides its own methods."""

    if TYPE_CHECKING:
        _connection: apsw.Connection
        _actor: str
        _fading: tuple[float, float]
        _reading: Callable[[], AbstractContextManager[apsw.Connection]]
        writing: Callable[[], AbstractContextManager[None]]
        _forget: Callable[[Sequence[int]], None]

        location: str

        def models(self) -> list[StoredModel]: ...

        def stems(self, text: str) -> list[str]: ...

        @property
        def index(self) -> VectorIndex: ...

    _graph: Graph | None = None
    _memory: Memory | None = None
    _log: Log | None = None
    _covering: Covering | None = None
    _vocabulary: Vocabulary | None = None

    @contextmanager
    def within(self, seconds: float | None) -> Iterator[None]:
        """What this thread asks of the file ends with DeadlinePassed once the time is over."""
        if seconds is None:
            yield
            return
        from _thread import get_ident
        from time import perf_counter

        owner, end = get_ident(), perf_counter() + seconds

        def over() -> bool:
            return get_ident() == owner and perf_counter() >= end

        self._connection.set_progress_handler(over, _STEPS, id=end)
        try:
            yield
        finally:
            self._connection.set_progress_handler(None, id=end)

    @property
    def graph(self) -> Graph:
        if self._graph is None:
            from scrubjay.store.sqlite.graph import Graph

            self._graph = Graph(self._connection, self._reading, self.writing, *self._fading)
        return self._graph

    @property
    def memory(self) -> Memory:
        if self._memory is None:
            from scrubjay.store.sqlite.memory import Memory

            self._memory = Memory(self._connection, self._reading, self.writing, self.graph.at_once, lambda: self.index)
        return self._memory

    @property
    def vocabulary(self) -> Vocabulary:
        if self._vocabulary is None:
            from scrubjay.store.sqlite.vocabulary import Vocabulary

            self._vocabulary = Vocabulary(self._connection, self._reading, self.writing)
        return self._vocabulary

    def covering(self, words: Words, texts: Sequence[str]) -> tuple[float, tuple[str, ...]]:
        from scrubjay.store.sqlite.covering import Covering

        with self._reading() as connection:
            if self._covering is None:
                self._covering = Covering(connection, self.stems)
            return self._covering.of(words, texts)

    @property
    def tuning(self) -> Tuning:
        from scrubjay.store.sqlite.tuning import Tuning

        return Tuning(self._connection, self._reading, self.writing)

    @property
    def kept_tokens(self) -> Tokens:
        from scrubjay.store.sqlite.tokens import Tokens

        return Tokens(self._connection, self._reading, self.writing)

    @property
    def log(self) -> Log:
        if self._log is None:
            from scrubjay.store.sqlite.history import Log

            self._log = Log(self._connection, self._actor)
        return self._log

    @property
    def history(self) -> History:
        from scrubjay.store.sqlite.history import History

        return History(self)

    @property
    def alerts(self) -> Alerts:
        from scrubjay.store.sqlite.alerts import Alerts

        return Alerts(self)

    def vacuum(self) -> tuple[int, int]:
        """Gives room that is not used back to the system; the size before and after."""
        from scrubjay.store.sqlite import copies

        for model in self.models():
            with self.writing():
                self.index.compact(model.number)
        with self._reading() as connection:
            return copies.vacuum(connection, self.location)

    def backup(self, target: str, *, force: bool = False) -> Copied:
        from scrubjay.store.sqlite import copies

        with self._reading() as connection:
            return copies.backup(connection, target, force=force)

    @property
    def archive(self) -> Archive:
        from scrubjay.store.sqlite.archive import Archive

        return Archive(self._connection, self._reading, self.index, self._forget, self.log)
