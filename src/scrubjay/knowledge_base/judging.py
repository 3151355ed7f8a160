"""How good the base is at being asked: measured on judged queries, or traced for one document."""

from __future__ import annotations

import os

from scrubjay.knowledge_base.parts import Parts
from scrubjay.types import EVERYTHING, SearchOptions
from scrubjay.types.base import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from scrubjay.evaluate.judgements import Judgements
    from scrubjay.evaluate.lost import Trace
    from scrubjay.evaluate.run import Evaluation
    from scrubjay.types import Progress, SearchResult

    Path = str | os.PathLike[str]

LEGS = ("keyword", "vector", "hybrid")


class Judging(Parts):
    """`evaluate` and `trace`."""

    def evaluate(
        self,
        queries: Path | Judgements,
        qrels: Path | None = None,
        *,
        top: int = 10,
        profile: str | None = None,
        legs: Sequence[str] = LEGS,
        rerank: bool = False,
        progress: Callable[[Progress], None] | None = None,
    ) -> Evaluation:
        """Measures each leg of the search on judged queries; without `qrels`, one file holds both."""
        from scrubjay.evaluate.judgements import load
        from scrubjay.evaluate.naming import match_names
        from scrubjay.evaluate.run import evaluate

        judged = load(queries, qrels) if isinstance(queries, str | os.PathLike) else queries
        names = {name for values in judged.qrels.values() for name in values}
        naming = match_names(self.store.documents(EVERYTHING), names)
        chunks = self.store.chunks_by_id(naming.absent)
        naming = naming._replace(absent=tuple(name for name in naming.absent if name not in chunks))
        asked = [*legs, "reranked"] if rerank and "reranked" not in legs else list(legs)
        searches = {leg: self._search(leg, profile) for leg in asked}
        return evaluate(judged, naming, searches, top=top, progress=progress)

    def _search(self, leg: str, profile: str | None) -> Callable[[str, int], SearchResult]:
        mode = "hybrid" if leg == "reranked" else leg

        def ask(query: str, top: int) -> SearchResult:
            self._meaning.forget_queries()  # each leg is timed with the embedding of its query
            return self._answer(SearchOptions(query, top, profile, mode, rerank=True if leg == "reranked" else None))

        return ask

    def trace(
        self,
        query: str,
        target: str | os.PathLike[str],
        *,
        top: int | None = None,
        profile: str | None = None,
        mode: str = "hybrid",
        tags: Sequence[str] | str = (),
        kind: str | Sequence[str] | None = None,
        path: Path | None = None,
        since: str | None = None,
        until: str | None = None,
        threshold: float | None = None,
    ) -> Trace:
        """At which stage of a search a document (by id or path) was lost, and why."""
        from scrubjay.evaluate.lost import trace, wanted

        sought = wanted(self.store, os.fspath(target))
        place = None if path is None else os.fspath(path)
        result = self._answer(SearchOptions(query, top, profile, mode, tags, kind, place, since, until, threshold))
        return trace(result, sought, self.store, self._meaning.query_vector(None, mode))

    def _answer(self, options: SearchOptions) -> SearchResult:
        """A search that nothing is learned from: nobody will open what it finds."""
        from scrubjay.search.pipeline import search

        self._tied(options.profile, None)
        ask = self._meaning.query_vector(options.vector, options.mode)
        return search(options, self.config, self.store, ask, self._reread)
