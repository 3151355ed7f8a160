"""The nouns of reading and keeping: what a reader gives, what the store holds."""

from __future__ import annotations

from scrubjay.types.base import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, Literal

    from scrubjay.types.memory import Facts
    from scrubjay.types.search import Notice

    Role = Literal["query", "document"]


class Span(NamedTuple):
    """A stretch of a text that belongs together: a section, a table, a definition, a page.

    `form` is "prose", "heading", "fence", "table", "list", "code" or "data"; `opens` says that
    a new topic begins here, so that a chunk should rather end before it.
    """

    start: int
    end: int
    trail: tuple[str, ...] = ()
    page: int | None = None
    form: str = "prose"
    opens: bool = False


class Reading(NamedTuple):
    """What a reader makes of one file. The spans cover the text exactly, in order."""

    text: str
    kind: str
    title: str = ""
    spans: tuple[Span, ...] = ()
    tags: tuple[str, ...] = ()
    created_at: str | None = None
    summary: str = ""
    metadata: Mapping[str, Any] = {}
    notices: tuple[Notice, ...] = ()


class Piece(NamedTuple):
    """An indexable span of a document's text. All pieces of a document re-join to its text."""

    text: str
    lines: tuple[int, int]
    trail: tuple[str, ...] = ()
    page: int | None = None


class Draft(NamedTuple):
    """A document on its way into the store."""

    title: str
    kind: str
    path: str | None = None
    id: str | None = None
    tags: tuple[str, ...] = ()
    created_at: str | None = None
    modified_at: str | None = None
    summary: str = ""
    size: int = 0
    mtime_ns: int | None = None
    content_hash: str = ""
    source_id: int | None = None
    path_words: str = ""
    metadata: Mapping[str, Any] = {}
    untitled: bool = False  # the title was made from the text: it is shown, not searched
    memory: Facts | None = None  # None: nothing new is known of it as a memory


class Written(NamedTuple):
    """What writing a document did: its id, and its chunks that are new, kept and gone."""

    id: str
    added: int
    kept: int
    removed: int
    chunk_ids: tuple[int, ...] = ()


class FileState(NamedTuple):
    """What the store remembers of a file, enough to see that it has not changed."""

    id: str
    path: str
    mtime_ns: int | None
    size: int
    content_hash: str


class Source(NamedTuple):
    """A folder or file that was added, so that `kb update` can go back to it."""

    id: int
    path: str
    tags: tuple[str, ...]
    exclude: tuple[str, ...]
    kind: str | None
    last_read_at: str | None
    documents: int = 0
    bytes: int = 0


class Document(NamedTuple):
    """A file or a note, without its text."""

    id: str
    path: str | None
    title: str
    kind: str
    tags: tuple[str, ...]
    created_at: str
    modified_at: str
    summary: str
    size: int
    chunks: int
    metadata: Mapping[str, Any] = {}


class ModelIdentity(NamedTuple):
    """All that decides what a vector means. Vectors of different identities are never mixed."""

    name: str
    dim: int
    revision: str = ""
    query_prefix: str = ""
    document_prefix: str = ""
    pooling: str = ""
    normalised: bool = True


class StoredModel(NamedTuple):
    """A model as a base knows it: its number there, and whether it answers or is being built."""

    number: int
    identity: ModelIdentity
    state: str = "active"
