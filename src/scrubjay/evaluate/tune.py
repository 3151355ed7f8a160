"""Learns how much words and meaning should count in a base, from queries that nobody judged.

Each leg is asked alone, and every mix of the two is scored on both kinds of known queries. What
counts is how much a mix loses against the best mix of that kind, because the kinds are not
equally hard; the middle of the mixes that are as good as the best is taken, since a sample of
a few hundred tells no finer.
"""

from __future__ import annotations

from math import log2
from time import perf_counter

from scrubjay.search.auto import EVEN, stretched
from scrubjay.types import Progress
from scrubjay.types.base import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from scrubjay.evaluate.known import Known
    from scrubjay.types import Ranking

    Ask = Callable[[str], Sequence[Ranking]]

STEPS = tuple(round(step / 10, 1) for step in range(11))
LEAST = 20  # queries of a kind; fewer say nothing
_DEPTH = 50  # candidates a leg; deeper ones never come among the first ten
_AS_GOOD = 0.005
_DOUBT = 50  # queries that an even mix is worth before anything is known
_FIRST = 10


class Learned(NamedTuple):
    """The weight of meaning (that of words is the rest), and what it was read from.

    `legs` is nDCG@10 of each leg alone and `mixes` that of each weight in `STEPS`, for each
    kind of query; `queries` counts them. `why` says why nothing was learned.
    """

    vector_weight: float | None
    legs: Mapping[str, Mapping[str, float]]
    mixes: Mapping[str, tuple[float, ...]]
    queries: Mapping[str, int]
    seconds: float
    why: str = ""


def learn(
    kinds: Mapping[str, Sequence[Known]],
    ask: Ask,
    *,
    pool: int = 100,
    seconds: float | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> Learned:
    """Asks the known queries, kinds in turn, for as long as there is time."""
    start = perf_counter()
    sums: dict[str, list[float]] = {kind: [0.0] * len(STEPS) for kind in kinds}
    counts = dict.fromkeys(kinds, 0)
    rounds = max((len(known) for known in kinds.values()), default=0)
    total = sum(len(known) for known in kinds.values())
    for number in range(rounds):
        for kind, known in kinds.items():
            if number >= len(known):
                continue
            scored = _scored(known[number], ask(known[number].query), pool)
            if scored is not None:
                counts[kind] += 1
                sums[kind] = [sum(pair) for pair in zip(sums[kind], scored, strict=True)]
            if progress is not None:
                progress(Progress("tune", sum(counts.values()), total))
        if seconds is not None and perf_counter() - start > seconds:
            break
    means = {kind: tuple(round(value / counts[kind], 4) for value in sums[kind]) for kind in kinds if counts[kind]}
    legs = {kind: {"keyword": curve[0], "vector": curve[-1]} for kind, curve in means.items()}
    weight, why = _chosen({kind: curve for kind, curve in means.items() if counts[kind] >= LEAST}, sum(counts.values()))
    return Learned(weight, legs, means, counts, round(perf_counter() - start, 2), why)


def _chosen(curves: Mapping[str, Sequence[float]], asked: int) -> tuple[float | None, str]:
    """The middle of the weights that lose as good as least, drawn to an even mix by few queries.

    One kind alone is unfair to a leg, so it may only forbid: the most even of its good weights is taken.
    """
    if not curves:
        return None, f"Fewer than {LEAST} queries could be made that both words and meaning answer."
    losses = [sum(max(curve) - curve[step] for curve in curves.values()) / len(curves) for step in range(len(STEPS))]
    good = [weight for weight, loss in zip(STEPS, losses, strict=True) if loss <= min(losses) + _AS_GOOD]
    if len(curves) == 1:
        return min(good, key=lambda weight: (abs(weight - EVEN), weight)), ""
    sure = asked / (asked + _DOUBT)
    return round(EVEN + (sum(good) / len(good) - EVEN) * sure, 2), ""


def _scored(known: Known, rankings: Sequence[Ranking], pool: int) -> list[float] | None:
    """nDCG@10 of every mix; None when a leg did not answer, since there is nothing to mix then."""
    legs: dict[str, dict[int, float]] = {}
    for ranking in rankings:
        kept = ranking._replace(candidates=tuple(each for each in ranking.candidates if each.chunk != known.without))
        scores = stretched(kept, pool)
        legs[ranking.source] = {each.chunk: score for each, score in zip(kept.candidates, scores, strict=True)}
    words, meaning = (dict(list(legs.get(name, {}).items())[:_DEPTH]) for name in ("keyword", "vector"))
    if not words or not meaning:
        return None
    chunks = sorted({*words, *meaning})
    best = sum(1 / log2(place + 2) for place in range(min(_FIRST, len(known.answers))))
    found = []
    for weight in STEPS:
        mix = {chunk: weight * meaning.get(chunk, 0.0) + (1 - weight) * words.get(chunk, 0.0) for chunk in chunks}
        first = sorted(chunks, key=lambda chunk: -mix[chunk])[:_FIRST]
        found.append(sum(1 / log2(at + 2) for at, chunk in enumerate(first) if chunk in known.answers) / best)
    return found
