"""Saved searches: what is added later and matches is reported, once, to one."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import scrubjay
from fakes import Failing, Fixed
from scrubjay.errors import DuplicateId, UnknownId, UsageError
from scrubjay.search.covering import enough, share
from scrubjay.search.parse import parse

Run = Callable[..., Any]
Write = Callable[..., Path]


def names(kb: scrubjay.KnowledgeBase) -> list[tuple[str, str]]:
    return [(match.alert, match.document_id) for match in kb.alerts_due()]


@pytest.mark.parametrize(
    ("query", "text", "matches"),
    [
        ("sqlite release", "a new release of SQLite is out", True),
        ("sqlite releases", "SQLite was released", True),
        ("sqlite release", "a release of postgres", False),
        ("the sqlite", "sqlite", True),
        ("the", "the end", True),
        ("one two three four", "one two three", True),
        ("one two three four", "one two", False),
        ('"write ahead log"', "the write ahead log grows", True),
        ('"write ahead log"', "ahead of a write to the log", False),
        ("data*", "the databases", True),
        ("数据库", "我们的数据库设计文档", True),
        ("数据库", "我们的设计文档", False),
        ("node.js", "it runs on node.js here", True),
        ("node.js", "a node in some js", False),
        ("", "anything", False),
    ],
)
def test_a_passage_matches_when_it_has_the_words(
    kb: scrubjay.KnowledgeBase, query: str, text: str, matches: bool
) -> None:
    words = parse(query)
    assert enough(words, share(words, text, kb.store.tokens)) is matches


def test_what_is_added_later_is_reported_once(kb: scrubjay.KnowledgeBase) -> None:
    kb.note("sqlite has a release", id="before")
    kb.alert("sqlite release")
    assert names(kb) == []
    kb.note("the release of sqlite 4", id="yes")
    kb.note("the release of postgres 20", id="no")
    assert names(kb) == [("sqlite release", "yes")]
    assert names(kb) == []
    kb.notes([{"id": "yes", "text": "the release of sqlite 4.1"}], replace=True)
    assert names(kb) == [("sqlite release", "yes")]  # its text is new
    kb.tag("yes", add=["x"])
    assert names(kb) == []


def test_files_that_come_and_change_are_looked_at(place: str, write: Write, tmp_path: Path) -> None:
    write("notes/a.md", "# Alpha\n\nnothing yet\n")
    with scrubjay.open(place) as kb:
        kb.add(tmp_path / "notes")
        kb.alert("lamp", name="lamps", path=str(tmp_path / "notes"))
        write("notes/b.md", "# Beta\n\na lamp of brass\n")
        kb.update()
        [match] = kb.alerts_due()
        assert (match.alert, match.title, match.path) == ("lamps", "Beta", str(tmp_path / "notes" / "b.md"))
        assert "lamp of brass" in match.snippet
        write("notes/a.md", "# Alpha\n\nnothing yet but a lamp\n")
        kb.update()
        assert [found.title for found in kb.alerts_due()] == ["Alpha"]


def test_filters_hold(kb: scrubjay.KnowledgeBase) -> None:
    kb.alert("git", name="ops only", tags="ops")
    kb.alert("git", name="code only", kind="code")
    kb.notes([{"text": "git push", "id": "a", "tags": ["ops"]}, {"text": "git pull", "id": "b", "kind": "code"}])
    assert sorted(names(kb)) == [("code only", "b"), ("ops only", "a")]


def test_one_document_is_one_find_however_many_passages(kb: scrubjay.KnowledgeBase) -> None:
    kb.alert("lamp")
    kb.note("".join(f"# Part {n}\n\nthe lamp {'shines ' * 200}\n\n" for n in range(6)), id="long")
    assert names(kb) == [("lamp", "long")]
    assert kb.alerts()[0].found > 3


def test_meaning_alone_can_match(place: str) -> None:
    embedder = Fixed({"lamp": [1, 0], "light": [0.9, 0.436], "door": [0, 1]}, [0.5, 0.866])
    with scrubjay.open(place, embedder=embedder) as kb:
        kb.alert("lamp", name="near", similar=0.8)
        kb.alert("lamp", name="words")
        kb.notes([{"id": "light", "text": "a light"}, {"id": "door", "text": "a door"}])
        [match] = kb.alerts_due()
        assert (match.alert, match.document_id, match.share) == ("near", "light", None)
        assert match.similarity == pytest.approx(0.9, abs=1e-3)


def test_what_waits_for_its_vector_is_looked_at_when_it_has_one(place: str) -> None:
    down = True
    broken = Failing(lambda role, text: down)
    with scrubjay.open(place, embedder=broken) as kb:
        kb.alert("lamp", name="near", similar=0.8)
        kb.note("a light", id="light")
        assert names(kb) == []
        down = False
        kb.update()
        assert names(kb) == [("near", "light")]


def test_a_broken_embedder_does_not_hide_what_the_words_say(place: str) -> None:
    with scrubjay.open(place, embedder=Failing(lambda role, text: True)) as kb:
        kb.alert("lamp", similar=0.8)
        kb.note("a lamp", id="lamp")
        assert names(kb) == [("lamp", "lamp")]
        assert names(kb) == []


def test_two_that_ask_get_each_find_once(place: str) -> None:
    with scrubjay.open(place) as one, scrubjay.open(place) as two:
        one.alert("lamp")
        two.note("a lamp")
        assert len(one.alerts_due()) + len(two.alerts_due()) == 1


def test_names_are_unique_and_known(kb: scrubjay.KnowledgeBase) -> None:
    kb.alert("lamp", name="L")
    with pytest.raises(DuplicateId):
        kb.alert("other", name="l")
    with pytest.raises(UnknownId, match="nobody"):
        kb.remove_alert("nobody")
    with pytest.raises(UsageError):
        kb.alert(" ")
    with pytest.raises(UsageError):
        kb.alert("lamp", name="s", similar=1.5)
    kb.remove_alert("L")
    kb.note("a lamp")
    assert kb.alerts() == []


def test_the_users_command_gets_each_find_as_json(place: str, tmp_path: Path) -> None:
    out = tmp_path / "out file.jsonl"
    program = tmp_path / "take.py"
    program.write_text("import sys; open(sys.argv[1], 'ab').write(sys.stdin.buffer.read() + b'\\n')")
    command = f"'{sys.executable}' '{program}' '{out}'"
    with scrubjay.open(place, config={"alerts.command": command}) as kb:
        kb.alert("lamp")
        kb.notes([{"id": "ä", "text": "a lämp; $(touch x) lamp"}, {"id": "b", "text": "no"}])
        assert names(kb) == []
    [told] = [json.loads(line) for line in out.read_text("utf-8").splitlines()]
    assert (told["alert"], told["document_id"], told["type"]) == ("lamp", "ä", "note")
    assert not (tmp_path / "x").exists()


def test_a_command_that_fails_loses_nothing(place: str, write: Write, tmp_path: Path) -> None:
    write("notes/a.md", "a lamp\n")
    with scrubjay.open(place, config={"alerts.command": "/no/such/program"}) as kb:
        kb.alert("lamp")
        report = kb.add(tmp_path / "notes")
        assert "alerts.command failed" in report.notices[0].reason
    with scrubjay.open(place) as kb:
        assert len(kb.alerts_due()) == 1


def test_f022_a_projects_file_may_not_set_the_command(tmp_path: Path) -> None:
    folder = tmp_path / "project" / ".kb"
    folder.mkdir(parents=True)
    (folder / "config.toml").write_text('[alerts]\ncommand = "rm -rf ."\n')
    with scrubjay.open(folder / "kb.db") as kb:
        assert kb.config.get("alerts.command") == ""
        assert "alerts.command" in kb.config.notices[0].reason


def test_saved_searches_travel_with_an_export(place: str, tmp_path: Path) -> None:
    with scrubjay.open(place) as kb:
        kb.alert("lamp", name="L", tags="home")
        kb.note("a lamp", tags=["home"], id="a")
        kb.export(tmp_path / "x.jsonl")
    with scrubjay.open(tmp_path / "new.db") as kb:
        assert kb.import_(tmp_path / "x.jsonl").rows == 2
        assert [(alert.name, alert.filters, alert.due) for alert in kb.alerts()] == [("L", {"tags": ["home"]}, 1)]
        kb.note("another lamp", tags=["home"], id="b")
        assert names(kb) == [("L", "a"), ("L", "b")]
        assert kb.import_(tmp_path / "x.jsonl").rows == 0


def test_kb_alert(run: Run) -> None:
    assert "Saved as lamp of brass" in run("alert", "add", "lamp", "of", "brass").out
    assert json.loads(run("alert", "add", "door", "--name", "doors", "--tags", "home", "--json").out)["name"] == "doors"
    assert run("alert", "add", "door", "--name", "doors").code == 1
    run("note", "a lamp made of brass")
    run("note", "a door", "--tags", "home")
    assert "1 new" in run("alert").out
    assert len(json.loads(run("alert", "list", "--json").out)["alerts"]) == 2
    lines = [json.loads(line) for line in run("alert", "check", "--format", "jsonl").out.splitlines()]
    assert {line["alert"] for line in lines} == {"lamp of brass", "doors"}
    assert json.loads(run("alert", "check", "--json").out) == {"matches": []}
    assert "Nothing new" in run("alert", "check").err
    assert run("alert", "remove", "doors").code == 0
    assert run("alert", "remove", "doors").code == 1
    assert run("alert", "remove").code == 2
    assert "Did you mean `kb alert check`" in run("alert", "chek").err
    assert run("alert", "check", "--similar", "0.5").code == 2
