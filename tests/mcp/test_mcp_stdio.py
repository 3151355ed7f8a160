"""The process over its streams: one JSON object a line and nothing else, until the input ends."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import apsw
import pytest

import scrubjay
from fakes import environment, script

HELLO = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}


class Line:
    """A client that sees every byte."""

    def __init__(self, home: Path, *words: str, **more: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "scrubjay", "mcp", *words],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=home, text=True,
            encoding="utf-8", env=environment(home, **more),
        )  # fmt: skip
        assert self.process.stdin
        assert self.process.stdout
        self.input, self.output = self.process.stdin, self.process.stdout

    def send(self, method: str, given: dict[str, Any], number: int | None = None) -> None:
        named = {} if number is None else {"id": number}
        self.input.write(json.dumps({"jsonrpc": "2.0", **named, "method": method, "params": given}) + "\n")
        self.input.flush()

    def read(self) -> dict[str, Any]:
        got = json.loads(self.output.readline())
        assert got["jsonrpc"] == "2.0"
        return dict(got)

    def hello(self) -> dict[str, Any]:
        self.send("initialize", HELLO, 0)
        answer = self.read()
        self.send("notifications/initialized", {})
        return answer

    def call(self, number: int, tool: str, **given: Any) -> None:
        self.send("tools/call", {"name": tool, "arguments": given}, number)

    def end(self) -> tuple[int, str, str]:
        """Ends the input and waits for the process: its exit code, what else it wrote, and its log."""
        out, err = self.process.communicate(timeout=30)
        return self.process.returncode, out, err


@pytest.fixture
def line(tmp_path: Path) -> Iterator[Line]:
    made = Line(tmp_path)
    yield made
    if made.process.poll() is None:
        made.process.kill()
        made.process.communicate()


def test_f23_it_ends_with_its_input(line: Line) -> None:
    assert line.hello()["result"]["serverInfo"]["name"] == "scrubjay"
    assert line.end() == (0, "", "")


def test_f23_it_ends_even_when_nobody_ever_spoke(line: Line) -> None:
    assert line.end() == (0, "", "")


def test_f23_it_ends_when_a_call_is_waiting(line: Line, tmp_path: Path) -> None:
    scrubjay.open(tmp_path / "kb.db").close()
    other = apsw.Connection(str(tmp_path / "kb.db"))
    other.set_busy_timeout(10_000)  # the server may be opening the base just now
    other.execute("BEGIN IMMEDIATE")
    line.hello()
    line.call(1, "remember", text="git")  # waits for the lock
    line.call(2, "memory_status")
    assert line.read()["id"] == 2
    code, _, log = line.end()
    assert code == 0
    assert "Traceback" not in log
    other.execute("ROLLBACK")
    other.close()
    with scrubjay.open(tmp_path / "kb.db") as kb:  # nothing is half written
        assert all(check.ok is not False for check in kb.doctor())


def test_f21_stdout_is_the_protocol_alone(line: Line, tmp_path: Path) -> None:
    """A config with a slip makes notices, which belong into replies and the log."""
    (tmp_path / "config" / "scrubjay").mkdir(parents=True)
    (tmp_path / "config" / "scrubjay" / "config.toml").write_text('[search]\ndefault_top = "many"\n')
    line.hello()
    line.call(1, "remember", text="git " * 3000)
    line.call(2, "search_memories", query="git")
    line.call(3, "memory_status")
    answers = {answer["id"]: answer for answer in (line.read(), line.read(), line.read())}
    assert set(answers) == {1, 2, 3}
    code, rest, _ = line.end()
    assert (code, rest) == (0, "")


def test_a_slow_call_does_not_hold_up_the_others(line: Line, tmp_path: Path) -> None:
    with scrubjay.open(tmp_path / "kb.db") as kb:
        kb.note("git")
    other = apsw.Connection(str(tmp_path / "kb.db"))
    other.set_busy_timeout(10_000)  # the server may be opening the base just now
    other.execute("BEGIN IMMEDIATE")
    line.hello()
    line.call(1, "remember", text="cake")
    for number in range(2, 6):
        line.call(number, "search_memories", query="git")
    assert {line.read()["id"] for _ in range(4)} == {2, 3, 4, 5}  # while the first still waits
    other.execute("ROLLBACK")
    other.close()
    assert line.read()["id"] == 1
    assert line.end()[0] == 0


def test_calls_that_all_wait_do_not_stop_the_streams(line: Line, tmp_path: Path) -> None:
    scrubjay.open(tmp_path / "kb.db").close()
    other = apsw.Connection(str(tmp_path / "kb.db"))
    other.set_busy_timeout(10_000)  # the server may be opening the base just now
    other.execute("BEGIN IMMEDIATE")
    line.hello()
    for number in range(1, 51):
        line.call(number, "remember", text=f"note {number}")
    line.send("ping", {}, 99)
    assert line.read()["id"] == 99
    other.execute("ROLLBACK")
    other.close()
    assert {line.read()["id"] for _ in range(50)} == set(range(1, 51))
    assert line.end()[0] == 0


def test_half_an_emoji_in_a_call_is_answered(line: Line) -> None:
    line.hello()
    line.call(1, "remember", text="caf\u00e9 \ud83d")
    assert line.read()["result"]["structuredContent"]["title"] == "caf\u00e9 \ufffd"
    line.call(2, "search_memories", query="caf\u00e9 \udc00")
    assert line.read()["result"]["structuredContent"]["returned"] == 1
    assert line.end() == (0, "", "")


def test_a_cancelled_call_is_not_answered_and_the_server_goes_on(line: Line, tmp_path: Path) -> None:
    scrubjay.open(tmp_path / "kb.db").close()
    other = apsw.Connection(str(tmp_path / "kb.db"))
    other.set_busy_timeout(10_000)  # the server may be opening the base just now
    other.execute("BEGIN IMMEDIATE")
    line.hello()
    line.call(7, "remember", text="cake")
    line.call(8, "memory_status")
    assert line.read()["id"] == 8
    line.send("notifications/cancelled", {"requestId": 7, "reason": "the user stopped it"})
    line.call(9, "memory_status")
    answers = [line.read()]
    if answers[0]["id"] == 7:  # the SDK may say that it was cancelled
        answers.append(line.read())
        assert "error" in answers[0]
    assert answers[-1]["id"] == 9
    other.execute("ROLLBACK")
    other.close()
    code, rest, _ = line.end()
    assert (code, rest) == (0, "")


@pytest.mark.parametrize("garbage", ["not json", "[]", "{}", '{"jsonrpc": "2.0"}', "\x00\x01", '"' + "x" * 100_000])
def test_garbage_does_not_end_it(line: Line, garbage: str) -> None:
    line.hello()
    line.input.write(garbage + "\n")
    line.send("ping", {}, 5)
    answer = line.read()
    if answer.get("id") != 5:
        assert "error" in answer
        answer = line.read()
    assert answer["id"] == 5
    assert line.end()[0] == 0


def test_without_the_sdk_it_says_what_to_install(tmp_path: Path) -> None:
    code = "import sys; sys.modules['mcp'] = None; sys.argv = ['kb', *sys.argv[1:]]\n"
    for words in (["mcp"], ["mcp", "--http", "--port", "0"]):
        server = script(tmp_path, code + "from scrubjay.cli.main import run\nsys.exit(run())", *words)
        out, err = server.communicate(timeout=30)
        assert (server.returncode, out) == (1, "")
        assert "It needs the MCP SDK, version 2" in err
        assert "pip install --upgrade 'mcp>=2.3'" in err
        assert "Traceback" not in err


def test_old_and_new_versions_of_the_protocol_are_agreed_upon(tmp_path: Path) -> None:
    for asked in ("2024-11-05", "2025-03-26", "2025-06-18", "1999-01-01"):
        line = Line(tmp_path)
        line.send("initialize", {**HELLO, "protocolVersion": asked}, 0)
        got = line.read()["result"]["protocolVersion"]
        assert got == asked if asked != "1999-01-01" else got > "2025"
        assert line.end()[0] == 0
