"""Embedders whose answers a test decides, and `kb` as a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

SOURCE = str(Path(__file__).parent.parent / "src")


class Fixed:
    """Knows the vectors of a few texts, found by a word in them; everything else is `other`."""

    def __init__(self, vectors: Mapping[str, Sequence[float]], other: Sequence[float], name: str = "fixed") -> None:
        self.name = name
        self.dim = len(other)
        self.calls: list[tuple[str, list[str]]] = []
        self._vectors = vectors
        self._other = other

    def embed(self, texts: Sequence[str], role: str) -> NDArray[np.float32]:
        self.calls.append((role, list(texts)))
        return np.asarray([self._of(text) for text in texts], dtype=np.float32)

    def queries(self) -> list[str]:
        return [text for role, texts in self.calls if role == "query" for text in texts]

    def _of(self, text: str) -> Sequence[float]:
        return next((vector for word, vector in self._vectors.items() if word in text), self._other)


class Failing:
    """Embeds documents like `inner`, but fails on everything for which `when` says so."""

    def __init__(self, when: Callable[[str, str], bool], dim: int = 2, name: str = "fixed") -> None:
        self.name = name
        self.dim = dim
        self.when = when
        self.embedded: list[str] = []

    def embed(self, texts: Sequence[str], role: str) -> NDArray[np.float32]:
        for text in texts:
            if self.when(role, text):
                raise ConnectionError("the model server is away")
        self.embedded += texts
        return np.ones((len(texts), self.dim), dtype=np.float32)


def environment(home: Path, **more: str) -> dict[str, str]:
    """What a `kb` started by a test sees: its own home and nothing of the tester's settings."""
    return {
        "PATH": os.environ.get("PATH", ""),
        "HOME": str(home),
        "XDG_CONFIG_HOME": str(home / "config"),
        "XDG_DATA_HOME": str(home / "data"),
        "XDG_CACHE_HOME": str(home / "cache"),
        "KB_BASE": str(home / "kb.db"),
        "PYTHONPATH": SOURCE,
        "PYTHONUTF8": "1",
        **more,
    }


def process(home: Path, *words: str, stdin: str = "", **more: str) -> subprocess.CompletedProcess[str]:
    """Runs `kb …` to its end."""
    return subprocess.run(
        [sys.executable, "-m", "scrubjay", *words],
        input=stdin, capture_output=True, text=True, encoding="utf-8", cwd=home, timeout=60,
        env=environment(home, **more),
    )  # fmt: skip


def script(home: Path, code: str, *words: str, **more: str) -> subprocess.Popen[str]:
    """Starts Python on `code`; the caller waits for it, or ends it."""
    return subprocess.Popen(
        [sys.executable, "-c", code, *words],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, encoding="utf-8",
        env=environment(home, **more), cwd=home,
    )  # fmt: skip
