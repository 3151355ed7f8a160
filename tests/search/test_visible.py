"""A store as a search sees it, without what is hidden."""

from __future__ import annotations

import inspect
from array import array

import scrubjay
from scrubjay.ports import Store
from scrubjay.search.parse import parse
from scrubjay.search.visible import Visible
from scrubjay.types import EVERYTHING, Filter


def test_every_way_of_retrieving_is_covered() -> None:
    """A new one would pass hidden chunks on, because what is not named here goes through."""
    ranking = {
        name
        for name, method in inspect.getmembers(Store, inspect.isfunction)
        if inspect.signature(method).return_annotation == "Ranking"
    }
    assert ranking
    assert ranking <= set(vars(Visible))


def test_what_is_hidden_leaves_no_gap(kb: scrubjay.KnowledgeBase) -> None:
    ids = kb.notes({"text": f"git {'git ' * number}"} for number in range(20))
    chunks = {chunk.document_id: chunk.number for chunk in kb.store.chunks(ids)}
    hidden = {chunks[identity]: 0 for identity in ids[::2]}
    store, words = Visible(kb.store, hidden), parse("git")
    for found in (store.keyword(words, 7, None), store.bm25(words, 7, None, 1.2, 0.75)):
        assert len(found.candidates) == 7
        assert not {each.chunk for each in found.candidates} & set(hidden)
    assert store.allowed(EVERYTHING) is None
    assert store.allowed(Filter(kinds=("note",))) == array("q", sorted(set(chunks.values()) - set(hidden)))


def test_ways_through_what_is_hidden_are_closed(kb: scrubjay.KnowledgeBase) -> None:
    a, b, c = kb.note("one"), kb.note("two"), kb.note("three")
    kb.link(a, b, "caused")
    kb.link(b, c, "caused")
    hide = kb.note("four", importance="deprecated")
    kb.link(a, hide, "caused")
    numbers = {chunk.document_id: chunk.number for chunk in kb.store.chunks([a, b, c, hide])}
    hidden = kb.store.memory.hidden_chunks()
    assert set(hidden) == {numbers[hide]}
    store = Visible(kb.store, hidden)
    assert len(kb.store.graph.neighbours([numbers[a]], 9)) == 2
    assert [row[2] for row in store.graph.neighbours([numbers[a]], 9)] == [
        kb.store.graph.documents_of([numbers[b]])[numbers[b]]
    ]
    assert not store.graph.is_empty(), "everything else is passed on"
