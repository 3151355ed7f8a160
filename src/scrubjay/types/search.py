"""The nouns of a search: what was asked, what runs, who voted for what, what is answered.

In the order data flows. Imported by every start of `kb`, so nothing else lives here.
"""

from __future__ import annotations

from scrubjay.types.base import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from scrubjay.types.confidence import Confidence
    from scrubjay.types.diverse import Diverse
    from scrubjay.types.graph import Spreading
    from scrubjay.types.memory import Weighing
    from scrubjay.types.reasons import Change, Guess, Reread

KINDS = ("pdf", "markdown", "code", "note")
MODES = ("hybrid", "keyword", "vector")


class Notice(NamedTuple):
    """Something that did not go as asked, why, and what cures it. Never an exception."""

    stage: str
    reason: str
    remedy: str = ""


class Term(NamedTuple):
    """One thing to look for: a word, a phrase in quotes, or a word's beginning.

    `common` words ("how", "do", "the") are looked for only when there are no others.
    """

    text: str
    phrase: bool = False
    prefix: bool = False
    common: bool = False


class Words(NamedTuple):
    """A query as typed, taken apart. `text` is what is left when exclusions are taken out."""

    text: str
    terms: tuple[Term, ...] = ()
    excluded: tuple[Term, ...] = ()


class Filter(NamedTuple):
    """What a hit must satisfy before anything is ranked. Empty means everything.

    `scope` is `path` as it was typed: what has no file is found by the project that was said of it.
    """

    tags: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    path: str | None = None
    since: str | None = None
    until: str | None = None
    scope: str | None = None

    @property
    def is_empty(self) -> bool:
        return self == EVERYTHING


EVERYTHING = Filter()


class SearchOptions(NamedTuple):
    """What was asked: None means that the plan fills in the default."""

    query: str
    top: int | None = None
    profile: str | None = None
    mode: str = "hybrid"
    tags: Sequence[str] | str = ()
    kind: str | Sequence[str] | None = None
    path: str | None = None
    since: str | None = None
    until: str | None = None
    threshold: float | None = None
    rerank: bool | None = None
    explain: bool = False
    vector: Sequence[float] | None = None
    deadline_ms: float | None = None
    fusion: str | None = None
    diverse: Diverse | None = None
    everything: bool | None = None


class QueryPlan(NamedTuple):
    """What will run: every default filled in, everything checked.

    `everything` also searches what is deprecated, merged or expired; `superseded` is what is left
    of the score of what something supersedes.
    `changes` is how `words` differ from what was typed, `also` what is looked for below them;
    `source_weights` and `kind_boosts` are what the guessed intent favours; `skipped` are the
    stages that were left out when the deadline had passed.
    """

    query: str
    words: Words
    profile: str
    mode: str
    sources: tuple[str, ...]
    keyword_channel: str
    fusion: str
    top: int
    pool: int
    filter: Filter
    floor: float
    threshold: float | None
    rrf_k: float
    vector_weight: float
    keyword_weight: float
    graph_weight: float
    convergence_bonus: float
    half_life_days: float | None
    bm25_k1: float
    bm25_b: float
    rerank: bool = False
    stages: tuple[str, ...] = ()
    spreading: Spreading | None = None
    typos: str = "never"
    acronyms: bool = False
    own_acronyms: Mapping[str, tuple[str, ...]] = {}
    changes: tuple[Change, ...] = ()
    also: Words | None = None
    intent: Guess | None = None
    source_weights: Mapping[str, float] = {}
    kind_boosts: Mapping[str, float] = {}
    rerank_candidates: int = 0
    rerank_seconds: float = 0.0
    deadline_ms: float | None = None
    skipped: tuple[str, ...] = ()
    diverse: Diverse | None = None
    everything: bool = False
    superseded: float = 1.0
    weighing: Weighing | None = None


class Candidate(NamedTuple):
    """A chunk that a retriever proposes, by its number in the store. Ids travel, not objects."""

    chunk: int
    score: float
    note: str = ""


class Ranking(NamedTuple):
    """One retriever's ordered list. `source` counts for agreement; `tier` says who answered."""

    source: str
    candidates: tuple[Candidate, ...] = ()
    tier: str = ""


class Vote(NamedTuple):
    """What one source said of a hit and what it added to the score."""

    source: str
    rank: int
    score: float
    weight: float
    contribution: float
    tier: str = ""
    note: str = ""


class Factor(NamedTuple):
    """Something that multiplied a score after fusion, and why."""

    name: str
    value: float
    reason: str = ""


class Fused(NamedTuple):
    """A chunk with its fused score, the votes it is made of, and every factor since."""

    chunk: int
    score: float
    votes: tuple[Vote, ...]
    factors: tuple[Factor, ...] = ()
    reread: Reread | None = None


class Hit(NamedTuple):
    """One result: where it is, why it is here, and a snippet of it."""

    rank: int
    id: str
    document_id: str
    score: float
    normalized: float
    path: str | None
    title: str
    kind: str
    tags: tuple[str, ...]
    trail: tuple[str, ...]
    lines: tuple[int, int]
    page: int | None
    created_at: str
    snippet: str
    highlights: tuple[tuple[int, int], ...]
    sources: tuple[str, ...]
    ranks: Mapping[str, int | None]
    similarity: float | None
    votes: tuple[Vote, ...]
    factors: tuple[Factor, ...]
    reread: Reread | None = None
    folded: tuple[str, ...] = ()
    marks: tuple[str, ...] = ()


class SearchResult(NamedTuple):
    """The hits and everything that was true while finding them."""

    query: str
    profile: str
    mode: str
    hits: tuple[Hit, ...]
    notices: tuple[Notice, ...]
    timings: Mapping[str, float]
    plan: QueryPlan
    tier: str = ""
    as_of: str = ""
    sure: tuple[Any, ...] | None = None

    @property
    def confidence(self) -> Confidence | None:
        """Whether this is about the query at all. Made of `sure` when it is asked for, not at every start."""
        if self.sure is None:
            return None
        from scrubjay.types.confidence import Confidence

        return Confidence(*self.sure)

    @property
    def took_ms(self) -> float:
        return self.timings.get("total", 0.0)


class Chunk(NamedTuple):
    """An indexable span with its place and the document it belongs to."""

    number: int
    id: str
    document_id: str
    path: str | None
    title: str
    kind: str
    tags: tuple[str, ...]
    created_at: str
    trail: tuple[str, ...]
    lines: tuple[int, int]
    page: int | None
    ordinal: int
    text: str
