"""The nouns of carrying a base elsewhere: copies, exports, imports."""

from __future__ import annotations

from scrubjay.types.base import NamedTuple


class Copied(NamedTuple):
    """A base as one file: what is in it. `aside` is where the one that it replaced was put."""

    file: str
    bytes: int
    documents: int
    chunks: int
    schema: int
    aside: str = ""
