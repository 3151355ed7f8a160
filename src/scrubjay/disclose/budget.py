"""Keeps a reply within a number of tokens and says how to go on.

Whoever reads through a model pays for every line, so a reply is cut before it is sent, never
by the reader. What did not fit is not lost: the cursor names where to go on, and is bound to
its question, so that it cannot silently continue another one.
"""

from __future__ import annotations

from scrubjay.errors import UsageError
from scrubjay.ingest.tokens import estimate
from scrubjay.types.base import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any, TypeVar

    T = TypeVar("T")


class Portion(NamedTuple):
    """What fits: `items`, their estimated `tokens`, how many are `left`, and the way on."""

    items: tuple[Any, ...]
    tokens: int
    left: int = 0
    cursor: str | None = None


def tokens(text: str) -> int:
    """About how many tokens a model sees in `text`; never 0 for a text that is not empty."""
    return -int(-estimate(text) // 1)


def fit(
    items: Sequence[T], max_tokens: int | None, cost: Callable[[T], int], *, cursor: str | None = None, of: str = ""
) -> Portion:
    """The items from `cursor` on that cost at most `max_tokens` together.

    At least one item is given, even one that costs too much: a reply that is always empty
    would never get on. `of` is the question that the items answer.
    """
    if max_tokens is not None and max_tokens < 1:
        raise UsageError(f"max_tokens is {max_tokens}.", "A reply needs at least one token.", "Give 1 or more.")
    start = start_of(cursor, of)
    spent, end = 0, start
    while end < len(items):
        price = cost(items[end])
        if max_tokens is not None and end > start and spent + price > max_tokens:
            break
        spent, end = spent + price, end + 1
    left = max(0, len(items) - end)
    return Portion(tuple(items[start:end]), spent, left, cursor_at(end, of) if left else None)


def cursor_at(place: int, of: str = "") -> str:
    """A short text that `start_of` turns back into `place`, for the same question only."""
    return f"{place}.{_mark(of)}"


def start_of(cursor: str | None, of: str = "") -> int:
    """Where a cursor says to go on; 0 without one."""
    if not cursor:
        return 0
    place, _, mark = cursor.partition(".")
    if not (place.isascii() and place.isdigit()) or len(place) > 9 or mark != _mark(of):
        raise UsageError(
            f"The cursor {cursor!r} does not belong to this request.",
            "A cursor goes on where the reply that gave it ended, for the same query and filters.",
            "Repeat the request that gave it, or leave the cursor out to begin again.",
        )
    return int(place)


def clip(text: str, max_tokens: int, cost: Callable[[str], int] = tokens) -> str:
    """The beginning of `text` that costs at most `max_tokens`, with "…" when something is missing."""
    if cost(text) <= max_tokens:
        return text
    from scrubjay.disclose.cut import cut_before

    low, high = 0, len(text)
    while low < high:  # the most characters that still fit
        middle = (low + high + 1) // 2
        if cost(text[:middle] + "…") <= max_tokens:
            low = middle
        else:
            high = middle - 1
    return text[: cut_before(text, low)] + "…" if low else ""


def _mark(of: str) -> str:
    from zlib import crc32

    return f"{crc32(of.encode('utf-8', 'surrogatepass')):08x}"
