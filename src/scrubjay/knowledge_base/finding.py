"""What is asked of a base: searching, and looking without searching."""

from __future__ import annotations

import os

from scrubjay.knowledge_base.parts import Parts
from scrubjay.types import SearchOptions
from scrubjay.types.base import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from scrubjay.types import Document, EmptyReport, Entry, Found, SearchResult
    from scrubjay.types.diverse import Diverse

    Path = str | os.PathLike[str]


class Finding(Parts):
    """`search`, `explain_empty`, `timeline`, `get` and `list`."""

    def search(
        self,
        query: str,
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
        rerank: bool | None = None,
        explain: bool = False,
        vector: Sequence[float] | None = None,
        deadline_ms: float | None = None,
        fusion: str | None = None,
        fold: bool = False,
        per_document: int = 0,
        mmr: float | None = None,
        as_of: str | None = None,
        everything: bool | None = None,
    ) -> SearchResult:
        """Finds chunks by words and by meaning. See `SearchResult`. `as_of`: what was known at a date.

        With `everything` also in what is deprecated, merged into another, or expired.
        """
        from scrubjay.search.pipeline import search

        options = SearchOptions(
            query, top, profile, mode, tags, kind, None if path is None else os.fspath(path), since, until, threshold,
            rerank, explain, vector, deadline_ms, fusion, _diverse(fold, per_document, mmr), everything,
        )  # fmt: skip
        owed = self._tied(profile, deadline_ms)
        ask = self._meaning.query_vector(vector, mode)
        if as_of is not None:
            from scrubjay.knowledge_base.past import search_past

            return search_past(options, self.config, self.store, ask, self._reread, as_of)
        result = search(options, self.config, self.store, ask, self._reread)
        self._habits.found(result)
        return result._replace(notices=(*result.notices, *owed)) if owed else result

    def explain_empty(self, result: SearchResult) -> EmptyReport:
        """Why a search found nothing."""
        from scrubjay.disclose.empty import why_empty

        return why_empty(result, self.store)

    def timeline(
        self,
        *,
        since: str | None = None,
        until: str | None = None,
        anchor: str | None = None,
        before: int = 5,
        after: int = 5,
        tags: Sequence[str] | str = (),
        kind: str | Sequence[str] | None = None,
        path: Path | None = None,
        limit: int | None = None,
        as_of: str | None = None,
    ) -> list[Entry]:
        """What was kept when, oldest first, without the content. `as_of`: as it stood at a date."""
        from scrubjay.disclose.entries import entries
        from scrubjay.search.plan import filter_of

        where = filter_of(tags, kind, path, since, until)
        asked: dict[str, Any] = {"limit": limit, "anchor": anchor, "before": before, "after": after}
        if as_of is not None:
            from scrubjay.knowledge_base.past import opened_at

            with opened_at(self.store, as_of) as (past, _, _):
                return entries(past, where, **asked)
        return entries(self.store, where, **asked)

    def get(
        self,
        ids: str | Sequence[str],
        *,
        lines: tuple[int, int] | None = None,
        context: int = 0,
        as_of: str | None = None,
    ) -> Found:
        """Whole documents or chunks by id, in the order asked; unknown ids are listed. `as_of`: as they were.

        ID#name is the section of a document between its anchors of that name.
        """
        from scrubjay.disclose.anchors import sections

        asked = [ids] if isinstance(ids, str) else list(ids)
        if as_of is not None:
            from scrubjay.knowledge_base.past import opened_at

            with opened_at(self.store, as_of) as (past, _, _):
                return sections(past, asked, lines, context)
        found = sections(self.store, asked, lines, context)
        self._habits.opened(found)
        self._uses.opened(found)
        if self.store.remembers():
            from scrubjay.knowledge_base.marking import marked

            found = marked(self.store, found)
        return found

    def list(
        self,
        *,
        tags: Sequence[str] | str = (),
        kind: str | Sequence[str] | None = None,
        path: Path | None = None,
        since: str | None = None,
        until: str | None = None,
        limit: int | None = None,
    ) -> list[Document]:
        """The documents that pass the filters, by path."""
        from scrubjay.search.plan import filter_of

        return self.store.documents(filter_of(tags, kind, path, since, until), limit)


def _diverse(fold: bool, per_document: int, mmr: float | None) -> Diverse | None:
    if not fold and not per_document and mmr is None:
        return None
    from scrubjay.types.diverse import Diverse

    return Diverse(fold, per_document, mmr)
