"""The nouns of remembering: what is known of a document beside its text, and what became of it."""

from __future__ import annotations

from scrubjay.types.base import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from scrubjay.types.search import Notice

CORRECTIONS = ("superseded", "deprecated", "refined", "merged")  # said by somebody
FOUND = ("reinforced", "similar", "linked", "conflict")  # found when a memory came in
HIDING = ("deprecated", "merged")  # what was corrected so is not searched


class Facts(NamedTuple):
    """What was said of a memory, or guessed: `kind_source` tells which.

    A document of which nothing was said has these defaults, and takes no room in the base.
    """

    kind: str = "declarative"
    kind_source: str = "default"
    kind_evidence: str = ""
    tier: str = "normal"
    expires_at: str | None = None
    project: str = ""
    session: str = ""
    source: str = ""
    triggers: tuple[str, ...] = ()


ORDINARY = Facts()


class Life(NamedTuple):
    """How a memory was used. `stability` is in days; None until it was used or said again."""

    stability: float | None = None
    uses: int = 0
    used_at: str | None = None


UNUSED = Life()


class Standing(NamedTuple):
    """All that ranking asks of the document that a chunk belongs to."""

    chunk: int
    document: str
    path: str | None
    created_at: str
    facts: Facts
    life: Life


class Weighing(NamedTuple):
    """What of a memory's standing counts in a search; every field is a setting."""

    tiers: bool = False
    documents: bool = False
    retention: bool = False
    half_lives: bool = False
    floor: float = 0.5
    first_tokens: int = 2000


class Record(NamedTuple):
    """Something that was decided about a memory: it can be shown, and undone.

    `document` is the one it is about, the older of two; `other` is the one that came after it.
    `measured_by` names what found them alike: an embedder, or "words".
    """

    id: str
    kind: str
    document: str
    other: str | None = None
    similarity: float | None = None
    measured_by: str = ""
    reason: str = ""
    created_at: str = ""
    undone_at: str | None = None
    document_title: str = ""
    other_title: str = ""


class Remembered(NamedTuple):
    """What keeping a text did. `again` says that it was known, word for word, and is now firmer."""

    id: str
    again: bool = False
    facts: Facts = ORDINARY
    records: tuple[Record, ...] = ()
    notices: tuple[Notice, ...] = ()


class Matched(NamedTuple):
    """A document that is called up by what was said, and the phrases that did it."""

    id: str
    title: str
    path: str | None
    phrases: tuple[str, ...]
    tier: str
    importance: float
