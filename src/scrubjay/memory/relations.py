"""Causal relations between memories: which exist, and what a link must satisfy.

Checked before anything is written, so that the graph never holds a loop on itself or a
strength that ranking cannot read. A link is unique by (source, target, relation): saying it
again updates it.
"""

from __future__ import annotations

from math import isfinite

from scrubjay.errors import UsageError
from scrubjay.types.base import NamedTuple
from scrubjay.types.graph import CAUSAL, Relation


class Link(NamedTuple):
    """A checked link from one document to another."""

    source: str
    target: str
    relation: str
    strength: float = 1.0
    evidence: str = ""


RELATIONS: tuple[Relation, ...] = CAUSAL  # what a person may say; the graph reads the same table
_BY_NAME = {row.name: row for row in RELATIONS}


def relation(name: str) -> Relation:
    """The row of that name. An unknown one is a usage error."""
    found = _BY_NAME.get(name.strip().lower().replace("-", "_").replace(" ", "_"))
    if found is None:
        raise UsageError(f"{name!r} is not a relation.", "", f"Choose one of: {', '.join(_BY_NAME)}.")
    return found


def link(source: str, target: str, name: str, strength: float = 1.0, evidence: str = "") -> Link:
    """A link that may be written, or the error that says why not."""
    row = relation(name)
    if not isfinite(strength) or not 0 <= strength <= 1:
        raise UsageError(f"A strength of {strength:g} is not possible.", "", "Give a number from 0 to 1.")
    for end in (source, target):
        if not end.strip():
            raise UsageError("A link needs two ends.", "One of the ids is empty.", "Give the ids of two documents.")
    if source.strip() == target.strip():
        raise UsageError(f"{source} cannot be linked to itself.", "", "Give the ids of two different documents.")
    return Link(source.strip(), target.strip(), row.name, float(strength), " ".join(evidence.split()))
