"""KnowledgeBase: the one object behind the command line, the library and the servers.

It opens the store, finds the embedder and hands both to the two pipelines; no logic of its own
beyond putting the parts together. Its methods stand in files by what they are for.
"""

from __future__ import annotations

import os

from scrubjay.config import load
from scrubjay.errors import UsageError
from scrubjay.knowledge_base.alerts import Alerts
from scrubjay.knowledge_base.caring import Caring
from scrubjay.knowledge_base.carrying import Carrying
from scrubjay.knowledge_base.finding import Finding
from scrubjay.knowledge_base.judging import Judging
from scrubjay.knowledge_base.linking import Linking
from scrubjay.knowledge_base.memories import Memories
from scrubjay.knowledge_base.putting import Putting
from scrubjay.knowledge_base.recalling import Recalling
from scrubjay.knowledge_base.tuning import Tuning
from scrubjay.store.sqlite.store import SqliteStore
from scrubjay.types.base import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping
    from types import TracebackType
    from typing import Any, Self

    from scrubjay.ports import Embedder, Reranker

    Path = str | os.PathLike[str]


class KnowledgeBase(Putting, Memories, Finding, Linking, Judging, Tuning, Caring, Carrying, Recalling, Alerts):
    """A base that is open. Use it as a context manager, or call `close`."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: object, error: object, trace: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        self.store.close()


def open_base(
    base: Path | None = None,
    *,
    config: Mapping[str, Any] | None = None,
    embedder: Embedder | None = None,
    reranker: Reranker | None = None,
    create: bool = True,
    actor: str = "library",
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
        actor=(get("history.actor") or actor) if get("history.enabled") else "",
    )  # fmt: skip
    try:
        meaning = Meaning(store, settings, embedder)
    except BaseException:
        store.close()
        raise
    return KnowledgeBase(store, settings, meaning, reranker)
