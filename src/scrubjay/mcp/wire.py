"""The standard streams while they belong to the protocol: lines in, lines out, and nothing else.

What a library prints meanwhile goes to the standard error, and nobody else reads the input. One
thread reads for the whole session and one hop writes a message, where the SDK's own streams take
a worker thread for every line, every write and every flush: half of what a call costs beyond its
tool. A lone half of a surrogate pair, which an emoji cut in two leaves behind, is replaced: the
SDK would drop the whole message and leave the client waiting.
"""

from __future__ import annotations

import asyncio
import os
import re
import sys
from contextlib import contextmanager, suppress
from threading import Thread
from typing import TYPE_CHECKING

from anyio import to_thread

if TYPE_CHECKING:
    from collections.abc import Iterator

_SURROGATES = re.compile(
    r"\\\\|\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[dD][89a-fA-F][0-9a-fA-F]{2}"
)
_CHUNK = 65536


@contextmanager
def claimed() -> Iterator[tuple[int, int]]:
    """The descriptors of the input and the output, which are given back at the end."""
    sys.stdout.flush()
    given, taken = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    try:
        yield given, taken
    finally:
        sys.stdout.flush()
        os.dup2(given, 0)
        os.dup2(taken, 1)


class Lines:
    """The lines of a descriptor as they come, until its end."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._loop = asyncio.get_running_loop()
        self._queue: asyncio.Queue[str | None] = asyncio.Queue()
        Thread(target=self._read, name="input", daemon=True).start()

    def __aiter__(self) -> Lines:
        return self

    async def __anext__(self) -> str:
        line = await self._queue.get()
        if line is None:
            raise StopAsyncIteration
        return line

    def _read(self) -> None:
        parts: list[bytes] = []
        with suppress(OSError, RuntimeError):  # the client is gone, or we are
            while chunk := os.read(self._descriptor, _CHUNK):
                *ended, rest = chunk.split(b"\n")
                for line in ended:
                    self._give(mended(b"".join([*parts, line])))
                    parts.clear()
                parts.append(rest)
            if any(parts):
                self._give(mended(b"".join(parts)))
        with suppress(RuntimeError):
            self._give(None)

    def _give(self, line: str | None) -> None:
        self._loop.call_soon_threadsafe(self._queue.put_nowait, line)


class Output:
    """What is written goes out with the next flush, in one piece."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._waiting: list[str] = []

    async def write(self, text: str) -> None:
        self._waiting.append(text)

    async def flush(self) -> None:
        data = "".join(self._waiting).encode("utf-8", "replace")
        self._waiting.clear()
        await to_thread.run_sync(self._send, data)

    def _send(self, data: bytes) -> None:
        view = memoryview(data)
        while view:
            view = view[os.write(self._descriptor, view) :]


def mended(line: bytes) -> str:
    """A line of JSON without halves of surrogate pairs, however they are written."""
    text = line.decode("utf-8", "replace")
    return _SURROGATES.sub(_whole, text) if "\\u" in text else text


def _whole(found: re.Match[str]) -> str:
    part = found.group()
    return "\\ufffd" if len(part) == 6 else part
