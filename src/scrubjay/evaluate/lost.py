"""Where a wanted document was lost: each stage of a search asked what became of it, and why.

The stages are the search's own functions run on its own plan, so what is told is what happened;
only the retrievers are asked a second time without a limit, to say how far down the document is.
"""

from __future__ import annotations

from scrubjay.errors import UnknownId
from scrubjay.search.adjust import above
from scrubjay.search.fuse import fuse
from scrubjay.search.pipeline import Pages, adjusted, memory_of, visible
from scrubjay.search.plan import filter_of
from scrubjay.search.retrieve import retrieve
from scrubjay.types import EVERYTHING
from scrubjay.types.base import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from scrubjay.ports import Store
    from scrubjay.types import Chunk, Document, Filter, Fused, Notice, QueryPlan, Ranking, SearchResult, Words

    Ask = Callable[[str], tuple[int, Sequence[float]]]


class Step(NamedTuple):
    """One stage: whether the document passed it (None where that decides nothing), and what cures it."""

    stage: str
    passed: bool | None
    detail: str
    cure: str = ""


class Trace(NamedTuple):
    """The way of one document through one search. `rank` is where it was shown, if it was."""

    query: str
    id: str
    title: str
    path: str | None
    rank: int | None
    steps: tuple[Step, ...]

    @property
    def lost_at(self) -> Step | None:
        """The first stage that it did not pass."""
        return None if self.rank is not None else next((step for step in self.steps if step.passed is False), None)


class Wanted(NamedTuple):
    """The document that should have been found, and its chunks (one, when a chunk was asked for)."""

    document: Document
    chunks: tuple[Chunk, ...]

    @property
    def numbers(self) -> frozenset[int]:
        return frozenset(chunk.number for chunk in self.chunks)


def wanted(store: Store, target: str) -> Wanted:
    """By a document's id or path, or a chunk's id."""
    from scrubjay.disclose.passage import passages

    found = passages(store, [target]).documents
    if not found:
        near = store.known_ids(target[:5])
        raise UnknownId(
            f"There is no document {target!r}.", "It is neither an id nor a path of the base.",
            f"Did you mean {near[0]}?" if near else "`kb list` shows ids and paths; `kb add` adds what is missing.",
        )  # fmt: skip
    document = store.documents_by_id([found[0].document_id])[found[0].document_id]
    chunks = store.chunks([document.id])
    one = [chunk for chunk in chunks if chunk.id == found[0].id]
    return Wanted(document, tuple(one or chunks))


def trace(result: SearchResult, sought: Wanted, store: Store, ask: Ask | None) -> Trace:
    """What became of the document in a search that was made."""
    plan = result.plan
    rank = next((hit.rank for hit in result.hits if hit.id in {chunk.id for chunk in sought.chunks}), None)
    steps = list(_steps(plan, sought, store, ask, rank))
    document = sought.document
    return Trace(plan.query, document.id, document.title, document.path, rank, tuple(steps))


def _steps(plan: QueryPlan, sought: Wanted, store: Store, ask: Ask | None, rank: int | None) -> Iterator[Step]:
    refused = list(_filters(plan, sought, store))
    yield from refused
    if any(step.passed is False for step in refused):
        return
    if not plan.everything and store.memory.hidden([sought.document.id]):
        reason = "It is deprecated, merged into another, or has expired: that is not searched."
        yield Step("hidden", False, reason, "kb search … --all; kb conflicts --all shows what was decided")
        return
    store = visible(plan, store, store.remembers())
    if plan.changes:
        told = ", ".join(f"{change.searched} for {change.typed}" for change in plan.changes)
        yield Step("expand", None, f"Searched {told}.", f"Write +{plan.changes[0].typed} to search for it as it is.")
    everything = plan._replace(pool=max(int(store.status()["chunks"]), plan.pool))
    deep, notices = retrieve(everything, store, ask)
    rankings, _ = retrieve(plan, store, ask)
    for source in plan.sources:
        yield _leg(source, plan, deep, notices, sought, store)
    fused, _ = fuse(rankings, plan)
    at = _place(fused, sought)
    if at is None:
        yield Step("fuse", False, f"No source has it among its {plan.pool} best.", _to_pool(deep, sought))
        return
    yield Step("fuse", True, f"rank {at + 1} of {len(fused)}, score {fused[at].score:.4f}")
    yield from _after_fusion(plan, fused, sought, store, rank)


def _after_fusion(
    plan: QueryPlan, fused: list[Fused], sought: Wanted, store: Store, rank: int | None
) -> Iterator[Step]:
    at = _place(fused, sought)
    assert at is not None
    kept = above(fused, plan.floor)
    if _place(kept, sought) is None:
        cure = "kb search … --profile kb has no floor; or: kb config set search.min_score 0"
        yield Step("floor", False, f"Its score {fused[at].score:.4f} is below the floor of {plan.floor:g}.", cure)
        return
    pages = Pages(store)
    free = adjusted(plan._replace(threshold=None), kept, pages, memory_of(plan, store, pages, store.remembers()))
    place = _place(free, sought)
    assert place is not None
    item = free[place]
    if item.factors:
        told = ", ".join(f"{factor.name} × {factor.value:.3g} ({factor.reason})" for factor in item.factors)
        yield Step("adjust", True, f"{told}: rank {place + 1}, score {item.score:.4f}")
    if plan.threshold is not None and item.score < plan.threshold:
        reason = f"Its score {item.score:.4f} is below the threshold of {plan.threshold:g}."
        yield Step("threshold", False, reason, f"Use --threshold {item.score:.4f} or less.")
        return
    if rank is not None:
        yield Step("top", True, f"shown as result {rank}")
    elif place < plan.top:
        yield Step(
            "rerank", False, f"It was number {place + 1} and came after the {plan.top} shown.", "Use no --rerank."
        )
    else:
        yield Step("top", False, f"It is number {place + 1}, and {plan.top} were asked for.", f"Use --top {place + 1}.")


