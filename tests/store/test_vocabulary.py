"""The words of a base as they are written: listed after every way of writing, asked by searches."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import scrubjay
from scrubjay.search.wording import words_of


def test_words_are_listed_as_they_are_written(kb: scrubjay.KnowledgeBase) -> None:
    kb.note("The installation of Databases, café and Базы; sha256 is 数据库", title="Setup")
    words = kb.store.vocabulary
    assert words.counts(["installation", "install", "databases", "setup", "café", "базы"]) == {
        "installation": 1, "databases": 1, "setup": 1, "café": 1, "базы": 1,
    }  # fmt: skip
    assert words.counts(["sha", "sha256", "数据库"]) == {}
    assert words.counts([]) == {}


def test_what_is_known_is_what_the_index_finds(kb: scrubjay.KnowledgeBase) -> None:
    kb.note("installation")
    assert kb.store.vocabulary.known(["install", "installing", "cake", "don't", '"', ""]) == {"install", "installing"}


def test_a_range_of_words_by_length(kb: scrubjay.KnowledgeBase) -> None:
    kb.note("data database databases dating")
    assert list(kb.store.vocabulary.between("data", "datb", 5, 8)) == [("database", 1)]


def test_files_are_listed_too_and_only_once(kb: scrubjay.KnowledgeBase, write: Callable[..., Path]) -> None:
    folder = write("notes/a.md", "# Title\n\nsourdough").parent
    kb.add(folder)
    kb.update()
    assert kb.store.vocabulary.counts(["sourdough"]) == {"sourdough": 1}
    write("notes/b.md", "more sourdough")
    kb.update()
    assert kb.store.vocabulary.counts(["sourdough"]) == {"sourdough": 2}
    assert kb.store.vocabulary.unread(10) == []


def test_acronyms_that_texts_explain_go_with_their_text(kb: scrubjay.KnowledgeBase) -> None:
    first = kb.note("We use Zonal Query Routing (ZQR) here.")
    kb.note("Zonal query routing (ZQR) again, and zebra quest rooms (ZQR).")
    kb.note("Zonal Query Routing (ZQR) once more.")
    assert kb.store.vocabulary.meanings(["ZQR", "ABC"]) == {"ZQR": ("zonal query routing", "zebra quest rooms")}
    kb.remove(first)
    assert "ZQR" in kb.store.vocabulary.meanings(["ZQR"])


def test_of_many_texts_a_part_is_counted() -> None:
    found = words_of(["common rare"] + ["common"] * 4000)
    assert found["rare"] >= 1
    assert found["common"] == pytest.approx(4001, rel=0.01)


@given(st.lists(st.text(max_size=60), max_size=5))
def test_any_text_can_be_listed(texts: list[str]) -> None:
    assert all(word == word.lower() and word.isalpha() and 3 <= len(word) <= 30 for word in words_of(texts))
