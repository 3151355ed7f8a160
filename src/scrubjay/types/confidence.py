"""The noun for how sure a search is that what it found is about the query.

A file of its own, because every search makes one and no start should pay for other nouns.
"""

from __future__ import annotations

from scrubjay.types.base import NamedTuple

LEVELS = ("strong", "weak", "none")


class Confidence(NamedTuple):
    """The level and its evidence.

    `coverage` is the share of the query's words that the best passage holds, rare words counting
    more; `absent` are the words that no passage of the base has. `standing` says how far the
    nearest passage stands out among the nearest by meaning, and `agreement` how many of the first
    ten of words and of meaning are the same: both None where meaning was not asked.
    """

    level: str
    coverage: float
    absent: tuple[str, ...] = ()
    standing: float | None = None
    agreement: float | None = None
