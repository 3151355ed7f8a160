"""Embedding beside reading: while files are read, a second thread embeds what is written.

The store is the bounded queue between the two. Progress of the embedding is only told once the
reading is done, because two bars at once cannot be read.
"""

from __future__ import annotations

from threading import Event, Thread

from scrubjay.types.base import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import TracebackType
    from typing import Self

    from scrubjay.knowledge_base.meaning import Meaning
    from scrubjay.types import Notice, Progress

_LOOK_AGAIN = 0.25  # seconds between looks for new chunks while reading goes on


class Beside:
    """A context manager: inside it files are read; at its end everything that can be is embedded."""

    def __init__(self, meaning: Meaning, tell: Callable[[Progress], None] | None) -> None:
        self._tell = tell
        self._meaning = meaning
        self._read = Event()
        self.notices: list[Notice] = []
        self._run, notices = meaning.embedding(self._forward, again=True)
        self.notices += notices
        self._thread = Thread(target=self._work, name="embedding", daemon=True)
        self._failure: BaseException | None = None
        self.embedded = 0

    def __enter__(self) -> Self:
        if self._run is not None:
            self._thread.start()
        return self

    def __exit__(self, kind: object, error: BaseException | None, trace: TracebackType | None) -> None:
        self._read.set()
        if self._run is None:
            return
        if error is not None:
            self._run.stop()
        try:
            while self._thread.is_alive():
                self._thread.join(0.2)  # in pieces, so that Ctrl-C is noticed
        except BaseException:
            self._run.stop()
            self._thread.join()
            raise
        if self._failure is not None and error is None:
            raise self._failure

    def _forward(self, progress: Progress) -> None:
        if self._tell is not None and self._read.is_set():
            self._tell(progress)

    def _work(self) -> None:
        assert self._run is not None
        try:
            last = False
            while not last:
                last = self._read.wait(_LOOK_AGAIN)  # once more after the reading is done
                done = self._run.run()
                self.embedded = done.chunks
                if done.notices:
                    self.notices += done.notices
                    break
            self.notices += self._meaning.about_unread(done)
        except BaseException as error:
            self._failure = error
