"""What keeping the history costs: adding, changing and deleting, with it and without.

    python bench/history.py

CPU seconds of one process, the better of three runs each, the two ways taking turns. The result
goes to bench/results/history.json; docs/adr/0050-history.md draws the conclusions.
"""

from __future__ import annotations

import json
import os
import random
import tempfile
import time
from pathlib import Path
from typing import Any

import scrubjay
from scrubjay.types import Draft, Piece

RESULT = Path(__file__).parent / "results" / "history.json"
NOTES = 20_000
WORDS = 106  # a chunk of ordinary prose
PARTS = 20  # chunks of a long document


def texts(count: int, seed: int) -> list[str]:
    dice = random.Random(seed)
    vocabulary = ["".join(dice.choices("abcdefghijklmnopqrstuvwxyz", k=dice.randint(2, 11))) for _ in range(30_000)]
    weights = [1 / rank for rank in range(1, len(vocabulary) + 1)]
    return [" ".join(dice.choices(vocabulary, weights, k=WORDS)) for _ in range(count)]


def cpu(work: Any) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def run(enabled: bool, first: list[str], second: list[str]) -> dict[str, float]:
    with tempfile.TemporaryDirectory() as folder:
        place = os.path.join(folder, "kb.db")
        config = {"history.enabled": enabled, "embedder.name": "none", "graph.enabled": False}
        with scrubjay.open(place, config=config) as kb:
            took = {"add": cpu(lambda: kb.notes({"text": text, "id": f"n{n}"} for n, text in enumerate(first)))}
            long = [
                (
                    Draft(f"Long {n}", "note", id=f"l{n}"),
                    [Piece(text, (1, 1)) for text in first[n * PARTS : (n + 1) * PARTS]],
                )
                for n in range(NOTES // PARTS)
            ]
            took["write_chunk"] = cpu(lambda: kb.store.put_many(long))
            kb.store._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")  # type: ignore[attr-defined]
            took["bytes_added"] = os.path.getsize(place)
            changed = [{"text": text, "id": f"n{n}"} for n, text in enumerate(second)]
            took["change"] = cpu(lambda: kb.notes(changed, replace=True))
            gone = [f"n{n}" for n in range(len(second))]
            took["delete"] = cpu(lambda: kb.store.remove(gone))
            kb.store._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")  # type: ignore[attr-defined]
            took["bytes_after"] = os.path.getsize(place)
    return took


def main() -> None:
    first, second = texts(NOTES, 1), texts(NOTES // 4, 2)
    runs: dict[bool, list[dict[str, float]]] = {True: [], False: []}
    for _ in range(3):
        for enabled in (False, True):
            runs[enabled].append(run(enabled, first, second))
    best: dict[bool, dict[str, float]] = {}
    for enabled, found in runs.items():
        best[enabled] = {key: min(one[key] for one in found) for key in found[0]}
    counts: dict[str, int] = {"add": NOTES, "write_chunk": NOTES, "change": NOTES // 4, "delete": NOTES // 4}
    result: dict[str, dict[str, float]] = {
        name: {
            **{f"{key}s_per_cpu_second": round(count / float(best[enabled][key])) for key, count in counts.items()},
            "bytes_a_note_added": round(best[enabled]["bytes_added"] / NOTES),
            "bytes_after_changes": int(best[enabled]["bytes_after"]),
        }
        for name, enabled in (("without", False), ("with_history", True))
    }
    result["ratio"] = {key: round(best[True][key] / best[False][key], 3) for key in counts}
    RESULT.write_text(json.dumps({"notes": NOTES, "words": WORDS, **result}, indent=2) + "\n", encoding="utf-8")
    print(RESULT.read_text("utf-8"))


if __name__ == "__main__":
    main()
