"""JSON over HTTP for embedders and rerankers: connections kept open, a time limit, polite retries.

The standard library only: a client library costs more to import than a search takes. Nothing
here raises: a reply is data (status, value, reason, cure), because the two stages that use it
turn failures into different things. Whatever authorises a request never appears in a reason,
not even when a server echoes it back. Redirects are not followed: a key would go with them.
"""

from __future__ import annotations

import http.client
import json
import random
import threading
import time
from urllib.parse import urlsplit

from scrubjay.transport.replies import cure_of, is_final, is_too_long, one_line, said, seconds_to_wait
from scrubjay.types.base import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import ssl
    from collections.abc import Callable, Mapping
    from typing import Any
    from urllib.parse import SplitResult

LONGEST_REPLY = 256 * 1024 * 1024  # bytes; 2,048 vectors of 3,072 numbers are 75 MB of JSON
FIRST_PAUSE, LONGEST_PAUSE = 0.5, 20.0  # seconds; doubled after every failure
LOOPBACK = ("localhost", "127.0.0.1", "::1")


class Reply(NamedTuple):
    """What a server said. `status` is 0 when it could not be asked or did not answer in time."""

    status: int
    value: Any = None
    reason: str = ""
    cure: str = ""
    too_long: bool = False
    final: bool = False
    wait: float | None = None

    @property
    def ok(self) -> bool:
        return 200 <= self.status < 300 and not self.reason


