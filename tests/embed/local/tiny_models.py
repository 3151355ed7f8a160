"""Small models made on the spot: a card, its files, and a hub that serves them."""

from __future__ import annotations

import hashlib
import json
import os
import struct
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from scrubjay.embed.local.catalogue import DEFAULT, HubPath, ModelCard, ModelFile, WheelMember, find
from scrubjay.embed.local.install import installed

_CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
MODELS = Path(os.environ.get("SCRUBJAY_TEST_MODELS") or _CACHE / "scrubjay" / "models")

WORDS = [
    "[PAD]",
    "[UNK]",
    "[CLS]",
    "[SEP]",
    "[MASK]",
    *"abcdefghijklmnopqrstuvwxyz0123456789.,!?()+-:_'\"",
    "库",
    "数",
    "git",
]
PIECES = ["##" + letter for letter in "abcdefghijklmnopqrstuvwxyz0123456789"] + ["##ing", "##ll", "install", "the", "é"]
VOCABULARY = {word: number for number, word in enumerate(WORDS + PIECES)}


@pytest.fixture(scope="session")
def models() -> Path:
    """The folder of real models. The default one must be there: a test that cannot run is a failed test."""
    if not installed(find(DEFAULT), MODELS):
        pytest.fail(f"the model {DEFAULT} is not in {MODELS}; run: kb models pull {DEFAULT}")
    return MODELS


def bert_tokenizer(lowercase: bool = True) -> bytes:
    return json.dumps({"normalizer": {"lowercase": lowercase}, "model": {"vocab": VOCABULARY}}).encode()


def _number(value: int) -> bytes:
    out = b""
    while value > 127:
        out, value = out + bytes([value & 127 | 128]), value >> 7
    return out + bytes([value])


def _field(key: int, value: int | bytes | str) -> bytes:
    if isinstance(value, int):
        return _number(key << 3) + _number(value)
    data = value.encode() if isinstance(value, str) else value
    return _number(key << 3 | 2) + _number(len(data)) + data


def _tensor_type(name: str, kind: int, dims: Sequence[str | int]) -> bytes:
    shape = b"".join(_field(1, _field(2, dim) if isinstance(dim, str) else _field(1, dim)) for dim in dims)
    return _field(1, name) + _field(2, _field(1, _field(1, kind) + _field(2, shape)))


def tiny_onnx(table: np.ndarray[Any, Any]) -> bytes:
    """A model that looks each token up in a table: one Gather, written as protobuf by hand."""
    rows, dim = table.shape
    weights = (
        _field(1, rows) + _field(1, dim) + _field(2, 1) + _field(8, "table") + _field(9, table.astype("<f4").tobytes())
    )
    gather = _field(1, "table") + _field(1, "input_ids") + _field(2, "last_hidden_state") + _field(4, "Gather")
    graph = _field(1, gather) + _field(2, "g") + _field(5, weights)
    graph += _field(11, _tensor_type("input_ids", 7, ["batch", "tokens"]))
    graph += _field(12, _tensor_type("last_hidden_state", 1, ["batch", "tokens", dim]))
    return _field(1, 8) + _field(7, graph) + _field(8, _field(1, "") + _field(2, 13))


def tiny_pairs(table: np.ndarray[Any, Any]) -> bytes:
    """A cross-encoder: the sum of the question's rows times the sum of the passage's, as one number."""

    def node(kind: str, inputs: Sequence[str], output: str, *attributes: bytes) -> bytes:
        given = b"".join(_field(1, name) for name in inputs)
        return _field(1, given + _field(2, output) + _field(4, kind) + b"".join(_field(5, one) for one in attributes))

    rows, dim = table.shape
    weights = _field(1, rows) + _field(1, dim) + _field(2, 1) + _field(8, "table")
    weights += _field(9, table.astype("<f4").tobytes())
    to_float = _field(1, "to") + _field(3, 1) + _field(20, 2)
    graph = b"".join(
        (
            node("Gather", ["table", "input_ids"], "each"),
            node("Cast", ["token_type_ids"], "second", to_float),
            node("Cast", ["attention_mask"], "all", to_float),
            node("MatMul", ["second", "each"], "passage"),
            node("MatMul", ["all", "each"], "both"),
            node("Sub", ["both", "passage"], "question"),
            node("Mul", ["question", "passage"], "product"),
            node("ReduceSum", ["product"], "logits"),
        )
    )
    graph += _field(2, "g") + _field(5, weights)
    for name in ("input_ids", "attention_mask", "token_type_ids"):
        graph += _field(11, _tensor_type(name, 7, ["batch", "tokens"]))
    graph += _field(12, _tensor_type("logits", 1, ["batch", "one", "score"]))
    return _field(1, 8) + _field(7, graph) + _field(8, _field(1, "") + _field(2, 13))


