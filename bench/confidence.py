"""Whether `confidence` tells queries that the base can answer from queries of another collection.

    python bench/confidence.py [--queries N]

Every English collection of ../shared/data is asked its own queries (on topic), the same with a misspelled word, and
those of the other one (off topic). Told are the share of each level, and how well the evidence separates them (AUC:
1 is perfectly, .5 not at all), with and without meaning. Bases are those of bench/ablate.py, made if they are not
there. Writes bench/results/confidence.json.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from pathlib import Path
from typing import Any

from ablate import DATA, ENGLISH, Remembering, built, part

import scrubjay
from scrubjay import registry
from scrubjay.config import load as load_config
from scrubjay.evaluate.judgements import load
from scrubjay.types.confidence import LEVELS, Confidence

RESULTS = Path(__file__).parent / "results" / "confidence.json"
PAIR = ("hotpotqa_hr", "xquad_en")


def main() -> int:
    asked = argparse.ArgumentParser()
    asked.add_argument("--queries", type=int, default=200)
    most = asked.parse_args().queries
    if not DATA.is_dir() or ENGLISH not in registry.installed(load_config()):
        print(f"{DATA} or the model {ENGLISH} is not there, so there is nothing to measure.")
        return 0
    embedder = Remembering(registry.embedder(ENGLISH, load_config()))
    report: dict[str, Any] = {}
    for own, other in (PAIR, PAIR[::-1]):
        base = built(DATA / own, ENGLISH)
        asking = {
            "on topic": queries(own, "queries", most),
            "misspelled": queries(own, "queries_typo", most),
            "off topic": queries(other, "queries", most),
        }
        for mode in ("hybrid", "keyword"):
            with scrubjay.open(base, embedder=embedder) as kb:
                found = {
                    name: [known(kb.search(text, mode=mode).confidence) for text in texts]
                    for name, texts in asking.items()
                }
            report[f"{own}, {mode}"] = summary(found)
    RESULTS.write_text(json.dumps(report, indent=1) + "\n")
    print(json.dumps(report, indent=1))
    return 0


def queries(collection: str, name: str, most: int) -> list[str]:
    folder = DATA / collection
    return list(part(load(folder / f"{name}.jsonl.gz", folder / "qrels.tsv"), most).queries.values())


def known(sure: Confidence | None) -> Confidence:
    assert sure is not None
    return sure


def summary(found: dict[str, list[Confidence]]) -> dict[str, Any]:
    off = [evidence(sure) for sure in found["off topic"]]
    return {
        name: {
            "queries": len(all_of),
            **{level: round(Counter(sure.level for sure in all_of)[level] / len(all_of), 3) for level in LEVELS},
            **({} if name == "off topic" else {"auc": auc([evidence(sure) for sure in all_of], off)}),
        }
        for name, all_of in found.items()
    }


def evidence(sure: Confidence) -> float:
    return sure.coverage + (sure.standing or 0.0)


def auc(better: list[float], worse: list[float]) -> float:
    """How often one of the first is above one of the second."""
    wins = sum((one > other) + 0.5 * (one == other) for one in better for other in worse)
    return round(wins / (len(better) * len(worse)), 4)


if __name__ == "__main__":
    raise SystemExit(main())
