"""The nouns of showing: entry → hit → passage, and the reports of longer work."""

from __future__ import annotations

from scrubjay.types.base import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from scrubjay.types.search import Notice


class Entry(NamedTuple):
    """A line of the timeline: enough to decide whether to look, without the content."""

    id: str
    created_at: str
    kind: str
    tags: tuple[str, ...]
    title: str
    summary: str


class Passage(NamedTuple):
    """A whole document, or the part of it that was asked for, with its text."""

    id: str
    document_id: str
    path: str | None
    title: str
    kind: str
    tags: tuple[str, ...]
    created_at: str
    modified_at: str
    lines: tuple[int, int]
    text: str
    page: int | None = None
    trail: tuple[str, ...] = ()
    before: str = ""
    after: str = ""
    metadata: Mapping[str, Any] = {}
    marks: tuple[str, ...] = ()


class Found(NamedTuple):
    """What `get` answers: the passages in the order asked, and the ids nobody knows."""

    documents: tuple[Passage, ...]
    missing: tuple[str, ...]


class AddReport(NamedTuple):
    """What adding or updating did. Counts are documents, but for `chunks`.

    `skipped` are unchanged; `left_out` are files without text in them: pictures, programs, archives.
    """

    added: int = 0
    changed: int = 0
    removed: int = 0
    skipped: int = 0
    moved: int = 0
    chunks: int = 0
    embedded: int = 0
    notices: tuple[Notice, ...] = ()
    seconds: float = 0.0
    left_out: int = 0


class Progress(NamedTuple):
    """Where long work stands, for whoever draws the bar."""

    stage: str
    done: int
    total: int | None = None
    detail: str = ""
    bytes: int = 0


class Check(NamedTuple):
    """One line of `kb doctor`. `ok` is None for an optional part that is absent."""

    name: str
    ok: bool | None
    detail: str
    cure: str = ""


class EmptyReport(NamedTuple):
    """Why a search found nothing: what was searched, and what each filter leaves alone."""

    searched_documents: int
    searched_chunks: int
    filters: tuple[tuple[str, int], ...] = ()
    suggestions: tuple[str, ...] = ()


class ReindexReport(NamedTuple):
    """What changing over to another model did, and whether it is complete."""

    model: str
    embedded: int
    pending: int
    complete: bool
    notices: tuple[Notice, ...] = ()
