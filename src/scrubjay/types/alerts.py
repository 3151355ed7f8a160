"""The nouns of saved searches."""

from __future__ import annotations

from scrubjay.types.base import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any


class Alert(NamedTuple):
    """A saved search. `similar` is a cosine from which on meaning alone is a match."""

    name: str
    query: str
    filters: Mapping[str, Any] = {}
    similar: float | None = None
    created_at: str = ""
    found: int = 0
    due: int = 0
    number: int = 0


class Found(NamedTuple):
    """A passage that a saved search found, by its ids, and what made it a match."""

    chunk: str
    document: str
    share: float | None
    similarity: float | None


class Match(NamedTuple):
    """What is reported of a find: everything that a program needs to decide what to do."""

    alert: str
    query: str
    at: str
    id: str
    document_id: str
    title: str
    path: str | None
    kind: str
    tags: tuple[str, ...]
    created_at: str
    lines: tuple[int, int]
    snippet: str
    share: float | None
    similarity: float | None
