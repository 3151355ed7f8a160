"""Measure what links add: questions that need two documents must gain, known-item search must not lose.

    python bench/graph.py --models FOLDER [--data FOLDER] [--cache FOLDER] [--items N]

On hotpotqa_hr, whose paragraphs mention each other's titles, profile `full` is asked with and without
links: the judged questions (nDCG@10, recall@10), and as known items the titles of single documents and
their first words (mean reciprocal rank). Figures go to bench/results/graph.json.
"""

from __future__ import annotations

import argparse
import json
import statistics
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from meaning import ARCTIC, Judged, Kept, ndcg, read

import scrubjay
from scrubjay import registry

RESULTS = Path(__file__).parent / "results" / "graph.json"
SET = "hotpotqa_hr"


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--models", type=Path, required=True)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--cache", type=Path, default=Path(tempfile.gettempdir()) / "scrubjay-bench")
    parser.add_argument("--items", type=int, default=150, help="how many known items are searched for")
    asked = parser.parse_args()
    if not asked.data.exists():
        print(f"skipped: the judged collections are not in {asked.data}")
        return
    asked.cache.mkdir(parents=True, exist_ok=True)
    judged = read(asked.data / SET, 0)
    kept = Kept(ARCTIC, asked.models, asked.cache)
    vars(registry).update(embedder=lambda *_: kept, installed=lambda _: [ARCTIC])
    found = {name: measure(judged, linked, asked.items) for name, linked in (("without", False), ("with links", True))}
    kept.save()
    print(json.dumps(found))
    RESULTS.write_text(json.dumps({SET: found}, indent=1) + "\n", encoding="utf-8")


def measure(judged: Judged, linked: bool, items: int) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "kb.db"
        with scrubjay.open(place, config={"graph.enabled": linked, "graph.learn": False}) as kb:
            kb.notes({"id": d["_id"], "title": d["title"], "text": d["text"] or d["title"]} for d in judged.documents)
            questions = [(query["text"], judged.grades.get(query["_id"], {})) for query in judged.queries]
            answers = [(grades, documents(kb, text)) for text, grades in questions]
            some = judged.documents[:: max(1, len(judged.documents) // items)]
            return {
                "questions": len(questions),
                "ndcg10": mean(ndcg(grades, found) for grades, found in answers),
                "recall10": mean(len(set(found[:10]) & grades.keys()) / len(grades) for grades, found in answers),
                "known_items": len(some),
                "mrr_titles": mean(rank(kb, d["title"], d["_id"]) for d in some),
                "mrr_first_words": mean(rank(kb, " ".join(d["text"].split()[:8]), d["_id"]) for d in some),
            }


def documents(kb: scrubjay.KnowledgeBase, text: str) -> Sequence[str]:
    return list(dict.fromkeys(hit.document_id for hit in kb.search(text, profile="full", top=40).hits))


def rank(kb: scrubjay.KnowledgeBase, text: str, wanted: str) -> float:
    found = documents(kb, text)[:10]
    return 1 / (found.index(wanted) + 1) if wanted in found else 0.0


def mean(figures: Iterable[float]) -> float:
    return round(statistics.mean(figures), 4)


if __name__ == "__main__":
    main()