# --- filters -------------------------------------------------------------------------------------


def _filters(plan: QueryPlan, sought: Wanted, store: Store) -> Iterator[Step]:
    """Each filter alone, against what the document is."""
    where, document = plan.filter, sought.document
    own = ", ".join(document.tags) or "none"
    for tag in where.tags:
        cure = f"Leave --tags {tag} out, or give it the tag: kb tag {document.id} +{tag}"
        yield _passes(store, filter_of(tags=tag), sought, f"tag {tag}", f"its tags: {own}", cure)
    if where.kinds:
        named = ", ".join(where.kinds)
        cure = f"Use --type {document.kind}, or leave it out."
        yield _passes(
            store, EVERYTHING._replace(kinds=where.kinds), sought, f"type {named}", f"it is {document.kind}", cure
        )
    if where.path:
        place = document.path or "a note, in no folder"
        part = EVERYTHING._replace(path=where.path)
        yield _passes(store, part, sought, f"path {where.path}", f"it is {place}", "Leave --path out.")
    for name, part in (
        ("since", EVERYTHING._replace(since=where.since)), ("until", EVERYTHING._replace(until=where.until)),
    ):  # fmt: skip
        day = getattr(where, name)
        if day:
            told = f"it is of {document.created_at[:10]}"
            yield _passes(store, part, sought, f"{name} {day[:10]}", told, f"Leave --{name} out, or widen it.")
    if plan.words.excluded:
        terms = " ".join(f"-{term.text}" for term in plan.words.excluded)
        yield _passes(store, EVERYTHING, sought, terms, "it contains it", f"Leave {terms} out.", plan.words)


def _passes(
    store: Store, part: Filter, sought: Wanted, name: str, own: str, cure: str, words: Words | None = None
) -> Step:
    allowed = store.allowed(part, words)
    if allowed is None or not sought.numbers.isdisjoint(allowed):
        return Step("filter", True, name)
    return Step("filter", False, f"{name} leaves it out: {own}.", cure)


# --- sources -------------------------------------------------------------------------------------


def _leg(
    source: str, plan: QueryPlan, deep: Sequence[Ranking], notices: Sequence[Notice], sought: Wanted, store: Store
) -> Step:
    """How far down a source has it. A source alone decides nothing, another one may find it."""
    ranking = next((ranking for ranking in deep if ranking.source == source), None)
    if ranking is None:
        notice = next((notice for notice in notices if notice.stage == source), None)
        silent = "Links lead nowhere from what was found." if source == "graph" else "It was not asked."
        return Step(source, None, notice.reason if notice else silent, notice.remedy if notice else "")
    place = next((at for at, found in enumerate(ranking.candidates) if found.chunk in sought.numbers), None)
    if place is None:
        return _absent(source, plan, ranking, sought, store)
    candidate = ranking.candidates[place]
    told = f"rank {place + 1} of {len(ranking.candidates)}, score {candidate.score:.4g}"
    note = f" ({candidate.note})" if candidate.note else ""
    if source == "keyword":
        note += _words_told(plan, sought, store)
    if place >= plan.pool:
        return Step(source, None, f"{told}: beyond the {plan.pool} that are taken further{note}", _MORE_POOL)
    return Step(source, None, told + note)


_MORE_POOL = "kb config set search.minimum_pool to more than its rank"


def _absent(source: str, plan: QueryPlan, ranking: Ranking, sought: Wanted, store: Store) -> Step:
    if source == "keyword":
        missing = ", ".join(_missing(plan, sought, store)) or "the words"
        return Step(source, None, f"None of the query's words is in it: {missing}.", "Use a word that is in it.")
    if source == "vector":
        if not plan.words.text:
            return Step(source, None, "The query has no words to take the meaning of.")
        cure = "kb update gives waiting passages their vectors; kb doctor checks the embedder."
        return Step(source, None, "It has no vector of the model that was asked.", cure)
    cure = "kb related shows what is linked; kb link A B --relation supports links by hand."
    return Step(source, None, f"None of the {len(ranking.candidates)} passages that links led to is of it.", cure)


def _words_told(plan: QueryPlan, sought: Wanted, store: Store) -> str:
    missing = _missing(plan, sought, store)
    return f"; without {', '.join(missing)}" if missing else ""


def _missing(plan: QueryPlan, sought: Wanted, store: Store) -> list[str]:
    """The query's words that are in none of its chunks, as the index sees words."""
    text = "\n".join("\n".join((chunk.title, *chunk.trail, chunk.text)) for chunk in sought.chunks)
    held = {stem for _, _, stem in store.tokens(text)}
    telling = [term.text for term in plan.words.terms if not term.common] or [term.text for term in plan.words.terms]
    return [
        word
        for word in telling
        if not held.intersection(stem for _, _, stem in store.tokens(word)) and word.casefold() not in text.casefold()
    ]


def _to_pool(deep: Sequence[Ranking], sought: Wanted) -> str:
    """The setting that would have kept it, or what else there is to do."""
    places = [at for ranking in deep for at, found in enumerate(ranking.candidates, 1) if found.chunk in sought.numbers]
    if places:
        return f"kb config set search.minimum_pool {min(places)}; or use words that are rarer and in it."
    return "Use words that are in it; a link or a tag also leads to it."


def _place(fused: Sequence[Fused], sought: Wanted) -> int | None:
    return next((at for at, item in enumerate(fused) if item.chunk in sought.numbers), None)