def a_cross_encoder(home: Path) -> Path:
    """A folder with a cross-encoder that knows two words, install and git."""
    table = np.zeros((len(VOCABULARY), 2), np.float32)
    table[VOCABULARY["install"], 0], table[VOCABULARY["git"], 1] = 3, 1
    home.mkdir(parents=True, exist_ok=True)
    (home / "model.onnx").write_bytes(tiny_pairs(table))
    (home / "tokenizer.json").write_bytes(bert_tokenizer())
    return home


def tiny_table(dim: int = 8) -> np.ndarray[Any, Any]:
    return np.random.default_rng(1).normal(size=(len(VOCABULARY), dim)).astype(np.float32)


def a_card(files: dict[str, bytes], *, wheel: bool = False, crlf: Sequence[str] = (), **changes: Any) -> ModelCard:
    """A card for these files; the first is the weights."""
    listed = tuple(
        ModelFile(
            name,
            len(data),
            hashlib.sha256(data).hexdigest(),
            HubPath("someone/tiny", "abc123", f"onnx/{name}"),
            WheelMember("tiny-model", "1.0", f"tiny/{name}", name in crlf) if wheel else None,
        )
        for name, data in files.items()
    )
    card = ModelCard(
        name="tiny",
        title="Tiny",
        licence="MIT",
        notice="Copyright nobody",
        languages="English",
        scripts=frozenset({"latin"}),
        dim=8,
        max_tokens=16,
        pooling="mean",
        query_prefix="",
        document_prefix="",
        runtime="onnx",
        files=listed,
    )
    return card._replace(**changes)


@pytest.fixture
def tiny(tmp_path: Path) -> Callable[..., tuple[ModelCard, Path]]:
    """Makes an installed tiny model and returns its card and folder."""

    def make(table: np.ndarray[Any, Any] | None = None, **changes: Any) -> tuple[ModelCard, Path]:
        files = {"model.onnx": tiny_onnx(tiny_table() if table is None else table), "tokenizer.json": bert_tokenizer()}
        home = tmp_path / "models" / "tiny"
        home.mkdir(parents=True, exist_ok=True)
        for name, data in files.items():
            (home / name).write_bytes(data)
        return a_card(files, **changes), home

    return make


class Hub:
    """What the server has, how it misbehaves, and what it was asked."""

    def __init__(self) -> None:
        self.files: dict[str, bytes] = {}
        self.cut_after: list[int] = []  # the next replies stop after so many bytes of body
        self.ignores_range = False
        self.asked: list[tuple[str, str | None]] = []
        self.url = ""


@pytest.fixture
def hub() -> Iterator[Hub]:
    with serving() as state:
        yield state


@contextmanager
def serving() -> Iterator[Hub]:
    """A hub on 127.0.0.1."""
    state = Hub()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            wanted = self.headers.get("Range")
            state.asked.append((self.path, wanted))
            data = state.files.get(self.path)
            start = 0
            if data is None:
                self.send_error(404)
                return
            if wanted and not state.ignores_range:
                start = int(wanted.removeprefix("bytes=").rstrip("-"))
                if start >= len(data):
                    self.send_error(416)
                    return
                self.send_response(206)
                self.send_header("Content-Range", f"bytes {start}-{len(data) - 1}/{len(data)}")
            else:
                self.send_response(200)
            self.send_header("Content-Length", str(len(data) - start))
            self.end_headers()
            body = data[start:]
            self.wfile.write(body[: state.cut_after.pop(0)] if state.cut_after else body)

        def log_message(self, *_: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    state.url = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield state
    server.shutdown()
    thread.join()
    server.server_close()


def safetensors(rows: np.ndarray[Any, Any], kind: str = "F16") -> bytes:
    data = rows.astype("<f2").tobytes()
    header = json.dumps({"w": {"dtype": kind, "shape": list(rows.shape), "data_offsets": [0, len(data)]}}).encode()
    return struct.pack("<Q", len(header)) + header + data
