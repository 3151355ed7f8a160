"""Links through the library: said, found in texts, followed; and what happens to them when texts change."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import scrubjay
from scrubjay.errors import UnknownId, UsageError


@pytest.fixture
def chain(kb: scrubjay.KnowledgeBase) -> scrubjay.KnowledgeBase:
    """d_a → d_b → d_c → d_d."""
    kb.notes({"id": f"d_{name}", "title": f"Note {name}", "text": f"about {name * 3}"} for name in "abcd")
    for source, target in ("ab", "bc", "cd"):
        kb.link(f"d_{source}", f"d_{target}", "caused", strength=0.8, evidence="seen")
    return kb


def test_a_link_is_returned_and_listed_from_both_ends(chain: scrubjay.KnowledgeBase) -> None:
    edge = chain.link("d_a", "d_d", "supports", strength=0.3, evidence="a guess")
    assert (edge.source, edge.target, edge.relation, edge.strength, edge.evidence) == (
        "d_a", "d_d", "supports", 0.3, "a guess",
    )  # fmt: skip
    assert (edge.origin, edge.source_title, edge.target_title) == ("user", "Note a", "Note d")
    assert edge in chain.links("d_a")
    assert edge in chain.links("d_d")
    assert [one.relation for one in chain.links("d_d")] == ["caused", "supports"]  # the strongest first


def test_two_relations_between_two_documents_are_two_links(chain: scrubjay.KnowledgeBase) -> None:
    chain.link("d_a", "d_b", "supports")
    assert {edge.relation for edge in chain.links("d_a")} == {"caused", "supports"}
    assert chain.unlink("d_a", "d_b", "caused") == 1
    assert {edge.relation for edge in chain.links("d_a")} == {"supports"}


def test_unlink_takes_back_what_was_said_and_only_in_its_direction(chain: scrubjay.KnowledgeBase) -> None:
    assert chain.unlink("d_b", "d_a") == 0
    assert chain.unlink("d_a", "d_b") == 1
    assert chain.unlink("d_a", "d_b") == 0
    assert chain.links("d_a") == []


@pytest.mark.parametrize(
    ("source", "target", "relation", "strength", "error"),
    [
        ("d_a", "d_nobody", "caused", 1.0, UnknownId),
        ("d_nobody", "d_a", "caused", 1.0, UnknownId),
        ("d_a", "d_a", "caused", 1.0, UsageError),
        ("d_a", "d_b", "likes", 1.0, UsageError),
        ("d_a", "d_b", "caused", 1.5, UsageError),
        ("d_a", "d_b", "caused", -0.1, UsageError),
    ],
)
def test_what_makes_no_sense_is_refused_and_changes_nothing(
    chain: scrubjay.KnowledgeBase, source: str, target: str, relation: str, strength: float, error: type[Exception]
) -> None:
    before = chain.links("d_a")
    with pytest.raises(error):
        chain.link(source, target, relation, strength=strength)
    assert chain.links("d_a") == before


def test_two_passages_of_one_document_are_no_two_ends(kb: scrubjay.KnowledgeBase, write: Callable[..., Path]) -> None:
    text = "\n\n".join(f"# Part {number}\n\n" + "words and more words " * 120 for number in range(3))
    kb.add(write("long.md", text))
    chunks = kb.search("words", top=3).hits
    assert len({hit.id for hit in chunks}) > 1
    with pytest.raises(UsageError, match="one document"):
        kb.link(chunks[0].id, chunks[1].id, "supports")


def test_a_passage_can_be_linked_and_its_document_knows(
    chain: scrubjay.KnowledgeBase, write: Callable[..., Path]
) -> None:
    chain.add(write("git.md", "# Git\n\ninstall git\n"))
    passage = chain.search("install git").hits[0]
    edge = chain.link(passage.id, "d_a", "derived_from")
    assert (edge.source_chunk, edge.target_chunk) == (passage.id, None)
    assert edge in chain.links(passage.document_id)


def test_related_are_the_near_ones_first_with_the_way(chain: scrubjay.KnowledgeBase) -> None:
    near = chain.related("d_a")
    assert [one.id for one in near] == ["d_b", "d_c"]  # two links far, no more
    assert near[0].score == 1.0
    assert near[0].score > near[1].score > 0
    assert near[0].why == "Note a → caused → Note b"
    assert near[1].why == "Note a → caused → Note b → caused → Note c"
    assert len(chain.related("d_b", top=1)) == 1
    assert chain.related("d_b")[0].why.startswith("Note b → ")


def test_further_with_more_hops(place: str) -> None:
    with scrubjay.open(place, config={"graph.hops": 3}) as kb:
        kb.notes({"id": f"d_{name}", "text": f"about {name * 3}"} for name in "abcd")
        for source, target in ("ab", "bc", "cd"):
            kb.link(f"d_{source}", f"d_{target}", "caused")
        assert [one.id for one in kb.related("d_a")] == ["d_b", "d_c", "d_d"]


def test_a_document_without_links_has_no_relations(chain: scrubjay.KnowledgeBase) -> None:
    alone = chain.note("alone")
    assert (chain.related(alone), chain.links(alone)) == ((), [])
    with pytest.raises(UnknownId):
        chain.related("d_nobody")


def test_what_a_person_said_outlives_a_change_of_the_text(
    kb: scrubjay.KnowledgeBase, write: Callable[..., Path]
) -> None:
    folder = write("notes/a.md", "# A\n\nfirst words\n").parent
    write("notes/b.md", "# B\n\nother words\n")
    kb.add(folder)
    a, b = sorted(kb.list(), key=lambda document: str(document.path))
    kb.link(a.id, b.id, "supersedes")
    write("notes/a.md", "# A\n\nquite different now\n")
    kb.update()
    assert [(edge.relation, edge.target) for edge in kb.links(a.id)] == [("supersedes", b.id)]
    (folder / "b.md").unlink()
    kb.update()
    assert kb.links(a.id) == []


def test_links_in_a_text_come_and_go_with_it(kb: scrubjay.KnowledgeBase, write: Callable[..., Path]) -> None:
    folder = write("notes/a.md", "# A\n\nsee [the other](b.md) and [nobody](c.md)\n").parent
    write("notes/b.md", "# B\n\nother words\n")
    kb.add(folder)
    a, b = sorted(kb.list(), key=lambda document: str(document.path))
    links = kb.links(a.id)
    assert [(edge.relation, edge.origin, edge.target) for edge in links] == [
        ("links", "link", b.id),
        ("links", "link", None),  # what leads nowhere yet comes last
    ]
    assert kb.unlink(a.id, b.id) == 0  # it stands in the text
    write("notes/c.md", "# C\n\nnow it is there\n")
    kb.update()
    assert all(edge.target for edge in kb.links(a.id))
    write("notes/a.md", "# A\n\nno more links\n")
    kb.update()
    assert kb.links(a.id) == []


def test_in_profile_full_a_link_brings_what_no_word_would(place: str) -> None:
    with scrubjay.open(place) as kb:
        kb.notes(
            [
                {"id": "d_cause", "title": "Outage", "text": "the website was unreachable on Sunday"},
                {"id": "d_reason", "title": "Cable", "text": "an excavator cut the fibre"},
                *({"text": f"nothing of importance {number}"} for number in range(20)),
            ]
        )
        assert [hit.document_id for hit in kb.search("website unreachable", profile="full").hits] == ["d_cause"]
        kb.link("d_reason", "d_cause", "caused")
        hits = {hit.document_id: hit for hit in kb.search("why was the website unreachable", profile="full").hits}
        assert hits["d_reason"].sources == ("graph",)
        assert hits["d_reason"].ranks["graph"] is not None
        assert "graph" not in {source for hit in kb.search("website unreachable").hits for source in hit.sources}


def test_a_document_asked_for_by_its_title_is_not_outvoted_by_two_that_are_linked(place: str) -> None:
    with scrubjay.open(place) as kb:
        kb.notes(
            [
                {"id": "d_known", "title": "Vietnamese Prodigy", "text": "a record of the year 2015"},
                {"id": "d_one", "title": "Piano", "text": "a prodigy at the piano, like many before"},
                {"id": "d_two", "title": "Chess", "text": "a prodigy at chess, like many before"},
                *({"text": f"nothing of importance {number}"} for number in range(20)),
            ]
        )
        kb.link("d_one", "d_two", "supports")
        for profile in ("kb", "full"):
            assert kb.search("vietnamese prodigy", profile=profile).hits[0].document_id == "d_known"
        assert kb.search("prodigy at", profile="full").hits[0].document_id in ("d_one", "d_two")
