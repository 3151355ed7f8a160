from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.errors import UsageError
from scrubjay.memory.kinds import MEMORY_KINDS, half_life, infer, kind

NAMES = {row.name for row in MEMORY_KINDS}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("How to restore the backup: step 1 stop the server", "procedural"),
        ("Yesterday we met the customer. The meeting was short.", "episodic"),
        ("TODO: remind me to call the bank", "prospective"),
        ("I prefer tabs; my favourite editor is vim", "implicit"),
        ("Currently working on the parser, in progress", "working"),
        ("RRF stands for reciprocal rank fusion", "semantic"),
        ("I was born in Graz and grew up in Linz", "autobiographical"),
        ("Always remember the source. Never forget the date.", "meta-cognitive"),
        ("The port is 5432.", "declarative"),
        ("", "declarative"),
    ],
)
def test_a_text_shows_its_kind(text: str, expected: str) -> None:
    found = infer(text)
    assert found.kind == expected
    assert found.source == ("default" if expected == "declarative" else "text")


def test_the_surest_sign_wins_and_is_named() -> None:
    text, path, tags = "TODO: remind me", "journal/2026-01-01.md", ("glossary",)
    meta = {"memory_type": "Procedural"}
    assert infer(text, given="working", path=path, tags=tags, metadata=meta)[:2] == ("working", "given")
    assert infer(text, path=path, tags=tags, metadata=meta)[:2] == ("procedural", "metadata")
    assert infer(text, path=path, tags=tags)[:2] == ("semantic", "tags")
    assert infer(text, path=path)[:2] == ("episodic", "path")
    assert infer(text)[:2] == ("prospective", "text")


def test_what_metadata_does_not_know_is_passed_over() -> None:
    assert infer("", metadata={"memory_type": "nonsense", "memory": None}).source == "default"
    assert infer("", path="project/todo.md").kind == "prospective"
    assert infer("", path="a\\runbooks\\x.md").kind == "procedural"


def test_an_unknown_kind_names_all() -> None:
    with pytest.raises(UsageError) as caught:
        kind("eternal")
    assert all(name in caught.value.cure for name in NAMES)
    assert half_life("META_cognitive") is None


@given(st.text(max_size=80))
def test_any_text_has_a_kind(text: str) -> None:
    assert infer(text).kind in NAMES
