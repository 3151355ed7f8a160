"""The graph that adding leaves behind: whatever comes first, whoever moves, and with no links that lie."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import scrubjay
from scrubjay.ingest.weave import weave

Write = Callable[..., Path]


@pytest.fixture
def kb(place: str) -> Iterator[scrubjay.KnowledgeBase]:
    with scrubjay.open(place) as base:
        yield base


def edges(kb: scrubjay.KnowledgeBase) -> set[tuple[str, str, str]]:
    """Source title, relation, target title: of every edge that has found its target."""
    found = set()
    for document in kb.list():
        for edge in kb.store.graph.edges_of(document.id):
            if edge.target:
                found.add((edge.source_title, edge.relation, edge.target_title))
    return found


FILES = {
    "here.md": "# Here Now\n\nSee [there](there.md) and [[Over Yonder]].\n",
    "there.md": "# There Then\n\nNothing.\n",
    "far/yonder.md": "# Over Yonder\n\nAs Here Now says.\n",
}
FOUND = {
    ("Here Now", "links", "There Then"),
    ("Here Now", "links", "Over Yonder"),
    ("Over Yonder", "mentions", "Here Now"),
}


@pytest.mark.parametrize("order", [list(FILES), list(FILES)[::-1], ["there.md", "far/yonder.md", "here.md"]])
def test_it_does_not_matter_what_comes_first(kb: scrubjay.KnowledgeBase, write: Write, order: list[str]) -> None:
    for name in order:
        kb.add(write(f"notes/{name}", FILES[name]))
    assert edges(kb) == FOUND


def test_all_at_once(kb: scrubjay.KnowledgeBase, write: Write, tmp_path: Path) -> None:
    for name, text in FILES.items():
        write(f"notes/{name}", text)
    kb.add(tmp_path / "notes")
    assert edges(kb) == FOUND


def test_a_second_run_finds_nothing_new(kb: scrubjay.KnowledgeBase, write: Write, tmp_path: Path) -> None:
    for name, text in FILES.items():
        write(f"notes/{name}", text)
    kb.add(tmp_path / "notes")
    assert weave(kb.store) == 0
    assert edges(kb) == FOUND


def test_a_link_that_was_taken_out_is_gone(kb: scrubjay.KnowledgeBase, write: Write, tmp_path: Path) -> None:
    for name, text in FILES.items():
        write(f"notes/{name}", text)
    kb.add(tmp_path / "notes")
    write("notes/here.md", "# Here Now\n\nNo links any more, in a text that is longer.\n")
    kb.update()
    assert edges(kb) == {("Over Yonder", "mentions", "Here Now")}


def test_a_target_that_goes_and_comes_back(kb: scrubjay.KnowledgeBase, write: Write, tmp_path: Path) -> None:
    for name, text in FILES.items():
        write(f"notes/{name}", text)
    kb.add(tmp_path / "notes")
    (tmp_path / "notes" / "there.md").unlink()
    kb.update()
    assert ("Here Now", "links", "There Then") not in edges(kb)
    write("notes/there.md", FILES["there.md"])
    kb.update()
    assert edges(kb) == FOUND


def test_imports_between_files(kb: scrubjay.KnowledgeBase, write: Write, tmp_path: Path) -> None:
    write("p/pkg/__init__.py", "")
    write("p/pkg/one.py", "from pkg.two import thing\n\n\ndef one():\n    return thing\n")
    write("p/pkg/two.py", "import json\n\n\nthing = json\n")
    kb.add(tmp_path / "p")
    assert edges(kb) == {("one.py", "imports", "two.py")}


def test_a_link_to_a_heading_leads_to_its_passage(kb: scrubjay.KnowledgeBase, write: Write, tmp_path: Path) -> None:
    long = "words about something else. " * 120
    write("n/a.md", "# Start Page\n\nSee [setup](b.md#how-to-set-up).\n")
    write("n/b.md", f"# Manual\n\n{long}\n\n## How to set up\n\n{long}\n")
    kb.add(tmp_path / "n")
    [source] = [document for document in kb.list() if document.title == "Start Page"]
    [edge] = [edge for edge in kb.store.graph.edges_of(source.id) if edge.source == source.id]
    [passage] = kb.get(edge.target_chunk or "").documents
    assert passage.text.startswith("## How to set up")


def test_switched_off(place: str, write: Write, tmp_path: Path) -> None:
    for name, text in FILES.items():
        write(f"notes/{name}", text)
    with scrubjay.open(place, config={"graph.enabled": False}) as kb:
        kb.add(tmp_path / "notes")
        assert edges(kb) == set()
