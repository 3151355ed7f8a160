from __future__ import annotations

import json
from typing import Any

import pytest


def test_get_shows_the_passage_with_its_surroundings(kb: Any, base: Any) -> None:
    done = kb("get", "c_1")
    assert base.asked("get") == {"lines": None, "context": 3}
    assert "before it\napt install git\nthat is all\nafter it\n" in done.out
    assert "Git › Installing" in done.out
    assert "/notes/git.md:12-13" in done.out


def test_get_numbers_the_lines_on_a_terminal(kb: Any, base: Any) -> None:
    lines = kb("get", "c_1", terminal=True, NO_COLOR="1").out.splitlines()
    assert lines[-4:] == ["11 │ before it", "12 │ apt install git", "13 │ that is all", "14 │ after it"]
    assert "\x1b[2mbefore it\x1b[0m" in kb("get", "c_1", terminal=True).out


def test_get_json_names_the_missing(kb: Any, base: Any) -> None:
    done = kb("get", "c_1", "d_nobody", "--json")
    record = json.loads(done.out)
    assert [one["id"] for one in record["documents"]] == ["c_1"]
    assert record["documents"][0]["type"] == "markdown"
    assert record["missing"] == ["d_nobody"]
    assert base.asked("get") == {"lines": None, "context": 0}


def test_get_says_what_nobody_knows(kb: Any, base: Any) -> None:
    done = kb("get", "d_nobody")
    assert (done.code, done.out) == (0, "")
    assert "d_nobody" in done.err


def test_get_lines_come_without_surroundings(kb: Any, base: Any) -> None:
    kb("get", "c_1", "--lines", "12:40")
    assert base.asked("get") == {"lines": (12, 40), "context": 0}


def test_a_zero_context_is_a_value(kb: Any, base: Any) -> None:
    kb("get", "c_1", "--context", "0")
    assert base.asked("get")["context"] == 0


def test_timeline_is_grouped_by_day(kb: Any, base: Any) -> None:
    lines = kb("timeline").out.splitlines()
    assert [line for line in lines if "2026" in line] == ["Thursday 1 January 2026", "Friday 2 January 2026"]
    assert any("First" in line and "ops" in line and "d_1" in line for line in lines)
    assert any("The first summary" in line for line in lines)


def test_a_bare_date_has_no_clock_time(kb: Any, base: Any) -> None:
    (third,) = [line for line in kb("timeline").out.splitlines() if "Third" in line]
    assert "00:00" not in third


def test_timeline_json(kb: Any, base: Any) -> None:
    record = json.loads(kb("timeline", "--json", "--since", "last week", "--limit", "5").out)
    assert set(record) == {"entries"}
    assert list(record["entries"][0]) == ["id", "created_at", "type", "tags", "title", "summary"]
    assert base.asked("timeline")["since"] == "last week"
    assert base.asked("timeline")["limit"] == 5
    assert "before" not in base.asked("timeline")


def test_timeline_around_an_anchor(kb: Any, base: Any) -> None:
    out = kb("timeline", "--anchor", "d_2", "--before", "0", "--after", "3").out
    asked = base.asked("timeline")
    assert (asked["anchor"], asked["before"], asked["after"]) == ("d_2", 0, 3)
    (marked,) = [line for line in out.splitlines() if line.startswith("▸")]
    assert "Second" in marked


@pytest.mark.parametrize("line", ["--anchor d_1 --since today", "--before 3", "--after 0"])
def test_timeline_by_dates_or_by_anchor(kb: Any, base: Any, line: str) -> None:
    done = kb("timeline", *line.split())
    assert done.code == 2
    assert base.calls == []


def test_list_shows_counts_and_sizes(kb: Any, base: Any) -> None:
    done = kb("list", "--type", "markdown", "--path", "/notes")
    first = done.out.splitlines()[0]
    for text in ("d_1", "markdown", "2.0 KB", "3 chunks", "/notes/git.md", "ops"):
        assert text in first
    assert base.asked("list") == {
        "tags": (), "kind": ("markdown",), "since": None, "until": None, "path": "/notes", "limit": None,
    }  # fmt: skip


def test_list_totals_on_a_terminal(kb: Any, base: Any) -> None:
    assert "2 documents · 4 chunks · 2.1 KB" in kb("list", terminal=True).err
    assert kb("list").err == ""


def test_list_for_programs(kb: Any, base: Any) -> None:
    rows = json.loads(kb("list", "--json").out)["documents"]
    assert (rows[0]["type"], rows[0]["chunks"], rows[1]["path"]) == ("markdown", 3, None)
    assert kb("list", "--format", "files").out == "/notes/git.md\n"
    assert kb("list", "--format", "csv").out.startswith("id,path,title,type,tags,created_at,chunks,size\n")
    assert kb("list", "--format", "md").out.startswith("| id | path |")


def test_an_empty_list_says_what_to_do(kb: Any, base: Any) -> None:
    base.documents = []
    assert "kb add" in kb("list").err
    assert "kb add" not in kb("list", "--tags", "x").err
    assert json.loads(kb("list", "--json").out) == {"documents": []}


def test_tags_are_listed_by_use(kb: Any, base: Any) -> None:
    assert kb("tags").out == "12  git\n 2  ops\n"
    assert json.loads(kb("tags", "--json").out) == {"tags": {"ops": 2, "git": 12}}
