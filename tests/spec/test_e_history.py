"""Requirement R90: what was changed, by whom and when; and what is related."""

from __future__ import annotations

import scrubjay


def test_r090_every_change_is_kept_with_its_actor_and_time(place: str) -> None:
    with scrubjay.open(place, actor="cli") as kb:
        kb.notes([{"id": "n", "text": "we chose sqlite"}])
    with scrubjay.open(place, actor="mcp") as kb:
        kb.notes([{"id": "n", "text": "we chose sqlite because one file is enough"}], replace=True)
        kb.remove("n")
        changes = kb.history("n")
    assert [(change.what, change.actor) for change in changes] == [
        ("added", "cli"),
        ("updated", "mcp"),
        ("deleted", "mcp"),
    ]
    assert all(len(change.at) == 20 and change.at.endswith("Z") for change in changes)
    assert "-we chose sqlite\n" in changes[1].diff
    assert "+we chose sqlite because one file is enough\n" in changes[1].diff


def test_r090_deleted_documents_keep_their_text(place: str) -> None:
    with scrubjay.open(place) as kb:
        kb.notes([{"id": "n", "text": "the words that were"}])
        kb.remove("n")
        assert kb.search("words").hits == ()
        assert kb.version("n", kb.history("n")[0].number) == "the words that were"


def test_r090_related_memories(kb: scrubjay.KnowledgeBase) -> None:
    kb.notes([{"id": "a", "text": "the disk was full"}, {"id": "b", "text": "the server stopped"}])
    kb.link("a", "b", "caused")
    assert [related.id for related in kb.related("a")] == ["b"]
