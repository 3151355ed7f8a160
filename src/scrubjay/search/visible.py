"""A store as a search sees it: without what was deprecated, merged into another, or has expired.

There are few such chunks, so a retriever is asked for that many more and they are taken out of
its answer: the result is the same as if they had never been there, and a search over a hundred
thousand chunks does not have to list the other ones.
"""

from __future__ import annotations

from array import array

from scrubjay.types.base import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from scrubjay.ports import Graph, Store
    from scrubjay.types import Filter, Ranking, Words
    from scrubjay.types.graph import Row

    Numbers = array[int]


class Visible:
    """Everything else of the store is as it is. `hidden` are chunks and the documents they belong to."""

    def __init__(self, store: Store, hidden: Mapping[int, int]) -> None:
        self._store = store
        self._hidden = hidden

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    def allowed(self, where: Filter, words: Words | None = None) -> Numbers | None:
        found = self._store.allowed(where, words)
        return found if found is None else array("q", (each for each in found if each not in self._hidden))

    def keyword(self, words: Words, limit: int, allowed: Numbers | None) -> Ranking:
        return self._cut(self._store.keyword(words, limit + self._more(allowed), allowed), limit)

    def exact(self, words: Words, limit: int, allowed: Numbers | None) -> Ranking:
        return self._cut(self._store.exact(words, limit + self._more(allowed), allowed), limit)

    def bm25(self, words: Words, limit: int, allowed: Numbers | None, k1: float, b: float) -> Ranking:
        return self._cut(self._store.bm25(words, limit + self._more(allowed), allowed, k1, b), limit)

    def nearest(self, model: int, vector: Sequence[float], limit: int, allowed: Numbers | None) -> Ranking:
        return self._cut(self._store.nearest(model, vector, limit + self._more(allowed), allowed), limit)

    @property
    def graph(self) -> Any:
        return _Paths(self._store.graph, self._hidden)

    def _more(self, allowed: Numbers | None) -> int:
        return len(self._hidden) if allowed is None else 0

    def _cut(self, found: Ranking, limit: int) -> Ranking:
        kept = [each for each in found.candidates if each.chunk not in self._hidden]
        return found._replace(candidates=tuple(kept[:limit]))


class _Paths:
    """The graph, without the ways to and through what is hidden."""

    def __init__(self, graph: Graph, hidden: Mapping[int, int]) -> None:
        self._graph = graph
        self._hidden = set(hidden.values())

    def __getattr__(self, name: str) -> Any:
        return getattr(self._graph, name)

    def neighbours(self, chunks: Sequence[int], fan: int) -> list[Row]:
        return [row for row in self._graph.neighbours(chunks, fan) if row[2] not in self._hidden]
