"""A real HTTP server on 127.0.0.1 that speaks every provider's protocol, well or badly.

`Vendor.plan` holds what the next requests get: a callable that takes the request and returns
an Answer. When the plan is empty the request gets a good answer for its path.
"""

from __future__ import annotations

import base64
import hashlib
import json
import struct
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import MappingProxyType
from typing import Any, NamedTuple

DIM = 8


class Request(NamedTuple):
    path: str
    headers: dict[str, str]
    body: Any


class Answer(NamedTuple):
    value: Any = None
    status: int = 200
    headers: Mapping[str, str] = MappingProxyType({})
    raw: bytes | None = None
    cut_at: int | None = None  # bytes after which the connection is dropped
    wait: float = 0.0  # seconds before the body


def numbers(text: str, dim: int = DIM) -> list[float]:
    """A vector that is a text's own, so that a test sees which text it was made of."""
    digest = hashlib.sha256(text.encode()).digest()
    return [digest[place % 32] / 255 + 0.01 for place in range(dim)]


def texts_of(request: Request) -> list[str]:
    body = request.body
    if "requests" in body:
        return [item["content"]["parts"][0]["text"] for item in body["requests"]]
    for key in ("input", "texts", "inputs"):
        if key in body:
            return list(body[key])
    raise AssertionError(f"no texts in {body}")


def embedded(request: Request, dim: int = DIM) -> Any:
    """The good answer of the protocol that the request's path belongs to."""
    rows = [numbers(text, dim) for text in texts_of(request)]
    if request.path.endswith("/v1/embeddings"):
        coded: list[Any] = list(rows)
        if request.body.get("encoding_format") == "base64":
            coded = [base64.b64encode(struct.pack(f"<{dim}f", *row)).decode() for row in rows]
        return {"data": [{"index": place, "embedding": row} for place, row in enumerate(coded)], "usage": {}}
    if request.path.endswith("/v2/embed"):
        return {"embeddings": {"float": rows}}
    if request.path.endswith("/api/embed"):
        return {"embeddings": rows}
    if request.path.endswith(":batchEmbedContents"):
        return {"embeddings": [{"values": row} for row in rows]}
    if request.path.endswith("/embed"):
        return rows
    raise AssertionError(request.path)


def relevance(query: str, passage: str) -> float:
    asked = set(query.lower().split())
    return len(asked & set(passage.lower().split())) / max(1, len(asked))


def reranked(request: Request) -> Any:
    """The good answer, best first as real servers give it, so that only `index` tells the place."""
    body = request.body
    passages = body.get("documents", body.get("texts"))
    score = "relevance_score" if "documents" in body else "score"
    results = [{"index": place, score: relevance(body["query"], text)} for place, text in enumerate(passages)]
    results.sort(key=lambda item: -item[score])
    if "texts" in body:
        return results
    return {"data": results} if "top_k" in body else {"results": results}


class Vendor:
    """The server, what it was asked, and what it will do next."""

    def __init__(self) -> None:
        self.requests: list[Request] = []
        self.connections = 0
        self.plan: deque[Callable[[Request], Answer]] = deque()
        self.always: Callable[[Request], Answer] | None = None
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self._server.daemon_threads = True
        self.host = f"127.0.0.1:{self._server.server_port}"
        self.url = f"http://{self.host}"
        threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()

    def next(self, *answers: Answer | Callable[[Request], Answer]) -> None:
        for answer in answers:
            self.plan.append(answer if not isinstance(answer, Answer) else lambda _, given=answer: given)

    def answer(self, request: Request) -> Answer:
        self.requests.append(request)
        if self.plan:
            return self.plan.popleft()(request)
        if self.always is not None:
            return self.always(request)
        return Answer(reranked(request) if "rerank" in request.path else embedded(request))

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()


def _handler(vendor: Vendor) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True

        def setup(self) -> None:
            vendor.connections += 1
            super().setup()

        def do_POST(self) -> None:
            length = int(self.headers["Content-Length"])
            body = json.loads(self.rfile.read(length))
            answer = vendor.answer(Request(self.path, dict(self.headers.items()), body))
            data = answer.raw if answer.raw is not None else json.dumps(answer.value).encode()
            try:
                self._send(answer, data)
            except OSError:  # the client has gone, which is what some tests are about
                self.close_connection = True

        def _send(self, answer: Answer, data: bytes) -> None:
            self.send_response(answer.status)
            for name, value in {"Content-Type": "application/json", **answer.headers}.items():
                self.send_header(name, value)
            if "Transfer-Encoding" not in answer.headers:
                self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            if answer.wait:
                time.sleep(answer.wait)
            if answer.cut_at is not None:
                self.wfile.write(data[: answer.cut_at])
                self.close_connection = True
            else:
                self.wfile.write(data)

        def log_message(self, *_: Any) -> None:
            pass

    return Handler


class Clock:
    """Time that passes only when somebody sleeps."""

    def __init__(self) -> None:
        self.time = 1_000.0
        self.slept: list[float] = []

    def __call__(self) -> float:
        return self.time

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.time += seconds
