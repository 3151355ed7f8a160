"""Opens bases for the vector tests and closes them after."""

from __future__ import annotations

import pytest

from store.vectors.vector_bases import Base


@pytest.fixture
def make(tmp_path):
    opened: list[Base] = []

    def open_base(name: str = "kb.db", **how) -> Base:
        base = Base(name if name == ":memory:" else str(tmp_path / name), **how)
        opened.append(base)
        return base

    yield open_base
    for base in opened:
        base.close()
