"""A base with chunks and nothing else, and vectors that look like real ones."""

from __future__ import annotations

import numpy as np

from scrubjay.store.sqlite.connect import connect
from scrubjay.store.sqlite.vectors import VectorIndex


class Base:
    """An open base with one model, ready for vectors."""

    def __init__(self, location: str, dim: int = 16, chunks: int = 50, engine: str = "numpy") -> None:
        self.location, self.dim = location, dim
        self.connection = connect(location)
        self.connection.set_busy_timeout(1000)
        if not self.connection.execute("SELECT count(*) FROM models").get:
            self.model = self.add_model("m1", dim)
            self.add_chunks(chunks)
        else:
            self.model = self.connection.execute("SELECT max(number) FROM models").get
        self.index = VectorIndex(self.connection, location, engine)

    def add_model(self, name: str, dim: int) -> int:
        sql = "INSERT INTO models (identity, name, dim, created_at) VALUES (?, ?, ?, '') RETURNING number"
        return self.connection.execute(sql, (name, name, dim)).get

    def add_chunks(self, count: int) -> list[int]:
        with self.connection:
            have = self.connection.execute("SELECT coalesce(max(number), 0) FROM chunks").get
            self.connection.execute(
                "INSERT OR IGNORE INTO documents (number, id, title, kind, created_at, modified_at, indexed_at)"
                " VALUES (1, 'd', '', 'note', '', '', '')"
            )
            self.connection.executemany(
                "INSERT INTO chunks (id, document, ordinal, text) VALUES (?, 1, ?, 'x')",
                [(f"c{have + i}", have + i) for i in range(1, count + 1)],
            )
        return list(range(have + 1, have + count + 1))

    def put(self, numbers, vectors) -> None:
        with self.connection:
            self.index.put(self.model, numbers, vectors)

    def remove(self, numbers) -> None:
        with self.connection:
            self.connection.executemany("DELETE FROM chunks WHERE number = ?", [(int(n),) for n in numbers])

    def close(self) -> None:
        self.index.close()
        self.connection.close()


def clustered(count: int, dim: int, seed: int = 0) -> np.ndarray:
    """A few dense clusters along a few strong directions, as texts of one person make them."""
    rng = np.random.default_rng(seed)
    centres = rng.standard_normal((max(2, count // 50), dim)) * np.linspace(2, 0.1, dim)
    rows = centres[rng.integers(0, len(centres), count)] + rng.standard_normal((count, dim)) * 0.2
    return rows.astype(np.float32)


def expected(vectors: dict[int, np.ndarray], query, limit: int, allowed=None) -> list[int]:
    """The full sort, from the definition of cosine."""
    kept = [n for n in sorted(vectors) if allowed is None or n in set(allowed)]
    if not kept:
        return []
    rows = np.array([vectors[n] for n in kept], dtype=np.float64)
    rows = (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32).astype(np.float64)
    unit = np.asarray(query, dtype=np.float64) / np.linalg.norm(query)
    scores = np.round((rows * unit).sum(axis=1), 9)
    return [kept[i] for i in np.lexsort((kept, -scores))[:limit]]


def ids(found) -> list[int]:
    return [number for number, _ in found]
