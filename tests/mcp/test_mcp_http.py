"""Over HTTP: this machine only, pages of this machine only, the token only."""

from __future__ import annotations

import http.client
import json
import os
import signal
import socket
import stat
from pathlib import Path
from typing import Any

import anyio
import pytest

from fakes import process
from scrubjay import config
from scrubjay.errors import ScrubjayError, UsageError
from scrubjay.mcp.http import HOST, TOKEN_VARIABLE, Guard, listen, token_of

TOKEN = "0123456789abcdef"
GOOD = {"host": "127.0.0.1:8765", "authorization": f"Bearer {TOKEN}"}


def ask(headers: dict[str, str], path: str = "/mcp") -> tuple[int, str]:
    """What the guard answers; 200 when it lets through."""
    sent: list[dict[str, Any]] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b""})

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    async def go() -> None:
        pairs = [(name.encode(), value.encode()) for name, value in headers.items()]
        await Guard(app, TOKEN)({"type": "http", "path": path, "headers": pairs}, None, send)

    anyio.run(go)
    return sent[0]["status"], sent[1]["body"].decode()


def test_f25_what_is_meant_for_this_machine_and_has_the_token_comes_through() -> None:
    assert ask(GOOD)[0] == 200
    for host in ("localhost", "localhost:8765", "[::1]:8765", "127.0.0.1", "LOCALHOST:1"):
        assert ask({**GOOD, "host": host})[0] == 200
    for origin in ("http://localhost:3000", "http://127.0.0.1:6274", "https://localhost"):
        assert ask({**GOOD, "origin": origin})[0] == 200


@pytest.mark.parametrize(
    "host",
    ["evil.example", "evil.example:8765", "127.0.0.1.evil.example", "localhost.evil.example:80", "", "10.0.0.1:8765",
     "127.0.0.1:x", "evil@127.0.0.1:8765", "0.0.0.0:8765", "127.0.0.1:8765:8765"],
)  # fmt: skip
def test_f25_a_name_that_was_rebound_to_this_machine_is_refused(host: str) -> None:
    status, body = ask({**GOOD, "host": host})
    assert status == 421
    assert "Host" in json.loads(body)["error"]


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "null", "https://localhost.evil.example", "file://", "localhost", "http://", ""]
)
def test_f25_a_page_from_elsewhere_is_refused(origin: str) -> None:
    status, body = ask({**GOOD, "origin": origin})
    assert status == 403
    assert "Origin" in json.loads(body)["error"]


@pytest.mark.parametrize("sent", [None, "", "Bearer", "Bearer wrong", f"Basic {TOKEN}", TOKEN, f"bearer {TOKEN} x"])
def test_without_the_token_nothing_is_told(sent: str | None) -> None:
    headers = {"host": "127.0.0.1"} if sent is None else {"host": "127.0.0.1", "authorization": sent}
    status, body = ask(headers)
    assert status == 401
    assert TOKEN not in body
    assert "Authorization: Bearer TOKEN" in json.loads(body)["error"]


def test_a_request_without_a_host_is_refused() -> None:
    assert ask({"authorization": f"Bearer {TOKEN}"})[0] == 421


def test_f25_the_real_server_refuses_before_it_reads(web: Any) -> None:
    port = int(web.url.split(":")[2].split("/")[0])

    def post(**headers: str) -> int:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
        connection.request("POST", "/mcp", body="not even JSON", headers=headers)
        status = connection.getresponse().status
        connection.close()
        return status

    authorization = f"Bearer {web.token}"
    assert post() == 401
    assert post(Authorization=authorization, Host="evil.example") == 421
    assert post(Authorization=authorization, Origin="https://evil.example") == 403
    assert post(Authorization=authorization) in (400, 406, 415)  # through to the protocol, which wants JSON
    for method in ("GET", "DELETE", "PUT", "OPTIONS"):
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
        connection.request(method, "/mcp")
        assert connection.getresponse().status == 401
        connection.close()
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
        connection.request(method, "/mcp", headers={"Authorization": authorization})
        assert connection.getresponse().status < 500
        connection.close()


def test_only_this_machine_can_connect(web: Any) -> None:
    port = int(web.url.split(":")[2].split("/")[0])
    with socket.socket() as other, pytest.raises(OSError):
        other.connect(("127.0.0.2", port))  # loopback, too, but not the address that is served
    assert HOST == "127.0.0.1"


def test_a_port_in_use_is_told_with_the_cure(tmp_path: Path) -> None:
    taken = listen(0)
    port = taken.getsockname()[1]
    with pytest.raises(ScrubjayError, match=f"Port {port} cannot be used") as caught:
        listen(port)
    assert caught.value.cure == "Choose another: --port N"
    told = process(tmp_path, "mcp", "--http", "--port", str(port))
    taken.close()
    assert told.returncode == 1
    assert told.stdout == ""
    assert f"Port {port} cannot be used" in told.stderr
    assert "--port N" in told.stderr
    assert "Traceback" not in told.stderr


@pytest.mark.parametrize("port", [-1, 65536, 10**9])
def test_a_port_that_does_not_exist(port: int) -> None:
    with pytest.raises(ScrubjayError, match="cannot be used"):
        listen(port)


def test_the_token_is_made_once_and_only_its_owner_can_read_it(tmp_path: Path) -> None:
    loaded = config.load()
    token, place = token_of(loaded)
    os.unlink(place)
    token, place = token_of(loaded)
    assert len(token) >= 32
    assert token_of(loaded) == (token, place)
    assert stat.S_IMODE(os.stat(place).st_mode) == 0o600
    assert [name for name in os.listdir(os.path.dirname(place)) if "token." in name] == []


def test_a_damaged_token_file_is_written_anew() -> None:
    loaded = config.load()
    _, place = token_of(loaded)
    for damage in (b"", b"short\n", b"\xff\xfe\xfd" * 20):
        Path(place).write_bytes(damage)
        token, _ = token_of(loaded)
        assert len(token) >= 32
        assert Path(place).read_text().strip() == token


def test_a_token_of_ones_own_must_be_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(TOKEN_VARIABLE, "short")
    with pytest.raises(UsageError, match="too short"):
        token_of(config.load())
    monkeypatch.setenv(TOKEN_VARIABLE, TOKEN)
    assert token_of(config.load()) == (TOKEN, TOKEN_VARIABLE)


@pytest.mark.skipif(os.name != "posix", reason="signals")
@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM"])
def test_it_ends_when_it_is_told_to_and_leaves_no_trace_behind(name: str, web: Any) -> None:
    web.process.send_signal(getattr(signal, name))
    _, log = web.process.communicate(timeout=30)
    assert "Traceback" not in log
    assert web.token not in log  # a log is read by others


def test_a_client_that_goes_away_in_the_middle_does_no_harm(web: Any) -> None:
    port = int(web.url.split(":")[2].split("/")[0])
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/list"}).encode()
    for cut in (0, 10, len(body)):
        with socket.create_connection(("127.0.0.1", port)) as client:
            head = (
                f"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {web.token}\r\n"
                f"Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\n"
                f"Content-Length: {len(body)}\r\n\r\n"
            )
            client.sendall(head.encode() + body[:cut])
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    connection.request("POST", "/mcp", body="{}", headers={"Authorization": f"Bearer {web.token}"})
    assert connection.getresponse().status < 500
    connection.close()
