"""scrubjay: hybrid search and memory over your own notes, documents, code and PDFs.

    import scrubjay

    with scrubjay.open("notes.db") as kb:
        kb.add("~/notes", tags=["ops"])
        for hit in kb.search("install git").hits:
            print(hit.score, hit.path, hit.lines, hit.snippet)

The whole public surface is in `__all__`. Names are imported when first used: a start of the
command line must not pay for what it does not need.
"""

from __future__ import annotations

from scrubjay.types.base import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any

    from scrubjay.errors import ScrubjayError as ScrubjayError
    from scrubjay.errors import UsageError as UsageError
    from scrubjay.knowledge_base import KnowledgeBase as KnowledgeBase
    from scrubjay.knowledge_base import open_base as open
    from scrubjay.ports import Embedder as Embedder
    from scrubjay.ports import Reader as Reader
    from scrubjay.ports import Reranker as Reranker
    from scrubjay.ports import Store as Store
    from scrubjay.types import AddReport as AddReport
    from scrubjay.types import Document as Document
    from scrubjay.types import Entry as Entry
    from scrubjay.types import Found as Found
    from scrubjay.types import Hit as Hit
    from scrubjay.types import ModelIdentity as ModelIdentity
    from scrubjay.types import Notice as Notice
    from scrubjay.types import Passage as Passage
    from scrubjay.types import SearchResult as SearchResult

__version__ = "0.1.0"

_HOME = {
    "open": ("knowledge_base", "open_base"),
    "KnowledgeBase": ("knowledge_base", "KnowledgeBase"),
    **{name: ("errors", name) for name in ("ScrubjayError", "UsageError")},
    **{name: ("ports", name) for name in ("Embedder", "Reader", "Reranker", "Store")},
    **{
        name: ("types", name)
        for name in (
            "AddReport", "Document", "Entry", "Found", "Hit", "ModelIdentity", "Notice", "Passage", "SearchResult",
        )
    },
}  # fmt: skip

__all__ = [
    "AddReport",
    "Document",
    "Embedder",
    "Entry",
    "Found",
    "Hit",
    "KnowledgeBase",
    "ModelIdentity",
    "Notice",
    "Passage",
    "Reader",
    "Reranker",
    "ScrubjayError",
    "SearchResult",
    "Store",
    "UsageError",
    "__version__",
    "open",
]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'scrubjay' has no attribute {name!r}")
    from importlib import import_module

    module, attribute = _HOME[name]
    value = getattr(import_module(f"scrubjay.{module}"), attribute)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
