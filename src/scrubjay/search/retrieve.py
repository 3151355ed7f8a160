"""Asks every source of the plan for its candidates; one that fails is left out with a notice.

Nothing optional raises out of a search: a missing or broken embedder means that the words
answer alone and the answer says so. An error is for whoever asked for vectors explicitly, and
for a search that no source at all could answer.
"""

from __future__ import annotations

from scrubjay.errors import DeadlinePassed, EmbeddingError, NoEmbedder, ScrubjayError
from scrubjay.types import Candidate, Notice, Ranking
from scrubjay.types.base import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from array import array
    from collections.abc import Callable, Sequence

    from scrubjay.ports import Store
    from scrubjay.search.deadline import Deadline
    from scrubjay.types import QueryPlan, Words

    Ask = Callable[[str], tuple[int, Sequence[float]]]

CURE = "Install a model: kb models pull"
_LIKE_SHARE = 0.5  # of the query's words
CHECK = "Check the embedder; `kb doctor` tests it."


class Retrieved(NamedTuple):
    """The rankings of the sources that ran, in the plan's order, and what went wrong."""

    rankings: tuple[Ranking, ...]
    notices: tuple[Notice, ...]


def retrieve(plan: QueryPlan, store: Store, ask: Ask | None, deadline: Deadline | None = None) -> Retrieved:
    """At least `plan.pool` candidates a source, if there are so many that pass the filter.

    The first source is asked in any case; those after it only while the deadline allows.
    """
    allowed = store.allowed(plan.filter, plan.words)
    rankings: list[Ranking] = []
    notices: list[Notice] = []
    sources = list(plan.sources)
    while sources:
        source = sources.pop(0)
        if deadline is not None and source != plan.sources[0] and not deadline.allows(source):
            continue
        try:
            if source == "vector":
                rankings.append(_nearest(plan, store, ask, allowed))
            elif source == "graph":
                rankings = telling(rankings)
                rankings += linked_leg(plan, store, rankings, allowed)
            else:
                rankings.append(words_leg(plan, store, plan.words, allowed))
        except DeadlinePassed:
            if deadline is not None:
                deadline.skip(source)
        except ScrubjayError as error:
            if plan.mode == source or (source == "keyword" and not rankings and not sources):
                raise  # nobody is left who could answer, and a damaged file is no empty answer
            notices.append(Notice(source, _sentence(error), error.cure))
        except Exception as error:  # an embedder is anybody's code: whatever it raises is a notice
            failure = _failure(source, error)
            if plan.mode == source:
                raise failure from error
            notices.append(Notice(source, failure.what, failure.cure))
        if not sources and not rankings and source == "vector" and plan.mode == "hybrid":
            sources.append("keyword")  # fusion is off and vectors cannot answer: words can
    return Retrieved(tuple(telling(rankings)), tuple(notices))


def telling(rankings: list[Ranking]) -> list[Ranking]:
    """Where meaning has answered, parts of words count only if they are most of the query.

    The last resort of the search by words finds "our" in "sourdough": better than nothing,
    but not good enough to outvote what means the same.
    """
    if not any(ranking.source == "vector" and ranking.candidates for ranking in rankings):
        return rankings
    return [
        ranking._replace(candidates=tuple(each for each in ranking.candidates if each.score >= _LIKE_SHARE))
        if ranking.tier == "like"
        else ranking
        for ranking in rankings
    ]


def words_leg(plan: QueryPlan, store: Store, words: Words, allowed: array[int] | None) -> Ranking:
    """The keyword source: what holds the words, then what holds only what an acronym of them stands for."""
    found = _worded(plan, store, words, allowed)
    room = plan.pool - len(found.candidates)
    if plan.also is None or room <= 0 or found.tier == "like":
        return found
    known = {candidate.chunk for candidate in found.candidates}
    more = [each for each in store.keyword(plan.also, plan.pool, allowed).candidates if each.chunk not in known]
    if not more:
        return found
    lowest = min((candidate.score for candidate in found.candidates), default=1.0)
    scale = 0.99 * lowest / max(each.score for each in more)
    below = [each._replace(score=each.score * scale, note="by what an acronym stands for") for each in more]
    return found._replace(candidates=(*found.candidates, *below[:room]))


def _worded(plan: QueryPlan, store: Store, words: Words, allowed: array[int] | None) -> Ranking:
    """By FTS5, or its BM25 channel, which re-orders plain words; exact matches stay on top."""
    plain = not words.excluded and not any(term.phrase or term.prefix for term in words.terms)
    if plan.keyword_channel != "bm25" or not plain:
        return store.keyword(words, plan.pool, allowed)
    channel = store.bm25(words, plan.pool, allowed, plan.bm25_k1, plan.bm25_b)
    exact = store.exact(words, plan.pool, allowed)
    if not channel.candidates and not exact.candidates:
        return store.keyword(words, plan.pool, allowed)
    scores = {candidate.chunk: candidate.score for candidate in channel.candidates}
    best = max(scores.values(), default=0.0) or 1.0
    raised = [
        each._replace(score=scores.pop(each.chunk, 0.0) + best * (each.score + 0.01)) for each in exact.candidates
    ]
    raised.sort(key=lambda candidate: (-candidate.score, candidate.chunk))
    rest = [candidate for candidate in channel.candidates if candidate.chunk in scores]
    return Ranking("keyword", tuple([*raised, *rest][: plan.pool]), exact.tier or "bm25")


def _nearest(plan: QueryPlan, store: Store, ask: Ask | None, allowed: array[int] | None) -> Ranking:
    if ask is None:
        raise NoEmbedder("There is no embedder, so meaning cannot be searched.", "None is set up.", CURE)
    if not plan.words.text:
        return Ranking("vector", (), "cosine")
    model, vector = ask(plan.words.text)
    return store.nearest(model, vector, plan.pool, allowed)


def linked_leg(
    plan: QueryPlan, store: Store, found: Sequence[Ranking], allowed: array[int] | None
) -> tuple[Ranking, ...]:
    """What the best hits are linked with; nothing at all where there is nothing to follow."""
    from scrubjay.search.graph import entrances, seeds, spread, worded

    if plan.spreading is None or store.graph.is_empty():
        return ()
    how = plan.spreading
    start = seeds(found, how.seeds)
    if not start:
        return ()
    faces = entrances(found, store.graph.documents_of)
    reached = spread(start, store.graph, how, faces, plan.pool if allowed is None else None)
    if allowed is not None:
        reached = [each for each in reached if _within(each.chunk, allowed)][: plan.pool]
    ways = worded(reached, store.graph)
    candidates = (Candidate(each.chunk, each.active, way) for each, way in zip(reached, ways, strict=True))
    return (Ranking("graph", tuple(candidates), "links"),) if reached else ()


def _within(number: int, allowed: array[int]) -> bool:
    """Whether the ascending array holds the number: a set of it would take longer to make than to ask."""
    from bisect import bisect_left

    place = bisect_left(allowed, number)
    return place < len(allowed) and allowed[place] == number


def _failure(source: str, error: Exception) -> ScrubjayError:
    detail = f"{type(error).__name__}: {error}".rstrip(": ")
    if source == "vector":
        return EmbeddingError(f"The embedder failed: {detail}", "", CHECK)
    leg = "Following links" if source == "graph" else "The search by words"
    return ScrubjayError(f"{leg} failed: {detail}", "", CHECK)


def _sentence(error: ScrubjayError) -> str:
    return f"{error.what} {error.why}".strip()
