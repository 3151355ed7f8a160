"""Why a search did what it did: what was changed in the query, what it was taken for, what a reranker said.

Apart from the other nouns of a search, because a plain search by words has none of these.
"""

from __future__ import annotations

from scrubjay.types.base import NamedTuple


class Change(NamedTuple):
    """Something typed, and what was searched for: instead of it ("typo") or beside it ("acronym")."""

    typed: str
    searched: str
    why: str
    origin: str = ""


class Guess(NamedTuple):
    """What a query is for, how many points spoke for it, how sure that is (0–1), and the words that did."""

    intent: str
    score: float
    confidence: float
    words: tuple[str, ...] = ()


class Reread(NamedTuple):
    """What a reranker said: `final` = score × length penalty replaces `before`."""

    by: str
    score: float
    penalty: float
    final: float
    before: float
