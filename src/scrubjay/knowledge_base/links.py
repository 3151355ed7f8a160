"""What `kb link`, `kb links` and `kb related` do: edges that are said, listed and followed."""

from __future__ import annotations

from scrubjay.errors import UsageError
from scrubjay.memory.relations import link as checked
from scrubjay.types import Edge, Related
from scrubjay.types.base import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scrubjay.config import Config
    from scrubjay.ports import Store

_MOST_CHUNKS = 500  # of a long document, activation starts at so many
_PATIENCE_MS = 2000.0  # who asks just for this wants all of it; a search is held to `graph.max_ms`


def link(store: Store, source: str, target: str, relation: str, strength: float, evidence: str) -> Edge:
    """Says how two documents, or passages of two documents, hang together; again: says it anew."""
    wanted = checked(source, target, relation, strength, evidence)
    if store.graph.document_of(wanted.source) == store.graph.document_of(wanted.target):
        raise UsageError(
            f"{wanted.source} and {wanted.target} belong to one document.",
            "A link leads from one document to another.",
            "Give the ids of two different documents, or of passages in them.",
        )
    return store.graph.put(wanted.source, wanted.target, wanted.relation, wanted.strength, wanted.evidence)


def unlink(store: Store, source: str, target: str, relation: str | None) -> int:
    """Takes back what was said; links that stand in a text go when the text changes."""
    from scrubjay.memory.relations import relation as known

    return store.graph.remove(source, target, None if relation is None else known(relation).name)


def related(store: Store, identity: str, top: int, config: Config) -> Sequence[Related]:
    """The documents that links lead to from this one, nearest first, each with the way there."""
    from scrubjay.search.graph import spread, worded
    from scrubjay.search.plan import spreading

    how = spreading(config)._replace(milliseconds=_PATIENCE_MS)
    document = store.graph.document_of(identity)
    chunk = store.chunk_by_id(identity)
    own = [chunk.number] if chunk is not None else [each.number for each in store.chunks([document])[:_MOST_CHUNKS]]
    start = dict.fromkeys(own, 1.0)
    reached = spread(start, store.graph, how)
    places = {each.number: each for each in store.fetch([each.chunk for each in reached])}
    best = 0.0
    found: dict[str, Related] = {}
    for each, way in zip(reached, worded(reached, store.graph), strict=True):
        place = places.get(each.chunk)
        if place is None or place.document_id == document or place.document_id in found:
            continue
        best = best or each.active
        score = round(each.active / best, 4)
        found[place.document_id] = Related(place.document_id, place.title, place.path, place.kind, score, way)
    return tuple(found.values())[:top]
