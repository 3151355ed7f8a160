"""BM25 with k1 and b of one's choice, over the postings that FTS5 already keeps.

FTS5's own bm25() has its constants compiled in. Here the index is only read: which chunk holds
a term how often (`fts5vocab`), how long each chunk is, how many there are. So there is no second
truth to keep in step, and a chunk deleted by another process changes N and the average length
at once. What has been read is kept until the file changes.

This module is the plain form; `bm25_numpy` gives the same ids, order and scores much faster.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from math import log

from scrubjay.store.sqlite.clock import version
from scrubjay.types import Candidate, Ranking
from scrubjay.types.base import TYPE_CHECKING

if TYPE_CHECKING:
    from array import array
    from collections.abc import Iterable, Sequence
    from typing import Protocol

    import apsw

    Weights = tuple[float, ...]

    class Scorer(Protocol):
        """Ranks chunks by BM25; both forms have this."""

        def rank(
            self, terms: Sequence[str], k1: float, b: float, limit: int, allowed: array[int] | None
        ) -> Ranking: ...


COLUMNS = ("title", "trail", "path", "text", "bigrams")
_WORTH_NUMPY = 20_000  # chunks; below, importing numpy takes longer than doing without it


def idf(count: int, containing: int) -> float:
    """log((N − n + 0.5)/(n + 0.5) + 1): never negative, however common the term."""
    return log((count - containing + 0.5) / (containing + 0.5) + 1)


def term_score(weight: float, frequency: float, length: float, average: float, k1: float, b: float) -> float:
    """What one term adds: idf · tf(k1+1) / (tf + k1(1 − b + b·|D|/avgdl))."""
    norm = 1 - b + (b * length / average if average else 0.0)
    return weight * frequency * (k1 + 1) / (frequency + k1 * norm)


def scorer(connection: apsw.Connection, weights: Weights) -> Scorer:
    """The fast form where numpy is there already, or pays for being imported."""
    if numpy_is_there() or totals(connection)[0] > _WORTH_NUMPY:
        try:
            from scrubjay.store.sqlite.bm25_numpy import NumpyScorer
        except ImportError:
            pass
        else:
            return NumpyScorer(connection, weights)
    return PlainScorer(connection, weights)


def numpy_is_there() -> bool:
    """Whether it was imported before, so that using it costs nothing more."""
    return "numpy" in sys.modules


def totals(connection: apsw.Connection) -> tuple[int, tuple[int, ...]]:
    """How many chunks there are, and how many words in each column, from FTS5's own record."""
    record = connection.execute("SELECT block FROM chunks_fts_data WHERE id = 1").fetchone()
    numbers = list(varints(record[0])) if record else []
    return (numbers[0], tuple(numbers[1:])) if numbers else (0, (0,) * len(COLUMNS))


def vocabulary(connection: apsw.Connection) -> str:
    """The name of the table through which FTS5 shows its postings."""
    connection.execute("CREATE VIRTUAL TABLE IF NOT EXISTS temp.postings USING fts5vocab(main, chunks_fts, instance)")
    return "temp.postings"


def weighted(counts: Sequence[int], weights: Weights) -> float:
    return sum(count * weight for count, weight in zip(counts, weights, strict=False))


def varints(data: bytes) -> Iterable[int]:
    """SQLite's variable-length integers: seven bits a byte, high bit set on all but the last."""
    value = 0
    for byte in data:
        value = (value << 7) | (byte & 0x7F)
        if byte < 0x80:
            yield value
            value = 0


class PlainScorer:
    """Term by term and chunk by chunk; everything it keeps is dropped when the file has changed."""

    def __init__(self, connection: apsw.Connection, weights: Weights) -> None:
        self._connection = connection
        self._weights = weights
        self._version: tuple[int, int] | None = None
        self._terms: dict[str, dict[int, tuple[int, ...]]] = {}
        self._lengths: dict[int, tuple[int, ...]] = {}
        self._vocabulary = vocabulary(connection)

    def rank(self, terms: Sequence[str], k1: float, b: float, limit: int, allowed: array[int] | None) -> Ranking:
        """The chunks that hold any of the terms, by BM25 over weighted columns, best first."""
        self._refresh()
        count, sums = totals(self._connection)
        average = weighted(sums, self._weights) / count if count else 0.0
        scores: dict[int, float] = defaultdict(float)
        among = None if allowed is None else frozenset(allowed)
        for term in dict.fromkeys(terms):
            found = self._term(term)
            weight = idf(count, len(found))
            wanted = found if among is None else {number: found[number] for number in found.keys() & among}
            lengths = self._lengths_of(wanted)
            for number, counts in wanted.items():
                frequency = weighted(counts, self._weights)
                if frequency:  # a column may weigh nothing
                    length = weighted(lengths.get(number, ()), self._weights)
                    scores[number] += term_score(weight, frequency, length, average, k1, b)
        best = sorted(scores.items(), key=lambda item: (-item[1], item[0]))[:limit]
        return Ranking("keyword", tuple(Candidate(number, score) for number, score in best), "bm25")

    def _refresh(self) -> None:
        now = version(self._connection)
        if now is None or now != self._version:
            self._version = now
            self._terms.clear()
            self._lengths.clear()

    def _term(self, term: str) -> dict[int, tuple[int, ...]]:
        """Chunk number → how often the term stands in each column."""
        if term not in self._terms:
            counts: dict[int, list[int]] = defaultdict(lambda: [0] * len(COLUMNS))
            for number, column in self._connection.execute(
                f"SELECT doc, col FROM {self._vocabulary} WHERE term = ?", (term,)
            ):
                counts[number][COLUMNS.index(column)] += 1
            self._terms[term] = {number: tuple(count) for number, count in counts.items()}
        return self._terms[term]

    def _lengths_of(self, numbers: Iterable[int]) -> dict[int, tuple[int, ...]]:
        """Chunk number → its words in each column."""
        missing = [number for number in numbers if number not in self._lengths]
        if missing:
            from array import array

            import apsw

            rows = self._connection.execute(
                "SELECT id, sz FROM chunks_fts_docsize WHERE id IN (SELECT value FROM carray(?))",
                (apsw.carray(array("q", missing)),),
            )
            self._lengths.update((number, tuple(varints(sizes))) for number, sizes in rows)
        return self._lengths
