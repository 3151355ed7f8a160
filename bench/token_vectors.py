"""Measure token vectors that are kept in the base: what they cost in quality and room, and what they save.

    python bench/token_vectors.py [--data FOLDER] [--models FOLDER] [--cache FOLDER] [--limit N]

nDCG@10 of the whole product, profile `kb`, 20 candidates: as fused; reranked as ever (384 dimensions, the
best part of a passage); whole passages in 384 dimensions; and whole passages as they are kept (128, int8).
Cost: CPU milliseconds of reranking 20 and 50 passages, made and kept; the median over queries of the least
of three. To bench/results/token_vectors.json.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from pathlib import Path
from typing import Any

from meaning import ARCTIC, read
from reranking import WithTokens, each_set, score

import scrubjay
from scrubjay.knowledge_base.rereadable import passage
from scrubjay.rerank.local import LocalReranker

RESULTS = Path(__file__).parent / "results" / "token_vectors.json"
SETS = ("xquad_en", "hotpotqa_hr")
COUNTS = (20, 50)
PATIENT = {"rerank.seconds": 600, "rerank.p95_ms": 1e9}


def main() -> None:
    each_set(__doc__, SETS, RESULTS, measured, {})


def measured(asked: argparse.Namespace, name: str) -> dict[str, Any]:
    judged = read(asked.data / name, asked.limit)
    kept: Any = WithTokens(ARCTIC, asked.models, asked.cache)
    kept.identity = kept._whole.identity  # by which its projection is known
    whole = LocalReranker(kept, Everything(), whole=True)
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "kb.db"
        with scrubjay.open(place, embedder=kept, config=PATIENT) as kb:
            kb.notes({"id": d["_id"], "title": d["title"], "text": d["text"] or d["title"]} for d in judged.documents)
            found: dict[str, Any] = {
                "queries": len(judged.queries),
                "as fused": score(kb, judged, "kb", False),
                "the best part, 384": score(kb, judged, "kb", True),
            }
            made = {f"made_{count}_cpu_ms": cost(kb, judged.queries, count) for count in COUNTS}
        with scrubjay.open(place, embedder=kept, reranker=whole, config=PATIENT) as kb:
            found["whole, 384"] = score(kb, judged, "kb", True)
        with scrubjay.open(place, embedder=kept, config={**PATIENT, "rerank.token_vectors": True}) as kb:
            started = time.process_time()
            kb.update()
            filling = time.process_time() - started
            held = kb.status()["token_vectors"]
            store: Any = kb.store
            tokens = store._connection.execute("SELECT sum(length(scales)) / 2 FROM token_vectors").fetchone()[0]
            found["whole, kept, 128 int8"] = score(kb, judged, "kb", True)
            found |= made | {f"kept_{count}_cpu_ms": cost(kb, judged.queries, count) for count in COUNTS}
            found |= {
                "chunks": held["chunks"],
                "tokens": tokens,
                "bytes_a_token": round(held["bytes"] / tokens, 1),
                "bytes_a_chunk": round(held["bytes"] / held["chunks"]),
                "keeping_cpu_ms_a_chunk": round(filling * 1000 / held["chunks"], 1),
            }
    kept.save()
    return found


class Everything(dict[str, Any]):
    """A TokenCache without a limit."""

    put = dict.__setitem__


def cost(kb: scrubjay.KnowledgeBase, queries: list[dict[str, str]], count: int) -> float:
    """The reranker alone, as it is chosen, on passages that a search found; nothing is remembered."""
    times = []
    once(kb, queries[0]["text"], ["to wake what is made at the first call"])
    for query in queries[:8]:
        found = kb.search(query["text"], top=count)
        chunks = kb.store.chunks_by_id([hit.id for hit in found.hits])
        texts = [passage(chunk) for chunk in chunks.values()]
        if len(texts) == count:
            times.append(min(once(kb, query["text"], texts) for _ in range(3)))
    return round(statistics.median(times), 1)


def once(kb: scrubjay.KnowledgeBase, query: str, texts: list[str]) -> float:
    kb._known_rereading = None
    reranker = kb._rereading._local()
    assert reranker is not None
    started = time.process_time()
    reranker.score(query, texts)
    return (time.process_time() - started) * 1000


if __name__ == "__main__":
    main()
