"""The noun for how alike results may be; apart, because a plain search has none."""

from __future__ import annotations

from scrubjay.types.base import NamedTuple


class Diverse(NamedTuple):
    """Whether near-same texts are folded into one result, how many passages of one document are
    shown at most (0: any number), and MMR's share of likeness to the query (None: no MMR)."""

    fold: bool = False
    per_document: int = 0
    mmr: float | None = None
