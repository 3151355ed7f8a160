"""What notes in bulk leave for later is done when it is needed, once, and never lost."""

from __future__ import annotations

import gc
from typing import TYPE_CHECKING

import apsw
import pytest

import scrubjay
from scrubjay.errors import DuplicateId
from scrubjay.knowledge_base.owed import FEW

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from scrubjay import KnowledgeBase

CONFIG = {"embedder.name": "none"}
MANY = [{"text": f"Entry {n} of the harbour log.", "title": f"log {n}"} for n in range(FEW)]
TIED = [
    {"text": "The quarterly thermodynamics review. See [[Boiler plan]] for more.", "title": "Review", "id": "review"},
    {"text": "Pipes, valves and nothing else.", "title": "Boiler plan", "id": "plan"},
]


@pytest.fixture
def place(tmp_path: Path) -> str:
    return str(tmp_path / "kb.db")


@pytest.fixture
def kb(place: str) -> Iterator[KnowledgeBase]:
    with scrubjay.open(place, config=CONFIG) as base:
        base.notes([*MANY, *TIED])
        yield base


def behind(kb: KnowledgeBase) -> tuple[bool, bool]:
    return kb.store.graph.is_behind(), kb.store.vocabulary.is_behind()


def test_few_notes_are_looked_through_at_once(place: str) -> None:
    with scrubjay.open(place, config=CONFIG) as kb:
        kb.notes(TIED)
        assert behind(kb) == (False, False)


def test_the_first_full_search_follows_the_links_of_many_notes(kb: KnowledgeBase) -> None:
    assert behind(kb)[0]
    found = kb.search("thermodynamics", profile="full")
    assert [hit.document_id for hit in found.hits] == ["review", "plan"]
    assert "graph" not in [notice.stage for notice in found.notices]
    assert not behind(kb)[0]


def test_the_first_search_with_a_typo_mends_it_from_many_notes(kb: KnowledgeBase) -> None:
    assert behind(kb)[1]
    found = kb.search("thermodynamcis", profile="kb")
    assert [hit.document_id for hit in found.hits] == ["review"]
    assert not behind(kb)[1]


@pytest.mark.parametrize("look", [lambda kb: kb.links("plan"), lambda kb: kb.related("plan")])
def test_who_asks_for_links_is_given_those_of_many_notes(kb: KnowledgeBase, look) -> None:  # type: ignore[no-untyped-def]
    assert len(look(kb)) == 1


def test_what_is_owed_is_known_to_the_next_program(kb: KnowledgeBase, place: str) -> None:
    with scrubjay.open(place, config=CONFIG) as other:  # as after a kill: the first one was never closed
        assert behind(other) == (True, True)
        assert [hit.document_id for hit in other.search("thermodynamcis", profile="full").hits] == ["review", "plan"]
        assert behind(other) == (False, False)


def test_an_update_does_what_is_owed(kb: KnowledgeBase) -> None:
    kb.update()
    assert behind(kb) == (False, False)


def test_a_search_in_a_hurry_leaves_it_and_says_so(kb: KnowledgeBase) -> None:
    found = kb.search("thermodynamics", profile="full", deadline_ms=60_000)
    assert "graph" in [notice.stage for notice in found.notices]
    assert behind(kb)[0]


def test_a_search_does_not_wait_for_a_writer(kb: KnowledgeBase, place: str) -> None:
    writer = apsw.Connection(place)
    writer.execute("BEGIN IMMEDIATE")
    assert [hit.document_id for hit in kb.search("thermodynamics", profile="full").hits] == ["review"]
    assert behind(kb) == (True, True)
    writer.execute("ROLLBACK")
    assert len(kb.search("thermodynamics", profile="full").hits) == 2


def test_what_does_not_fit_into_the_time_is_left_and_told(kb: KnowledgeBase, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("scrubjay.knowledge_base.owed._PATIENCE", 0.0)
    monkeypatch.setattr("scrubjay.search.wording._PATIENCE", 0.0)
    found = kb.search("thermodynamcis", profile="full")
    assert "graph" in [notice.stage for notice in found.notices]
    assert behind(kb) == (True, True)


@pytest.mark.parametrize("collecting", [True, False])
def test_the_collector_is_as_it_was_after_notes_and_after_an_error(kb: KnowledgeBase, collecting: bool) -> None:
    before = gc.isenabled()
    try:
        (gc.enable if collecting else gc.disable)()
        kb.notes(MANY)
        with pytest.raises(DuplicateId):
            kb.notes(TIED)
        assert gc.isenabled() is collecting
    finally:
        (gc.enable if before else gc.disable)()
