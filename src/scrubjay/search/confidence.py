"""Whether what was found is about the query at all, and the evidence for it.

A search always finds its nearest passages, also where nothing is near. Two things tell far
better than a score: how many of the query's words the best passage holds, rare ones counting
more, and how far the nearest passage by meaning stands out among the others. The bounds are
where queries of another collection begin (docs/adr/0031-confidence.md).
"""

from __future__ import annotations

from scrubjay.errors import ScrubjayError
from scrubjay.types.base import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scrubjay.ports import Store
    from scrubjay.types import Chunk, Fused, QueryPlan, Ranking

    Sure = tuple[str, float, tuple[str, ...], float | None, float | None]

AS_TYPED = ("exact title", "exact phrase", "exact trigram")  # every word of the query is there
LOOKED_AT = 5  # of the best passages
STRONG, NONE = 0.7, 0.5  # of coverage + standing
STRONG_BY_WORDS, NONE_BY_WORDS = 0.5, 0.3  # of coverage, where meaning was not asked
STANDS_OUT = 0.15  # so near that it may be about the query without any of its words
_AMONG, _FEWEST, _FIRST = 50, 10, 10


def how_sure(
    plan: QueryPlan, rankings: Sequence[Ranking], shown: Sequence[Fused], chunks: Sequence[Chunk], store: Store
) -> Sure:
    """What a `Confidence` is made of. `chunks` are the best that are shown, best first."""
    by_source = {ranking.source: ranking for ranking in rankings if ranking.candidates}
    stands, agree = standing(by_source.get("vector")), agreement(by_source)
    stands = None if stands is None else round(stands, 4)
    exact = {vote.note for vote in shown[0].votes} if shown else set()
    if not exact.isdisjoint(AS_TYPED):
        return "strong", 1.0, (), stands, agree
    texts = ["\n".join((chunk.title, *chunk.trail, chunk.text)) for chunk in chunks[:LOOKED_AT]]
    try:
        coverage, absent = store.covering(plan.words, texts)
    except ScrubjayError:  # the index of words is damaged; whoever asked it before has told so
        return "weak", 0.0, (), stands, agree
    if not chunks:
        return "none", 0.0, absent, None, None
    if "exact identifier" in exact:
        level = "strong"
    elif "keyword" in by_source and by_source["keyword"].tier == "like":
        level = "weak"  # parts of words: found, but nobody knows whether meant
    else:
        level = _level(coverage, stands, "vector" in by_source)
    return level, round(coverage, 4), absent, stands, agree


def _level(coverage: float, stands: float | None, by_meaning: bool) -> str:
    if stands is not None:
        if coverage + stands >= STRONG:
            return "strong"
        return "none" if coverage + stands < NONE and stands < STANDS_OUT else "weak"
    if coverage >= STRONG_BY_WORDS:
        return "strong"
    return "none" if coverage < NONE_BY_WORDS and not by_meaning else "weak"


def standing(vector: Ranking | None) -> float | None:
    """How much of the way from the usual cosine of the nearest fifty to 1 the nearest has gone."""
    if vector is None or len(vector.candidates) < _FEWEST:
        return None
    cosines = [candidate.score for candidate in vector.candidates[:_AMONG]]
    usual = cosines[len(cosines) // 2]  # they are in order; a mean would follow a few that are far off
    return (cosines[0] - usual) / (1 - usual) if usual < 1 else 0.0


def agreement(by_source: dict[str, Ranking]) -> float | None:
    """The share of the first ten of words that is among the first ten of meaning."""
    if "keyword" not in by_source or "vector" not in by_source:
        return None
    words, meaning = (
        {candidate.chunk for candidate in by_source[source].candidates[:_FIRST]} for source in ("keyword", "vector")
    )
    return round(len(words & meaning) / len(words), 2)
