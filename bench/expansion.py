"""Measure what mending a query wins back, what it costs, and that it spoils nothing.

    python bench/expansion.py [--data FOLDER] [--models FOLDER] [--cache FOLDER] [--passages 100000]

Quality: nDCG@10 of the queries as they are and with one word mistyped, with mending and without, by
words alone and hybrid, in the profiles `kb` and `full`. `won back` is the share of what the typo cost.
Speed: CPU milliseconds of the stage over a base of many passages. Filler words: nDCG@10 by words with
and without the list. Everything goes to bench/results/expansion.json.
"""

from __future__ import annotations

import argparse
import json
import statistics
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from corpus import Corpus, fill, machine
from meaning import ARCTIC, Judged, Kept, ndcg, read

import scrubjay
from scrubjay.search import parse, stopwords
from scrubjay.search.expand import expanded
from scrubjay.search.plan import plan
from scrubjay.search.wording import list_words
from scrubjay.types import SearchOptions

if TYPE_CHECKING:
    from collections.abc import Sequence

RESULTS = Path(__file__).parent / "results" / "expansion.json"
TYPO_SETS = ("xquad_en", "hotpotqa_hr")
OTHER_SETS = ("cmrc2018", "jaquad")
PROFILES, MODES = ("kb", "full"), ("keyword", "hybrid")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--models", type=Path, default=Path.home() / ".cache" / "scrubjay" / "models")
    parser.add_argument("--cache", type=Path, default=Path(tempfile.gettempdir()) / "scrubjay-bench")
    parser.add_argument("--passages", type=int, default=100_000)
    asked = parser.parse_args()
    report: dict[str, Any] = {"machine": machine(), "speed": speed(asked.passages)}
    print(json.dumps(report["speed"], indent=1), flush=True)
    if asked.data.exists():
        asked.cache.mkdir(parents=True, exist_ok=True)
        report["quality"] = {name: quality(asked, name) for name in TYPO_SETS}
        report["others"] = {name: others(asked.data / name) for name in OTHER_SETS}
    else:
        print(f"skipped: the judged collections are not in {asked.data}")
    RESULTS.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")


def filled(kb: scrubjay.KnowledgeBase, judged: Judged) -> None:
    kb.notes({"id": d["_id"], "title": d["title"], "text": d["text"] or d["title"]} for d in judged.documents)


def score(kb: scrubjay.KnowledgeBase, judged: Judged, queries: Sequence[dict[str, str]], **how: Any) -> float:
    gains = []
    for query in queries:
        hits = kb.search(query["text"], top=20, **how).hits
        gains.append(ndcg(judged.grades.get(query["_id"], {}), list(dict.fromkeys(hit.document_id for hit in hits))))
    return round(statistics.mean(gains), 4)


def quality(asked: argparse.Namespace, name: str) -> dict[str, Any]:
    judged = read(asked.data / name, 0)
    mistyped = typed(asked.data / name)
    kept = Kept(ARCTIC, asked.models, asked.cache)
    found: dict[str, Any] = {"queries": len(judged.queries), "mistyped": len(mistyped)}
    with tempfile.TemporaryDirectory() as folder:
        base = str(Path(folder) / "kb.db")
        with scrubjay.open(base, embedder=kept) as kb:
            filled(kb, judged)
        for mended in (False, True):
            with scrubjay.open(base, embedder=kept, config={"expand.enabled": mended}) as kb:
                for profile in PROFILES:
                    for mode in MODES:
                        row = found.setdefault(f"{profile} {mode}", {})
                        how: dict[str, Any] = {"profile": profile, "mode": mode}
                        row["clean mended" if mended else "clean"] = score(kb, judged, judged.queries, **how)
                        row["typo mended" if mended else "typo"] = score(kb, judged, mistyped, **how)
        found["filler words"] = fillers(base, judged)
    kept.save()
    for row in (row for row in found.values() if isinstance(row, dict) and "typo" in row):
        cost = row["clean"] - row["typo"]
        row["won back"] = round((row["typo mended"] - row["typo"]) / cost, 3) if cost > 0 else None
    print(name, json.dumps(found, indent=1), flush=True)
    return found


def typed(folder: Path) -> list[dict[str, str]]:
    import gzip

    with gzip.open(folder / "queries_typo.jsonl.gz", "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def fillers(base: str, judged: Judged) -> dict[str, float]:
    found: dict[str, float] = {}
    try:
        for name, words in (("without", frozenset[str]()), ("with", stopwords.FILLER_WORDS)):
            setattr(parse, "FILLER_WORDS", words)  # noqa: B010 - the checker is right that it is not theirs to set
            with scrubjay.open(base, config={"embedder.name": "none"}) as kb:
                found[name] = score(kb, judged, judged.queries, mode="keyword")
    finally:
        setattr(parse, "FILLER_WORDS", stopwords.FILLER_WORDS)  # noqa: B010
    return found


def others(folder: Path) -> dict[str, float]:
    """Collections in other scripts, which nothing may change."""
    judged = read(folder, 300)
    found = {}
    for mended in (False, True):
        with scrubjay.open(":memory:", config={"embedder.name": "none", "expand.enabled": mended}) as kb:
            filled(kb, judged)
            how = "mended" if mended else "as typed"
            found[how] = score(kb, judged, judged.queries, profile="full", mode="keyword")
    print(folder.name, found, flush=True)
    return found


def speed(passages: int) -> dict[str, Any]:
    """The stage alone, as the pipeline runs it: CPU, the least of three runs of each query, their median."""
    corpus = Corpus()
    with tempfile.TemporaryDirectory() as folder:
        base = str(Path(folder) / "kb.db")
        fill(base, passages)
        with scrubjay.open(base, config={"embedder.name": "none"}) as kb:
            started = time.process_time()
            list_words(kb.store)
            listing = time.process_time() - started
            found: dict[str, Any] = {"passages": passages, "listing_us_a_passage": round(listing / passages * 1e6, 1)}
            queries = {"short": corpus.short(60), "questions": corpus.questions(60)}
            for name, texts in queries.items():
                found[name] = timed(kb, texts)
                found[f"{name}, one typo"] = timed(kb, [mistyped(text, place) for place, text in enumerate(texts)])
    return found


def mistyped(text: str, place: int) -> str:
    """The longest word of the text with two letters swapped, one left out or one doubled."""
    word = max(text.split(), key=len)
    at = max(1, len(word) // 2 - place % 2)
    slips = (
        word[:at] + word[at + 1 : at + 2] + word[at : at + 1] + word[at + 2 :],
        word[:at] + word[at + 1 :],
        word[:at] + word[at] + word[at:],
    )
    return text.replace(word, slips[place % 3])


def timed(kb: scrubjay.KnowledgeBase, texts: Sequence[str]) -> dict[str, float]:
    times, changed = [], 0
    for text in texts:
        made = plan(SearchOptions(text, profile="full"), kb.config)
        runs = []
        for _ in range(3):
            started = time.process_time()
            done = expanded(made, kb.store.vocabulary, lambda: False)
            runs.append((time.process_time() - started) * 1000)
        changed += bool(done.changes)
        times.append(min(runs))
    ranked = sorted(times)
    return {
        "median_ms": round(statistics.median(times), 3),
        "p95_ms": round(ranked[int(len(ranked) * 0.95)], 3),
        "changed": round(changed / len(texts), 2),
    }


if __name__ == "__main__":
    main()
