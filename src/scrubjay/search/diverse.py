"""Fewer of the same: near-duplicates folded, at most so many passages of a document, MMR.

Looks only at the few that may be shown, in their order, and never changes a score. Folding
compares words in runs of three, so that two copies of a text are one result also where a date or
a name in them differs; what was folded is told by its id. Maximal marginal relevance trades
likeness to the query against likeness to what is shown already, by the stored vectors.
"""

from __future__ import annotations

from operator import mul

from scrubjay.types.base import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from scrubjay.types import Chunk, Fused
    from scrubjay.types.diverse import Diverse

    Vectors = Mapping[int, Sequence[float]]

ALIKE = 0.8  # of the runs of three words that both texts have together
_RUN = 3
_WINDOW = 4  # times the asked count is looked through


def window(top: int) -> int:
    """How many of the best are looked through."""
    return max(50, _WINDOW * top)


def diversified(
    ranked: Sequence[Fused],
    chunks: Mapping[int, Chunk],
    top: int,
    how: Diverse,
    vectors_of: Callable[[Sequence[int]], Vectors],
) -> tuple[list[Fused], dict[int, tuple[str, ...]]]:
    """Those to show, and for each chunk the ids of what was folded into it."""
    present = [item for item in ranked if item.chunk in chunks]
    folded: dict[int, tuple[str, ...]] = {}
    if how.fold:
        present, folded = _folded(present, chunks)
    if how.mmr is not None:
        present = marginal(present, vectors_of([item.chunk for item in present]), how.mmr, len(present))
    if how.per_document:
        present = _limited(present, chunks, how.per_document)
    return present[:top], folded


def _folded(ranked: Sequence[Fused], chunks: Mapping[int, Chunk]) -> tuple[list[Fused], dict[int, tuple[str, ...]]]:
    """The best of each family of near-same texts stays where it is."""
    kept: list[Fused] = []
    runs: dict[int, frozenset[object]] = {}
    folded: dict[int, tuple[str, ...]] = {}
    for item in ranked:
        own = shingles(chunks[item.chunk].text)
        twin = next((other.chunk for other in kept if alike(own, runs[other.chunk]) >= ALIKE), None)
        if twin is None:
            runs[item.chunk] = own
            kept.append(item)
        else:
            folded[twin] = (*folded.get(twin, ()), chunks[item.chunk].id)
    return kept, folded


def shingles(text: str) -> frozenset[object]:
    """A text's runs of three words, or of three characters where it is written without spaces."""
    lower = text.casefold()
    words: Sequence[str] = lower.split()
    if len(lower) > 20 * max(len(words), 1):
        words = [char for char in lower if not char.isspace()]
    if len(words) < _RUN:
        return frozenset((tuple(words),))
    return frozenset(zip(words, words[1:], words[2:], strict=False))


def alike(one: frozenset[object], other: frozenset[object]) -> float:
    """The share of all runs that both have (Jaccard)."""
    both = len(one & other)
    return both / (len(one) + len(other) - both)


def _limited(ranked: Sequence[Fused], chunks: Mapping[int, Chunk], most: int) -> list[Fused]:
    shown: dict[str, int] = {}
    kept = []
    for item in ranked:
        document = chunks[item.chunk].document_id
        shown[document] = shown.get(document, 0) + 1
        if shown[document] <= most:
            kept.append(item)
    return kept


def marginal(ranked: Sequence[Fused], vectors: Vectors, share: float, count: int) -> list[Fused]:
    """Greedily the next best by share · score − (1 − share) · likeness to what is chosen already.

    Scores are stretched to [0, 1] first. A chunk without a vector is like nothing.
    """
    if not ranked:
        return []
    best, low = max(item.score for item in ranked), min(item.score for item in ranked)
    worth = {item.chunk: (item.score - low) / (best - low) if best > low else 1.0 for item in ranked}
    left = list(ranked)
    nearest = dict.fromkeys((item.chunk for item in left), 0.0)
    chosen: list[Fused] = []
    while left and len(chosen) < count:
        place = max(
            range(len(left)),
            key=lambda at: (share * worth[left[at].chunk] - (1 - share) * nearest[left[at].chunk], -at),
        )
        item = left.pop(place)
        chosen.append(item)
        own = vectors.get(item.chunk)
        for other in left if own is not None else ():
            theirs = vectors.get(other.chunk)
            if own is not None and theirs is not None:
                nearest[other.chunk] = max(nearest[other.chunk], sum(map(mul, own, theirs)))
    return chosen
