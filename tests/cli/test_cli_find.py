from __future__ import annotations

import csv
import io
import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scrubjay.types import Notice

_KEYS = {
    "rank", "id", "document_id", "score", "normalized", "path", "title", "type", "tags", "lines", "created_at",
    "snippet", "sources", "ranks",
}  # fmt: skip


def test_json_is_exactly_one_object_with_the_promised_keys(kb: Any, base: Any) -> None:
    base.notices = (Notice("vector", "no embedder", "install one"),)
    done = kb("search", "install", "git", "--json")
    record = json.loads(done.out)
    assert done.code == 0
    assert done.err == ""
    assert done.out.count("\n") == 1
    assert {"query", "profile", "mode", "returned", "results", "notices", "took_ms"} <= set(record)
    assert record["query"] == "install git"
    assert record["returned"] == 1
    assert record["notices"] == [{"stage": "vector", "reason": "no embedder", "remedy": "install one"}]
    (result,) = record["results"]
    assert set(result) >= _KEYS
    assert result["type"] == "markdown"
    assert result["lines"] == [12, 40]
    assert result["ranks"] == {"keyword": 2, "vector": 5, "graph": None}
    assert "explain" not in result
    assert "plan" not in record


def test_explain_adds_votes_factors_and_plan_in_order(kb: Any, base: Any) -> None:
    record = json.loads(kb("search", "x", "--json", "--explain").out)
    assert base.asked("search")["explain"] is True
    steps = record["results"][0]["explain"]
    assert [step["step"] for step in steps] == ["vote", "vote", "factor"]
    assert steps[0]["contribution"] == 0.016129
    assert steps[2] == {"step": "factor", "name": "decay", "value": 0.85, "reason": "30 days old"}
    assert record["plan"]["stages"] == ["retrieve", "fuse", "fetch"]
    assert record["plan"]["filter"]["tags"] == ["ops"]


def test_options_reach_the_search(kb: Any, base: Any) -> None:
    kb(
        "search", "a", "--top", "3", "--tags", "x,y", "--tags", "z", "--type", "pdf", "--path", "/p", "--since",
        "last week", "--until", "today", "--threshold", "0", "--profile", "full", "--rerank", "--base", "n.db",
    )  # fmt: skip
    assert base.asked("search") == {
        "top": 3, "tags": ("x", "y", "z"), "kind": ("pdf",), "path": "/p", "since": "last week", "until": "today",
        "threshold": 0.0, "profile": "full", "rerank": True, "mode": "hybrid", "explain": False,
        "deadline_ms": None, "as_of": None,
    }  # fmt: skip
    assert base.opened == [("n.db", {"create": False})]


def test_what_is_not_asked_is_left_to_the_plan(kb: Any, base: Any) -> None:
    kb("search", "a")
    asked = base.asked("search")
    assert asked["top"] is asked["threshold"] is asked["rerank"] is asked["kind"] is asked["profile"] is None
    assert asked["tags"] == ()


@pytest.mark.parametrize(("flag", "mode"), [("--fts-only", "keyword"), ("--vec-only", "vector")])
def test_one_engine_alone(kb: Any, base: Any, flag: str, mode: str) -> None:
    assert kb("search", "a", flag).code == 0
    assert base.asked("search")["mode"] == mode


def test_both_engines_alone_is_wrong_use(kb: Any, base: Any) -> None:
    done = kb("search", "a", "--fts-only", "--vec-only")
    assert (done.code, done.out) == (2, "")
    assert "exclude each other" in done.err
    assert base.calls == []


def test_json_and_another_format_are_wrong_use(kb: Any, base: Any) -> None:
    assert kb("search", "a", "--json", "--format", "csv").code == 2
    assert kb("search", "a", "--json", "--format", "json").code == 0


def test_several_types_are_passed_on(kb: Any, base: Any) -> None:
    kb("search", "a", "--type", "pdf,code")
    assert base.asked("search")["kind"] == ("pdf", "code")


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=50)
@given(st.text(st.characters(), min_size=1))
def test_any_text_is_a_safe_query(kb: Any, base: Any, query: str) -> None:
    base.calls.clear()
    done = kb("search", "--", query)
    assert done.code == 0
    (asked,) = base.given("search")
    asked.encode("utf-8")


