"""What is opened is remembered, beside the base, until somebody writes."""

from __future__ import annotations

from pathlib import Path

import apsw
import pytest

import scrubjay
from scrubjay.types import Found, Passage
from scrubjay.types.memory import Life


def life(kb: scrubjay.KnowledgeBase, identity: str) -> Life:
    return kb.store.memory.facts([identity])[identity][1]


def test_a_use_is_a_line_beside_the_base(place: str) -> None:
    with scrubjay.open(place) as kb:
        note = kb.note("one", created_at="2026-01-01")
        kb.get(note)
        assert life(kb, note) == Life()
        assert Path(f"{place}-uses").read_text().split()[1] == note
    with scrubjay.open(place) as kb:
        assert kb._uses.settle() == 1
        assert life(kb, note).uses == 1
        assert not Path(f"{place}-uses").exists()
        assert kb._uses.settle() == 0


def test_a_base_in_memory_remembers_too(kb: scrubjay.KnowledgeBase) -> None:
    note = kb.note("one", created_at="2026-01-01")
    kb.get(note)
    assert kb._uses.settle() == 1
    assert life(kb, note).uses == 1


def test_nothing_is_lost_while_somebody_else_writes(place: str) -> None:
    with scrubjay.open(place) as kb:
        note = kb.note("one", created_at="2026-01-01")
        kb.get(note)
        other = apsw.Connection(place)
        other.execute("BEGIN IMMEDIATE")
        assert kb._uses.settle() == 0
        other.execute("ROLLBACK")
        assert kb._uses.settle() == 1
        assert life(kb, note).uses == 1


def test_files_are_not_followed_unless_they_say_their_kind(kb: scrubjay.KnowledgeBase, tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("# A\n\nplain\n")
    (tmp_path / "b.md").write_text("---\nmemory_type: episodic\n---\n# B\n\ntyped\n")
    kb.add(tmp_path)
    plain, typed = (document.id for document in kb.list())
    kb.get([plain, typed])
    assert kb._uses.settle() == 1
    assert (life(kb, plain).uses, life(kb, typed).uses) == (0, 1)


@pytest.mark.parametrize(
    "line", ["", "x d_1\n", "99999999999999 d_1\n", "\0\xff\n", "170000 \n", "1700000000 d_gone\n"]
)
def test_a_line_that_is_no_use_is_passed_over(place: str, line: str) -> None:
    with scrubjay.open(place) as kb:
        Path(f"{place}-uses").write_bytes(line.encode("latin-1"))
        assert kb._uses.settle() == 0


def test_who_opens_many_at_once_exports(kb: scrubjay.KnowledgeBase) -> None:
    kb.get(kb.notes({"text": f"note {number}"} for number in range(21)))
    assert kb._uses.settle() == 0


def test_an_id_that_would_not_read_back_is_left_out(kb: scrubjay.KnowledgeBase) -> None:
    odd = Passage("a b", "a b", None, "", "note", (), "", "", (1, 1), "")
    kb._uses.opened(Found((odd,), ()))
    assert kb._uses.settle() == 0
