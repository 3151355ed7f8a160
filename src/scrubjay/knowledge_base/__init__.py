"""KnowledgeBase: the one object behind the command line, the library and the servers.

It opens the store, finds the embedder and hands both to the two pipelines; no logic of its own
beyond putting the parts together.
"""

from __future__ import annotations

import os

from scrubjay.config import load
from scrubjay.errors import UsageError
from scrubjay.store.sqlite.store import SqliteStore
from scrubjay.types import AddReport, SearchOptions
from scrubjay.types.base import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from types import TracebackType
    from typing import Any, Self

    from scrubjay.config import Config
    from scrubjay.knowledge_base.habits import Habits
    from scrubjay.knowledge_base.meaning import Meaning
    from scrubjay.ports import Embedder, Reranker, Store
    from scrubjay.types import (
        Check,
        Document,
        Edge,
        EmptyReport,
        Entry,
        Found,
        Progress,
        ReindexReport,
        Related,
        SearchResult,
        StoredModel,
    )

    Tell = Callable[[Progress], None]
    Path = str | os.PathLike[str]


class KnowledgeBase:
    """A base that is open. Use it as a context manager, or call `close`."""

    def __init__(self, store: Store, config: Config, meaning: Meaning, reranker: Reranker | None = None) -> None:
        self.store = store
        self.config = config
        self._meaning = meaning
        self._reranker = reranker
        self._known_habits: Habits | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: object, error: object, trace: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        self.store.close()

    # --- putting in ---

    def add(
        self,
        paths: Path | Sequence[Path],
        *,
        tags: Sequence[str] | str = (),
        kind: str | None = None,
        exclude: Sequence[str] = (),
        progress: Tell | None = None,
    ) -> AddReport:
        """Reads files and folders into the base; what is unchanged is skipped."""
        from scrubjay.ingest.pipeline import Request
        from scrubjay.search.plan import one_of, split_tags
        from scrubjay.types import KINDS

        wanted = [paths] if isinstance(paths, str | os.PathLike) else list(paths)
        if not wanted:
            raise UsageError("No path was given.", "There is nothing to add.", "kb add FOLDER")
        checked = None if kind is None else one_of("type", kind, KINDS)
        labels = split_tags(tags)
        requests = [Request(os.fspath(path), labels, tuple(exclude), checked) for path in wanted]
        return self._ingest(requests, progress, remove_missing=False)

    def update(self, *, progress: Tell | None = None) -> AddReport:
        """Reads every source again: new, changed, renamed and deleted files are followed."""
        from scrubjay.ingest.pipeline import Request

        requests = [Request(source.path, source.tags, source.exclude, source.kind) for source in self.store.sources()]
        return self._ingest(requests, progress, remove_missing=True)

    def _ingest(self, requests: Iterable[Any], progress: Tell | None, *, remove_missing: bool) -> AddReport:
        from scrubjay.ingest.pipeline import Options, add
        from scrubjay.knowledge_base.background import Beside

        get = self.config.get
        options = Options(
            get("ingest.target_tokens"), get("ingest.max_tokens"), get("ingest.max_file_mb") * 1_000_000,
            get("ingest.hidden"), get("ingest.specs"), get("graph.enabled"),
        )  # fmt: skip
        with Beside(self._meaning, progress) as beside:
            report = add(requests, self.store, options, progress, remove_missing=remove_missing)
        return report._replace(embedded=beside.embedded, notices=(*report.notices, *beside.notices))

    def reindex(self, model: str | None = None, *, progress: Tell | None = None) -> ReindexReport:
        """Changes over to another model; the old vectors answer until the new are complete."""
        from scrubjay.knowledge_base.reindex import reindex

        return reindex(self.store, self.config, self._meaning, model, progress)

    def note(
        self,
        text: str,
        *,
        title: str | None = None,
        tags: Sequence[str] | str = (),
        kind: str = "note",
        created_at: str | None = None,
        id: str | None = None,
        metadata: Mapping[str, Any] | None = None,
    ) -> str:
        """Keeps a text and returns its id."""
        item = {"text": text, "title": title, "tags": tags, "kind": kind, "created_at": created_at, "id": id}
        return self.notes([{**item, "metadata": metadata or {}}])[0]

    def notes(self, items: Iterable[Mapping[str, Any]], *, replace: bool = False) -> list[str]:
        """Keeps many texts at once, at bulk speed, and returns their ids in order."""
        from scrubjay.knowledge_base.bulk import write_notes

        return write_notes(items, self.store, self.config, self._meaning, replace=replace)

    # --- finding ---

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
    ) -> SearchResult:
        """Finds chunks by words and by meaning. See `SearchResult`."""
        from scrubjay.search.pipeline import search

        options = SearchOptions(
            query, top, profile, mode, tags, kind, None if path is None else os.fspath(path), since, until, threshold,
            rerank, explain, vector,
        )  # fmt: skip
        result = search(options, self.config, self.store, self._meaning.query_vector(vector, mode))
        self._habits.found(result)
        return result

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
    ) -> list[Entry]:
        """What was kept when, oldest first, without the content."""
        from scrubjay.disclose.entries import entries
        from scrubjay.search.plan import filter_of

        where = filter_of(tags, kind, path, since, until)
        return entries(self.store, where, limit=limit, anchor=anchor, before=before, after=after)

    def get(self, ids: str | Sequence[str], *, lines: tuple[int, int] | None = None, context: int = 0) -> Found:
        """Whole documents or chunks by id, in the order asked; unknown ids are listed."""
        from scrubjay.disclose.passage import passages

        found = passages(self.store, [ids] if isinstance(ids, str) else list(ids), lines, context)
        self._habits.opened(found)
        return found

    @property
    def _habits(self) -> Habits:
        if self._known_habits is None:
            from scrubjay.knowledge_base.habits import Habits

            self._known_habits = Habits(self.store, bool(self.config.get("graph.learn")))
        return self._known_habits

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

    # --- linking ---

    def link(
        self, source: str, target: str, relation: str, *, strength: float = 1.0, evidence: str = ""
    ) -> Edge:
        """Says how one document leads to another. See `Edge`."""
        from scrubjay.knowledge_base.links import link

        return link(self.store, source, target, relation, strength, evidence)

    def unlink(self, source: str, target: str, relation: str | None = None) -> int:
        """Takes back what `link` said, in one relation or in all; how many edges went."""
        from scrubjay.knowledge_base.links import unlink

        return unlink(self.store, source, target, relation)

    def links(self, id: str) -> Sequence[Edge]:
        """Every edge from and to a document, or a passage; those that lead nowhere yet come last."""
        return self.store.graph.edges_of(id)

    def related(self, id: str, top: int = 10) -> Sequence[Related]:
        """The documents that are linked with this one, directly or over others, nearest first."""
        from scrubjay.knowledge_base.links import related

        return related(self.store, id, top, self.config)

    def learned(self) -> Sequence[Edge]:
        """What was learned from what is opened together, and how much of it is left."""
        return self.store.graph.learned()

    def unlearn(self, id: str | None = None) -> int:
        """Forgets what was learned, all of it or of one document; how many edges went."""
        self._habits.forget()
        return self.store.graph.unlearn(id)

    # --- keeping order ---

    def tag(self, id: str, add: Sequence[str] | str = (), remove: Sequence[str] | str = ()) -> tuple[str, ...]:
        """Changes a document's tags and returns them."""
        from scrubjay.search.plan import split_tags

        return self.store.retag(id, split_tags(add), split_tags(remove))

    def tags(self) -> dict[str, int]:
        """Every tag and how many documents have it, most used first."""
        return self.store.tags()

    def remove(self, target: Path) -> int:
        """Takes a document, or everything under a path, out of the base; files are not touched."""
        from scrubjay.knowledge_base.removal import remove

        return remove(self.store, os.fspath(target))

    def status(self) -> dict[str, Any]:
        """Counts, sizes, pending work, and when each source was last read."""
        own = dict(self.store.status())
        return {
            "base": self.store.location,
            **own,
            "embedder": self._meaning.described(),
            "sources": [source._asdict() for source in self.store.sources()],
        }

    def doctor(self, *, repair: bool = False) -> Sequence[Check]:
        """Checks every part, and says what cures what is wrong."""
        from scrubjay.knowledge_base.diagnosis import diagnose

        if repair:
            self.store.repair()
        return diagnose(self.store, self.config, self._meaning)

    @property
    def models(self) -> Sequence[StoredModel]:
        """The models whose vectors the base holds."""
        return self.store.models()


def open_base(
    base: Path | None = None,
    *,
    config: Mapping[str, Any] | None = None,
    embedder: Embedder | None = None,
    reranker: Reranker | None = None,
    create: bool = True,
) -> KnowledgeBase:
    """Opens a base. Without `base`: the project's, else the user's. See `scrubjay.open`."""
    from scrubjay.knowledge_base.meaning import Meaning

    asked = None if base is None else os.fspath(base)
    settings = load(config, base=asked)
    location = settings.base(asked)
    if "://" in location:
        raise UsageError(
            f"{location} cannot be opened.", "This version keeps a base in one file; it has no server engine.",
            "Name a file with --base.",
        )  # fmt: skip
    get = settings.get
    weights = (get("keyword.title_weight"), get("keyword.trail_weight"), get("keyword.path_weight"))
    store = SqliteStore(
        location, create=create, busy_seconds=get("store.busy_seconds"), engine=get("vector.engine"),
        column_weights=weights, half_life_days=get("graph.half_life_days"),
    )  # fmt: skip
    try:
        meaning = Meaning(store, settings, embedder)
    except BaseException:
        store.close()
        raise
    return KnowledgeBase(store, settings, meaning, reranker)
