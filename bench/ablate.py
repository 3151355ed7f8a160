"""What each part of the search adds, by the whole product on judged collections: nDCG@10, recall@10, MRR@10.

    python bench/ablate.py [--queries N] [--only SET …] [--models MODEL …] [--rerank N]

Keyword, vector and graph are the legs of one search; rrf, weighted and enhanced are the profiles kb, memory and
full; auto is profile full with `fusion.method=auto`, with an even mix and with what `kb tune` learned. Reranked is
profile full with the local reranker. Corpora are embedded once and kept outside the repository (a folder below the
temporary one). Collections and models that are not there are left out, and that is told.
Writes bench/results/ablate.json.
"""

from __future__ import annotations

import argparse
import json
import os
import tempfile
import time
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import scrubjay
from scrubjay import registry
from scrubjay.config import load as load_config
from scrubjay.evaluate.compare import compare_queries
from scrubjay.evaluate.corpus import read_corpus
from scrubjay.evaluate.judgements import Judgements, load
from scrubjay.evaluate.run import Evaluation, Leg

ROOT = Path(__file__).parents[1]
DATA = ROOT.parent / "shared" / "data"
RESULTS = ROOT / "bench" / "results" / "ablate.json"
CACHE = Path(tempfile.gettempdir()) / "scrubjay-ablate"
ENGLISH, CHINESE = "snowflake-arctic-embed-s", "bge-small-zh-v1.5"
FAST, STATIC = "all-minilm-l6-v2", "wordllama-256"  # to see what a weaker model does
# collection, its queries, the models to embed it with (the first that reads it is the product's choice)
SETS: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    ("hotpotqa_hr", "queries", (ENGLISH,)),
    ("hotpotqa_hr", "queries_typo", (ENGLISH,)),
    ("xquad_en", "queries", (ENGLISH,)),
    ("xquad_en", "queries_typo", (ENGLISH,)),
    ("cmrc2018", "queries", (CHINESE, "none")),
    ("jaquad", "queries", ("none",)),
    ("hotpotqa_hr", "queries", (FAST, STATIC)),
    ("xquad_en", "queries", (FAST, STATIC)),
)
MEASURES = ("ndcg@10", "recall@10", "mrr@10")
Vectors = NDArray[np.float32]


class Remembering:
    """An embedder that embeds the same query once, so that many settings can be tried."""

    def __init__(self, inner: Any) -> None:
        self._inner = inner
        self._known: dict[str, Vectors] = {}

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)

    def embed(self, texts: Sequence[str], role: str) -> Vectors:
        if role != "query" or len(texts) != 1:
            return np.asarray(self._inner.embed(texts, role))
        if texts[0] not in self._known:
            self._known[texts[0]] = np.asarray(self._inner.embed(texts, role))
        return self._known[texts[0]]


def main() -> int:
    asked = argparse.ArgumentParser()
    asked.add_argument("--queries", type=int, default=200, help="at most so many of a set, evenly taken")
    asked.add_argument("--rerank", type=int, default=40, help="of these, so many with the reranker; 0: none")
    asked.add_argument("--only", nargs="*", default=[], help="these collections; what is known of others is kept")
    asked.add_argument("--models", nargs="*", default=[], help="these models")
    options = asked.parse_args()
    if not DATA.is_dir():
        print(f"{DATA} is not there, so there is nothing to measure.")
        return 0
    report: dict[str, Any] = (
        json.loads(RESULTS.read_text())["sets"] if RESULTS.exists() and (options.only or options.models) else {}
    )
    for collection, queries, models in SETS:
        if options.only and collection not in options.only:
            continue
        for model in models if not options.models else [model for model in models if model in options.models]:
            name = f"{collection}{queries.removeprefix('queries')} · {model}"
            if model != "none" and model not in registry.installed(load_config()):
                print(f"{name}: the model is not installed, left out")
                continue
            report[name] = measured(collection, queries, model, options.queries, options.rerank)
            told(name, report[name])
            RESULTS.write_text(
                json.dumps({"sets": report, "proof": proof(report)}, indent=1, ensure_ascii=False) + "\n"
            )
    print(json.dumps(proof(report), indent=1))
    return 0