@pytest.mark.parametrize("query", ["C++", "node.js", '"x', "a:b", "foo-bar", "NOT", "*", "(", "", "\0", "🦊", "\udce9"])
def test_the_known_traps_are_safe_queries(kb: Any, base: Any, query: str) -> None:
    assert kb("search", query).code == 0


def test_text_off_a_terminal_is_plain_and_whole(kb: Any, base: Any, make_hit: Any) -> None:
    base.hits = (make_hit(title="数据库" * 60, path="/far/away/git.md"),)
    done = kb("search", "install")
    assert done.err == ""
    assert "\x1b" not in done.out
    assert "数据库" * 60 in done.out
    assert "/far/away/git.md:12-40" in done.out
    assert "0.0315" in done.out
    assert "ops, git" in done.out
    assert "2026-01-01" in done.out
    assert "To install git, run apt install git" in done.out


def test_text_on_a_terminal_lights_the_matches(kb: Any, base: Any) -> None:
    done = kb("search", "install", terminal=True)
    assert "\x1b[1;33minstall\x1b[0m" in done.out
    assert "Git › Installing" in done.out
    assert " ago" in done.out
    assert "1 result by words and meaning in 3 ms" in done.err


@pytest.mark.parametrize("environment", [{"NO_COLOR": "1"}, {"TERM": "dumb"}])
def test_no_colour_where_it_is_not_wanted(kb: Any, base: Any, environment: dict[str, str]) -> None:
    done = kb("search", "install", terminal=True, **environment)
    assert "\x1b" not in done.out + done.err


def test_nothing_hostile_in_a_file_reaches_the_terminal(kb: Any, base: Any, make_hit: Any) -> None:
    evil = "\x1b]0;owned\x07"
    base.hits = (make_hit(title=evil, path=f"/n/{evil}.md", tags=(evil,), trail=(evil,), snippet=evil, highlights=()),)
    for terminal in (False, True):
        done = kb("search", "install", "--explain", terminal=terminal, NO_COLOR="1")
        assert "\x1b" not in done.out
        assert "\x07" not in done.out


def test_explain_draws_what_was_computed(kb: Any, base: Any) -> None:
    out = kb("search", "x", "--explain").out
    expected = ("profile kb", "retrieve 1.5 ms → fuse → fetch", "keyword  rank 2", "+ 0.016129", "decay")
    order = [out.index(text) for text in expected]
    assert order == sorted(order)
    assert "without cake" in out
    assert "× 0.85" in out
    assert "30 days old" in out
    assert "= 0.031500" in out


def test_an_empty_answer_says_why(kb: Any, base: Any) -> None:
    base.hits = ()
    done = kb("search", "instal")
    assert (done.code, done.out) == (0, "")
    assert "Nothing found for “instal”" in done.err
    assert "The filters leave 120 chunks of 40 documents" in done.err
    assert "tag ops: alone leaves 3 documents" in done.err
    assert "since 2030-01-01: alone leaves nothing" in done.err
    assert "Try: install" in done.err
    base.empty = base.empty._replace(filters=())
    assert "Searched 120 chunks of 40 documents by words" in kb("search", "instal", "--fts-only").err


def test_an_empty_answer_says_why_to_programs(kb: Any, base: Any) -> None:
    base.hits = ()
    record = json.loads(kb("search", "instal", "--json").out)
    assert record["returned"] == 0
    assert record["results"] == []
    assert record["empty"]["searched_documents"] == 40
    assert record["empty"]["filters"] == [["tag ops", 3], ["since 2030-01-01", 0]]


def test_notices_go_to_the_standard_error(kb: Any, base: Any) -> None:
    base.notices = tuple(Notice("vector", f"reason {n}", "remedy") for n in range(12))
    done = kb("search", "x")
    assert "reason" not in done.out
    assert "note vector: reason 9; remedy" in done.err
    assert "reason 10" not in done.err
    assert "2 more like these" in done.err


def test_many_alike_notices_hide_no_other(kb: Any, base: Any) -> None:
    alike = [Notice("decode", f"{n}.txt: read as cp1252", "save it as UTF-8") for n in range(200)]
    base.notices = (*alike, Notice("read", "locked.pdf is protected by a password", "add a copy without one"))
    told = kb("search", "x").err
    assert "locked.pdf is protected by a password; add a copy without one" in told
    assert told.count("cp1252") <= 10
    assert "more like these" in told


