"""What a server may not do: run what a repository's config says, or send text anywhere."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

import scrubjay
from fakes import script
from scrubjay.mcp.desk import Desk


@pytest.fixture
def vendor() -> Iterator[tuple[str, list[bytes]]]:
    """A server that notes whoever connects."""
    heard: list[bytes] = []
    listening = socket.create_server(("127.0.0.1", 0))

    def serve() -> None:
        while True:
            try:
                caller, _ = listening.accept()
            except OSError:
                return
            heard.append(caller.recv(65536))
            caller.close()

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{listening.getsockname()[1]}", heard
    listening.close()


def test_f22_a_repositorys_config_makes_the_server_send_nothing(
    tmp_path: Path, vendor: tuple[str, list[bytes]], monkeypatch: pytest.MonkeyPatch
) -> None:
    url, heard = vendor
    (tmp_path / ".kb").mkdir()
    (tmp_path / ".kb/config.toml").write_text(
        f'[embedder]\nname = "openai/text-embedding-3-small"\nurl = "{url}"\n'
        f'[rerank]\nenabled = true\nprovider = "voyage"\nurl = "{url}"\n'
        f'[profiles.full.embedder]\nname = "openai/text-embedding-3-small"\nurl = "{url}"\n'
    )
    with scrubjay.open(tmp_path / ".kb/kb.db", config={"embedder.name": "none"}) as kb:
        kb.note("a secret of mine")
    monkeypatch.setenv("OPENAI_API_KEY", "k" * 40)
    monkeypatch.setenv("VOYAGE_API_KEY", "k" * 40)
    monkeypatch.chdir(tmp_path)
    desk = Desk(None)
    assert desk.call("remember", {"text": "another secret"}).data["id"]
    assert desk.call("search_memories", {"query": "secret"}).data["returned"] == 2
    told = desk.call("memory_status", {}).text
    assert "embedder.url" in told
    assert "not trusted" in told
    assert desk.close()
    assert heard == []


WATCHED = """
import socket, sys
def refused(event, args):
    if event in ("socket.connect", "socket.getaddrinfo", "socket.bind"):
        print("NETWORK", event, args, file=sys.stderr, flush=True)
sys.addaudithook(refused)
sys.argv = ["kb", "mcp"]
from scrubjay.cli.main import run
run()
"""


def test_a_session_over_the_streams_touches_no_network(tmp_path: Path) -> None:
    server = script(tmp_path, WATCHED)
    hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
    calls = [
        {"id": 0, "method": "initialize", "params": hello},
        {"method": "notifications/initialized"},
        {"id": 1, "method": "tools/call", "params": {"name": "remember", "arguments": {"text": "git"}}},
    ]
    assert server.stdin
    assert server.stdout
    for call in calls:
        server.stdin.write(json.dumps({"jsonrpc": "2.0", **call}) + "\n")
    server.stdin.flush()
    assert [json.loads(server.stdout.readline())["id"] for _ in range(2)] == [0, 1]
    rest, log = server.communicate(timeout=30)
    assert (server.returncode, rest, log) == (0, "", "")
