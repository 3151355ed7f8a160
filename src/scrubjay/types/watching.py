"""The nouns of following what changes on disk."""

from __future__ import annotations

from scrubjay.types.base import NamedTuple


class Noticed(NamedTuple):
    """One thing that `kb watch` did or met. `what` is added, changed, removed, moved, away, back or note."""

    what: str
    path: str
    id: str = ""
    was: str = ""
    detail: str = ""
