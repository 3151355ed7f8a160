"""Measure what meaning adds: keyword, vector and hybrid search of the whole product on judged collections.

    python bench/meaning.py --models FOLDER --data FOLDER [--cache FOLDER] [--sets a,b] [--limit N]

Each collection becomes a base (one note a document, cut as ever), each query is searched in three modes
by the profiles `kb` and `full`, and nDCG@10 of the documents goes to bench/results/meaning.json. `gap` is
hybrid minus the better of keyword and vector alone. A row `… without the rule` hands the model every
script, to show what leaving it out saves. Vectors are kept in --cache by the hash of their text, so a
second run costs no embedding.
"""

from __future__ import annotations

import argparse
import gzip
import json
import math
import statistics
import tempfile
from collections.abc import Sequence
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

import scrubjay
from scrubjay import registry
from scrubjay.embed.local import find, load
from scrubjay.errors import NoEmbedder

if TYPE_CHECKING:
    from scrubjay.ports import Embedder
    from scrubjay.types import Role

RESULTS = Path(__file__).parent / "results" / "meaning.json"
ARCTIC, MINILM, BGE, WORDS = "snowflake-arctic-embed-s", "all-minilm-l6-v2", "bge-small-zh-v1.5", "wordllama-256"
PROFILES, MODES = ("kb", "full"), ("keyword", "vector", "hybrid")


class Setup(NamedTuple):
    """A row of the table: the models that are installed, and whether a model gets only its scripts."""

    name: str
    models: tuple[str, ...]
    rule: bool = True


ENGLISH = (Setup(ARCTIC, (ARCTIC,)), Setup(MINILM, (MINILM,)), Setup(WORDS, (WORDS,)))
ASIAN = (
    Setup(ARCTIC, (ARCTIC,)),
    Setup(f"{ARCTIC} + {BGE}", (ARCTIC, BGE)),
    Setup(f"{ARCTIC} without the rule", (ARCTIC,), rule=False),
)
SETS = {"xquad_en": ENGLISH, "hotpotqa_hr": ENGLISH, "cmrc2018": ASIAN, "jaquad": ASIAN}
Vectors = NDArray[np.float32]


class Kept:
    """An embedder whose vectors are kept in a file."""

    def __init__(self, name: str, models: Path, cache: Path) -> None:
        self.name, self._models = name, models
        self.dim = find(name).dim
        self._inner: Embedder | None = None
        self._path = cache / f"{name}.npz"
        self._known: dict[str, Vectors] = {}
        if self._path.exists():
            with np.load(self._path) as kept:
                self._known = dict(zip(kept["keys"].tolist(), kept["rows"], strict=True))

    def embed(self, texts: Sequence[str], role: Role) -> Vectors:
        keys = [blake2b(f"{role}\0{text}".encode("utf-8", "replace"), digest_size=12).hexdigest() for text in texts]
        fresh = {key: text for key, text in zip(keys, texts, strict=True) if key not in self._known}
        if fresh:
            self._inner = self._inner or load(self.name, self._models)
            rows = self._inner.embed(list(fresh.values()), role)
            self._known.update(zip(fresh, rows, strict=True))
        return np.stack([self._known[key] for key in keys]) if keys else np.zeros((0, self.dim), np.float32)

    def save(self) -> None:
        if self._known:
            np.savez(self._path, keys=np.array(list(self._known)), rows=np.stack(list(self._known.values())))


class Judged(NamedTuple):
    documents: list[dict[str, str]]
    queries: list[dict[str, str]]
    grades: dict[str, dict[str, int]]


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--models", type=Path, required=True)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--cache", type=Path, default=Path(tempfile.gettempdir()) / "scrubjay-bench")
    parser.add_argument("--sets", default=",".join(SETS))
    parser.add_argument("--limit", type=int, default=0, help="only so many queries of each collection")
    parser.add_argument("--only", default="", help="only rows whose name contains this")
    asked = parser.parse_args()
    if not asked.data.exists():
        print(f"skipped: the judged collections are not in {asked.data}")
        return
    asked.cache.mkdir(parents=True, exist_ok=True)
    for name in asked.sets.split(","):
        collection = read(asked.data / name, asked.limit)
        for setup in SETS[name]:
            if asked.only not in setup.name:
                continue
            record(name, setup.name, measure(collection, setup, asked.models, asked.cache))


def read(folder: Path, limit: int) -> Judged:
    def lines(name: str) -> list[dict[str, str]]:
        with gzip.open(folder / name, "rt", encoding="utf-8") as file:
            return [json.loads(line) for line in file]

    grades: dict[str, dict[str, int]] = {}
    for line in (folder / "qrels.tsv").read_text(encoding="utf-8").splitlines()[1:]:
        query, document, grade = line.split("\t")
        grades.setdefault(query, {})[document] = int(grade)
    queries = lines("queries.jsonl.gz")
    step = max(1, len(queries) // limit) if limit else 1
    return Judged(lines("corpus.jsonl.gz"), queries[::step][: limit or None], grades)


def measure(judged: Judged, setup: Setup, models: Path, cache: Path) -> dict[str, Any]:
    """All modes and profiles over one base."""
    kept = {name: Kept(name, models, cache) for name in setup.models}
    stand_ins: dict[str, Any] = {"embedder": lambda name, _: kept[name], "installed": lambda _: list(kept)}
    if not setup.rule:
        stand_ins["coverage"] = lambda _: None
    before = {name: getattr(registry, name) for name in stand_ins}
    try:
        for name, stand_in in stand_ins.items():
            setattr(registry, name, stand_in)
        with tempfile.TemporaryDirectory() as folder, scrubjay.open(Path(folder) / "kb.db") as kb:
            kb.notes({"id": d["_id"], "title": d["title"], "text": d["text"] or d["title"]} for d in judged.documents)
            return {profile: modes(kb, judged, profile) for profile in PROFILES} | shape(kb, judged)
    finally:
        for name, original in before.items():
            setattr(registry, name, original)
        for each in kept.values():
            each.save()


def modes(kb: scrubjay.KnowledgeBase, judged: Judged, profile: str) -> dict[str, float]:
    found: dict[str, float] = {}
    for mode in MODES:
        gains = []
        for query in judged.queries:
            try:
                hits = kb.search(query["text"], profile=profile, mode=mode, top=40).hits
            except NoEmbedder:  # asked for vectors alone, in a script that no model reads
                hits = ()
            best = list(dict.fromkeys(hit.document_id for hit in hits))
            gains.append(ndcg(judged.grades.get(query["_id"], {}), best))
        found[mode] = round(statistics.mean(gains), 4)
    found["gap"] = round(found["hybrid"] - max(found["keyword"], found["vector"]), 4)
    return found


def shape(kb: scrubjay.KnowledgeBase, judged: Judged) -> dict[str, Any]:
    state = kb.status()
    return {"documents": state["documents"], "chunks": state["chunks"], "queries": len(judged.queries)}


def ndcg(grades: dict[str, int], ranked: Sequence[str]) -> float:
    gain = sum(grades.get(name, 0) / math.log2(at + 2) for at, name in enumerate(ranked[:10]))
    ideal = sum(grade / math.log2(at + 2) for at, grade in enumerate(sorted(grades.values(), reverse=True)[:10]))
    return gain / ideal if ideal else 0.0


def record(collection: str, setup: str, found: dict[str, Any]) -> None:
    print(collection, setup, json.dumps(found), flush=True)
    kept = json.loads(RESULTS.read_text(encoding="utf-8")) if RESULTS.exists() else {}
    kept.setdefault(collection, {})[setup] = found
    RESULTS.write_text(json.dumps(kept, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
