"""The nouns of history: what was changed, and what a document was before."""

from __future__ import annotations

from scrubjay.types.base import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any


class StoredChange(NamedTuple):
    """A change as it is kept. `before` and `pieces` (chunk ids) are None where it left them alone."""

    number: int
    at: str
    document: str
    what: str
    actor: str
    before: Mapping[str, Any] | None = None
    pieces: tuple[str, ...] | None = None


class Change(NamedTuple):
    """A change as it is shown: version `number` of the document is what it was after it.

    `fields` are what else changed, each as (before, after); `diff` is a unified diff of the text.
    """

    number: int
    at: str
    document: str
    what: str
    actor: str
    title: str
    path: str | None
    fields: Mapping[str, tuple[Any, Any]]
    added_lines: int
    removed_lines: int
    diff: str


class Vacuumed(NamedTuple):
    """What was freed. `changes` and `texts` are of the history that was let go."""

    bytes_before: int
    bytes_after: int
    changes: int = 0
    texts: int = 0
    kept_since: str = ""
