"""R79 and R86 in whole searches: typos are mended, acronyms written out, and it is told."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import scrubjay
from fakes import Fixed

TEXTS = (
    "the database keeps its rows in pages",
    "install git with apt and test the app",
    "rank lists are merged by reciprocal rank fusion",
    "def user_authentication_flow(): return parseRequest()",
    "我们的数据库设计文档",
    "docker runs containers",
)


@pytest.fixture
def base(kb: scrubjay.KnowledgeBase) -> scrubjay.KnowledgeBase:
    kb.notes([{"text": text} for text in TEXTS])
    return kb


def first(found: scrubjay.SearchResult) -> str:
    return found.hits[0].snippet if found.hits else ""


def changes(found: scrubjay.SearchResult) -> list[tuple[str, str]]:
    return [(change.typed, change.searched) for change in found.plan.changes]


def test_r079_a_typo_is_mended_and_told(base: scrubjay.KnowledgeBase) -> None:
    found = base.search("databse", profile="full")
    assert first(found).startswith("the database")
    (notice,) = [notice for notice in found.notices if notice.stage == "expand"]
    assert notice.reason == "Searched for database (you typed databse)."
    assert "+databse" in notice.remedy
    assert [found.hits[0].snippet[start:end] for start, end in found.hits[0].highlights] == ["database"]


def test_r079_on_the_command_line(run: Callable[..., Any]) -> None:
    run("note", "the database keeps its rows")
    done = run("search", "databse", "--profile", "full")
    assert "Searched for database (you typed databse)" in done.err
    record = json.loads(run("search", "databse", "--profile", "full", "--json", "--explain").out)
    assert record["returned"] == 1
    assert record["plan"]["changes"][0] == {"typed": "databse", "searched": "database", "why": "typo", "origin": ""}
    assert record["plan"]["stages"][:3] == ["plan", "expand", "retrieve"]
    assert "databse → database" in run("search", "databse", "--profile", "full", "--explain").out


@pytest.mark.parametrize("query", ["+databse", '"databse"', "databs*"])
def test_r079_a_sign_forbids_it(base: scrubjay.KnowledgeBase, query: str) -> None:
    found = base.search(query, profile="full")
    assert found.plan.changes == ()
    assert all(notice.stage != "expand" for notice in found.notices)


@pytest.mark.parametrize("query", ["git", "test", "app", "install git", "数据库", "数据厍", "gut"])
def test_r079_what_is_known_short_or_chinese_stays(base: scrubjay.KnowledgeBase, query: str) -> None:
    assert base.search(query, profile="full").plan.changes == ()


def test_r079_rrf_adds_reciprocal_rank_fusion(base: scrubjay.KnowledgeBase) -> None:
    found = base.search("RRF", profile="full")
    assert changes(found) == [("RRF", "reciprocal rank fusion")]
    assert "fusion" in first(found)


def test_r079_identifiers_are_mended_in_their_parts(base: scrubjay.KnowledgeBase) -> None:
    found = base.search("user_authentcation_flow", profile="full")
    assert found.plan.words.text == "user_authentication_flow"
    assert "user_authentication_flow" in first(found)


def test_r079_an_exact_match_never_ranks_below_a_mended_one(base: scrubjay.KnowledgeBase) -> None:
    base.note("databse is how the old team wrote it")
    found = base.search("databse", profile="full")
    assert found.plan.changes == ()
    assert first(found).startswith("databse")


def test_r079_a_word_that_was_deleted_is_nobodys_meaning(base: scrubjay.KnowledgeBase) -> None:
    gone = base.note("zeppelin")
    base.remove(gone)
    assert base.search("zepelin", profile="full").plan.changes == ()


def test_r079_the_vector_is_of_the_mended_words() -> None:
    embedder = Fixed({"database": [1.0, 0.0]}, [0.0, 1.0])
    with scrubjay.open(":memory:", embedder=embedder) as kb:
        kb.note("the database")
        kb.search("databse", profile="full")
    assert embedder.queries() == ["database"]


def test_r079_own_acronyms_from_the_settings(write: Callable[..., Path], monkeypatch: pytest.MonkeyPatch) -> None:
    own = '[acronyms]\nZQR = ["zonal query routing", "zebra quest rooms"]\nTLA = "x y"\n'
    write("config/scrubjay/config.toml", own)
    with scrubjay.open(":memory:") as kb:
        assert kb.config.table("acronyms")["ZQR"] == "zonal query routing; zebra quest rooms"
        kb.note("how zonal query routing works")
        found = kb.search("zqr", profile="full")
    assert changes(found) == [("zqr", "zonal query routing"), ("zqr", "zebra quest rooms")]
    assert "zonal" in first(found)
    monkeypatch.setenv("KB_ACRONYMS", "ZQR=zany quick rabbit")
    with scrubjay.open(":memory:") as kb:
        assert kb.config.table("acronyms") == {"ZQR": "zany quick rabbit", "TLA": "x y"}


def test_r079_acronyms_that_the_texts_explain_bring_more_below(base: scrubjay.KnowledgeBase) -> None:
    base.notes([{"text": "Zonal Query Routing (ZQR) is ours."}, {"text": "on zonal query routing, without letters"}])
    found = base.search("ZQR", profile="full")
    assert [hit.snippet[:5] for hit in found.hits] == ["Zonal", "on zo"]
    assert found.hits[1].votes[0].note == "by what an acronym stands for"
    assert found.hits[0].votes[0].score > found.hits[1].votes[0].score


def test_r086_enable_fuzzy_match_removes_its_stage(
    base: scrubjay.KnowledgeBase, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "expand" in base.search("databse", profile="full").plan.stages
    monkeypatch.setenv("ENABLE_FUZZY_MATCH", "false")
    with scrubjay.open(":memory:") as kb:
        kb.note("the database")
        found = kb.search("databse RRF", profile="full")
        assert "expand" not in found.plan.stages
        assert "expand" not in found.timings
        assert found.plan.changes == ()
    monkeypatch.setenv("ENABLE_FUZZY_MATCH", "perhaps")
    with scrubjay.open(":memory:") as kb:
        assert kb.config.get("expand.enabled") is True
        assert any("ENABLE_FUZZY_MATCH" in notice.reason for notice in kb.config.notices)


def test_r026_r027_hold_where_kb_mends_typos(base: scrubjay.KnowledgeBase) -> None:
    mended = base.search("databse rows")
    assert changes(mended) == [("databse", "database")]
    assert changes(base.search("databse")) == [("databse", "database")], "nothing at all was found by it"
    parts = base.search("ocker")
    assert (parts.plan.changes, parts.tier) == ((), "like"), "parts of words come first"
    assert first(parts).startswith("docker")
    assert base.search("RRF").plan.changes == ()


def test_r012_r017_the_weighted_profile_mends_nothing(base: scrubjay.KnowledgeBase) -> None:
    assert "expand" not in base.search("databse rows", profile="memory").plan.stages