def measured(collection: str, queries: str, model: str, most: int, rerank: int) -> dict[str, Any]:
    folder = DATA / collection
    judged = part(load(folder / f"{queries}.jsonl.gz", folder / "qrels.tsv"), most)
    base = built(folder, model)
    embedder = None if model == "none" else Remembering(registry.embedder(model, load_config()))
    systems: dict[str, Leg] = {}

    def run(
        name: str, judgements: Judgements = judged, legs: Sequence[str] = ("hybrid",), profile: str = "full",
        fusion: str = "",
    ) -> Evaluation:  # fmt: skip
        # a loaded machine would switch the reranker off, and what it would have done is asked here
        config: dict[str, Any] = {"embedder.companions": False, "rerank.p95_ms": 60_000, "rerank.seconds": 60}
        if embedder is None:
            config["embedder.name"] = "none"
        if fusion:
            config["fusion.method"] = fusion
        with scrubjay.open(base, embedder=embedder, config=config) as kb:
            found = kb.evaluate(judgements, profile=profile, legs=legs)
        systems[name] = found.whole
        return found

    tuned = retuned(base, embedder)
    found = run("enhanced", legs=("keyword", "vector", "hybrid"))
    systems.update((leg.name, leg) for leg in found.legs[:-1])
    run("rrf", profile="kb")
    run("weighted", profile="memory")
    run("auto", fusion="auto")
    with scrubjay.open(base, embedder=embedder, config={"embedder.name": "none"} if embedder is None else {}) as kb:
        chunks = kb.status()["chunks"]
        kb.store.tuning.remember(None)
    run("auto, even", fusion="auto")
    if rerank and embedder is not None:
        few = part(judged, rerank)
        run("enhanced, few", few)
        run("auto, few", few, fusion="auto")
        run("enhanced, reranked, few", few, ("reranked",))
        run("auto, reranked, few", few, ("reranked",), fusion="auto")
    return {
        "queries": len(judged.queries),
        "chunks": chunks,
        "learned": tuned,
        "systems": {name: figures(leg) for name, leg in systems.items()},
        "against_rrf": {
            name: against(systems["rrf"], systems[name])
            for name in ("enhanced", "auto", "auto, even")
            if name in systems
        },
        "against_not_reranked": {
            fusion: against(systems[f"{fusion}, few"], systems[f"{fusion}, reranked, few"])
            for fusion in ("enhanced", "auto")
            if f"{fusion}, few" in systems
        },
    }


def part(judged: Judgements, most: int) -> Judgements:
    """At most so many queries, from all over the file."""
    names = list(judged.queries)
    step = max(len(names) / most, 1.0)
    kept = [names[int(place * step)] for place in range(min(most, len(names)))]
    return Judgements({name: judged.queries[name] for name in kept}, {name: judged.qrels[name] for name in kept})


def built(folder: Path, model: str) -> Path:
    """The collection in a base, embedded once and kept."""
    CACHE.mkdir(exist_ok=True)
    base = CACHE / f"{folder.name}-{model}.db"
    if not base.exists():
        making = base.with_suffix(".making")
        making.unlink(missing_ok=True)
        with scrubjay.open(making, config={"embedder.name": model, "embedder.companions": False}) as kb:
            kb.notes(read_corpus(folder / "corpus.jsonl.gz"))
        os.replace(making, base)
    return base


def retuned(base: Path, embedder: Any) -> Mapping[str, Any] | None:
    if embedder is None:
        return None
    start = time.process_time()
    with scrubjay.open(base, embedder=embedder) as kb:
        done = kb.tune()
    return {
        "vector_weight": done.vector_weight, "queries": done.queries, "legs": done.legs,
        "cpu_seconds": round(time.process_time() - start, 2),
    }  # fmt: skip


def figures(leg: Leg) -> dict[str, Any]:
    return {name: round(leg.means[name], 4) for name in MEASURES}


def against(first: Leg, second: Leg) -> dict[str, float]:
    found = compare_queries(
        *({query: row["ndcg@10"] for query, row in leg.per_query.items()} for leg in (first, second))
    )
    return {"difference": round(found.difference, 4), "p": round(found.p, 4)}


def proof(report: Mapping[str, Any]) -> dict[str, Any]:
    """What the choice of a default hangs on: auto against the best leg, and on average against rrf."""
    own = {name: row["systems"] for name, row in report.items() if name.endswith((ENGLISH, CHINESE, "none"))}
    gaps = {
        name: {
            method: round(row[method]["ndcg@10"] - max(row[leg]["ndcg@10"] for leg in LEGS if leg in row), 4)
            for method in ("rrf", "weighted", "enhanced", "auto, even", "auto")
        }
        for name, row in own.items()
    }
    names = ("keyword", "rrf", "weighted", "enhanced", "auto, even", "auto")
    means = {name: round(mean(row[name]["ndcg@10"] for row in own.values()), 4) for name in names}
    return {"against_the_better_leg": gaps, "mean_ndcg@10": means}


LEGS = ("keyword", "vector")


def mean(values: Iterable[float]) -> float:
    kept = list(values)
    return sum(kept) / max(len(kept), 1)


def told(name: str, row: Mapping[str, Any]) -> None:
    learned = row["learned"]["vector_weight"] if row["learned"] else "nothing"
    print(f"{name}: {row['queries']} queries, {row['chunks']} chunks, learned {learned}", flush=True)
    for system, values in row["systems"].items():
        print(f"  {system:<26}" + "  ".join(f"{measure} {value:.4f}" for measure, value in values.items()), flush=True)


if __name__ == "__main__":
    raise SystemExit(main())
