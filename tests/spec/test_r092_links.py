"""R92 through the library and the command line, to the file and back."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

import scrubjay
from scrubjay.errors import UsageError

SIX = ("caused", "enabled", "supersedes", "contradicts", "derived_from", "supports")


def test_r092_six_relations_end_to_end(run: Callable[..., Any], place: str) -> None:
    with scrubjay.open(place) as kb:
        a, b = kb.note("The disk was full"), kb.note("The backup failed")
    for relation in SIX:
        assert run("link", a, b, "--relation", relation).code == 0
    with scrubjay.open(place) as kb:
        assert {edge.relation for edge in kb.links(a)} == set(SIX)


def test_r092_unknown_relation_is_an_error(run: Callable[..., Any], kb: scrubjay.KnowledgeBase) -> None:
    a, b = kb.note("one"), kb.note("two")
    with pytest.raises(UsageError, match="likes"):
        kb.link(a, b, "likes")
    done = run("link", a, b, "--relation", "likes")
    assert done.code == 2
    assert "likes" in done.err
    assert "caused" in done.err


def test_r092_strength_is_from_0_to_1(run: Callable[..., Any]) -> None:
    a, b = (run("note", text).out.strip() for text in ("one", "two"))
    done = run("link", a, b, "--relation", "caused", "--strength", "1.5")
    assert done.code == 2
    assert "1.5" in done.err
    for strength in ("0", "1"):
        assert run("link", a, b, "--relation", "caused", "--strength", strength).code == 0


def test_r092_no_loop_on_itself(run: Callable[..., Any]) -> None:
    a = run("note", "one").out.strip()
    done = run("link", a, a, "--relation", "caused")
    assert done.code == 2
    assert "itself" in done.err


def test_r092_the_same_link_again_is_updated(run: Callable[..., Any]) -> None:
    a, b = (run("note", text).out.strip() for text in ("one", "two"))
    run("link", a, b, "--relation", "caused", "--strength", "0.4", "--evidence", "guess")
    run("link", a, b, "--relation", "caused", "--strength", "0.9", "--evidence", "measured")
    run("link", a, b, "--relation", "supports")
    links = json.loads(run("links", a, "--json").out)["links"]
    assert [(one["relation"], one["strength"], one["evidence"]) for one in links] == [
        ("supports", 1.0, ""), ("caused", 0.9, "measured"),
    ]  # fmt: skip
