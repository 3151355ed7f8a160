"""The nouns of scrubjay: what travels between its parts.

Immutable and without behaviour, so that every stage can be read, tested and replaced alone.
Those of a search are here at once; the others are made when first used, because every start
of `kb` would pay for making them.
"""

from __future__ import annotations

from scrubjay.types.base import TYPE_CHECKING
from scrubjay.types.search import EVERYTHING as EVERYTHING
from scrubjay.types.search import KINDS as KINDS
from scrubjay.types.search import MODES as MODES
from scrubjay.types.search import Candidate as Candidate
from scrubjay.types.search import Chunk as Chunk
from scrubjay.types.search import Factor as Factor
from scrubjay.types.search import Filter as Filter
from scrubjay.types.search import Fused as Fused
from scrubjay.types.search import Hit as Hit
from scrubjay.types.search import Notice as Notice
from scrubjay.types.search import QueryPlan as QueryPlan
from scrubjay.types.search import Ranking as Ranking
from scrubjay.types.search import SearchOptions as SearchOptions
from scrubjay.types.search import SearchResult as SearchResult
from scrubjay.types.search import Term as Term
from scrubjay.types.search import Vote as Vote
from scrubjay.types.search import Words as Words

if TYPE_CHECKING:
    from typing import Any

    from scrubjay.types.disclosing import AddReport as AddReport
    from scrubjay.types.disclosing import Check as Check
    from scrubjay.types.disclosing import EmptyReport as EmptyReport
    from scrubjay.types.disclosing import Entry as Entry
    from scrubjay.types.disclosing import Found as Found
    from scrubjay.types.disclosing import Passage as Passage
    from scrubjay.types.disclosing import Progress as Progress
    from scrubjay.types.disclosing import ReindexReport as ReindexReport
    from scrubjay.types.documents import Document as Document
    from scrubjay.types.documents import Draft as Draft
    from scrubjay.types.documents import FileState as FileState
    from scrubjay.types.documents import ModelIdentity as ModelIdentity
    from scrubjay.types.documents import Piece as Piece
    from scrubjay.types.documents import Reading as Reading
    from scrubjay.types.documents import Role as Role
    from scrubjay.types.documents import Source as Source
    from scrubjay.types.documents import Span as Span
    from scrubjay.types.documents import StoredModel as StoredModel
    from scrubjay.types.documents import Written as Written
    from scrubjay.types.graph import Edge as Edge
    from scrubjay.types.graph import Related as Related
    from scrubjay.types.memory import Facts as Facts
    from scrubjay.types.memory import Matched as Matched
    from scrubjay.types.memory import Record as Record
    from scrubjay.types.memory import Remembered as Remembered
    from scrubjay.types.reasons import Change as Change
    from scrubjay.types.reasons import Guess as Guess
    from scrubjay.types.reasons import Reread as Reread

_HOME = {
    **dict.fromkeys(
        ("AddReport", "Check", "EmptyReport", "Entry", "Found", "Passage", "Progress", "ReindexReport"), "disclosing"
    ),
    **dict.fromkeys(
        (
            "Document",
            "Draft",
            "FileState",
            "ModelIdentity",
            "Piece",
            "Reading",
            "Source",
            "Span",
            "StoredModel",
            "Written",
        ),
        "documents",
    ),
    **dict.fromkeys(("Edge", "Related"), "graph"),
    **dict.fromkeys(("Facts", "Matched", "Record", "Remembered"), "memory"),
    **dict.fromkeys(("Change", "Guess", "Reread"), "reasons"),
}


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'scrubjay.types' has no attribute {name!r}")
    from importlib import import_module

    value = getattr(import_module(f"scrubjay.types.{_HOME[name]}"), name)
    globals()[name] = value
    return value
