"""Corrections: what somebody says has become of a memory, and undoing whatever was decided.

A correction never changes a text. It says how two memories stand to each other, in a record that
holds what undoing puts back; so a mistaken correction costs nothing.
"""

from __future__ import annotations

from scrubjay.errors import UsageError
from scrubjay.memory.conflicts import correction
from scrubjay.memory.triggers import MOST_PHRASES
from scrubjay.types.base import TYPE_CHECKING
from scrubjay.types.memory import Facts, Life, Record

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from scrubjay.ports import Store

# How the one that came after leads to the one that it corrects.
_RELATIONS = {"superseded": "supersedes", "merged": "supersedes", "refined": "derived_from"}
QUESTIONS = ("conflict", "similar", "reinforced")  # what a person may settle


def correct(store: Store, identity: str, kind: str, by: str | None = None, reason: str = "") -> Record:
    """Says what has become of a memory. The same again is the record that there is."""
    name = correction(kind)
    document = store.graph.document_of(identity)
    other = None if by is None else store.graph.document_of(by)
    if other is None and name in _RELATIONS:
        raise UsageError(
            f"By what is {document} {name}?", f"{name.capitalize()} needs the other memory.",
            f"kb correct {document} --kind {name} --by ID",
        )  # fmt: skip
    if other == document:
        raise UsageError(f"{document} cannot be {name} by itself.", "", "Give the id of another memory.")
    records = store.memory.records
    with store.writing():
        for known in records.all([name], document):
            if (known.document, known.other) == (document, other):
                return known
        before: dict[str, Any] = {}
        if other is not None and name in _RELATIONS:
            before["edge"] = _edge(store, other, document, _RELATIONS[name])
            store.graph.put(other, document, _RELATIONS[name], 1.0, reason)
        if other is not None and name == "merged":
            before.update(_take_over(store, document, other))
        return records.add(Record("", name, document, other, reason=" ".join(reason.split())), before)


def conflicts(store: Store, *, everything: bool = False) -> Sequence[Record]:
    """What waits for a person: two memories that contradict or repeat each other, and nobody has said which."""
    records = store.memory.records
    if everything:
        return records.all(undone=True)
    settled = {frozenset((record.document, record.other)) for record in records.all(tuple(_RELATIONS))}
    hidden = {record.document for record in records.all(["deprecated", "merged"])}
    return [
        record
        for record in records.all(QUESTIONS)
        if record.other is not None
        and frozenset((record.document, record.other)) not in settled
        and not {record.document, record.other} & hidden
    ]


def undo(store: Store, record_id: str) -> Record:
    """Puts back what a record's decision changed; the record stays, marked."""
    records = store.memory.records
    with store.writing():
        record = records.get(record_id)
        if record.undone_at is not None:
            raise UsageError(f"{record.id} was undone already.", f"That was on {record.undone_at[:10]}.", "")
        before = records.before(record.id)
        other = record.other
        if "edge" in before and other is not None:
            _put_back(store, other, record.document, _RELATIONS[record.kind], before["edge"])
        if before.get("drawn") and other is not None:
            store.graph.part(other, record.document)
        owner = other if record.kind == "merged" else record.document
        if owner is not None:
            if "facts" in before:
                *known, triggers = before["facts"]
                store.memory.put(owner, Facts(*known)._replace(triggers=tuple(triggers)))
            if "life" in before:
                store.memory.live({owner: Life(*before["life"])})
            if before.get("tags"):
                store.retag(owner, (), before["tags"])
        return records.undone(record.id)


def _edge(store: Store, source: str, target: str, relation: str) -> list[Any] | None:
    """Strength and evidence of an edge that a person had put there before."""
    for edge in store.graph.edges_of(source):
        if (edge.source, edge.target, edge.relation, edge.source_chunk) == (source, target, relation, None):
            return [edge.strength, edge.evidence]
    return None


def _put_back(store: Store, source: str, target: str, relation: str, before: Sequence[Any] | None) -> None:
    if before is None:
        store.graph.remove(source, target, relation)
    else:
        store.graph.put(source, target, relation, before[0], before[1])


def _take_over(store: Store, merged: str, into: str) -> dict[str, Any]:
    """The one that stays takes on the other's tags and phrases, and is as firm as the firmer of the two."""
    found = store.memory.facts([merged, into])
    (gone, gone_life), (facts, life) = found[merged], found[into]
    documents = store.documents_by_id([merged, into])
    own = {tag.lower() for tag in documents[into].tags}
    tags = [tag for tag in documents[merged].tags if tag.lower() not in own]
    phrases = tuple(dict.fromkeys((*facts.triggers, *gone.triggers)))[:MOST_PHRASES]
    if tags:
        store.retag(into, tags, ())
    if phrases != facts.triggers:
        store.memory.put(into, facts._replace(triggers=phrases))
    if gone_life.stability is not None and gone_life.stability > (life.stability or 0.0):
        store.memory.live({into: gone_life._replace(uses=life.uses + gone_life.uses)})
    return {"tags": tags, "facts": list(facts), "life": list(life)}
