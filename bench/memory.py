"""What remembering costs a search, and what its thresholds of similarity are worth.

Two questions: how much CPU the standing of memories adds to a search (nothing known, some hidden,
every factor of profile full), and into which band of R93 pairs of notes fall that a person would
call the same thing said anew, about the same thing, or unrelated: by the default model, by words.

    python bench/memory.py      writes bench/results/memory.json
"""

from __future__ import annotations

import json
import platform
import statistics
import sys
import tempfile
import time
from itertools import combinations
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "src"))

import scrubjay  # noqa: E402 - the source beside this file
from scrubjay.memory.similar import overlap, words  # noqa: E402

# A fact; the same said anew; something else about the same subject.
NOTES = (
    ("The nightly backup of the mail server runs at two in the morning.",
     "Every night at 2 a.m. the mail server is backed up.", "The mail server runs Postfix on Debian."),
    ("We chose SQLite because one file is enough and nobody has to run a server.",
     "SQLite was chosen: a single file suffices and there is no server to run.", "SQLite has full-text search."),
    ("Ada prefers meetings before noon.", "Ada likes her meetings in the morning.", "Ada leads the search team."),
    ("To release, tag the commit and push the tag; the pipeline does the rest.",
     "A release is made by tagging a commit and pushing that tag, the pipeline takes it from there.",
     "The pipeline takes eleven minutes."),
    ("Sessions end after an hour without activity.", "After one hour of inactivity a session expires.",
     "Sessions are kept in Redis."),
    ("The login loop came from a cookie with SameSite strict behind the proxy.",
     "Behind the proxy, a SameSite=Strict cookie caused the login to loop.", "The proxy is nginx."),
    ("Sourdough needs twelve hours at room temperature.", "Let sourdough rest for half a day at room temperature.",
     "Rye flour makes bread heavier."),
    ("The invoice numbers start again at one every January.", "Each January invoice numbering restarts from 1.",
     "Invoices are sent as PDF."),
)  # fmt: skip
BANDS = ((0.95, "reinforce"), (0.85, "update"), (0.70, "link"), (-2.0, "create"))
QUERIES = ("backup server", "session cookie", "release pipeline", "invoice", "morning meetings")


def main() -> int:
    report: dict[str, Any] = {
        "what": "bands of similarity by model and by words; CPU of a search with memories, as a multiple of without",
        "python": platform.python_version(),
        "similarity": similarity(),
        "cost": cost(),
    }
    out = ROOT / "bench" / "results" / "memory.json"
    out.write_text(json.dumps(report, indent=2) + "\n")
    print(json.dumps(report, indent=2))
    return 0


def similarity() -> dict[str, Any]:
    pairs = {
        "said anew": [(one, again) for one, again, _ in NOTES],
        "same subject": [(one, near) for one, _, near in NOTES],
        "unrelated": [(one[0], other[0]) for one, other in combinations(NOTES, 2)],
    }
    found: dict[str, Any] = {"words": bands(pairs, lambda a, b: overlap(words(a), words(b)))}
    from scrubjay import registry
    from scrubjay.config import load

    names = registry.wanted(load({}))
    if not names:
        return {**found, "model": "no model is installed"}
    embedder = registry.embedder(names[0], load({}))
    texts = list(dict.fromkeys(text for each in pairs.values() for pair in each for text in pair))
    vectors = dict(zip(texts, embedder.embed(texts, "document"), strict=True))
    return {**found, names[0]: bands(pairs, lambda a, b: float(vectors[a] @ vectors[b]))}


def bands(pairs: dict[str, list[tuple[str, str]]], measure: Any) -> dict[str, Any]:
    made = {}
    for name, some in pairs.items():
        values = [measure(*pair) for pair in some]
        counted = dict.fromkeys((band for _, band in BANDS), 0)
        for value in values:
            counted[next(band for least, band in BANDS if value >= least)] += 1
        made[name] = {"pairs": len(values), "median": round(statistics.median(values), 3), **counted}
    return made


def cost(count: int = 20_000) -> dict[str, Any]:
    texts = [f"{one} {number}" for number in range(count // 24) for each in NOTES for one in each]
    settings = {"embedder.name": "none", "graph.enabled": False}
    with tempfile.TemporaryDirectory() as folder:
        with scrubjay.open(Path(folder) / "kb.db", config=settings) as kb:
            ids = kb.notes({"text": text} for text in texts)
            off = {f"memory.{name}": False for name in ("tiers", "documents", "retention", "half_lives")}
            runs = {"kb": measured(kb, "kb"), "full": measured(kb, "full")}
        with scrubjay.open(Path(folder) / "kb.db", config={**settings, **off}) as kb:
            runs["full without weighing"] = measured(kb, "full")
            for identity in ids[:: count // 200]:
                kb.correct(identity, "deprecated")
            runs["kb, 200 hidden"] = measured(kb, "kb")
    least = {name: round(min(each) * 1000, 3) for name, each in runs.items()}
    return {
        "chunks": len(texts),
        "least_ms": least,
        "hidden": round(least["kb, 200 hidden"] / least["kb"], 2),
        "weighing": round(least["full"] / least["full without weighing"], 2),
    }


def measured(kb: scrubjay.KnowledgeBase, profile: str, runs: int = 12) -> list[float]:
    taken = []
    for _ in range(runs):
        start = time.process_time()
        for query in QUERIES:
            kb.search(query, profile=profile, mode="keyword")
        taken.append((time.process_time() - start) / len(QUERIES))
    return taken


if __name__ == "__main__":
    sys.exit(main())
