"""The streams: whole lines in, whole messages out, and nobody else on either."""

from __future__ import annotations

import json
import os
from pathlib import Path

import anyio
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fakes import script
from scrubjay.mcp.wire import Lines, Output, mended


def through(*chunks: bytes) -> list[str]:
    """The lines of what comes in these pieces."""
    reading, writing = os.pipe()

    async def go() -> list[str]:
        lines = Lines(reading)
        for chunk in chunks:
            os.write(writing, chunk)
        os.close(writing)
        return [line async for line in lines]

    try:
        return anyio.run(go)
    finally:
        os.close(reading)


@pytest.mark.parametrize(
    ("chunks", "lines"),
    [
        ((), []),
        ((b"one\n",), ["one"]),
        ((b"one\ntwo\n",), ["one", "two"]),
        ((b"on", b"e\nt", b"wo"), ["one", "two"]),
        (("é".encode()[:1], "é\n".encode()[1:]), ["é"]),
        ((b"\n\n",), ["", ""]),
        ((b"\xff\n",), ["\ufffd"]),
        ((b"x" * 50_000, b"y" * 10_000 + b"\n"), ["x" * 50_000 + "y" * 10_000]),
    ],
)
def test_lines_however_they_come(chunks: tuple[bytes, ...], lines: list[str]) -> None:
    assert through(*chunks) == lines


@pytest.mark.parametrize(
    ("sent", "read"),
    [
        (r'"\ud800"', "\ufffd"),
        (r'"a \uDBFF b"', "a \ufffd b"),
        (r'"\udc00\ud83d"', "\ufffd\ufffd"),
        (r'"\ud83d\ude00"', "😀"),
        (r'"\ud83d\ud83d\ude00"', "\ufffd😀"),
        (r'"\\ud800"', "\\ud800"),
        (r'"\\\ud800"', "\\\ufffd"),
        (r'"\u00e9"', "é"),
    ],
)
def test_half_an_emoji_is_replaced_and_nothing_else(sent: str, read: str) -> None:
    assert json.loads(mended(sent.encode())) == read


@given(st.text(st.characters(exclude_categories=("Cs",)), max_size=30), st.booleans())
def test_any_text_arrives_as_it_was_sent(text: str, escaped: bool) -> None:
    assert json.loads(mended(json.dumps(text, ensure_ascii=escaped).encode())) == text


def test_a_message_goes_out_in_one_piece_however_long() -> None:
    reading, writing = os.pipe()
    message = "é" * 300_000 + "\n"  # more than a pipe holds

    async def go() -> bytes:
        output = Output(writing)
        got = bytearray()

        async def send() -> None:
            await output.write(message[:-1])
            await output.write("\n")
            await output.flush()
            os.close(writing)

        async with anyio.create_task_group() as group:
            group.start_soon(send)
            while chunk := await anyio.to_thread.run_sync(os.read, reading, 65536):
                got += chunk
        return bytes(got)

    assert anyio.run(go).decode() == message
    os.close(reading)


CHATTY = """
import os, subprocess, sys
import scrubjay.mcp.finding as finding
def chatty(kb, asked, inner=finding.search_memories):
    print("a library says hello")
    os.write(1, b"and so does C\\n")
    subprocess.run([sys.executable, "-c", "print('a child, too'); import sys; assert sys.stdin.read() == ''"])
    return inner(kb, asked)
import scrubjay.mcp.tools as tools
tools.TOOLS = (tools.SEARCH._replace(run=chatty), *tools.TOOLS[1:])
sys.argv = ["kb", "mcp"]
from scrubjay.cli.main import run
sys.exit(run())
"""


def test_what_is_printed_meanwhile_goes_to_the_log(tmp_path: Path) -> None:
    server = script(tmp_path, CHATTY)
    hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
    asked = [
        {"id": 0, "method": "initialize", "params": hello},
        {"method": "notifications/initialized"},
        {"id": 1, "method": "tools/call", "params": {"name": "remember", "arguments": {"text": "git"}}},
    ]
    search = {"id": 2, "method": "tools/call", "params": {"name": "search_memories", "arguments": {"query": "git"}}}
    assert server.stdin
    assert server.stdout
    for call in asked:
        server.stdin.write(json.dumps({"jsonrpc": "2.0", **call}) + "\n")
    server.stdin.flush()
    assert [json.loads(server.stdout.readline())["id"] for _ in range(2)] == [0, 1]
    server.stdin.write(json.dumps({"jsonrpc": "2.0", **search}) + "\n")
    server.stdin.flush()
    assert json.loads(server.stdout.readline())["id"] == 2
    rest, log = server.communicate(timeout=30)
    assert (server.returncode, rest) == (0, "")
    for said in ("a library says hello", "and so does C", "a child, too"):
        assert said in log
    assert "AssertionError" not in log
