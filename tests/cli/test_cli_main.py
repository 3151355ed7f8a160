from __future__ import annotations

import gc
import os
import subprocess
import sys
from typing import Any

import pytest

from scrubjay.cli.dispatch import main
from scrubjay.cli.terminal import Console
from scrubjay.errors import ScrubjayError, UsageError
from scrubjay.types import Notice


def test_an_error_is_three_short_lines_and_no_result(kb: Any, base: Any) -> None:
    base.raises = ScrubjayError("The base is locked.", "Another process writes.", "Wait for it.")
    for arguments in (("search", "x"), ("search", "x", "--json")):
        done = kb(*arguments)
        assert (done.code, done.out) == (1, "")
        assert done.err == "kb: The base is locked.\n    Another process writes.\n    Wait for it.\n"


def test_wrong_use_exits_with_2(kb: Any, base: Any) -> None:
    base.raises = UsageError("That is no date.")
    assert kb("search", "x").code == 2


def test_never_a_traceback_unless_asked(kb: Any, base: Any) -> None:
    base.raises = ZeroDivisionError("division\nby zero")
    done = kb("search", "x")
    assert done.code == 1
    assert done.err == (
        "kb: Something unexpected happened: ZeroDivisionError: division by zero\n"
        "    Run again with --debug for the details.\n"
    )
    assert "Traceback" in kb("search", "x", "--debug").err


def test_a_missing_base_is_said_with_its_cure(kb: Any, base: Any) -> None:
    base.missing = True
    done = kb("search", "x")
    assert done.code == 1
    assert "kb add" in done.err
    assert kb("note", "x").code == 0


def test_ctrl_c_is_told(kb: Any, base: Any) -> None:
    base.raises = KeyboardInterrupt()
    done = kb("search", "x")
    assert (done.code, done.err) == (130, "Stopped.\n")


def test_an_option_taken_for_a_word_is_told(kb: Any, base: Any) -> None:
    done = kb("search", "x", "-top", "5")
    assert done.code == 0
    assert "--top" in done.err


def test_a_reader_that_has_gone_ends_the_run_quietly(
    base: Any, new_stream: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def gone(text: str) -> int:
        raise BrokenPipeError

    monkeypatch.setattr("scrubjay.cli.dispatch._drop_output", lambda: None)
    out, err = new_stream(False, "utf-8"), new_stream(False, "utf-8")
    monkeypatch.setattr(out, "write", gone)
    assert main(["search", "x"], Console(out, err, lambda name: "")) == 0
    assert err.text == ""


def test_closed_streams_are_no_reason_to_fail(base: Any) -> None:
    assert main(["search", "x"], Console(None, None, lambda name: "")) == 0


def _process(*arguments: str, **more: Any) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-m", "scrubjay", *arguments], capture_output=True, check=False, timeout=60, **more
    )


def test_as_a_process_and_without_a_current_folder(tmp_path: Any) -> None:
    done = _process("serch", "x")
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"Did you mean" in done.stderr


def test_bytes_that_are_no_text_are_no_reason_to_fail() -> None:
    done = _process("serch", os.fsdecode(b"\xff\xfe"), env={**os.environ, "PYTHONIOENCODING": "ascii"})
    assert done.returncode == 2
    assert b"Traceback" not in done.stderr


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="the system has no device that is always full")
def test_a_full_disk_is_a_failure_without_a_traceback() -> None:
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "scrubjay", "help"], stdout=full, stderr=subprocess.PIPE, check=False, timeout=60
        )
    assert done.returncode == 1
    assert b"Traceback" not in done.stderr
    assert b"Exception ignored" not in done.stderr


def test_a_refusal_of_the_system_is_said_in_its_words(kb: Any, base: Any) -> None:
    base.raises = PermissionError(13, "Permission denied", "/notes/kb.db")
    done = kb("search", "x")
    assert done.code == 1
    assert done.err.startswith("kb: The system refused /notes/kb.db: Permission denied.\n")


def test_long_tellings_are_wrapped_on_a_terminal_only(kb: Any, base: Any) -> None:
    base.raises = ScrubjayError("It failed.", "because " * 30)
    assert len(kb("search", "x").err.splitlines()) == 2
    lines = kb("search", "x", terminal=True, NO_COLOR="1", COLUMNS="50").err.splitlines()
    assert len(lines) > 4
    assert all(len(line) <= 50 and line.startswith("    because") for line in lines[1:])
    base.raises, base.notices = None, (Notice("vector", "reason " * 30, "remedy"),)
    lines = kb("search", "x", terminal=True, NO_COLOR="1", COLUMNS="50").err.splitlines()
    assert lines[0].startswith("note vector: reason")
    assert all(len(line) <= 50 for line in lines)


def test_ctrl_c_while_starting_is_no_traceback(monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    from scrubjay.cli import dispatch
    from scrubjay.cli.main import run

    def stopped() -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(dispatch, "run_line", stopped)
    assert run() == 130
    assert gc.isenabled()
    assert capsys.readouterr().err == "Stopped.\n"


@pytest.mark.parametrize(("verb", "collects"), [("search", False), ("list", True)])
def test_only_brief_verbs_run_without_collecting(
    kb: Any, base: Any, monkeypatch: pytest.MonkeyPatch, verb: str, collects: bool
) -> None:
    seen: list[bool] = []
    real = getattr(base, verb)
    monkeypatch.setattr(base, verb, lambda *given, **asked: (seen.append(gc.isenabled()), real(*given, **asked))[1])
    gc.disable()
    try:
        kb(verb, *(["x"] if verb == "search" else []))
    finally:
        gc.enable()
    assert seen == [collects]
