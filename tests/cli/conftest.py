"""A base that answers from memory, and a way to run one command line against it."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import scrubjay
from scrubjay.cli.dispatch import main
from scrubjay.cli.terminal import Console
from scrubjay.errors import BaseMissing, UnknownId
from scrubjay.types import (
    AddReport,
    Check,
    Document,
    EmptyReport,
    Entry,
    Factor,
    Filter,
    Found,
    Hit,
    Passage,
    Progress,
    QueryPlan,
    Remembered,
    SearchResult,
    Term,
    Vote,
    Words,
)


def _make_hit(**changes: Any) -> Hit:
    hit = Hit(
        rank=1,
        id="c_1",
        document_id="d_1",
        score=0.0315,
        normalized=0.96,
        path="/notes/git.md",
        title="Git",
        kind="markdown",
        tags=("ops", "git"),
        trail=("Git", "Installing"),
        lines=(12, 40),
        page=None,
        created_at="2026-01-01T00:00:00Z",
        snippet="To install git,\nrun apt install git",
        highlights=((3, 10), (11, 14)),
        sources=("keyword", "vector"),
        ranks={"keyword": 2, "vector": 5},
        similarity=0.71,
        votes=(Vote("keyword", 2, 7.3, 1.0, 0.016129, "bm25"), Vote("vector", 5, 0.71, 1.0, 0.015385)),
        factors=(Factor("decay", 0.85, "30 days old"),),
    )
    return hit._replace(**changes)


def make_plan(**changes: Any) -> QueryPlan:
    plan = QueryPlan(
        query="install git",
        words=Words("install git", (Term("install"), Term("git", phrase=True)), (Term("cake"),)),
        profile="kb",
        mode="hybrid",
        sources=("keyword", "vector"),
        keyword_channel="fts5",
        fusion="rrf",
        top=10,
        pool=100,
        filter=Filter(tags=("ops",)),
        floor=0.0,
        threshold=None,
        rrf_k=60.0,
        vector_weight=0.7,
        keyword_weight=0.3,
        graph_weight=1.5,
        convergence_bonus=0.1,
        half_life_days=None,
        bm25_k1=1.2,
        bm25_b=0.75,
        stages=("retrieve", "fuse", "fetch"),
    )
    return plan._replace(**changes)


class FakeBase:
    """Remembers what it was asked; answers with what a test put into it."""

    def __init__(self) -> None:
        self.calls: list[tuple[str, Any, dict[str, Any]]] = []
        self.opened: list[tuple[Any, dict[str, Any]]] = []
        self.closed = False
        self.missing = False
        self.raises: BaseException | None = None
        self.hits: tuple[Hit, ...] = (_make_hit(),)
        self.notices: tuple[Any, ...] = ()
        self.report = AddReport(added=2, changed=1, skipped=7, chunks=31, seconds=1.25)
        self.empty = EmptyReport(40, 120, (("tag ops", 3), ("since 2030-01-01", 0)), ("install",))
        self.entries = [
            Entry("d_1", "2026-01-01T09:12:00Z", "note", ("ops",), "First", "The first summary"),
            Entry("d_2", "2026-01-01T10:00:00Z", "note", (), "Second", "The second summary"),
            Entry("d_3", "2026-01-02T00:00:00Z", "pdf", (), "Third", ""),
        ]
        self.documents = [
            Document("d_1", "/notes/git.md", "Git", "markdown", ("ops",), "2026-01-01T00:00:00Z", "", "", 2048, 3),
            Document("d_2", None, "A note", "note", (), "2026-01-02T00:00:00Z", "", "", 10, 1),
        ]
        self.passages = {
            "c_1": Passage(
                "c_1", "d_1", "/notes/git.md", "Git", "markdown", ("ops",), "2026-01-01T00:00:00Z", "", (12, 13),
                "apt install git\nthat is all\n", None, ("Git", "Installing"), "before it\n", "after it\n",
            )
        }  # fmt: skip
        self.checks = [Check("sqlite", True, "3.50"), Check("onnxruntime", None, "not installed", "pip install it")]
        self.state: dict[str, Any] = {
            "base": "/notes/.kb/kb.db", "size_bytes": 3_400_000, "documents": 310, "chunks": 1204,
            "by_kind": {"markdown": 300, "pdf": 10}, "tags": 14, "embedder": {"name": "arctic", "dim": 384},
            "pending": 12, "failed": 2, "schema": 2, "created_at": "2026-01-01T00:00:00Z",
            "sources": [{"path": "/notes", "documents": 310, "bytes": 2_000_000, "last_read_at": None}],
        }  # fmt: skip

    def __enter__(self) -> FakeBase:
        return self

    def __exit__(self, *error: object) -> None:
        self.closed = True

    def _note(self, name: str, *given: Any, **asked: Any) -> None:
        self.calls.append((name, given, asked))
        if self.raises is not None:
            raise self.raises

    def asked(self, name: str) -> dict[str, Any]:
        return next(asked for called, _, asked in self.calls if called == name)

    def given(self, name: str) -> Any:
        return next(given for called, given, _ in self.calls if called == name)

    def search(self, query: str, **asked: Any) -> SearchResult:
        self._note("search", query, **asked)
        return SearchResult(
            query, "kb", asked["mode"], self.hits, self.notices, {"retrieve": 1.5, "total": 3.2}, make_plan(), "bm25"
        )

    def explain_empty(self, result: SearchResult) -> EmptyReport:
        return self.empty

    def add(self, paths: Any, *, progress: Any = None, **asked: Any) -> AddReport:
        self._note("add", paths, **asked)
        if progress:
            progress(Progress("read", 1, 10, "/notes/git.md", 100))
        return self.report

    def update(self, *, progress: Any = None) -> AddReport:
        self._note("update")
        return self.report

    def remember(self, text: str, **asked: Any) -> Remembered:
        self._note("note", text, **asked)
        return Remembered("d_9")

    def timeline(self, **asked: Any) -> list[Entry]:
        self._note("timeline", **asked)
        return self.entries

    def get(self, ids: Any, **asked: Any) -> Found:
        self._note("get", ids, **asked)
        known = tuple(self.passages[id] for id in ids if id in self.passages)
        return Found(known, tuple(id for id in ids if id not in self.passages))

    def tag(self, id: str, add: Any = (), remove: Any = ()) -> tuple[str, ...]:
        self._note("tag", id, add=add, remove=remove)
        return tuple(sorted({"ops", *add} - set(remove)))

    def tags(self) -> dict[str, int]:
        return {"ops": 2, "git": 12}

    def list(self, **asked: Any) -> Any:
        self._note("list", **asked)
        return self.documents

    def remove(self, target: str) -> int:
        self._note("remove", target)
        if target.startswith("/missing"):
            raise UnknownId(f"There is no document {target!r}.")
        return 2

    def status(self) -> dict[str, Any]:
        return self.state

    def doctor(self, *, repair: bool = False) -> Any:
        self._note("doctor", repair=repair)
        return self.checks


class Outcome(NamedTuple):
    code: int
    out: str
    err: str


class Stream(io.TextIOWrapper):
    """A text stream with an encoding, that may claim to be a terminal."""

    def __init__(self, terminal: bool, encoding: str) -> None:
        super().__init__(io.BytesIO(), encoding=encoding, newline="\n", write_through=True)
        self._terminal = terminal

    def isatty(self) -> bool:
        return self._terminal

    @property
    def text(self) -> str:
        return self.buffer.getvalue().decode(self.encoding, "surrogateescape")  # type: ignore[attr-defined]


@pytest.fixture(autouse=True)
def _own_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No test reads or writes what belongs to the person who runs it."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.delenv("KB_BASE", raising=False)
    monkeypatch.setenv("KB_EMBEDDER_NAME", "none")  # `kb init` would fetch a model


@pytest.fixture
def make_hit() -> Callable[..., Hit]:
    return _make_hit


@pytest.fixture
def new_stream() -> Callable[[bool, str], Stream]:
    return Stream


@pytest.fixture
def base(monkeypatch: pytest.MonkeyPatch) -> FakeBase:
    fake = FakeBase()

    def open(asked: str | None = None, *, create: bool = True, actor: str = "") -> FakeBase:
        fake.opened.append((asked, {"create": create}))
        if fake.missing and not create:
            raise BaseMissing("There is no base yet.", "", "`kb add PATH` makes one.")
        return fake

    monkeypatch.setattr(scrubjay, "open", open, raising=False)
    return fake


@pytest.fixture
def kb() -> Any:
    def run(*arguments: str, terminal: bool = False, encoding: str = "utf-8", **environment: str) -> Outcome:
        out, err = Stream(terminal, encoding), Stream(terminal, encoding)
        console = Console(out, err, lambda name: environment.get(name, ""))
        code = main(list(arguments), console)
        return Outcome(code, out.text, err.text)

    return run
