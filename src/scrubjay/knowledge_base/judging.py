"""How good the base is at being asked: measuring it on judged queries."""

from __future__ import annotations

import os

from scrubjay.knowledge_base.parts import Parts
from scrubjay.types import EVERYTHING, SearchOptions
from scrubjay.types.base import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from scrubjay.evaluate.judgements import Judgements
    from scrubjay.evaluate.run import Evaluation
    from scrubjay.types import Progress, SearchResult

    Path = str | os.PathLike[str]


class Judging(Parts):
    """`evaluate`."""

    def evaluate(
        self,
        queries: Path | Judgements,
        qrels: Path | None = None,
        *,
        top: int = 10,
        profile: str | None = None,
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
        searches = {mode: self._search(mode, profile) for mode in ("keyword", "vector", "hybrid")}
        if rerank:
            searches["reranked"] = self._search("hybrid", profile, rerank=True)
        return evaluate(judged, naming, searches, top=top, progress=progress)

    def _search(self, mode: str, profile: str | None, rerank: bool = False) -> Callable[[str, int], SearchResult]:
        from scrubjay.search.pipeline import search

        def ask(query: str, top: int) -> SearchResult:
            options = SearchOptions(query, top, profile, mode, rerank=rerank or None)
            self._meaning.forget_queries()  # each leg is timed with the embedding of its query
            return search(options, self.config, self.store, self._meaning.query_vector(None, mode))

        return ask
