from __future__ import annotations

import io
import json
import os
from pathlib import Path
from typing import Any

import pytest

from scrubjay.types import AddReport, Notice


def test_init_makes_a_base_for_this_folder(kb: Any, base: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    done = kb("init", "--json")
    place = os.path.join(os.getcwd(), ".kb", "kb.db")
    assert json.loads(done.out) == {"base": place, "created": True, "model": ""}
    assert base.opened == [(place, {"create": True})]
    (tmp_path / ".kb" / "kb.db").touch()
    again = kb("init")
    assert again.code == 0
    assert "already" in again.out


def test_init_names_the_base_it_hides(kb: Any, base: Any, tmp_path: Path) -> None:
    (tmp_path / ".kb").mkdir()
    (tmp_path / ".kb" / "kb.db").touch()
    (tmp_path / "below").mkdir()
    assert "instead of" in kb("init", str(tmp_path / "below")).err


def test_init_takes_a_folder_or_a_base(kb: Any, base: Any, tmp_path: Path) -> None:
    assert kb("init", "--base", str(tmp_path / "x.db")).code == 0
    assert base.opened == [(str(tmp_path / "x.db"), {"create": True})]
    assert kb("init", str(tmp_path), "--base", "x.db").code == 2


def test_add_says_what_it_did(kb: Any, base: Any, tmp_path: Path) -> None:
    done = kb("add", str(tmp_path), "--tags", "a,b", "--type", "note", "--exclude", "*.log")
    assert done.out == "2 added, 1 changed, 7 unchanged · 31 chunks · 1.2 s\n"
    assert done.err == ""
    assert base.given("add") == ([str(tmp_path)],)
    assert base.asked("add") == {"tags": ("a", "b"), "kind": "note", "exclude": ("*.log",)}
    assert base.opened == [(None, {"create": True})]
    assert base.closed


def test_add_counts_what_holds_no_text_apart(kb: Any, base: Any, tmp_path: Path) -> None:
    base.report = AddReport(added=1, skipped=2, left_out=3)
    assert "1 added, 2 unchanged, 3 without text left out" in kb("add", str(tmp_path)).out


def test_add_json(kb: Any, base: Any, tmp_path: Path) -> None:
    base.report = base.report._replace(notices=(Notice("read", "x.pdf is encrypted", "decrypt it"),))
    done = kb("add", str(tmp_path), "--json")
    record = json.loads(done.out)
    assert {"added", "changed", "removed", "skipped", "chunks", "notices"} <= set(record)
    assert (record["added"], record["chunks"], record["notices"][0]["stage"]) == (2, 31, "read")
    assert done.err == ""


def test_a_mistyped_path_gets_a_suggestion(kb: Any, base: Any, tmp_path: Path) -> None:
    (tmp_path / "Notes" / "git").mkdir(parents=True)
    done = kb("add", str(tmp_path / "ntes"))
    assert (done.code, done.out) == (2, "")
    assert f"Did you mean {tmp_path / 'Notes'}?" in done.err
    assert f"Did you mean {tmp_path / 'Notes'}?" in kb("add", str(tmp_path / "ntes" / "git")).err
    assert base.calls == []


def test_nothing_to_read_is_said(kb: Any, base: Any, tmp_path: Path) -> None:
    base.report = AddReport()
    assert kb("add", str(tmp_path)).out == "No files to read were found there.\n"
    assert "kb add" in kb("update").out


def test_a_bar_only_on_a_terminal(kb: Any, base: Any, tmp_path: Path) -> None:
    assert kb("add", str(tmp_path)).err == ""
    assert kb("add", str(tmp_path), terminal=True, TERM="dumb").err == ""
    drawn = kb("add", str(tmp_path), terminal=True)
    assert "Reading" in drawn.err
    assert drawn.err.endswith("\r\x1b[K")
    assert "Reading" not in drawn.out


def test_ctrl_c_keeps_what_was_done(kb: Any, base: Any, tmp_path: Path) -> None:
    base.raises = KeyboardInterrupt()
    done = kb("add", str(tmp_path), terminal=True)
    assert done.code == 130
    assert "kept" in done.err
    assert base.closed


def test_note_words_need_no_quotes(kb: Any, base: Any) -> None:
    done = kb("note", "buy", "milk", "--title", "Shop", "--tags", "a", "--tags", "b", "--date", "yesterday")
    assert done.out == "d_9\n"
    assert base.given("note") == ("buy milk",)
    assert base.asked("note") == {"title": "Shop", "tags": ("a", "b"), "created_at": "yesterday"}
    assert json.loads(kb("note", "x", "--json").out) == {"id": "d_9"}


def test_note_from_the_standard_input(kb: Any, base: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO("zwölf\nLinien \n".encode() + b"\xff")))
    kb("note", "-")
    assert base.given("note") == ("zwölf\nLinien \n\ufffd",)


@pytest.mark.parametrize("text", ["", "  "])
def test_an_empty_note_is_wrong_use(kb: Any, base: Any, text: str) -> None:
    assert kb("note", text).code == 2
    assert base.calls == []


def test_tag_puts_on_and_takes_off(kb: Any, base: Any) -> None:
    done = kb("tag", "d_1", "+a,b", "-c", "d", "--json")
    assert base.asked("tag") == {"add": ["a", "b", "d"], "remove": ["c"]}
    assert json.loads(done.out) == {"id": "d_1", "tags": ["a", "b", "d", "ops"]}
    assert kb("tag", "d_1", "+").code == 2


def test_remove_counts(kb: Any, base: Any) -> None:
    assert kb("remove", "/notes", "d_2").out == "4 documents removed from the base.\n"
    assert json.loads(kb("remove", "d_1", "--json").out) == {"removed": 2}


def test_removing_what_is_not_there_fails_with_a_suggestion(kb: Any, base: Any) -> None:
    base.documents = [base.documents[0]._replace(path="/missing/git.md")]
    done = kb("remove", "/missing/gti.md")
    assert (done.code, done.out) == (1, "")
    assert "Did you mean /missing/git.md?" in done.err


def test_init_says_when_another_base_stays_in_use(
    kb: Any, base: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KB_BASE", "/elsewhere.db")
    assert "/elsewhere.db is used all the same" in kb("init", str(tmp_path)).err
