"""Keeps one text as a memory: what is known already becomes firmer, what is new is compared.

The same text again is the same memory. One that is nearly the same is kept beside the other, and
the answer says how to make one of the two: only whoever wrote them knows which is right. Nothing
is ever merged or dropped unasked.
"""

from __future__ import annotations

from scrubjay.knowledge_base import bulk
from scrubjay.knowledge_base.comparing import compared
from scrubjay.knowledge_base.correcting import correct
from scrubjay.memory.facts import facts_of
from scrubjay.memory.life import said_again
from scrubjay.memory.relations import RELATIONS, link
from scrubjay.memory.similar import says_something
from scrubjay.types.base import TYPE_CHECKING
from scrubjay.types.memory import Record, Remembered

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from scrubjay.config import Config
    from scrubjay.knowledge_base.meaning import Meaning
    from scrubjay.ports import Store
    from scrubjay.types import Draft, Facts

    Ends = Sequence[tuple[str, str]]

SEE = "links"  # the relation of a link without one: it only says "see there"
_NAMES = {row.name for row in RELATIONS}
_SAID = ("memory_type", "importance", "triggers", "project", "session", "source")


def remember(
    store: Store,
    config: Config,
    meaning: Meaning,
    item: Mapping[str, Any],
    links: Sequence[str],
    supersedes: Sequence[str],
    *,
    fresh: bool,
) -> Remembered:
    """Everything that can be wrong is found before anything is written."""
    ends = [_end(store, given) for given in links]
    older = [store.graph.document_of(identity) for identity in supersedes]
    ready = bulk.prepare([item], config, guess=True)
    draft = ready.drafts[0][0]
    with store.writing():
        comparable = not fresh and draft.id is None and says_something(item["text"])
        known = _known(store, draft) if comparable else None
        if known is not None:
            identity, records = known, [_again(store, known, draft, item)]
        else:
            identity, records = bulk.put(ready, store, meaning)[0].id, []
    if known is None:
        bulk.finish(ready, store, config, meaning)
    for target, relation in ends:
        if store.graph.document_of(target) != identity:
            store.graph.put(identity, target, relation, 1.0, "")
    records += [correct(store, document, "superseded", identity) for document in older if document != identity]
    notices: tuple[Any, ...] = ()
    if known is None and comparable and config.get("memory.compare"):
        found, notices = compared(store, meaning, identity, without=set(older))
        records += found
    facts = store.memory.facts([identity])[identity][0]
    return Remembered(identity, known is not None, facts, tuple(records), notices)


def _end(store: Store, given: str) -> tuple[str, str]:
    """ID or ID:relation. An id of somebody's own may hold a colon."""
    target, colon, name = given.strip().rpartition(":")
    relation = name.replace("-", "_").lower()
    if colon and relation in (*_NAMES, SEE):
        checked = target if relation == SEE else link("a new one", target, relation).target
        store.graph.document_of(checked)
        return checked, relation
    if colon and store.document(given.strip()) is None:
        link("a new one", target, name)  # raises, and names the relations
    store.graph.document_of(given.strip())
    return given.strip(), SEE


def _known(store: Store, draft: Draft) -> str | None:
    """The memory that says just this, in this scope; with a date of its own, of the same day."""
    same = store.memory.same(draft.content_hash, draft.kind, draft.memory.project if draft.memory else "")
    day = (draft.created_at or "")[:10]
    return next((identity for identity, created in same if created.startswith(day)), None)


def _again(store: Store, identity: str, draft: Draft, item: Mapping[str, Any]) -> Record:
    """What is known becomes firmer, and takes on what was said of it this time."""
    from datetime import UTC, datetime

    facts, life = store.memory.facts([identity])[identity]
    document = store.documents_by_id([identity])[identity]
    tags = [tag for tag in draft.tags if tag.lower() not in {known.lower() for known in document.tags}]
    before = {"life": list(life), "facts": list(facts), "tags": tags}
    store.memory.live({identity: said_again(life, facts.kind, document.created_at, datetime.now(UTC))})
    renewed = _renewed(facts, document.created_at, item)
    if renewed != facts:
        store.memory.put(identity, renewed)
    if tags:
        store.retag(identity, tags, ())
    return store.memory.records.add(Record("", "reinforced", identity, reason="said again, word for word"), before)


def _renewed(facts: Facts, created_at: str, item: Mapping[str, Any]) -> Facts:
    """The facts with those replaced that were said outright this time."""
    said = {name: item[name] for name in _SAID if item.get(name)}
    if not said:
        return facts
    new = facts_of("", created_at=created_at, **said)
    changes: dict[str, Any] = {}
    if "memory_type" in said:
        changes.update(kind=new.kind, kind_source=new.kind_source, kind_evidence=new.kind_evidence)
    if "importance" in said:
        changes.update(tier=new.tier, expires_at=new.expires_at)
    changes.update((name, getattr(new, name)) for name in ("triggers", "session", "source") if name in said)
    return facts._replace(**changes)
