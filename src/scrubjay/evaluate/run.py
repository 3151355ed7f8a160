"""Asks a base every judged query and measures each leg of the search: words, meaning, links, all.

The legs are the product's own searches, so what is measured is what people get. Documents are
judged while chunks are found: a document counts where its first chunk stands, and three times as
many chunks are asked for as documents are judged.
"""

from __future__ import annotations

from scrubjay.errors import NoEmbedder, UsageError
from scrubjay.evaluate import metrics
from scrubjay.evaluate.compare import compare_queries
from scrubjay.types import Notice, Progress
from scrubjay.types.base import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from scrubjay.evaluate.compare import Comparison
    from scrubjay.evaluate.judgements import Judgements
    from scrubjay.evaluate.naming import Naming
    from scrubjay.types import Hit, SearchResult

    Search = Callable[[str, int], SearchResult]
    Ranked = dict[str, list[str]]

_PER_DOCUMENT = 3  # chunks asked for, for each document that is judged
_SHOWN = 3


class Leg(NamedTuple):
    """One way of searching: its measures over all queries and for each, and how long it took."""

    name: str
    means: Mapping[str, float]
    per_query: Mapping[str, Mapping[str, float]]
    p50_ms: float | None = None
    p95_ms: float | None = None


class Evaluation(NamedTuple):
    """What a judged collection says of a base: the legs in order, the whole search last."""

    queries: Mapping[str, str]
    measures: tuple[str, ...]
    legs: tuple[Leg, ...]
    notices: tuple[Notice, ...] = ()

    @property
    def whole(self) -> Leg:
        """The search as people get it."""
        return self.legs[-1]


class Difference(NamedTuple):
    """Two settings, query by query: each measure compared, and the queries that moved most."""

    measures: Mapping[str, Comparison]
    moved: tuple[tuple[str, float, float], ...]


def measures_at(top: int) -> tuple[str, ...]:
    return tuple(f"{name}@{top}" for name in ("ndcg", "recall", "mrr", "precision", "map"))


def evaluate(
    judgements: Judgements,
    naming: Naming,
    searches: Mapping[str, Search],
    *,
    top: int = 10,
    progress: Callable[[Progress], None] | None = None,
) -> Evaluation:
    """Runs every search of `searches` over every query. One that can never run is left out and told."""
    judgements, notices = _known(judgements, naming)
    measures = measures_at(top)
    legs: list[Leg] = []
    total = len(judgements.queries) * len(searches)
    for number, (name, search) in enumerate(searches.items()):
        done = number * len(judgements.queries)
        ranked, linked, times, failed = _asked(judgements, naming, search, top, done, total, progress)
        if failed:
            count = f"{len(failed)} of {len(judgements.queries)} queries were not answered by {name}: "
            notices.append(Notice(name, count + str(failed[0].what), failed[0].cure))
        if not times:
            continue
        if any(linked.values()):
            legs.append(_leg("graph", judgements, linked, measures, ()))
        legs.append(_leg(name, judgements, ranked, measures, times))
    if not legs:
        raise UsageError("No query could be asked.", notices[-1].reason, notices[-1].remedy)
    return Evaluation(judgements.queries, measures, tuple(legs), tuple(notices))


def difference(first: Evaluation, second: Evaluation, most: int = 10) -> Difference:
    """The whole search of two settings over the same queries."""
    one, two = first.whole.per_query, second.whole.per_query
    compared = {
        name: compare_queries(
            {query: values[name] for query, values in one.items()},
            {query: values[name] for query, values in two.items()},
        )
        for name in first.measures
    }
    main = first.measures[0]
    moved = [(query, one[query][main], two[query][main]) for query in one if one[query][main] != two[query][main]]
    moved.sort(key=lambda row: (-abs(row[2] - row[1]), row[0]))
    return Difference(compared, tuple(moved[:most]))


def percentile(values: Sequence[float], share: float) -> float:
    """The value below which that share of the values lies (nearest rank)."""
    ordered = sorted(values)
    return ordered[min(int(share * len(ordered)), len(ordered) - 1)]


def _known(judgements: Judgements, naming: Naming) -> tuple[Judgements, list[Notice]]:
    """Says which judged documents are not in the base; without any there is nothing to measure."""
    notices: list[Notice] = []
    judged = {name for values in judgements.qrels.values() for name in values}
    if judged and not judged - set(naming.absent) - set(naming.ambiguous):
        raise UsageError(
            "None of the judged documents is in this base.",
            f"They are called {_some(sorted(judged))}; ids, paths, file names and metadata ids were compared.",
            "Judge the base that holds them (--base), or build one for this run: --corpus FILE",
        )
    if naming.absent:
        reason = f"{len(naming.absent)} judged documents are not in the base and count as not found"
        notices.append(Notice("judgements", f"{reason}: {_some(naming.absent)}.", "Add them, or judge without them."))
    if naming.ambiguous:
        reason = f"{len(naming.ambiguous)} judged names fit several documents, or a document that has another"
        notices.append(
            Notice("judgements", f"{reason}: {_some(naming.ambiguous)}.", "Judge by document ids or whole paths.")
        )
    return judgements, notices


def _some(names: Sequence[str]) -> str:
    return ", ".join(names[:_SHOWN]) + (" …" if len(names) > _SHOWN else "")


def _asked(
    judgements: Judgements,
    naming: Naming,
    search: Search,
    top: int,
    done: int,
    total: int,
    progress: Callable[[Progress], None] | None,
) -> tuple[Ranked, Ranked, list[float], list[NoEmbedder]]:
    """The documents that one search finds for each query, those that links led to, and the times."""
    ranked: Ranked = {}
    linked: Ranked = {}
    times: list[float] = []
    failed: list[NoEmbedder] = []
    for number, (query, text) in enumerate(judgements.queries.items(), 1):
        try:
            result = search(text, top * _PER_DOCUMENT)
        except NoEmbedder as error:
            failed.append(error)
            continue
        times.append(result.took_ms)
        ranked[query] = _documents(result.hits, naming, judgements.qrels[query])
        by_links = [hit for hit in result.hits if hit.ranks.get("graph") is not None]
        by_links.sort(key=lambda hit: hit.ranks["graph"] or 0)
        linked[query] = _documents(by_links, naming, judgements.qrels[query])
        if progress is not None:
            progress(Progress("judge", done + number, total))
    return ranked, linked, times, failed


def _documents(hits: Iterable[Hit], naming: Naming, judged: Mapping[str, float]) -> list[str]:
    """The judged names of what was found; a chunk may be judged by its own id."""
    return [hit.id if hit.id in judged else naming.names.get(hit.document_id, hit.document_id) for hit in hits]


def _leg(name: str, judgements: Judgements, ranked: Ranked, measures: tuple[str, ...], times: Sequence[float]) -> Leg:
    scores = metrics.score(judgements.qrels, ranked, measures)
    p50 = round(percentile(times, 0.5), 2) if times else None
    p95 = round(percentile(times, 0.95), 2) if times else None
    return Leg(name, scores.means, scores.per_query, p50, p95)
