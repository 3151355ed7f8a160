"""Measure embedding a whole base: memory over time, and the rate against the model by itself.

    python bench/pipeline.py --models FOLDER [--chunks N] [MODEL ...]

Notes are written first without a model, then a second process embeds them all and writes down its
memory as it goes: its own, and that of files mapped into it, which is the system's cache and goes when
somebody needs the place. Figures go to bench/results/pipeline.json: the curves, and how much higher the
last quarter of each lies than the third (before that the store's page cache of 64 MB fills).
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import scrubjay
from scrubjay.embed.local import find

RESULTS = Path(__file__).parent / "results" / "pipeline.json"
WORDS = 88  # about 120 tokens


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("model", nargs="*", default=["wordllama-256"])
    parser.add_argument("--models", type=Path, required=True)
    parser.add_argument("--chunks", type=int, default=100_000)
    parser.add_argument("--embed", help=argparse.SUPPRESS)
    asked = parser.parse_intermixed_args()
    settings = {"models.folder": str(asked.models), "graph.enabled": False}
    if asked.embed:
        print(json.dumps(embed(Path(asked.embed), {**settings, "embedder.name": asked.model[0]})))
        return
    for name in (find(model).name for model in asked.model):
        with tempfile.TemporaryDirectory() as folder:
            place = Path(folder) / "kb.db"
            write(place, asked.chunks, settings)
            command = [sys.executable, __file__, name, "--models", str(asked.models), "--embed", str(place)]
            done = subprocess.run(command, check=True, capture_output=True, text=True)
        record(name, json.loads(done.stdout.splitlines()[-1]))


def write(place: Path, chunks: int, settings: dict[str, Any]) -> None:
    """Prose that every Python brings along, shifted so that no two notes are the same."""
    from pydoc_data.topics import topics

    words = [word for topic in sorted(topics) for word in topics[topic].split() if any(c.isalpha() for c in word)]
    with scrubjay.open(place, config={**settings, "embedder.name": "none"}) as kb:
        for start in range(0, chunks, 5_000):
            kb.notes(
                {"text": f"{n} " + " ".join(words[n * 37 % len(words) :][:WORDS] or words[:WORDS])}
                for n in range(start, min(start + 5_000, chunks))
            )


def embed(place: Path, settings: dict[str, Any]) -> dict[str, Any]:
    curve: list[tuple[int, float, float]] = []

    def told(progress: Any) -> None:
        if progress.stage == "embed" and (not curve or progress.done - curve[-1][0] >= progress.total / 50):
            curve.append((progress.done, *memory_mb()))

    with scrubjay.open(place, config=settings) as kb:
        start, cpu = time.perf_counter(), time.process_time()
        report = kb.update(progress=told)
        seconds, cpu = time.perf_counter() - start, time.process_time() - cpu
        assert kb.status()["pending"] == 0, report
    quarter = max(1, len(curve) // 4)
    third, last = curve[2 * quarter : 3 * quarter], curve[3 * quarter :]
    own, mapped = (
        statistics.median(point[of] for point in last) - statistics.median(point[of] for point in third)
        for of in (1, 2)
    )
    return {
        "chunks": report.embedded,
        "chunks_per_s": round(report.embedded / seconds, 1),
        "cpu_ms_per_chunk": round(cpu / report.embedded * 1e3, 2),
        "own_growth_mb": round(own, 1),
        "own_peak_mb": max(point[1] for point in curve),
        "mapped_growth_mb": round(mapped, 1),
        "chunks_own_mb_mapped_mb": curve,
    }


def memory_mb() -> tuple[float, float]:
    """What the process holds of its own, and of mapped files."""
    with open("/proc/self/status") as file:
        told = dict(line.split(":", 1) for line in file)
    own, mapped = (int(told[name].split()[0]) / 1e3 for name in ("RssAnon", "RssFile"))
    return round(own, 1), round(mapped, 1)


def record(name: str, found: dict[str, Any]) -> None:
    shown = {key: value for key, value in found.items() if not isinstance(value, list)}
    print(name, json.dumps(shown), flush=True)
    kept = json.loads(RESULTS.read_text(encoding="utf-8")) if RESULTS.exists() else {}
    kept[name] = found
    RESULTS.write_text(json.dumps(kept, indent=1).replace("\n   ", " ").replace("\n  ]", "]") + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
