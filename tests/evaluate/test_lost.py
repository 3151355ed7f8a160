"""Where a wanted document was lost, one test a stage."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import scrubjay
from fakes import Fixed
from scrubjay.errors import UnknownId
from scrubjay.evaluate.lost import Step, Trace


@pytest.fixture
def kb(place: str) -> Iterator[scrubjay.KnowledgeBase]:
    """Git and cake mean the same here; pie means something else."""
    embedder = Fixed({"git": [1, 0], "cake": [0.9, 0.1], "pie": [0, 1]}, other=[0.6, 0.8])
    with scrubjay.open(place, embedder=embedder, config={"search.minimum_pool": 30}) as base:
        base.notes([
            {"id": "git", "text": "how to install git", "title": "Git", "tags": ["ops"], "created_at": "2026-01-01"},
            {"id": "cake", "text": "a cake with eggs", "title": "Cake", "created_at": "2026-02-01"},
            {"id": "pie", "text": "a pie with apples", "title": "Pie"},
        ])  # fmt: skip
        yield base


def step(found: Trace, stage: str) -> Step:
    return next(step for step in found.steps if step.stage == stage)


def test_what_was_found_is_said_with_its_place(kb: scrubjay.KnowledgeBase) -> None:
    found = kb.trace("install git", "git")
    assert (found.rank, found.lost_at) == (1, None)
    assert [step.stage for step in found.steps] == ["keyword", "vector", "fuse", "top"]
    assert step(found, "keyword").detail.startswith("rank 1 of 1")


@pytest.mark.parametrize(
    ("asked", "told", "cure"),
    [
        ({"tags": "ops"}, "tag ops leaves it out: its tags: none", "kb tag cake +ops"),
        ({"kind": "pdf"}, "type pdf leaves it out: it is note", "--type note"),
        ({"path": "/notes"}, "path /notes leaves it out: it is a note, in no folder", "--path"),
        ({"since": "2026-03-01"}, "since 2026-03-01 leaves it out: it is of 2026-02-01", "--since"),
        ({"until": "2026-01-15"}, "until 2026-01-15 leaves it out", "--until"),
    ],
)
def test_a_filter_left_it_out(kb: scrubjay.KnowledgeBase, asked: dict[str, Any], told: str, cure: str) -> None:
    lost = kb.trace("cake", "cake", **asked).lost_at
    assert lost is not None
    assert lost.stage == "filter"
    assert told in lost.detail
    assert cure in lost.cure


def test_an_excluded_word_left_it_out(kb: scrubjay.KnowledgeBase) -> None:
    lost = kb.trace("cake -eggs", "cake").lost_at
    assert lost is not None
    assert (lost.stage, lost.detail) == ("filter", "-eggs leaves it out: it contains it.")


def test_the_words_that_are_not_in_it_are_named(kb: scrubjay.KnowledgeBase) -> None:
    found = kb.trace("install eggs quickly", "cake")
    assert found.rank is not None
    assert "without install, quickly" in step(found, "keyword").detail
    none = step(kb.trace("pomegranate", "pie"), "keyword")
    assert (none.passed, "pomegranate" in none.detail) == (None, True)


def test_what_was_mended_is_told(kb: scrubjay.KnowledgeBase) -> None:
    kb.note("the database keeps its pages", id="store")
    mended = step(kb.trace("databse", "store"), "expand")
    assert (mended.passed, mended.detail) == (None, "Searched database for databse.")
    assert "+databse" in mended.cure


def test_without_a_source_that_has_it(kb: scrubjay.KnowledgeBase) -> None:
    lost = kb.trace("install git", "pie", mode="keyword").lost_at
    assert lost is not None
    assert lost.stage == "fuse"


def test_beyond_the_pool(place: str) -> None:
    with scrubjay.open(place, config={"search.minimum_pool": 30}) as kb:
        kb.notes({"text": "git git", "title": f"About {n}"} for n in range(40))
        last = kb.note("git " + "and much else that has nothing to do with it " * 5)
        found = kb.trace("git", last)
        assert "rank 41 of 41" in step(found, "keyword").detail
        assert "beyond the 30" in step(found, "keyword").detail
        assert found.lost_at is not None
        assert "search.minimum_pool 41" in found.lost_at.cure


def test_below_the_cut(kb: scrubjay.KnowledgeBase) -> None:
    lost = kb.trace("git", "pie", top=1).lost_at
    assert lost is not None
    assert (lost.stage, lost.cure) == ("top", "Use --top 3.")


def test_below_the_floor_and_below_the_threshold(kb: scrubjay.KnowledgeBase) -> None:
    lost = kb.trace("git", "pie", profile="memory").lost_at
    assert lost is not None
    assert (lost.stage, "0.1" in lost.detail) == ("floor", True)
    lost = kb.trace("git", "cake", threshold=0.017).lost_at
    assert lost is not None
    assert lost.stage == "threshold"


def test_the_target_may_be_a_path_or_a_passage(kb: scrubjay.KnowledgeBase, write: Callable[..., Any]) -> None:
    path = write("notes/git.md", "# Setup\n\nhow to install git\n")
    kb.add(path)
    assert kb.trace("install git", path).path == str(path)
    chunk = kb.search("install git").hits[0].id
    assert kb.trace("install git", chunk).rank == 1
    with pytest.raises(UnknownId, match="kb add"):
        kb.trace("git", "/nowhere.md")


def test_on_the_command_line(place: str, run: Callable[..., Any]) -> None:
    with scrubjay.open(place) as kb:
        kb.note("a cake with eggs", id="cake", title="Cake")
    done = run("explain", "install", "git", "--target", "cake")
    assert done.code == 0
    assert done.out.startswith("“Cake” was lost at fuse: No source has it among its 100 best.\n")
    record = json.loads(run("explain", "cake", "--target", "cake", "--json").out)
    assert (record["rank"], record["lost_at"], record["steps"][0]["stage"]) == (1, None, "keyword")
    assert run("explain", "cake", "--target", "pie").code == 1
    assert run("explain", "cake").code == 2
