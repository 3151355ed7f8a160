"""What every test has: a machine of its own, a base, and the command line in this process."""

from __future__ import annotations

import io
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import HealthCheck, settings

import scrubjay

settings.register_profile(
    "quick",
    max_examples=40,
    deadline=None,  # a shared machine is no clock
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
settings.load_profile("quick")

SWITCHES = ("ENABLE_", "CROSS_ENCODER_", "RERANK_", "MAX_RERANK_", "EMBEDDING_", "KB_")


@pytest.fixture(scope="session")
def nowhere(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home in which nothing is configured and nothing is installed."""
    return tmp_path_factory.mktemp("home")


@pytest.fixture(autouse=True)
def _own_machine(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, nowhere: Path, tmp_path: Path
) -> None:
    """No test sees the settings of whoever runs it, and none writes into their base."""
    for name in list(os.environ):
        if name.startswith(SWITCHES) and (name != "KB_MODELS_FOLDER" or "model" not in request.keywords):
            monkeypatch.delenv(name)
    monkeypatch.setenv("KB_GRAPH_MAX_MS", "60000")  # a shared machine is no clock
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("XDG_DATA_HOME", str(nowhere / "data"))
    if "model" not in request.keywords:  # the real weights lie in the real cache
        monkeypatch.setenv("XDG_CACHE_HOME", str(nowhere / "cache"))


@pytest.fixture
def place(tmp_path: Path) -> str:
    """Where a new base may be made."""
    return str(tmp_path / "kb.db")


@pytest.fixture
def kb() -> Iterator[scrubjay.KnowledgeBase]:
    """A base in memory that knows words and nothing else."""
    with scrubjay.open(":memory:") as base:
        yield base


class Ran(NamedTuple):
    """What a command line did."""

    code: int
    out: str
    err: str


@pytest.fixture
def run(place: str, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Ran]:
    """Runs `kb …` in this process on a base of the test's own."""
    from scrubjay.cli.dispatch import main
    from scrubjay.cli.terminal import Console

    monkeypatch.setenv("KB_BASE", place)

    def go(*words: str) -> Ran:
        out, err = io.StringIO(), io.StringIO()
        code = main(words, Console(out, err, lambda name: os.environ.get(name, "")))
        return Ran(code, out.getvalue(), err.getvalue())

    return go


@pytest.fixture
def write(tmp_path: Path) -> Callable[..., Path]:
    """Makes a file below the test's folder, with its folders, and returns its path."""

    def make(name: str, text: str | bytes = "", **_: Any) -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode() if isinstance(text, str) else text)
        return path

    return make
