"""How fast texts come into a base, without embedding: chunks a CPU second by every way in.

    python bench/writing.py [CHUNKS]      writes bench/results/writing.json

Beside it, in the same run, what SQLite itself does with the plainest table and one full-text
trigger, a statement a chunk: machines differ and are shared, ratios to that say more.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import apsw
from corpus import WORDS, Corpus, batches, cpu, documents, machine

import scrubjay

if TYPE_CHECKING:
    from collections.abc import Callable

RESULTS = Path(__file__).parent / "results" / "writing.json"
ROUNDS = 3


def yardstick(folder: str, texts: list[str]) -> float:
    connection = apsw.Connection(os.path.join(folder, "bare.db"))
    connection.execute(
        "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -65536;"
        "CREATE TABLE chunks (number INTEGER PRIMARY KEY, title TEXT, text TEXT);"
        "CREATE VIRTUAL TABLE f USING fts5 (title, text, content = 'chunks', content_rowid = 'number',"
        " tokenize = 'porter unicode61');"
        "CREATE TRIGGER t AFTER INSERT ON chunks BEGIN"
        " INSERT INTO f (rowid, title, text) VALUES (new.number, new.title, new.text); END"
    ).fetchall()

    def write() -> None:
        with connection:
            connection.executemany("INSERT INTO chunks (title, text) VALUES ('note', ?)", ((text,) for text in texts))

    return cpu(write)


def notes(folder: str, texts: list[str], *, owed: bool = False) -> float:
    """With `owed` also what is left for later: links looked for, words listed."""
    with scrubjay.open(os.path.join(folder, "notes.db"), config={"embedder.name": "none"}) as kb:

        def write() -> None:
            kb.notes({"text": text, "title": f"note {n}"} for n, text in enumerate(texts))
            if owed:
                kb.update()

        return cpu(write)


def put(folder: str, texts: list[str], *, together: int) -> float:
    """Through the store, as `kb add` writes what it has read: documents of five chunks."""
    made = list(documents(Corpus(), len(texts)))
    with scrubjay.open(os.path.join(folder, "put.db"), config={"embedder.name": "none"}) as kb:

        def write() -> None:
            for batch in batches(iter(made), together):
                if together > 1:
                    kb.store.put_many(batch)
                else:
                    kb.store.put(*batch[0])

        return cpu(write)


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 20_000
    texts = list(Corpus().passages(count))
    ways: dict[str, Callable[[str], float]] = {
        "SQLite with one trigger": lambda folder: yardstick(folder, texts),
        "store.put_many": lambda folder: put(folder, texts, together=400),
        "store.put, a transaction each": lambda folder: put(folder, texts, together=1),
        "kb.notes": lambda folder: notes(folder, texts),
        "kb.notes, then links and words": lambda folder: notes(folder, texts, owed=True),
    }
    least = dict.fromkeys(ways, float("inf"))
    for _ in range(ROUNDS):
        for name, way in ways.items():
            with tempfile.TemporaryDirectory() as folder:
                least[name] = min(least[name], way(folder))
    bare = least["SQLite with one trigger"]
    told = {
        "what": f"chunks of about {WORDS} words written a CPU second, best of {ROUNDS}",
        **machine(),
        "chunks": count,
        "chunks_per_cpu_s": {name: round(count / spent * 1000) for name, spent in least.items()},
        "share_of_sqlite": {name: round(bare / spent, 3) for name, spent in least.items()},
    }
    RESULTS.write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")
    print(json.dumps(told, indent=1))


if __name__ == "__main__":
    main()
