"""BM25 over FTS5's postings in numpy: a term's postings as arrays, kept while the file is unchanged.

SQLite hands a whole posting list over as one text of numbers, which numpy reads a hundred times
faster than Python takes rows; scores are then summed in one array over all chunks. So even a term
that is not yet known costs a quarter of what FTS5's own bm25() does, and a known one next to
nothing. The arithmetic is that of `bm25` and of FTS5, operation by operation, so that ids, order
and scores are the same whoever computed them.
"""

from __future__ import annotations

from math import log

import apsw
import numpy as np

from scrubjay.store.sqlite.bm25 import COLUMNS, idf, totals, vocabulary, weighted
from scrubjay.store.sqlite.clock import version
from scrubjay.store.sqlite.vectors.blocks import snapshot
from scrubjay.store.sqlite.vectors.matrix import best, floor
from scrubjay.types import Candidate, Ranking
from scrubjay.types.base import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from array import array
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from scrubjay.store.sqlite.bm25 import Weights

    Numbers = NDArray[np.int64]
    Values = NDArray[np.float64]

FTS_K1, FTS_B = 1.2, 0.75  # compiled into FTS5
FTS_LEAST = 1e-6  # FTS5's idf of a term that more than half of the chunks hold
_KEPT = 4_000_000  # postings, 16 bytes each
_FIELDS = len(COLUMNS)
_COLUMN = "CASE col " + " ".join(f"WHEN '{name}' THEN {place}" for place, name in enumerate(COLUMNS)) + " END"
_POSTINGS = f"SELECT group_concat(doc * 8 + {_COLUMN}, ' ') FROM {{}} WHERE term = ?"
_SIZES = "SELECT group_concat(id, ' '), group_concat(hex(sz), '') FROM chunks_fts_docsize"
_SOME_SIZES = (
    "SELECT group_concat(id, ' '), group_concat(hex(sz), '') FROM carray(?) AS q"
    " CROSS JOIN chunks_fts_docsize AS s ON s.id = q.value"
)


class Posting(NamedTuple):
    """The chunks that hold a term, ascending, and how often, columns weighted; how many in all."""

    numbers: Numbers
    frequencies: Values
    containing: int