def test_what_a_file_is_called_cannot_paint_the_screen(kb: Any, base: Any) -> None:
    base.notices = (Notice("read", "\x1b[2Jevil\nname.md could not be read.", "Rename it."),)
    told = kb("search", "x").err
    assert "\x1b[2J" not in told
    assert "name.md could not be read. Rename it." in told


def test_jsonl_is_one_result_a_line(kb: Any, base: Any, make_hit: Any) -> None:
    base.hits = (make_hit(), make_hit(rank=2, id="c_2"))
    lines = kb("search", "x", "--format", "jsonl").out.splitlines()
    assert [json.loads(line)["id"] for line in lines] == ["c_1", "c_2"]


def test_csv_survives_line_ends_and_quotes(kb: Any, base: Any, make_hit: Any) -> None:
    base.hits = (make_hit(title='a "b", c', snippet="one\ntwo"),)
    (row,) = csv.DictReader(io.StringIO(kb("search", "x", "--format", "csv").out))
    assert (row["title"], row["snippet"], row["tags"], row["lines"]) == ('a "b", c', "one\ntwo", "ops, git", "12, 40")


def test_files_are_unique_and_notes_are_counted(kb: Any, base: Any, make_hit: Any) -> None:
    base.hits = (make_hit(), make_hit(rank=2, id="c_2"), make_hit(lines=(50, 60)), make_hit(path=None))
    done = kb("search", "x", "--format", "files")
    assert done.out == "/notes/git.md:12\n/notes/git.md:50\n"
    assert "1 result left out" in done.err


def test_markdown_marks_the_matches(kb: Any, base: Any) -> None:
    out = kb("search", "x", "--format", "md").out
    assert out.startswith("1. **Git › Installing** — `/notes/git.md:12-40` (0.0315)\n")
    assert "> To **install** **git**, run apt" in out


def test_a_poor_encoding_never_crashes(kb: Any, base: Any, make_hit: Any) -> None:
    base.hits = (make_hit(title="数据库 \udce9", snippet="é – ü"),)
    for format in ("text", "json", "jsonl", "csv", "md", "files"):
        for terminal in (False, True):
            done = kb("search", "x", "--format", format, "--explain", terminal=terminal, encoding="ascii")
            assert done.code == 0, done.err
    assert json.loads(kb("search", "x", "--json", encoding="ascii").out)["results"][0]["snippet"] == "é – ü"


def test_links_only_where_they_are_understood(kb: Any, base: Any) -> None:
    assert "\x1b]8;;file:///notes/git.md" in kb("search", "x", terminal=True, TERM_PROGRAM="WezTerm").out
    assert "\x1b]8;;file:///notes/git.md" in kb("search", "x", terminal=True, VTE_VERSION="7200").out
    assert "\x1b]8" not in kb("search", "x", terminal=True).out
    assert "\x1b]8" not in kb("search", "x", TERM_PROGRAM="WezTerm").out


@pytest.mark.parametrize("columns", [30, 40, 80, 200])
def test_no_line_is_wider_than_the_terminal(kb: Any, base: Any, make_hit: Any, columns: int) -> None:
    from scrubjay.cli.words import width

    base.hits = (make_hit(title="数据库" * 30, tags=("ops",), path="/a" * 60, snippet="word " * 60, highlights=()),)
    out = kb("search", "x", terminal=True, NO_COLOR="1", COLUMNS=str(columns)).out
    assert max(width(line) for line in out.splitlines() if "c_1" not in line) <= columns


def test_explain_names_the_sources_that_ran_and_did_not_find(kb: Any, base: Any, make_hit: Any) -> None:
    base.hits = (make_hit(ranks={"keyword": 2, "vector": None, "graph": None}, votes=make_hit().votes[:1]),)
    assert "not found by vector\n" in kb("search", "x", "--explain").out


def test_a_person_gets_fewer_of_the_same(kb: Any, base: Any) -> None:
    kb("search", "git", terminal=True)
    asked = base.asked("search")
    assert (asked["fold"], asked["per_document"]) == (True, 3)
    base.calls.clear()
    kb("search", "git", "--per-document", "0", terminal=True)
    assert base.asked("search")["per_document"] == 0
    base.calls.clear()
    kb("search", "git")
    assert not {"fold", "per_document"} & set(base.asked("search"))
