"""The nouns of the graph: what an edge is, and what is seen of it from either end.

The relations are a table, because the reader of `--explain`, the spreading of activation and
the check of what a person writes all have to mean the same by a name.
"""

from __future__ import annotations

from scrubjay.types.base import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

    Row = tuple[int, int, int, str, bool, float]  # a Step's fields: a hop has thousands, few are looked at


class Relation(NamedTuple):
    """One row: how it reads from each end, and how strongly it draws results along (0–1)."""

    name: str
    forward: str
    backward: str
    pull: float


# What a person says of two documents.
CAUSAL: tuple[Relation, ...] = (
    Relation("caused", "caused", "was caused by", 1.0),
    Relation("enabled", "enabled", "was enabled by", 0.8),
    Relation("supersedes", "supersedes", "was superseded by", 1.0),
    Relation("contradicts", "contradicts", "is contradicted by", 0.9),
    Relation("derived_from", "is derived from", "led to", 0.8),
    Relation("supports", "supports", "is supported by", 0.7),
)
# What was read in a text or learned from use.
FOUND: tuple[Relation, ...] = (
    Relation("links", "links to", "is linked from", 1.0),
    Relation("imports", "imports", "is imported by", 0.8),
    Relation("cites", "cites", "is cited by", 0.9),
    Relation("mentions", "mentions", "is mentioned by", 1.0),
    Relation("opened_with", "was opened with", "was opened with", 0.7),
    Relation("resembles", "resembles", "resembles", 0.6),
)
RELATIONS: Mapping[str, Relation] = {row.name: row for row in (*CAUSAL, *FOUND)}
FOUND_ORIGINS = ("link", "import", "citation", "mention")  # read in a text; the others are said and learned


class Edge(NamedTuple):
    """A typed link as it is shown. `target` is None while what it names is not in the base."""

    source: str
    target: str | None
    relation: str
    strength: float = 1.0
    origin: str = "user"
    evidence: str = ""
    created_at: str = ""
    updated_at: str = ""
    source_chunk: str | None = None
    target_chunk: str | None = None
    source_title: str = ""
    target_title: str = ""
    wanted: str = ""


class Wanted(NamedTuple):
    """A link as a text words it, before anything is known of what it leads to.

    `wanted` begins with how it is to be understood: "p:" a whole path, "s:" the end of a path,
    "n:" a name, "g:" a folder, "i:" an id; a "#heading" may follow.
    """

    wanted: str
    relation: str
    origin: str
    evidence: str = ""


class Unread(NamedTuple):
    """A chunk that has not been looked through for links yet."""

    chunk: int
    document: int
    path: str | None
    kind: str
    text: str


class Named(NamedTuple):
    """A document that answers to a name."""

    document: int
    path: str | None
    title: str = ""
    aliases: str = ""  # what front matter says it is called too, as JSON


class FoundEdge(NamedTuple):
    """An edge on its way into the store, by numbers; without `target` it waits under `name`."""

    source: int
    source_chunk: int
    target: int | None
    target_chunk: int
    relation: str
    origin: str
    strength: float
    evidence: str
    wanted: str
    name: str


class Waiting(NamedTuple):
    """A stored link that leads nowhere yet."""

    edge: int
    source: int
    path: str | None
    wanted: str


class Step(NamedTuple):
    """One edge as a hop takes it: from a chunk to a chunk, in one of its two directions.

    `document` is the one that is reached; `target` is 0 where the edge names only that document.
    """

    source: int
    target: int
    document: int
    relation: str
    forward: bool
    strength: float


class Reached(NamedTuple):
    """A chunk that activation came to, how much of it, and the strongest way there."""

    chunk: int
    active: float
    path: tuple[Step, ...] = ()


class Spreading(NamedTuple):
    """How far activation goes; every field is a setting."""

    seeds: int = 3
    hops: int = 2
    decay: float = 0.5
    fan: int = 32
    milliseconds: float = 20.0


class Related(NamedTuple):
    """A document near another one, and the edges by which it was reached."""

    id: str
    title: str
    path: str | None
    kind: str
    score: float
    why: str
