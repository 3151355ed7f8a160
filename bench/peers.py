"""The same texts and vectors asked of other engines, in one run: ratios, and skipped where one is not installed.

    python bench/peers.py [--base PATH] [--rows 100000]     writes bench/results/peers.json

CPU milliseconds in a warm process, medians. Each peer is used as its own first page shows it, with one
thread where it can be told so. None of them reads files, follows changes, filters or shows a snippet.
"""

# ruff: noqa: E402 - the number of threads must be said before numpy is imported

from __future__ import annotations

import os

for _name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[_name] = "1"

import argparse
import json
import tempfile
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from corpus import Corpus, cpu, fill, like_texts, machine, middle, unit

import scrubjay
from scrubjay.search.parse import parse

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

RESULTS = Path(__file__).parent / "results" / "peers.json"
DIM, TOP, WARM = 384, 30, 3


def timed(way: Callable[[Any], object], asked: Sequence[Any]) -> float:
    return middle([cpu(lambda: way(each)) for each in asked][WARM:])  # noqa: B023 - called at once


def ours(base: str, words: dict[str, list[str]], vectors: Any) -> dict[str, Any]:
    kb = scrubjay.open(base, config={"embedder.name": "none"}, create=False)
    told: dict[str, Any] = {
        f"{kind}_ms": timed(lambda query: kb.store.keyword(parse(query), TOP, None), queries)
        for kind, queries in words.items()
    }
    told["vector_ms"] = timed(lambda vector: kb.store.nearest(1, vector, TOP, None), vectors.tolist())
    kb.close()
    return told


def bm25s(texts: list[str], words: dict[str, list[str]]) -> dict[str, Any]:
    module = import_module("bm25s")
    engine = module.BM25()
    build = cpu(lambda: engine.index(module.tokenize(texts, stopwords="en", show_progress=False), show_progress=False))

    def ask(query: str) -> object:
        tokens = module.tokenize([query], stopwords="en", show_progress=False)
        return engine.retrieve(tokens, k=TOP, show_progress=False)

    return {"build_cpu_s": round(build / 1000, 1), **{f"{kind}_ms": timed(ask, asked) for kind, asked in words.items()}}


def tantivy(texts: list[str], words: dict[str, list[str]]) -> dict[str, Any]:
    module = import_module("tantivy")
    builder = module.SchemaBuilder()
    builder.add_text_field("text", stored=False, tokenizer_name="en_stem")
    index = module.Index(builder.build())

    def write() -> None:
        writer = index.writer(num_threads=1)
        for text in texts:
            writer.add_document(module.Document(text=text))
        writer.commit()
        writer.wait_merging_threads()

    build = cpu(write)
    index.reload()
    searcher = index.searcher()

    def ask(query: str) -> object:
        return searcher.search(index.parse_query(query, ["text"]), TOP)

    return {"build_cpu_s": round(build / 1000, 1), **{f"{kind}_ms": timed(ask, asked) for kind, asked in words.items()}}


def faiss(rows: Any, vectors: Any) -> dict[str, Any]:
    module = import_module("faiss")
    module.omp_set_num_threads(1)
    exact = np.argsort(-(vectors @ rows.T), axis=1)[:, :TOP]
    told: dict[str, Any] = {}
    for name in ("Flat", "SQ8", "HNSW32,SQ8") if len(rows) <= 20_000 else ("Flat", "SQ8"):
        index = module.index_factory(rows.shape[1], name, module.METRIC_INNER_PRODUCT)
        build = cpu(lambda: (index.train(rows), index.add(rows)))  # noqa: B023 - called at once
        found = [index.search(vector[None, :], TOP)[1][0] for vector in vectors]
        same = [len(set(mine) & set(best)) / TOP for mine, best in zip(found, exact, strict=True)]
        told[name] = {
            "vector_ms": timed(lambda vector: index.search(vector[None, :], TOP), vectors),  # noqa: B023
            "recall_at_30": round(float(np.mean(same)), 4),
            "build_cpu_s": round(build / 1000, 2),
        }
    return told


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--base", help="a base made by corpus.fill with so many rows; default: a temporary one")
    parser.add_argument("--rows", type=int, default=100_000)
    asked = parser.parse_args()
    corpus = Corpus()
    words = {"short": corpus.short(25), "questions": corpus.questions(25)}
    rows, vectors = unit(like_texts(asked.rows, DIM, 1)), unit(like_texts(25, DIM, 2))
    texts = list(corpus.passages(asked.rows))
    told: dict[str, Any] = {"what": "CPU ms, medians, top 30", **machine(), "rows": asked.rows}
    with tempfile.TemporaryDirectory() as folder:
        base = asked.base or os.path.join(folder, "kb.db")
        if not os.path.exists(base):
            fill(base, asked.rows, dim=DIM)
        told["scrubjay"] = ours(base, words, vectors)
    peers: dict[str, tuple[str, Callable[[], dict[str, Any]]]] = {
        "bm25s": ("bm25s", lambda: bm25s(texts, words)),
        "tantivy": ("tantivy", lambda: tantivy(texts, words)),
        "faiss": ("faiss-cpu", lambda: faiss(rows, vectors)),
    }
    for name, (package, measure) in peers.items():
        try:
            told[name] = {"version": version(package), **measure()}
        except ImportError:
            print(f"{name} is left out: pip install {package}")
    RESULTS.write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")
    print(json.dumps(told, indent=1))


if __name__ == "__main__":
    main()
