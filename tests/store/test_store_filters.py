"""A filter's array: the same however it is read, kept while the file is unchanged and no longer."""

from __future__ import annotations

import sys

import pytest

import scrubjay
from scrubjay.store.sqlite import filters
from scrubjay.types import Filter

OPS = Filter(tags=("ops",))


def test_the_same_with_and_without_numpy(kb: scrubjay.KnowledgeBase, monkeypatch: pytest.MonkeyPatch) -> None:
    kb.notes({"text": f"note {n}", "tags": ["ops"] if n % 3 else ["other"]} for n in range(400))
    connection = kb.store._connection  # type: ignore[attr-defined]
    fast = filters.allowed(connection, OPS)
    monkeypatch.delitem(sys.modules, "numpy")
    plain = filters.allowed(connection, OPS)
    assert fast == plain
    assert plain is not None
    assert list(plain) == [n + 1 for n in range(400) if n % 3]
    assert list(filters.allowed(connection, Filter(tags=("nothing",))) or ()) == []
    assert filters.allowed(connection, Filter()) is None


def test_an_array_is_kept_until_somebody_writes(place: str) -> None:
    with scrubjay.open(place) as kb, scrubjay.open(place) as other:
        first = kb.note("git", tags="ops")
        allowed = kb.store.allowed
        assert len(allowed(OPS)) == 1
        assert allowed(OPS) is allowed(OPS)
        kb.note("log", tags="ops")
        assert len(allowed(OPS)) == 2
        other.note("push", tags="ops")
        assert len(allowed(OPS)) == 3
        other.tag(first, remove="ops")
        assert len(allowed(OPS)) == 2
        assert [len(kb.search("git log push", tags="ops", mode=mode).hits) for mode in ("keyword", "hybrid")] == [2, 2]


def test_an_array_read_inside_a_transaction_is_not_kept(place: str) -> None:
    with scrubjay.open(place) as kb:
        kb.note("git", tags="ops")

        def change_of_mind() -> None:
            with kb.store.writing():
                kb.note("log", tags="ops")
                assert len(kb.store.allowed(OPS)) == 2
                raise RuntimeError

        with pytest.raises(RuntimeError):
            change_of_mind()
        assert len(kb.store.allowed(OPS)) == 1


def test_only_a_few_are_kept(kb: scrubjay.KnowledgeBase) -> None:
    kb.note("git", tags="ops")
    for n in range(40):
        assert len(kb.store.allowed(Filter(tags=(f"t{n}",)))) == 0
    assert len(kb.store._filters._known) <= 9  # type: ignore[attr-defined]
    assert len(kb.store.allowed(OPS)) == 1
