"""The nouns of carrying a base elsewhere: copies, exports, imports."""

from __future__ import annotations

from scrubjay.types.base import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from scrubjay.types.search import Notice


class Copied(NamedTuple):
    """A base as one file: what is in it. `aside` is where the one that it replaced was put."""

    file: str
    bytes: int
    documents: int
    chunks: int
    schema: int
    aside: str = ""


class Exported(NamedTuple):
    """What was written out, in records by kind."""

    file: str
    documents: int
    chunks: int
    edges: int
    sources: int
    rows: int
    vectors: int


class ImportReport(NamedTuple):
    """What was read in. Counts are documents, but for those that say otherwise.

    `same` were there already; `differs` are there under the same id with other content and were
    left; `failed` are records that could not be taken, each with a notice.
    """

    form: str
    added: int = 0
    same: int = 0
    replaced: int = 0
    differs: int = 0
    edges: int = 0
    sources: int = 0
    rows: int = 0
    vectors: int = 0
    embedded: int = 0
    failed: int = 0
    notices: tuple[Notice, ...] = ()


class Told(NamedTuple):
    """One record on its way in, and where it stands in what it comes from ("line 12")."""

    place: str
    kind: str
    record: Mapping[str, Any]
