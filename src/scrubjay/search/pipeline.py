"""One search, in the order it happens: plan → expand → retrieve → fuse → adjust → rerank → fetch.

Read it in one sitting: each stage is a function of its own module. Until `fetch` only chunk
numbers and scores travel; then one statement reads the few that are shown.
"""

from __future__ import annotations

from time import perf_counter

from scrubjay.disclose.snippet import snippet
from scrubjay.disclose.summary import body
from scrubjay.errors import ScrubjayError
from scrubjay.search.adjust import above, decayed, favoured
from scrubjay.search.confidence import how_sure
from scrubjay.search.fuse import SOURCES, fuse
from scrubjay.search.plan import plan as make_plan
from scrubjay.search.retrieve import Retrieved, retrieve
from scrubjay.types import Hit, Notice, SearchResult
from scrubjay.types.base import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from typing import Any

    from scrubjay.config import Config
    from scrubjay.memory.ranking import Ranking as Remembering
    from scrubjay.ports import Store
    from scrubjay.rerank import Item, Reranked
    from scrubjay.search.deadline import Deadline
    from scrubjay.types import Chunk, Fused, QueryPlan, Ranking, SearchOptions

    Ask = Callable[[str], tuple[int, Sequence[float]]]
    Reread = Callable[[QueryPlan, Sequence[Item], float], Reranked]


def search(
    options: SearchOptions, config: Config, store: Store, ask: Ask | None, reread: Reread | None = None
) -> SearchResult:
    """Everything a search does. `ask` is None where nothing can embed the query."""
    clock = Stopwatch()
    plan = make_plan(options, config)
    deadline = _deadline(plan)
    undone: tuple[Notice, ...] = ()
    if plan.fusion == "auto":
        from scrubjay.search.auto import mixed

        plan = mixed(plan, store)
    clock.lap("plan")
    if "expand" in plan.stages and (deadline is None or deadline.allows("expand")):
        plan, undone = _expanded(plan, store)
        clock.lap("expand")
    seen = visible(plan, store, heeds := store.remembers())
    rankings, notices = retrieve(plan, seen, ask) if deadline is None else _retrieved(plan, seen, ask, deadline)
    clock.lap("retrieve")
    fused, best = fuse(rankings, plan)
    clock.lap("fuse")
    pages = Pages(store)
    memory = memory_of(plan, store, pages, heeds)
    ranked = adjusted(plan, above(fused, plan.floor), pages, memory)
    clock.lap("adjust")
    if plan.rerank and (deadline is None or deadline.allows("rerank")):
        ranked, best, told = _reranked(plan, ranked, best, pages, reread, deadline)
        notices, ranked = (*notices, *told), ranked if memory is None else memory.placed(ranked)
        clock.lap("rerank")
    shown, folded = _told_apart(plan, ranked, pages, store)
    chunks = pages.of(item.chunk for item in shown)
    present = [item for item in shown if item.chunk in chunks]
    marks = {} if memory is None else memory.marks([item.chunk for item in present])
    hits = tuple(_hit(rank, item, chunks[item.chunk], best, plan, store, marks) for rank, item in enumerate(present, 1))
    hits = _with_folded(hits, present, folded) if folded else hits
    sure = how_sure(plan, rankings, present, [chunks[item.chunk] for item in present], store)
    clock.lap("fetch")
    if deadline is not None:
        plan, undone = plan._replace(skipped=tuple(deadline.skipped)), (*undone, *deadline.notices())
    of_plan = (*_about_changes(plan), *_about_threshold(plan, best))
    told = (*config.notices, *of_plan, *undone, *notices, *store.take_notices())
    mode = _mode(plan, rankings)
    result = SearchResult(options.query, plan.profile, mode, hits, told, clock.finish(), plan, _tier(rankings))
    return result._replace(sure=sure)


def _with_folded(
    hits: tuple[Hit, ...], present: Sequence[Fused], folded: Mapping[int, tuple[str, ...]]
) -> tuple[Hit, ...]:
    return tuple(hit._replace(folded=folded.get(item.chunk, ())) for hit, item in zip(hits, present, strict=True))


