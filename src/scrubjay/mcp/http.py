"""Serves many clients over streamable HTTP, on this machine only and only to those with the token.

A page in a browser can send requests to 127.0.0.1, and by DNS rebinding also read the answers:
so the Host must name this machine, an Origin must be a page of this machine, and every request
must carry the token. All three are checked before anything of the protocol is read.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from scrubjay.errors import ScrubjayError, UsageError
from scrubjay.mcp.needs import needing

if TYPE_CHECKING:
    import socket
    from collections.abc import Awaitable, Callable

    from scrubjay.config import Config
    from scrubjay.mcp.desk import Desk

    Application = Callable[[Any, Any, Any], Awaitable[None]]

HOST = "127.0.0.1"
PORT = 8765
PATH = "/mcp"
TOKEN_VARIABLE = "KB_MCP_TOKEN"
TOKEN_FILE = "mcp-token"
_HERE = frozenset(("127.0.0.1", "localhost", "[::1]"))
_LEAST = 16  # characters that a token of one's own must have


def serve(desk: Desk, listening: socket.socket, token: str) -> None:
    """Serves until the process is told to end."""
    with needing("The MCP server"):
        import uvicorn

        from scrubjay.mcp.server import MemoryServer
    app = MemoryServer(desk).streamable_http_app(
        streamable_http_path=PATH, json_response=True, stateless_http=True, host=HOST
    )
    config = uvicorn.Config(
        Guard(app, token), log_config=None, access_log=False, log_level="warning", timeout_graceful_shutdown=3
    )
    uvicorn.Server(config).run(sockets=[listening])
    if not desk.close():
        os._exit(0)  # a call hangs; what it was writing is rolled back


def listen(port: int) -> socket.socket:
    """A socket on this machine's own address; port 0 takes any that is free."""
    import socket

    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        if os.name == "posix":
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((HOST, port))
        listening.listen(128)
    except (OSError, OverflowError) as error:
        listening.close()
        raise ScrubjayError(
            f"Port {port} cannot be used.", f"{getattr(error, 'strerror', None) or error}.", "Choose another: --port N"
        ) from error
    return listening


def token_of(config: Config) -> tuple[str, str]:
    """The token and where it is from: the environment, or a file that only its owner can read."""
    own = config.secret(TOKEN_VARIABLE)
    if own is not None:
        if len(own) < _LEAST:
            raise UsageError(f"{TOKEN_VARIABLE} is too short.", f"It needs {_LEAST} characters.", "Make a longer one.")
        return own, TOKEN_VARIABLE
    path = os.path.join(config.data_folder, TOKEN_FILE)
    return _kept(path) or _made(path), path


def _kept(path: str) -> str:
    try:
        with open(path, encoding="ascii") as file:
            token = file.read().strip()
    except (OSError, UnicodeDecodeError):
        return ""
    return token if len(token) >= _LEAST else ""


def _made(path: str) -> str:
    """A new token, written so that two servers that start at once agree on one."""
    import secrets

    token = secrets.token_urlsafe(32)
    temporary = f"{path}.{os.getpid()}"
    try:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "w", encoding="ascii") as file:
            file.write(token + "\n")
        try:
            os.link(temporary, path)  # fails when the other one was first
        except OSError:
            if not _kept(path):
                os.replace(temporary, path)
        if os.path.exists(temporary):
            os.unlink(temporary)
    except OSError as error:
        raise ScrubjayError(
            f"The token could not be kept in {path}.", f"{error.strerror}.", f"Set {TOKEN_VARIABLE} instead."
        ) from error
    return _kept(path) or token


class Guard:
    """Lets through only requests that are meant for this machine and carry the token."""

    def __init__(self, app: Application, token: str) -> None:
        self._app = app
        self._token = f"Bearer {token}".encode()

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        refused = self._refusal(scope["headers"]) if scope["type"] == "http" else None
        if refused is None and scope["type"] in ("http", "lifespan"):
            await self._app(scope, receive, send)
        elif refused is not None:
            await _refuse(send, *refused)

    def _refusal(self, headers: list[tuple[bytes, bytes]]) -> tuple[int, str] | None:
        from hmac import compare_digest

        sent = {name.lower(): value for name, value in headers}
        if not _is_here(sent.get(b"host", b"").decode("latin-1")):
            return 421, "This server answers only to 127.0.0.1 and localhost (the Host header names another)."
        origin = sent.get(b"origin")
        if origin is not None and not _is_local_page(origin.decode("latin-1")):
            return 403, "Pages from elsewhere may not use this server (the Origin header names one)."
        if not compare_digest(sent.get(b"authorization", b""), self._token):
            return 401, "The token is missing or wrong: send the header Authorization: Bearer TOKEN."
        return None


def _is_here(host: str) -> bool:
    name, _, port = host.rpartition(":")
    return host.lower() in _HERE or (name.lower() in _HERE and port.isdigit())


def _is_local_page(origin: str) -> bool:
    scheme, found, host = origin.partition("://")
    return bool(found) and scheme in ("http", "https") and _is_here(host)


async def _refuse(send: Any, status: int, reason: str) -> None:
    import json

    body = json.dumps({"error": reason}).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    if status == 401:
        headers.append((b"www-authenticate", b"Bearer"))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
