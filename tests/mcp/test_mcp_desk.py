"""The base behind the server may be missing, made, replaced, locked or newer: each is told rightly."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import apsw
import pytest

import scrubjay
from fakes import Fixed
from scrubjay.errors import BaseLocked
from scrubjay.mcp.answers import Answer
from scrubjay.mcp.desk import Desk

Call = Callable[..., Answer]


def test_remember_makes_the_base_and_reading_does_not(call: Call, place: str) -> None:
    assert call("search_memories", query="git").failed
    assert not os.path.exists(place)
    assert not call("remember", text="git").failed
    assert call("search_memories", query="git").data["returned"] == 1


def test_a_base_that_is_made_later_is_found(call: Call, place: str) -> None:
    assert "There is no base" in call("memory_status").text
    with scrubjay.open(place) as kb:
        kb.note("git")
    assert call("memory_status").data["documents"] == 1


def test_a_base_that_is_replaced_is_opened_anew(call: Call, place: str, tmp_path: Path) -> None:
    call("remember", text="the old one")
    other = str(tmp_path / "other.db")
    with scrubjay.open(other) as kb:
        kb.note("the new one")
        kb.note("and another")
    for ending in ("-wal", "-shm"):
        Path(place + ending).unlink(missing_ok=True)
    os.replace(other, place)
    assert call("memory_status").data["documents"] == 2
    assert call("search_memories", query="old").data["results"] == []


def test_a_base_that_is_deleted_is_missing(call: Call, place: str) -> None:
    call("remember", text="git")
    for ending in ("", "-wal", "-shm"):
        Path(place + ending).unlink(missing_ok=True)
    answer = call("search_memories", query="git")
    assert answer.failed
    assert "There is no base" in answer.text
    assert not os.path.exists(place)


def test_a_file_that_is_no_base(call: Call, place: str) -> None:
    Path(place).write_text("these are my notes\n" * 100)
    answer = call("search_memories", query="git")
    assert answer.failed
    assert place in answer.text
    assert "Cure:" in answer.text
    assert "Traceback" not in answer.text


def test_a_base_of_a_newer_version(call: Call, place: str) -> None:
    scrubjay.open(place).close()
    connection = apsw.Connection(place)
    connection.execute("PRAGMA user_version = 9999")
    connection.close()
    answer = call("search_memories", query="git")
    assert answer.failed
    assert "newer" in answer.text
    assert "Cure:" in answer.text


def test_a_locked_base_is_told_and_reading_goes_on(place: str) -> None:
    with scrubjay.open(place) as kb:
        kb.note("git")
    desk = Desk(place, open=lambda base, **asked: scrubjay.open(base, config={"store.busy_seconds": 0.01}, **asked))
    other = apsw.Connection(place)
    other.execute("BEGIN IMMEDIATE")
    answer = desk.call("remember", {"text": "cake"})
    assert answer.failed
    assert BaseLocked.__name__ not in answer.text  # a sentence, not a class
    assert "Cure:" in answer.text
    assert desk.call("search_memories", {"query": "git"}).data["returned"] == 1
    other.execute("ROLLBACK")
    other.close()
    assert not desk.call("remember", {"text": "cake"}).failed
    assert desk.close()


def test_a_model_that_is_missing_leaves_the_words(call: Call, place: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with scrubjay.open(place, embedder=Fixed({}, [1.0] * 384, name="all-minilm-l6-v2")) as kb:
        kept = kb.note("git")
    monkeypatch.setenv("KB_EMBEDDER_NAME", "all-minilm-l6-v2")  # nothing is installed in this home
    found = call("search_memories", query="git")
    assert [hit["id"] for hit in found.data["results"]] == [kept]
    assert found.data["mode"] == "keyword"
    assert [one["stage"] for one in found.data["notices"]] == ["vector"]
    assert "kb models pull" in found.text
    assert not call("remember", text="cake").failed
    assert call("search_memories", query="cake").data["returned"] == 1


def test_a_fault_of_ours_is_an_answer_and_its_trace_is_logged(
    desk: Desk, call: Call, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    call("remember", text="git")
    with desk.using() as kb:

        def broken(*given: Any, **asked: Any) -> None:
            raise ZeroDivisionError("by nothing")

        monkeypatch.setattr(kb, "search", broken)
    answer = call("search_memories", query="git")
    assert answer.failed
    assert "Something unexpected happened: ZeroDivisionError: by nothing" in answer.text
    assert "Traceback" not in answer.text
    captured = capsys.readouterr()
    assert "Traceback" in captured.err
    assert captured.out == ""


def test_calls_from_many_threads_share_one_base(call: Call, place: str) -> None:
    opened: list[str] = []

    def open(base: str, **asked: Any) -> scrubjay.KnowledgeBase:
        opened.append(base)
        return scrubjay.open(base, **asked)

    desk = Desk(place, open=open)
    desk.call("remember", {"text": "git"})
    failed: list[str] = []

    def work(number: int) -> None:
        for turn in range(5):
            wrote = desk.call("remember", {"text": f"note {number} {turn}"})
            found = desk.call("search_memories", {"query": f"note {number}", "limit": 50})
            failed.extend(one.text for one in (wrote, found) if one.failed)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []
    assert opened == [place]
    assert desk.call("memory_status", {}).data["documents"] == 31
    assert desk.close()


def test_closing_waits_for_calls_but_not_for_ever(place: str) -> None:
    desk = Desk(place)
    with desk.using(create=True):
        assert not desk.close(wait=0.0)
    assert desk.close(wait=0.0)
