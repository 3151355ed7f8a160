"""Measure what reranking here, without a second model, brings and costs.

    python bench/reranking.py [--data FOLDER] [--models FOLDER] [--cache FOLDER] [--limit N]

Quality: nDCG@10 of the whole product with `rerank` and without, profiles `kb` and `full`. Cost: CPU
milliseconds of reranking 20 passages of a collection, when their token vectors have to be made and when
they are remembered; the least of three, because the machine is shared. To bench/results/reranking.json.
"""

from __future__ import annotations

import argparse
import json
import statistics
import tempfile
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from corpus import machine
from meaning import ARCTIC, Judged, Kept, ndcg, read

import scrubjay
from scrubjay.embed.local import load

RESULTS = Path(__file__).parent / "results" / "reranking.json"
SETS = {"hotpotqa_hr": ARCTIC, "xquad_en": ARCTIC}
PROFILES = ("kb", "full")
LIMIT_MS = 300


class WithTokens(Kept):
    """Kept vectors, and the model itself for the vectors of tokens."""

    def __init__(self, name: str, models: Path, cache: Path) -> None:
        super().__init__(name, models, cache)
        self._whole: Any = load(name, models)

    def token_vectors(self, texts: list[str], role: str) -> Any:
        return self._whole.token_vectors(texts, role)


def main() -> None:
    each_set(__doc__, SETS, RESULTS, measured, {"limit_cpu_ms": LIMIT_MS})


def each_set(
    about: str | None,
    sets: Iterable[str],
    results: Path,
    measure: Callable[[argparse.Namespace, str], Any],
    more: dict[str, Any],
) -> None:
    """Measures the collections that are asked for and keeps what was found of each as soon as it is known."""
    parser = argparse.ArgumentParser(description=(about or "").splitlines()[0])
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--models", type=Path, default=Path.home() / ".cache" / "scrubjay" / "models")
    parser.add_argument("--cache", type=Path, default=Path(tempfile.gettempdir()) / "scrubjay-bench")
    parser.add_argument("--sets", default=",".join(sets))
    parser.add_argument("--limit", type=int, default=100, help="queries of each collection")
    asked = parser.parse_args()
    if not asked.data.exists():
        print(f"skipped: the judged collections are not in {asked.data}")
        return
    asked.cache.mkdir(parents=True, exist_ok=True)
    report = json.loads(results.read_text(encoding="utf-8")) if results.exists() else {}
    report |= {"machine": machine(), **more}
    for name in asked.sets.split(","):
        report[name] = measure(asked, name)
        print(name, json.dumps(report[name]), flush=True)
        results.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")


def measured(asked: argparse.Namespace, name: str) -> dict[str, Any]:
    judged = read(asked.data / name, asked.limit)
    kept = WithTokens(SETS[name], asked.models, asked.cache)
    with scrubjay.open(":memory:", embedder=kept, config={"rerank.seconds": 600, "rerank.p95_ms": 1e9}) as kb:
        kb.notes({"id": d["_id"], "title": d["title"], "text": d["text"] or d["title"]} for d in judged.documents)
        found: dict[str, Any] = {"queries": len(judged.queries), "cost": cost(kb, judged)}
        for profile in PROFILES:
            found[profile] = {how: score(kb, judged, profile, how == "reranked") for how in ("as fused", "reranked")}
    kept.save()
    return found


def score(kb: scrubjay.KnowledgeBase, judged: Judged, profile: str, rerank: bool) -> float:
    gains = []
    for query in judged.queries:
        found = kb.search(query["text"], profile=profile, rerank=rerank, top=20)
        assert not rerank or not found.hits or found.hits[0].reread is not None, found.notices
        best = list(dict.fromkeys(hit.document_id for hit in found.hits))
        gains.append(ndcg(judged.grades.get(query["_id"], {}), best))
    return round(statistics.mean(gains), 4)


def cost(kb: scrubjay.KnowledgeBase, judged: Judged) -> dict[str, Any]:
    """The stage alone, on the first queries that have 20 candidates."""
    fresh, again, lengths = [], [], []
    for query in judged.queries[:12]:
        found = kb.search(query["text"], top=20)
        if len(found.hits) < 20:
            continue
        chunks = kb.store.chunks_by_id([hit.id for hit in found.hits])
        lengths.append(statistics.mean(len(chunk.text) for chunk in chunks.values()))
        fresh.append(min(stage(kb, query["text"], forget=True) for _ in range(3)))
        again.append(min(stage(kb, query["text"], forget=False) for _ in range(3)))
    return {
        "characters_a_passage": round(statistics.mean(lengths)),
        "made_cpu_ms": round(statistics.median(fresh), 1),
        "remembered_cpu_ms": round(statistics.median(again), 1),
    }


def stage(kb: scrubjay.KnowledgeBase, query: str, *, forget: bool) -> float:
    """CPU of a search that reranks, less one that does not."""
    if forget:
        kb._known_rereading = None
    else:
        kb._rereading.cache._entries.clear()  # the scores, not the token vectors
    times = []
    for rerank in (False, True):
        started = time.process_time()
        kb.search(query, rerank=rerank, top=20)
        times.append((time.process_time() - started) * 1000)
    return times[1] - times[0]


if __name__ == "__main__":
    main()
