"""Finds the memory that a new one is most like, and says what that means for the two.

By the vectors of the model that made both, else by their words, and the answer says by which:
the thresholds are the same, what they are worth is not. Only notes of the same project are
compared, because a file is not ours to merge and another project may well hold the opposite.
"""

from __future__ import annotations

from scrubjay.memory.conflicts import LINK, decide_among
from scrubjay.memory.life import said_again
from scrubjay.memory.similar import BY_WORDS, overlap, words
from scrubjay.types import Notice, Term, Words
from scrubjay.types.base import TYPE_CHECKING
from scrubjay.types.memory import Record

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    from scrubjay.knowledge_base.meaning import Meaning
    from scrubjay.memory.conflicts import Decision
    from scrubjay.ports import Store
    from scrubjay.types import Chunk, StoredModel

_NEAREST = 50  # chunks looked at for each of the new one's
_CHUNKS = 8  # of a long text, so many are compared
_WORDS = 40
_LEAST_PULL = 0.05
_KINDS = {"reinforce": "reinforced", "update": "similar", "supersede": "conflict", "link": "linked"}


def compared(
    store: Store, meaning: Meaning, identity: str, without: set[str]
) -> tuple[list[Record], tuple[Notice, ...]]:
    """What the new memory does to the one most like it, as a record, and a notice where a person is asked."""
    own = store.chunks([identity])
    new = "".join(chunk.text for chunk in own)
    by, found = _by_vectors(store, meaning, own[:_CHUNKS]) or (BY_WORDS, _by_words(store, new, identity))
    near = {other: likeness for other, likeness in found.items() if other != identity and other not in without}
    decision = decide_among(new, _texts(store, identity, near))
    if decision.other is None:
        return [], ()
    record = _recorded(store, identity, decision, by)
    return [record], _told(record)


def _by_vectors(store: Store, meaning: Meaning, own: Sequence[Chunk]) -> tuple[str, dict[str, float]] | None:
    """Per document the mean, over the new one's chunks, of the cosine to its nearest chunk; None without vectors."""
    for model in meaning.active():
        vectors = store.memory.vectors_of(model.number, [chunk.number for chunk in own])
        if not len(vectors):
            continue
        found: dict[str, float] = {}
        for vector in vectors:
            for document, cosine in _best(store, model, vector).items():
                found[document] = found.get(document, 0.0) + cosine / len(vectors)
        return model.identity.name, {document: min(max(cosine, -1.0), 1.0) for document, cosine in found.items()}
    return None


def _best(store: Store, model: StoredModel, vector: Sequence[float]) -> dict[str, float]:
    candidates = store.nearest(model.number, vector, _NEAREST, None).candidates
    places = {chunk.number: chunk.document_id for chunk in store.fetch([each.chunk for each in candidates])}
    best: dict[str, float] = {}
    for candidate in candidates:
        document = places.get(candidate.chunk)
        if document is not None:
            best[document] = max(best.get(document, -1.0), candidate.score)
    return best


def _by_words(store: Store, new: str, identity: str) -> dict[str, float]:
    said = words(new)
    terms = tuple(Term(word) for word in sorted(said)[:_WORDS])
    if not terms:
        return {}
    candidates = store.keyword(Words(" ".join(term.text for term in terms), terms), _NEAREST, None).candidates
    documents = {chunk.document_id for chunk in store.fetch([each.chunk for each in candidates])} - {identity}
    return {document: overlap(said, words(text)) for document, text in _whole(store, documents).items()}


def _texts(store: Store, identity: str, near: dict[str, float]) -> list[tuple[str, float, str]]:
    """Those that may be compared with the new one, with their texts."""
    likely = sorted(near, key=lambda document: -near[document])[:_NEAREST]
    scopes = store.memory.scopes([*likely, identity])
    own = scopes.get(identity)
    fitting = [document for document in likely if own is not None and scopes.get(document) == own]
    texts = _whole(store, fitting[:10])
    return [(document, near[document], text) for document, text in texts.items()]


def _whole(store: Store, documents: Iterable[str]) -> dict[str, str]:
    texts: dict[str, str] = {}
    for chunk in store.chunks(list(documents)):
        texts[chunk.document_id] = texts.get(chunk.document_id, "") + chunk.text
    return texts


def _recorded(store: Store, identity: str, decision: Decision, by: str) -> Record:
    from datetime import UTC, datetime

    other = decision.other or ""
    before: dict[str, Any] = {}
    with store.writing():
        if decision.action == "reinforce":
            facts, life = store.memory.facts([other])[other]
            created = store.documents_by_id([other])[other].created_at
            before["life"] = list(life)
            store.memory.live({other: said_again(life, facts.kind, created, datetime.now(UTC))})
        before["drawn"] = store.graph.resemble(identity, other, pull(decision.similarity))
        kind = _KINDS[decision.action]
        wanted = Record("", kind, other, identity, round(decision.similarity, 4), by, decision.reason)
        return store.memory.records.add(wanted, before)


def pull(similarity: float) -> float:
    """How strongly two that are alike draw each other: hardly at the threshold, fully when they are the same.

    A small model finds half of all unrelated notes .70 alike (docs/adr/0040): a link among such must weigh little.
    """
    return round(max((similarity - LINK) / (1 - LINK), _LEAST_PULL), 4)


def _told(record: Record) -> tuple[Notice, ...]:
    """A person is asked where two memories cannot both stay as they are for long."""
    other = f"{record.document} ({record.document_title!r})"
    alike = f"{record.similarity:.2f} by {record.measured_by}"
    leave = f"to leave both: kb undo {record.id}"
    if record.kind == "conflict":
        reason = f"It may contradict {other}: {record.reason}; similarity {alike}. Both are kept."
        cure = f"If it replaces it: kb correct {record.document} --kind superseded --by {record.other}; {leave}"
    elif record.kind in ("similar", "reinforced"):
        reason = f"It says nearly the same as {other}: similarity {alike}. Both are kept."
        cure = f"To make one of them: kb correct {record.document} --kind merged --by {record.other}; {leave}"
    else:
        return ()
    return (Notice("memory", reason, cure),)
