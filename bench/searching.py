"""What a search costs in a warm process: words, profiles, links and filters over one large base.

    python bench/searching.py [--base PATH] [--rows 100000] [--edges 500000] [--queries 40]

Writes bench/results/searching.json. CPU milliseconds, medians. Every query is asked once of each
way, so nothing is known of it beforehand; the ways take turns, each on a connection of its own.
"""

# ruff: noqa: E402 - the number of threads must be said before numpy is imported

from __future__ import annotations

import os

for _name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[_name] = "1"

import argparse
import itertools
import json
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from corpus import Corpus, Query, cpu, fill, like_texts, machine, middle, unit

import scrubjay
from scrubjay.search.parse import parse
from scrubjay.store.sqlite.match import expressions

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from scrubjay import KnowledgeBase

RESULTS = Path(__file__).parent / "results" / "searching.json"
DIM = 384
WEIGHTS = "2.0, 1.0, 0.5, 1.0, 1.0"
WARM = 5  # queries that are asked first and not counted
RANKED = "SELECT rowid, rank FROM chunks_fts WHERE chunks_fts MATCH ? AND rank MATCH 'bm25({})' ORDER BY rank LIMIT 100"
SCORED = "SELECT rowid, bm25(chunks_fts, {}) AS score FROM chunks_fts WHERE chunks_fts MATCH ? ORDER BY score LIMIT 100"


def opened(base: str) -> KnowledgeBase:
    return scrubjay.open(base, config={"embedder.name": "none", "graph.max_ms": 60_000.0}, create=False)


def turns(ways: dict[str, Callable[[Query], object]], queries: Sequence[Query]) -> dict[str, float]:
    """The median cost of each way, which begin in turn."""
    times: dict[str, list[float]] = {name: [] for name in ways}
    for place, query in enumerate(queries):
        order = list(ways)[place % len(ways) :] + list(ways)[: place % len(ways)]
        for name in order:
            spent = cpu(lambda: ways[name](query))  # noqa: B023 - called at once
            if place >= WARM:
                times[name].append(spent)
    return {name: middle(spent) for name, spent in times.items()}


def words(base: str, queries: Sequence[Query]) -> dict[str, float]:
    """FTS5's two ways to order, and our search by words in a process with numpy and in one without."""
    bare, fast, channel = opened(base), opened(base), opened(base)
    connection = bare.store._connection  # type: ignore[attr-defined]

    def asked(sql: str) -> Callable[[Query], object]:
        prepared = sql.format(WEIGHTS)
        tokens = bare.store.stems  # type: ignore[attr-defined]
        return lambda query: connection.execute(prepared, (expressions(parse(query.text), tokens).words,)).fetchall()

    found = turns(
        {
            "fts5_order_by_rank_ms": asked(RANKED),
            "fts5_order_by_bm25_ms": asked(SCORED),
            "keyword_ms": lambda query: fast.store.keyword(parse(query.text), 100, None),
            "bm25_channel_ms": lambda query: channel.store.bm25(parse(query.text), 100, None, 1.2, 0.75),
        },
        queries,
    )
    again = turns({"keyword_again_ms": lambda query: fast.store.keyword(parse(query.text), 100, None)}, queries)
    rank = found["fts5_order_by_rank_ms"]
    for kb in (bare, fast, channel):
        kb.close()
    return {
        **found,
        **again,
        "ratio_bm25_to_rank": round(found["fts5_order_by_bm25_ms"] / rank, 3),
        "ratio_keyword_to_rank": round(found["keyword_ms"] / rank, 3),
    }


def profiles(base: str, queries: Sequence[Query]) -> dict[str, Any]:
    """The whole search with given vectors: `kb`, and `full` with links followed, without reranking."""
    plain, full = opened(base), opened(base)
    found = turns(
        {
            "kb_ms": lambda query: plain.search(query.text, vector=query.vector),
            "full_ms": lambda query: full.search(query.text, vector=query.vector, profile="full"),
        },
        queries,
    )
    last = [full.search(query.text, vector=query.vector, profile="full") for query in queries]
    linked = sum("graph" in hit.sources for page in last for hit in page.hits)
    plain.close()
    full.close()
    ratio = round(found["full_ms"] / found["kb_ms"], 3)
    return {**found, "ratio_full_to_kb": ratio, "hits_reached_by_links": linked}


def filters(base: str, queries: Sequence[Query]) -> dict[str, Any]:
    """All modes, with everything allowed and with filters that leave a hundredth and a tenth."""
    told: dict[str, Any] = {}
    given: dict[str, dict[str, Any]] = {
        "everything": {},
        "1%": {"tags": "one-in-hundred"},
        "10%": {"tags": "one-in-ten"},
        "1% by folder": {"path": "/notes/folder07"},
    }
    for mode in ("keyword", "vector", "hybrid"):
        kb = opened(base)

        def asked(where: dict[str, Any], mode: str = mode, kb: KnowledgeBase = kb) -> Callable[[Query], object]:
            return lambda query: kb.search(query.text, vector=query.vector, mode=mode, **where)

        told[mode] = turns({name: asked(where) for name, where in given.items()}, queries)
        kb.close()
    return told


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--base", help="where the base is, or is made and stays; default: a temporary one")
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--edges", type=int, default=500_000)
    parser.add_argument("--queries", type=int, default=40)
    asked = parser.parse_args()
    corpus = Corpus()
    vectors = unit(like_texts(2 * asked.queries, DIM, 2)).tolist()
    questions = [Query(*pair) for pair in zip(corpus.questions(asked.queries), vectors, strict=False)]
    short = [Query(*pair) for pair in zip(corpus.short(asked.queries), vectors[asked.queries :], strict=True)]
    both = list(itertools.chain.from_iterable(zip(questions, short, strict=True)))
    with tempfile.TemporaryDirectory() as folder:
        base = asked.base or os.path.join(folder, "kb.db")
        if not os.path.exists(base):
            fill(base, asked.rows, dim=DIM, edges=asked.edges)
        told = {
            "what": "CPU milliseconds, medians; every query once",
            **machine(),
            "rows": asked.rows,
            "edges": asked.edges,
            "words": {"short": words(base, short), "questions": words(base, questions)},
            "profiles": {"short": profiles(base, short), "questions": profiles(base, questions)},
            "filters": filters(base, both),
        }
    RESULTS.write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")
    print(json.dumps(told, indent=1))


if __name__ == "__main__":
    main()
