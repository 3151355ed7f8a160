"""One search, in the order it happens: plan → retrieve → fuse → adjust → fetch.

Read it in one sitting: each stage is a function of its own module. Until `fetch` only chunk
numbers and scores travel; then one statement reads the few that are shown.
"""

from __future__ import annotations

from time import perf_counter

from scrubjay.disclose.snippet import snippet
from scrubjay.disclose.summary import body
from scrubjay.search.adjust import above, decayed
from scrubjay.search.fuse import SOURCES, fuse
from scrubjay.search.plan import plan as make_plan
from scrubjay.search.retrieve import retrieve
from scrubjay.types import Hit, Notice, SearchResult
from scrubjay.types.base import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from scrubjay.config import Config
    from scrubjay.ports import Store
    from scrubjay.types import Chunk, Fused, QueryPlan, Ranking, SearchOptions

    Ask = Callable[[str], tuple[int, Sequence[float]]]


def search(options: SearchOptions, config: Config, store: Store, ask: Ask | None) -> SearchResult:
    """Everything a search does. `ask` is None where nothing can embed the query."""
    clock = Stopwatch()
    plan = make_plan(options, config)
    clock.lap("plan")
    rankings, notices = retrieve(plan, store, ask)
    clock.lap("retrieve")
    fused, best = fuse(rankings, plan)
    clock.lap("fuse")
    shown, chunks = _adjusted(plan, above(fused, plan.floor), store)
    clock.lap("adjust")
    chunks = chunks or {chunk.number: chunk for chunk in store.fetch([item.chunk for item in shown])}
    present = [item for item in shown if item.chunk in chunks]
    hits = tuple(_hit(rank, item, chunks[item.chunk], best, plan, store) for rank, item in enumerate(present, 1))
    clock.lap("fetch")
    told = (*config.notices, *notices, *store.take_notices(), *_about_threshold(plan, best))
    mode = _mode(plan, rankings)
    return SearchResult(options.query, plan.profile, mode, hits, told, clock.finish(), plan, _tier(rankings))


def _adjusted(plan: QueryPlan, fused: list[Fused], store: Store) -> tuple[list[Fused], dict[int, Chunk]]:
    """Age, the threshold, the cut. Chunks are read early only where their paths decide."""
    chunks: dict[int, Chunk] = {}
    if plan.half_life_days is not None and fused:
        from datetime import UTC, datetime

        chunks = {chunk.number: chunk for chunk in store.fetch([item.chunk for item in fused])}
        paths = {number: chunk.path for number, chunk in chunks.items()}
        fused = decayed(fused, paths.get, plan.half_life_days, datetime.now(UTC).date())
    if plan.threshold is not None:
        fused = above(fused, plan.threshold)
    return fused[: plan.top], chunks


def _hit(rank: int, item: Fused, chunk: Chunk, best: float, plan: QueryPlan, store: Store) -> Hit:
    ranks = {vote.source: vote.rank for vote in item.votes}
    cosine = next((vote.score for vote in item.votes if vote.source == "vector"), None)
    text, highlights = snippet(body(chunk.text), [term.text for term in plan.words.terms], stem=store.tokens)
    return Hit(
        rank=rank,
        id=chunk.id,
        document_id=chunk.document_id,
        score=item.score,
        normalized=min(item.score / best, 1.0) if best else 0.0,
        path=chunk.path,
        title=chunk.title,
        kind=chunk.kind,
        tags=chunk.tags,
        trail=chunk.trail,
        lines=chunk.lines,
        page=chunk.page,
        created_at=chunk.created_at,
        snippet=text,
        highlights=highlights,
        sources=tuple(source for source in SOURCES if source in ranks),
        ranks={source: ranks.get(source) for source in SOURCES},
        similarity=None if cosine is None else min(max(cosine, 0.0), 1.0),
        votes=item.votes,
        factors=item.factors,
    )


def _mode(plan: QueryPlan, rankings: Sequence[Ranking]) -> str:
    """The mode that really ran: hybrid without vectors was a keyword search."""
    ran = {ranking.source for ranking in rankings if ranking.source != "graph"}
    return plan.mode if len(ran) != 1 else next(iter(ran))


def _tier(rankings: Sequence[Ranking]) -> str:
    return next((ranking.tier for ranking in rankings if ranking.source == "keyword"), "")


def _about_threshold(plan: QueryPlan, best: float) -> tuple[Notice, ...]:
    if plan.threshold is None or best <= 0 or plan.threshold <= best:
        return ()
    reason = f"No score of profile {plan.profile} can reach {plan.threshold:g}; the highest possible is {best:.4f}."
    return (Notice("threshold", reason, f"Use a threshold below {best:.4f}."),)


class Stopwatch:
    """Milliseconds a stage, as they pass."""

    def __init__(self) -> None:
        self._start = self._last = perf_counter()
        self._laps: dict[str, float] = {}

    def lap(self, name: str) -> None:
        now = perf_counter()
        self._laps[name] = round((now - self._last) * 1000, 3)
        self._last = now

    def finish(self) -> dict[str, float]:
        return {**self._laps, "total": round((perf_counter() - self._start) * 1000, 3)}