def _expanded(plan: QueryPlan, store: Store) -> tuple[QueryPlan, tuple[Notice, ...]]:
    """The words that the base lacks mended or written out. Mostly it has them, and that is soon seen."""

    def parts_are_found() -> bool:
        return bool(store.keyword(plan.words, 1, None).candidates)

    try:
        if not plan.acronyms:
            plain = [term.text for term in plan.words.terms if term.text.isalnum()]
            if len(plain) == len(plan.words.terms) and len(store.vocabulary.known(plain)) == len(set(plain)):
                return plan, ()
        if plan.deadline_ms is None and store.vocabulary.is_behind():
            from scrubjay.search.wording import catch_up

            catch_up(store)
        from scrubjay.search.expand import expanded

        return expanded(plan, store.vocabulary, parts_are_found), ()
    except ScrubjayError as error:  # a damaged index; the search by words will say the same
        return plan, (Notice("expand", error.what, error.cure),)


class Pages:
    """The chunks that were read so far: each is read once, and only when something needs it."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._known: dict[int, Chunk] = {}

    def of(self, numbers: Iterable[int]) -> dict[int, Chunk]:
        """Those of the numbers that there are."""
        wanted = list(numbers)
        missing = [number for number in wanted if number not in self._known]
        if missing:
            self._known.update((chunk.number, chunk) for chunk in self._store.fetch(missing))
        return {number: self._known[number] for number in wanted if number in self._known}


def visible(plan: QueryPlan, store: Store, heeds: bool) -> Store:
    """The store without what is not searched, unless that was asked for. `heeds`: see `Store.remembers`."""
    hidden = {} if plan.everything or not heeds else store.memory.hidden_chunks()
    if not hidden:
        return store
    from scrubjay.search.visible import Visible

    found: Any = Visible(store, hidden)
    return found  # type: ignore[no-any-return]  # it passes everything else on


def memory_of(plan: QueryPlan, store: Store, pages: Pages, heeds: bool) -> Remembering | None:
    """What the base knows of memories, for this search; None where there is nothing to heed."""
    if plan.weighing is None and not heeds:
        return None
    from scrubjay.disclose.budget import tokens
    from scrubjay.memory.ranking import Ranking as Remembering

    return Remembering(plan, store, lambda chunk: tokens(pages.of([chunk])[chunk].text), heeds)


def adjusted(
    plan: QueryPlan, fused: list[Fused], pages: Pages, memory: Remembering | None = None
) -> list[Fused]:
    """Purpose, standing, age, the threshold. Chunks are read early only where their paths decide."""
    if plan.kind_boosts and fused:
        from scrubjay.memory.documents import document_kind

        kinds = {n: (document_kind(c.path).name, c.kind) for n, c in pages.of(item.chunk for item in fused).items()}
        fused = favoured(fused, lambda number: kinds.get(number, ()), plan.kind_boosts)
    if memory is not None and fused:
        fused = memory.weighed(fused)
    if plan.half_life_days is not None and fused:
        from datetime import UTC, datetime

        paths = {number: chunk.path for number, chunk in pages.of(item.chunk for item in fused).items()}
        fused = decayed(fused, paths.get, plan.half_life_days, datetime.now(UTC).date())
    return fused if plan.threshold is None else above(fused, plan.threshold)


def _reranked(
    plan: QueryPlan, ranked: list[Fused], best: float, pages: Pages, reread: Reread | None, deadline: Deadline | None
) -> tuple[list[Fused], float, tuple[Notice, ...]]:
    """The best few in the order of a reranker; as they were, with a notice, where that cannot be."""
    from scrubjay.rerank import Item
    from scrubjay.search.reorder import reordered

    if reread is None or not ranked:
        return ranked, best, ()
    head = ranked[: plan.rerank_candidates]
    chunks = pages.of(item.chunk for item in head)
    read = [(item, chunks[item.chunk]) for item in head if item.chunk in chunks]
    items = [Item(chunk.id, chunk.text, item.score, heading(chunk)) for item, chunk in read]
    left = None if deadline is None else deadline.seconds()
    done = reread(plan, items, plan.rerank_seconds if left is None else min(left, plan.rerank_seconds))
    if deadline is not None and not done.applied and deadline.seconds() == 0.0:
        deadline.skip("rerank")
    if not done.applied:
        return ranked, best, done.notices
    ids = {number: chunk.id for number, chunk in chunks.items()}
    said = {number: (done.scores[id], done.penalties[id], done.finals[id]) for number, id in ids.items()}
    return reordered(ranked, said, done.provider), 1.0, done.notices


def _told_apart(
    plan: QueryPlan, ranked: list[Fused], pages: Pages, store: Store
) -> tuple[list[Fused], dict[int, tuple[str, ...]]]:
    """The best, without more of the same where that was asked for; and what was folded into which."""
    if plan.diverse is None:
        return ranked[: plan.top], {}
    from scrubjay.search.diverse import diversified, window

    looked = ranked[: window(plan.top)]
    return diversified(looked, pages.of(item.chunk for item in looked), plan.top, plan.diverse, store.vectors_of)


def heading(chunk: Chunk) -> str:
    """The title and the headings that lead to the chunk: of a long one a part is read that may not name them."""
    return " › ".join(dict.fromkeys(filter(None, (chunk.title, *chunk.trail))))


def _deadline(plan: QueryPlan) -> Deadline | None:
    if plan.deadline_ms is None:
        return None
    from scrubjay.search.deadline import Deadline

    return Deadline(plan.deadline_ms)


def _retrieved(plan: QueryPlan, store: Store, ask: Ask | None, deadline: Deadline) -> Retrieved:
    """The candidates that were found in time."""
    from scrubjay.errors import DeadlinePassed

    try:
        with store.within(deadline.seconds()):
            return retrieve(plan, store, _in_time(ask, deadline), deadline)
    except DeadlinePassed:  # while the filter was looked up
        for source in plan.sources:
            deadline.skip(source)
        return Retrieved((), ())


def _in_time(ask: Ask | None, deadline: Deadline) -> Ask | None:
    """An embedder knows no clock: it works in a thread that is not waited for too long."""
    if ask is None:
        return None
    from scrubjay.errors import DeadlinePassed
    from scrubjay.rerank.late import in_time

    def asked(text: str) -> tuple[int, Sequence[float]]:
        try:
            return in_time(lambda: ask(text), deadline.seconds())
        except TimeoutError:
            raise DeadlinePassed("The query was not embedded in time.") from None

    return asked


def _hit(
    rank: int,
    item: Fused,
    chunk: Chunk,
    best: float,
    plan: QueryPlan,
    store: Store,
    marks: Mapping[int, tuple[str, ...]],
) -> Hit:
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
        reread=item.reread,
        marks=marks.get(item.chunk, ()),
    )


def _mode(plan: QueryPlan, rankings: Sequence[Ranking]) -> str:
    """The mode that really ran: hybrid without vectors was a keyword search."""
    ran = {ranking.source for ranking in rankings if ranking.source != "graph"}
    return plan.mode if len(ran) != 1 else next(iter(ran))


def _tier(rankings: Sequence[Ranking]) -> str:
    return next((ranking.tier for ranking in rankings if ranking.source == "keyword"), "")


def _about_changes(plan: QueryPlan) -> tuple[Notice, ...]:
    """What was searched that was not typed, and how to be taken at one's word."""
    told = []
    for each in plan.changes:
        said = f"also for {each.searched}: {each.typed} may stand for it"
        if each.why == "typo":
            said = f"for {each.searched} (you typed {each.typed})"
        told.append(Notice("expand", f"Searched {said}.", f"Write +{each.typed} to search for it as it is."))
    return tuple(told)


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
