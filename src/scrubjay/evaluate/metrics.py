"""How good a ranking is against what people judged relevant, in the measures of trec_eval.

Gains are linear and a query without results counts as 0, so the figures can be compared with
published ones. Everything is kept per query: a mean alone cannot tell luck from progress.
"""

from __future__ import annotations

from math import log2

from scrubjay.errors import UsageError
from scrubjay.types.base import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    Judged = Mapping[str, float]  # document → how relevant; 0 and less: not
    Qrels = Mapping[str, Judged]
    Run = Mapping[str, Sequence[str]]  # query → documents, best first

MEASURES = ("ndcg@10", "recall@10", "recall@100", "mrr@10", "precision@10", "map@100")


class Scores(NamedTuple):
    """Each measure's mean over the queries, and its value for every query."""

    means: Mapping[str, float]
    per_query: Mapping[str, Mapping[str, float]]


def ndcg(judged: Judged, ranked: Sequence[str], k: int) -> float:
    """Discounted gain of the first `k`, divided by the best that could be had."""
    best = sum(gain / log2(at + 2) for at, gain in enumerate(sorted(_gains(judged), reverse=True)[:k]))
    got = sum(max(judged.get(doc, 0), 0) / log2(at + 2) for at, doc in enumerate(_once(ranked)[:k]))
    return got / best if best else 0.0


def recall(judged: Judged, ranked: Sequence[str], k: int) -> float:
    """The share of the relevant documents that is among the first `k`."""
    relevant = _relevant(judged)
    return len(relevant.intersection(_once(ranked)[:k])) / len(relevant) if relevant else 0.0


def precision(judged: Judged, ranked: Sequence[str], k: int) -> float:
    """The share of the first `k` places that holds a relevant document; an empty place does not."""
    return len(_relevant(judged).intersection(_once(ranked)[:k])) / k


def hit(judged: Judged, ranked: Sequence[str], k: int) -> float:
    """1 if a relevant document is among the first `k`."""
    return float(not _relevant(judged).isdisjoint(_once(ranked)[:k]))


def mrr(judged: Judged, ranked: Sequence[str], k: int) -> float:
    """One over the rank of the first relevant document, 0 when it is not among the first `k`."""
    relevant = _relevant(judged)
    return next((1 / (at + 1) for at, doc in enumerate(_once(ranked)[:k]) if doc in relevant), 0.0)


def average_precision(judged: Judged, ranked: Sequence[str], k: int) -> float:
    """The mean precision at the rank of each relevant document; one not found counts 0."""
    relevant, found, total = _relevant(judged), 0, 0.0
    for at, doc in enumerate(_once(ranked)[:k]):
        if doc in relevant:
            found += 1
            total += found / (at + 1)
    return total / len(relevant) if relevant else 0.0


_BY_NAME: Mapping[str, Callable[[Judged, Sequence[str], int], float]] = {
    "ndcg": ndcg,
    "recall": recall,
    "precision": precision,
    "hit": hit,
    "mrr": mrr,
    "map": average_precision,
}


def score(qrels: Qrels, run: Run, measures: Iterable[str] = MEASURES) -> Scores:
    """Every measure over the queries of `qrels`. Measures are written like "ndcg@10"."""
    chosen = [(name, *_measure(name)) for name in measures]
    per_query = {
        query: {name: of(judged, run.get(query, ()), k) for name, of, k in chosen} for query, judged in qrels.items()
    }
    count = max(len(per_query), 1)
    means = {name: sum(values[name] for values in per_query.values()) / count for name, _, _ in chosen}
    return Scores(means, per_query)


def ranked(scores: Mapping[str, float]) -> list[str]:
    """Documents by score, best first; equal scores by id, so that the order never depends on luck."""
    return sorted(scores, key=lambda doc: (-scores[doc], doc))


def _measure(name: str) -> tuple[Callable[[Judged, Sequence[str], int], float], int]:
    base, _, k = name.partition("@")
    if base not in _BY_NAME or not (k.isascii() and k.isdigit() and int(k)):
        known = ", ".join(f"{each}@10" for each in _BY_NAME)
        raise UsageError(f"{name!r} is not a measure.", "", f"Use {known}, with any number after the @.")
    return _BY_NAME[base], int(k)


def _gains(judged: Judged) -> list[float]:
    return [gain for gain in judged.values() if gain > 0]


def _relevant(judged: Judged) -> set[str]:
    return {doc for doc, gain in judged.items() if gain > 0}


def _once(documents: Sequence[str]) -> Sequence[str]:
    """A document found through two of its chunks counts where it stands first."""
    return documents if len(set(documents)) == len(documents) else list(dict.fromkeys(documents))
