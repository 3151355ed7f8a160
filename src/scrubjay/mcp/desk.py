"""The open base behind all calls: opened when first needed, shared by threads, opened anew when replaced.

A server lives longer than a file: a base may be made, restored or deleted while it runs. A base
that cannot be opened is told with every call and tried again with the next, because a client that
sees its server die shows nothing that a person could mend.
"""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager
from threading import Condition, Lock

from scrubjay.errors import BaseMissing, ScrubjayError, UnknownId
from scrubjay.mcp.answers import Answer, failure, with_notices
from scrubjay.mcp.arguments import read
from scrubjay.mcp.tools import find_tool
from scrubjay.types.base import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from typing import Any

    from scrubjay.knowledge_base import KnowledgeBase

    Open = Callable[..., KnowledgeBase]


class Desk:
    """Where calls from any thread arrive. `base` is as for `scrubjay.open`."""

    def __init__(self, base: str | None = None, open: Open | None = None) -> None:
        from scrubjay.knowledge_base import open_base

        self._open = open or open_base
        self._base = base
        self._opening = Lock()
        self._idle = Condition()
        self._calls = 0
        self._kb: KnowledgeBase | None = None
        self._file: tuple[int, int] | None = None

    def call(self, name: str, given: Mapping[str, Any]) -> Answer:
        """One tool's answer; whatever goes wrong becomes an answer that says so."""
        tool = find_tool(name)
        assert tool is not None
        try:
            values, notices = read(name, tool.parameters, tool.prepare(given))
            with self.using(create=tool.creates) as kb:
                return with_notices(tool.run(kb, values), notices)
        except BaseMissing as error:
            return failure(BaseMissing(error.what, error.why, f"{error.cure} remember makes one too."))
        except UnknownId as error:
            return failure(UnknownId(error.what, error.why, "search_memories and timeline give ids."))
        except ScrubjayError as error:
            return failure(error)
        except Exception as error:
            return failure(unexpected(error))

    @contextmanager
    def using(self, *, create: bool = False) -> Iterator[KnowledgeBase]:
        """The base, for the time of one call."""
        with self._idle:
            self._calls += 1
        try:
            yield self._current(create)
        finally:
            with self._idle:
                self._calls -= 1
                self._idle.notify_all()

    def _current(self, create: bool) -> KnowledgeBase:
        with self._opening:
            if self._kb is None or self._file != _file(self._kb.store.location):
                self._kb = None  # calls that still run on the old one keep it until they end
                kb = self._open(self._base, create=create, actor="mcp")
                self._kb, self._file = kb, _file(kb.store.location)
            return self._kb

    def close(self, wait: float = 5.0) -> bool:
        """Closes the base when the last call has ended; False when one goes on beyond `wait` seconds."""
        with self._idle:
            if not self._idle.wait_for(lambda: self._calls == 0, wait):
                return False
        with self._opening:
            if self._kb is not None:
                self._kb.close()
                self._kb = None
        return True


def unexpected(error: Exception) -> ScrubjayError:
    """A fault of ours: its trace goes to the log, its name to the model."""
    import traceback

    traceback.print_exception(error, file=sys.stderr)
    told = " ".join(str(error).split())
    return ScrubjayError(
        f"Something unexpected happened: {type(error).__name__}{': ' + told if told else ''}",
        "This is a fault of the program, not of the request.",
        "Try something else; `kb doctor` checks every part.",
    )


def _file(location: str) -> tuple[int, int] | None:
    """Which file lies at a place now; None where there is none, as for a base in memory."""
    try:
        found = os.stat(location)
    except OSError:
        return None
    return found.st_dev, found.st_ino