class HttpTransport:
    """Asks servers, several threads at once if need be. `proxies` maps http, https and `no`."""

    def __init__(
        self,
        *,
        proxies: Mapping[str, str] | None = None,
        attempts: int = 4,
        sleep: Callable[[float], None] = time.sleep,
        jitter: Callable[[], float] = random.random,
        clock: Callable[[], float] = time.monotonic,
        now: Callable[[], float] = time.time,
    ) -> None:
        self._proxies = dict(proxies or {})
        self._attempts = attempts
        self._sleep, self._jitter, self._clock, self._now = sleep, jitter, clock, now
        self._idle: dict[tuple[str, str], list[http.client.HTTPConnection]] = {}
        self._lock = threading.Lock()
        self._tls: ssl.SSLContext | None = None

    def post(
        self,
        base: str,
        path: str,
        body: Mapping[str, Any],
        *,
        headers: Mapping[str, str] | None = None,
        seconds: float = 60.0,
        attempts: int | None = None,
    ) -> Reply:
        """The server's answer at `base` + `path`, asked again while that can help and time is left."""
        url = _address(join(base, path))
        if url is None:
            return Reply(0, reason="the URL is not one", cure="Give one like https://host:port, without a password.")
        data = json.dumps(body, ensure_ascii=False).encode("utf-8", "replace")
        deadline = self._clock() + seconds
        limit = attempts or self._attempts
        for attempt in range(1, limit + 1):
            reply = self._ask(url, data, dict(headers or {}), deadline)
            if reply.ok or reply.final or attempt == limit:
                break
            pause = self._jitter() * min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** (attempt - 1))
            pause = pause if reply.wait is None else max(pause, reply.wait)
            if self._clock() + pause >= deadline:
                break
            self._sleep(pause)
        return reply if reply.ok or attempt == 1 else reply._replace(reason=f"{reply.reason}, {attempt} times")

    def close(self) -> None:
        with self._lock:
            connections = [one for several in self._idle.values() for one in several]
            self._idle.clear()
        for connection in connections:
            connection.close()

    def _ask(self, url: SplitResult, data: bytes, headers: dict[str, str], deadline: float) -> Reply:
        where = url.netloc
        try:
            status, retry_after, text = self._exchange(url, data, headers, deadline)
        except TimeoutError:
            return Reply(0, reason=f"{where} did not answer in time", cure="Try later, or allow it more time.")
        except http.client.IncompleteRead:
            return Reply(0, reason=f"{where} broke off in the middle of its answer", cure=cure_of(500))
        except (OSError, http.client.HTTPException) as error:
            why = one_line(str(error) or type(error).__name__, headers)
            untrusted = type(error).__name__ == "SSLCertVerificationError"
            return Reply(0, reason=f"{where} cannot be reached ({why})", cure=cure_of(0), final=untrusted)
        except ValueError:  # it would quote the header, and with it the key
            return Reply(0, reason="the key holds a character that cannot be sent", cure=cure_of(401), final=True)
        try:
            value = json.loads(text)
        except ValueError:
            value = None
        if 200 <= status < 300:
            if value is None:
                return Reply(status, reason=f"{where} answered something that is not JSON", cure=cure_of(404))
            return Reply(status, value)
        message = said(value, text) if status != 401 else ""  # a refused key comes back in pieces
        reason = f"{where} answered {status}" + (f" ({one_line(message, headers)})" if message else "")
        wait = seconds_to_wait(retry_after, self._now())
        too_long = is_too_long(status, message)
        return Reply(status, value, reason, cure_of(status), too_long, too_long or is_final(status, text), wait)

    def _exchange(
        self, url: SplitResult, data: bytes, headers: dict[str, str], deadline: float
    ) -> tuple[int, str | None, bytes]:
        headers = {"Content-Type": "application/json", "Accept": "application/json", **headers}
        connection, reused, target = self._connection(url, headers)
        while True:
            try:
                connection.timeout = self._left(deadline)
                if connection.sock is not None:
                    connection.sock.settimeout(connection.timeout)
                connection.request("POST", target, body=data, headers=headers)
                response = connection.getresponse()
                text = self._read(connection, response, deadline)
            except (ConnectionError, http.client.BadStatusLine):
                connection.close()
                if not reused:
                    raise
                reused = False  # the server had closed an idle connection: that is no failure
                continue
            except BaseException:
                connection.close()
                raise
            if response.will_close:
                connection.close()
            else:
                self._keep(url, connection)
            return response.status, response.headers.get("Retry-After"), text

    def _read(
        self, connection: http.client.HTTPConnection, response: http.client.HTTPResponse, deadline: float
    ) -> bytes:
        """The body, piece by piece as it arrives, so that a trickle cannot outlast the deadline."""
        parts: list[bytes] = []
        size = 0
        while response.length != 0:
            left = self._left(deadline)
            if connection.sock is not None:
                connection.sock.settimeout(left)
            expected = response.length
            part = response.read1(1 << 18)
            if not part:
                break
            if expected is not None:  # older Pythons do not count what read1 took
                response.length = expected - len(part)
            parts.append(part)
            size += len(part)
            if size > LONGEST_REPLY:
                raise http.client.HTTPException(f"the answer is longer than {LONGEST_REPLY} bytes")
        if response.length:
            raise http.client.IncompleteRead(b"", response.length)
        response.close()
        return b"".join(parts)

    def _left(self, deadline: float) -> float:
        left = deadline - self._clock()
        if left <= 0:
            raise TimeoutError
        return left

    def _connection(self, url: SplitResult, headers: dict[str, str]) -> tuple[http.client.HTTPConnection, bool, str]:
        """An idle or new connection, whether it was idle, and what to ask it for."""
        proxy = self._proxy(url)
        target = (url.path or "/") + (f"?{url.query}" if url.query else "")
        if proxy is not None and url.scheme == "http":
            target = url.geturl()
            headers.update(_proxy_headers(proxy))
        with self._lock:
            idle = self._idle.get((url.scheme, url.netloc))
            if idle:
                return idle.pop(), True, target
        at = proxy or url
        host, port = at.hostname or "", at.port
        if url.scheme == "http":
            return http.client.HTTPConnection(host, port), False, target
        connection = http.client.HTTPSConnection(host, port, context=self._context())
        if proxy is not None:
            connection.set_tunnel(url.hostname or "", url.port or 443, headers=_proxy_headers(proxy))
        return connection, False, target

    def _keep(self, url: SplitResult, connection: http.client.HTTPConnection) -> None:
        with self._lock:
            self._idle.setdefault((url.scheme, url.netloc), []).append(connection)

    def _context(self) -> ssl.SSLContext:
        if self._tls is None:
            import ssl

            self._tls = ssl.create_default_context()
        return self._tls

    def _proxy(self, url: SplitResult) -> SplitResult | None:
        host = url.hostname or ""
        exempt = [name.strip().lstrip(".") for name in self._proxies.get("no", "").split(",") if name.strip()]
        if host in LOOPBACK or "*" in exempt or any(host == name or host.endswith("." + name) for name in exempt):
            return None
        address = self._proxies.get(url.scheme, "")
        return urlsplit(address if "://" in address else f"http://{address}") if address else None


def join(base: str, path: str) -> str:
    """`base` + `path`, where `base` may already hold the path's beginning or all of it."""
    base = base.rstrip("/")
    pieces = path.strip("/").split("/")
    for count in range(len(pieces), 0, -1):
        if base.endswith("/" + "/".join(pieces[:count])):
            return "/".join([base, *pieces[count:]])
    return "/".join([base, *pieces])


def _address(url: str) -> SplitResult | None:
    """The URL taken apart, or None when it cannot be asked. A password in it would end up in messages."""
    try:
        split = urlsplit(url)
        usable = split.scheme in ("http", "https") and split.hostname and (split.port or True)
    except ValueError:
        return None
    return split if usable and split.username is None and url.isascii() and " " not in url else None


def _proxy_headers(proxy: SplitResult) -> dict[str, str]:
    if proxy.username is None:
        return {}
    from base64 import b64encode
    from urllib.parse import unquote

    login = f"{unquote(proxy.username)}:{unquote(proxy.password or '')}"
    return {"Proxy-Authorization": "Basic " + b64encode(login.encode()).decode("ascii")}
