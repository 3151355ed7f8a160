"""Runs something that may take too long, and does not wait for it beyond its time.

A thread, because no reranker can be relied on to watch a clock: a server is asked with a time
limit, but a model or anybody's own object is not. What comes too late is thrown away.
"""

from __future__ import annotations

import threading

from scrubjay.types.base import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeVar

    T = TypeVar("T")


def in_time(work: Callable[[], T], seconds: float | None) -> T:
    """What `work` returns or raises, or TimeoutError once `seconds` are over."""
    if seconds is None:
        return work()
    results: list[T] = []
    errors: list[BaseException] = []

    def run() -> None:
        try:
            results.append(work())
        except BaseException as error:  # it is raised again below, in the thread that asked
            errors.append(error)

    thread = threading.Thread(target=run, name="scrubjay-rerank", daemon=True)
    thread.start()
    thread.join(max(0.0, seconds))
    if errors:
        raise errors[0]
    if not results:
        raise TimeoutError
    return results[0]