class NumpyScorer:
    """See `bm25.Scorer`. Belongs to one connection and whoever holds it."""

    def __init__(self, connection: apsw.Connection, weights: Weights) -> None:
        self._connection = connection
        self._weights = weights
        self._version: tuple[int, int] | None = None
        self._postings = _POSTINGS.format(vocabulary(connection))

    def rank(self, terms: Sequence[str], k1: float, b: float, limit: int, allowed: array[int] | None) -> Ranking:
        """The chunks that hold any of the terms, by BM25 over weighted columns, best first."""
        with snapshot(self._connection):
            count, sums = self._refreshed()
            average = weighted(sums, self._weights) / count if count else 0.0

            def adds(posting: Posting) -> Values:
                norm = 1 - b + (b * self._lengths[posting.numbers] / average if average else 0.0)
                rising = idf(count, posting.containing) * posting.frequencies * (k1 + 1)
                return rising / (posting.frequencies + k1 * norm)

            found = self._best(list(dict.fromkeys(terms)), adds, limit, allowed)
        return Ranking("keyword", tuple(Candidate(number, score) for number, score in found), "bm25")

    def as_fts5(self, terms: Sequence[str], limit: int, allowed: array[int] | None) -> list[tuple[int, float]]:
        """What FTS5 finds for these terms joined by OR, with its own bm25() (positive here), best first."""
        with snapshot(self._connection):
            count, sums = self._refreshed()
            average = sum(sums) / count if count else 0.0

            def adds(posting: Posting) -> Values:
                rare = log((count - posting.containing + 0.5) / (posting.containing + 0.5))
                often = posting.frequencies
                norm = 1 - FTS_B + FTS_B * self._sizes[posting.numbers] / average
                return (rare if rare > 0 else FTS_LEAST) * ((often * (FTS_K1 + 1.0)) / (often + FTS_K1 * norm))

            return self._best(terms, adds, limit, allowed)

    def _refreshed(self) -> tuple[int, tuple[int, ...]]:
        """Drops what is kept if the file has changed."""
        now = version(self._connection)
        if now is None or now != self._version:
            self._version = now
            self._terms: dict[str, Posting] = {}
            self._held = self._looked_up = 0
            last = self._connection.execute("SELECT coalesce(max(id), 0) FROM chunks_fts_docsize").get
            self._lengths = np.zeros(last + 1)  # weighted like the frequencies
            self._sizes = np.zeros(last + 1)  # all words alike, as FTS5 counts; 0 is "not read yet"
        return totals(self._connection)

    def _best(
        self, terms: Sequence[str], adds: Callable[[Posting], Values], limit: int, allowed: array[int] | None
    ) -> list[tuple[int, float]]:
        postings = [posting for posting in map(self._posting, terms) if len(posting.numbers)]
        self._measure(postings)
        scores = np.zeros(len(self._sizes))
        for posting in postings:
            scores[posting.numbers] += adds(posting)
        if allowed is None:
            among = np.flatnonzero(scores)
        else:
            among = np.frombuffer(allowed, np.int64)
            among = among[: np.searchsorted(among, len(scores))]
            among = among[scores[among] > 0]
        values = scores[among]
        if 0 < limit < len(among):
            near = values >= floor(values, limit)
            among, values = among[near], values[near]
        numbers, values = best(among, values, limit)
        return list(zip(numbers.tolist(), values.tolist(), strict=True))

    def _posting(self, term: str) -> Posting:
        known = self._terms.get(term)
        if known is None:
            told = self._connection.execute(self._postings, (term,)).get
            known = self._unpacked(told) if told else Posting(np.empty(0, np.int64), np.empty(0), 0)
            if self._held > _KEPT:
                self._terms, self._held = {}, 0
            self._terms[term] = known
            self._held += len(known.numbers)
        return known

    def _unpacked(self, told: str) -> Posting:
        """From one number an occurrence, chunk · 8 + column, in the order of the chunks."""
        occurrences = np.fromstring(told, np.int64, sep=" ")
        chunks = occurrences >> 3
        first = np.empty(len(chunks), bool)
        first[0] = True
        np.not_equal(chunks[1:], chunks[:-1], out=first[1:])
        numbers = chunks[first]
        cells = (np.cumsum(first) - 1) * _FIELDS + (occurrences & 7)
        counts = np.bincount(cells, minlength=len(numbers) * _FIELDS).reshape(-1, _FIELDS)
        frequencies = _weighted(counts, self._weights)
        counted = frequencies > 0  # a column may weigh nothing
        if counted.all():
            return Posting(numbers, frequencies, len(numbers))
        return Posting(numbers[counted], frequencies[counted], len(numbers))

    def _measure(self, postings: Sequence[Posting]) -> None:
        """Reads how long these chunks are, those that are not known yet."""
        missing = [posting.numbers[self._sizes[posting.numbers] == 0] for posting in postings]
        wanted = sum(map(len, missing))
        if not wanted:
            return
        self._looked_up += wanted
        if self._looked_up * 4 > len(self._sizes):  # reading all costs as much as looking a quarter up
            told = self._connection.execute(_SIZES).fetchone()
        else:
            numbers = np.unique(np.concatenate(missing))
            told = self._connection.execute(_SOME_SIZES, (apsw.carray(numbers),)).fetchone()
        if told and told[0]:
            numbers = np.fromstring(told[0], np.int64, sep=" ")
            sizes = _varints(bytes.fromhex(told[1])).reshape(-1, _FIELDS)
            self._lengths[numbers] = _weighted(sizes, self._weights)
            self._sizes[numbers] = sizes.sum(axis=1)


def _weighted(counts: Numbers, weights: Weights) -> Values:
    """Column by column, as `bm25.weighted` adds."""
    total = np.zeros(len(counts))
    for column, weight in zip(counts.T, weights, strict=True):
        total += column * weight
    return total


def _varints(data: bytes) -> Numbers:
    """SQLite's variable-length integers, all at once."""
    given = np.frombuffer(data, np.uint8)
    ends = np.flatnonzero(given < 0x80)
    values = given[ends].astype(np.int64)
    lengths = np.diff(ends, prepend=-1)
    for back in range(1, int(lengths.max(initial=1))):
        longer = lengths > back
        values[longer] += (given[ends[longer] - back].astype(np.int64) & 0x7F) << (7 * back)
    return values
