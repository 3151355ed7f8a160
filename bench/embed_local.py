"""Measure the local models: speed against the bare runtime, quality, faithfulness to float32, start-up.

    python bench/embed_local.py speed    --models FOLDER [MODEL ...]
    python bench/embed_local.py cost     --models FOLDER [MODEL ...]
    python bench/embed_local.py quality  --models FOLDER --data FOLDER [--sets a,b --limit N] [MODEL ...]
    python bench/embed_local.py faithful --models FOLDER --reference FOLDER-WITH-MINILM-SAFETENSORS
    python bench/embed_local.py probes   --models FOLDER     (rewrites the self-test's reference vectors)

Each adds its figures to bench/results/embed_local.json. Speed interleaves both sides and takes the best
of several rounds, so that another program on the machine slows neither more than the other.
"""

from __future__ import annotations

import argparse
import base64
import gzip
import json
import math
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import scrubjay
from scrubjay.embed.local import CATALOGUE, find, load
from scrubjay.embed.local.install import home_of
from scrubjay.embed.local.onnx import OnnxEmbedder
from scrubjay.embed.local.static import StaticEmbedder
from scrubjay.embed.local.tokenizers import wordpiece_of

RESULTS = Path(__file__).parent / "results" / "embed_local.json"
PROBES = Path(__file__).parent.parent / "src/scrubjay/embed/local/probes.json"
TEXTS = {
    "han": ("数据库使用预写日志来保证崩溃后的一致性。", "如何在 Linux 上安装 Git？", "今天的晚饭很好吃。" * 12),
    "latin": (
        "How do I undo the last commit?",
        "SQLite keeps a whole database in one file; in WAL mode readers do not block the writer.",
        "def mean(values): return sum(values) / len(values)  # fails on an empty list " * 8,
    ),
}
Vectors = NDArray[np.float32]


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("what", choices=("speed", "cost", "quality", "faithful", "probes"))
    parser.add_argument("model", nargs="*", help="default: all of them")
    parser.add_argument("--models", type=Path, required=True)
    parser.add_argument("--data", type=Path)
    parser.add_argument("--reference", type=Path)
    parser.add_argument("--sets", default="xquad_en,hotpotqa_hr")
    parser.add_argument("--limit", type=int, default=0, help="only so many documents (all judged ones stay)")
    asked = parser.parse_intermixed_args()
    names = [find(name).name for name in asked.model] or [card.name for card in CATALOGUE]
    if asked.what == "probes":
        write_probes(asked.models)
    elif asked.what == "faithful":
        record("faithful", faithful(asked.models, asked.reference))
    elif asked.what == "cost":
        for name in names:
            record("cost", {name: cost(name, asked.models)})
    elif asked.what == "speed":
        for name in names:
            record("speed", {name: speed(name, asked.models)})
    else:
        for name in names:
            embedder = load(name, asked.models)
            for each in asked.sets.split(","):
                record("quality", {name: {each: quality(embedder, asked.data / each, asked.limit)}})


def record(what: str, found: dict[str, Any]) -> None:
    print(what, json.dumps(found), flush=True)
    kept = json.loads(RESULTS.read_text(encoding="utf-8")) if RESULTS.exists() else {}
    for name, figures in found.items():
        before = kept.setdefault(what, {}).get(name)
        merged = before | figures if isinstance(before, dict) and isinstance(figures, dict) else figures
        kept[what][name] = merged
    RESULTS.parent.mkdir(exist_ok=True)
    RESULTS.write_text(json.dumps(kept, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


# --- speed -----------------------------------------------------------------------------------


def chunks(count: int, words: int = 88) -> list[str]:
    """English prose that every Python brings along, in chunks of about 120 tokens."""
    from pydoc_data.topics import topics

    found = [word for topic in sorted(topics) for word in topics[topic].split() if any(c.isalpha() for c in word)]
    return [" ".join(found[at : at + words]) for at in range(0, count * words, words)]


def speed(name: str, folder: Path) -> dict[str, float]:
    embedder = load(name, folder)
    texts, query = chunks(96), "how does the garbage collector find cycles"
    cores = os.cpu_count() or 1
    figures: dict[str, float] = {"threads": cores, "load_average": os.getloadavg()[0]} | memory(embedder, texts)
    if isinstance(embedder, OnnxEmbedder):
        bare = Bare(name, folder, cores)
        # The best, because on a loaded machine the median of a thing that takes milliseconds is the scheduler's.
        ours, theirs = duel(lambda: embedder.embed([query], "query"), lambda: bare.run([query], "query"), 100, True)
        figures |= {"query_best_ms": ours * 1e3, "query_best_bare_ms": theirs * 1e3, "query_best_ratio": ours / theirs}
        best = math.inf
        for batch in (1, 4, 8, 16, 32):
            ours, theirs = duel(
                lambda: embedder.embed(texts, "document"), partial(bare.run_all, texts, batch), 3, best=True
            )
            best = min(best, theirs)
            figures[f"bare_batch_{batch}_per_s"] = len(texts) / theirs
            figures["chunks_per_s"] = max(figures.get("chunks_per_s", 0.0), len(texts) / ours)
        figures["throughput_ratio"] = figures["chunks_per_s"] * best / len(texts)
        ours, theirs = duel(
            lambda: embedder.embed(texts, "document"), partial(bare.run_all, texts, 1), 3, True, time.process_time
        )
        figures |= {"cpu_ms_per_chunk": ours / len(texts) * 1e3, "cpu_ms_per_chunk_bare": theirs / len(texts) * 1e3}
        figures["tokens_per_chunk"] = statistics.mean(embedder.count_tokens(text) for text in texts)
    else:
        ours, _ = duel(lambda: embedder.embed([query], "query"), lambda: None, 200)
        many, _ = duel(lambda: embedder.embed(texts, "document"), lambda: None, 5)
        figures |= {"query_ms": ours * 1e3, "chunks_per_s": len(texts) / many}
    figures |= cold(name, folder)
    return {key: round(value, 3) for key, value in figures.items()}


def cost(name: str, folder: Path) -> dict[str, float]:
    """CPU milliseconds on one thread, which a loaded machine does not change much: the least of several."""
    embedder = load(name, folder, threads=1)
    texts, query = chunks(16), ["how does the garbage collector find cycles"]
    many, _ = duel(lambda: embedder.embed(texts, "document"), lambda: None, 4, True, time.process_time)
    one, _ = duel(lambda: embedder.embed(query, "query"), lambda: None, 30, True, time.process_time)
    return {"cpu_ms_per_chunk": round(many / len(texts) * 1e3, 2), "cpu_ms_per_query": round(one * 1e3, 2)}


class Bare:
    """The same model with onnxruntime as it comes, one batch at a time, its own threads."""

    def __init__(self, name: str, folder: Path, threads: int) -> None:
        import onnxruntime

        self.card = find(name)
        home = home_of(self.card, folder)
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        self.session = onnxruntime.InferenceSession(str(home / "model.onnx"), options)
        self.tokens = wordpiece_of(home / "tokenizer.json", self.card.lowercase)

    def run(self, texts: Sequence[str], role: str) -> None:
        prefix = self.card.query_prefix if role == "query" else ""
        rows = [self.tokens.encode(prefix + text, self.card.max_tokens) for text in texts]
        ids = np.zeros((len(rows), max(map(len, rows))), np.int64)
        mask = np.zeros_like(ids)
        for at, row in enumerate(rows):
            ids[at, : len(row)], mask[at, : len(row)] = row, 1
        self.session.run(None, {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)})

    def run_all(self, texts: Sequence[str], size: int) -> None:
        ordered = sorted(texts, key=len)
        for at in range(0, len(ordered), size):
            self.run(ordered[at : at + size], "document")


def duel(
    ours: Callable[[], object],
    theirs: Callable[[], object],
    rounds: int,
    best: bool = False,
    clock: Callable[[], float] = time.perf_counter,
) -> tuple[float, float]:
    """Seconds of both, in turn: the median, or the best."""
    ours(), theirs()
    times: tuple[list[float], list[float]] = ([], [])
    for _ in range(rounds):
        for side, work in enumerate((ours, theirs)):
            start = clock()
            work()
            times[side].append(clock() - start)
    choose = min if best else statistics.median
    return choose(times[0]), choose(times[1])


def memory(embedder: OnnxEmbedder | StaticEmbedder, texts: list[str]) -> dict[str, float]:
    """Resident MB after 96 chunks, and how much more after 384 chunks of every length."""
    embedder.embed(texts, "document")
    before = resident_mb()
    for share in (1, 2, 3, 5):
        embedder.embed([text[: len(text) // share] for text in texts], "document")
    return {"rss_mb": before, "rss_growth_mb": resident_mb() - before}


def resident_mb() -> float:
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6


def cold(name: str, folder: Path) -> dict[str, float]:
    """CPU of whole processes: one that embeds a query, a hybrid `kb search`, and one that only opens the session."""
    model = home_of(find(name), folder) / "model.onnx"
    ours = (
        "from pathlib import Path; from scrubjay.embed.local import load;"
        f"load({name!r}, Path({str(folder)!r})).embed(['how to install git'], 'query')"
    )
    bare = (
        f"import numpy, onnxruntime; onnxruntime.InferenceSession({str(model)!r})" if model.exists() else "import numpy"
    )

    with tempfile.TemporaryDirectory() as place:
        settings = {"models.folder": str(folder), "embedder.name": name, "embedder.companions": False}
        with scrubjay.open(f"{place}/kb.db", config=settings) as kb:
            kb.notes({"text": text} for text in chunks(60))
        known = {"KB_MODELS_FOLDER": str(folder), "KB_EMBEDDER_NAME": name, "KB_EMBEDDER_COMPANIONS": "false"}
        search = ["-m", "scrubjay", "search", "how to install git", "--base", f"{place}/kb.db", "--json"]
        told = subprocess.run(
            [sys.executable, *search], check=True, capture_output=True, env={**os.environ, **known}
        ).stdout
        assert json.loads(told)["mode"] == "hybrid", told
        embedding, searching, opening = (
            cpu_of(arguments, known) for arguments in (["-c", ours], search, ["-c", bare])
        )
    return {
        "cold_ms": embedding * 1e3,
        "cold_bare_ms": opening * 1e3,
        "cold_ratio": embedding / opening,
        "cold_search_ms": searching * 1e3,
        "cold_search_ratio": searching / opening,
    }


def cpu_of(arguments: Sequence[str], more: dict[str, str], rounds: int = 9) -> float:
    """The least CPU time that a process takes, of several: what else the machine does is not counted."""
    found = []
    for _ in range(rounds):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([sys.executable, *arguments], check=True, stdout=subprocess.DEVNULL, env={**os.environ, **more})
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        found.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return min(found)


# --- quality ---------------------------------------------------------------------------------


def quality(embedder: OnnxEmbedder | StaticEmbedder, collection: Path, limit: int) -> dict[str, float]:
    """nDCG@10 by vectors alone, whole documents cut to the model's limit."""
    judged: dict[str, dict[str, int]] = {}
    for line in (collection / "qrels.tsv").read_text(encoding="utf-8").splitlines()[1:]:
        asker, wanted, grade = line.split("\t")
        judged.setdefault(asker, {})[wanted] = int(grade)
    documents, queries = lines(collection / "corpus.jsonl.gz"), lines(collection / "queries.jsonl.gz")
    if limit:
        needed = {document for query in queries[:limit] for document in judged.get(query["_id"], {})}
        queries = queries[:limit]
        documents = [d for d in documents if d["_id"] in needed] + [d for d in documents if d["_id"] not in needed]
        documents = documents[: max(limit, len(needed))]
    start = time.perf_counter()
    matrix = embedder.embed([f"{d['title']}\n{d['text']}".strip() for d in documents], "document")
    seconds = time.perf_counter() - start
    asked = embedder.embed([query["text"] for query in queries], "query")
    gains = []
    for query, scores in zip(queries, asked @ matrix.T, strict=True):
        best = [documents[at]["_id"] for at in np.argsort(-scores, kind="stable")[:10]]
        gains.append(ndcg(judged.get(query["_id"], {}), best))
    return {
        "ndcg10": round(statistics.mean(gains), 4),
        "documents": len(documents),
        "queries": len(queries),
        "embed_s": round(seconds, 1),
    }


def lines(path: Path) -> list[dict[str, str]]:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def ndcg(grades: dict[str, int], ranked: Sequence[str]) -> float:
    gain = sum(grades.get(name, 0) / math.log2(at + 2) for at, name in enumerate(ranked[:10]))
    ideal = sum(grade / math.log2(at + 2) for at, grade in enumerate(sorted(grades.values(), reverse=True)[:10]))
    return gain / ideal if ideal else 0.0


# --- faithfulness ----------------------------------------------------------------------------


def faithful(folder: Path, reference: Path) -> dict[str, Any]:
    """Cosine of int8 MiniLM to its float32 original, run in numpy; alone, and in batches of 16."""
    embedder = load("all-minilm-l6-v2", folder)
    assert isinstance(embedder, OnnxEmbedder)
    tokens = wordpiece_of(home_of(find("minilm"), folder) / "tokenizer.json")
    texts = chunks(24) + chunks(24, words=12)
    exact = np.stack([float32_minilm(tensors(reference / "model.safetensors"), tokens.encode(t, 256)) for t in texts])
    cosines = (embedder.embed(texts, "document") * exact).sum(axis=1)
    return {
        "all-minilm-l6-v2": {
            "texts": len(texts),
            "cosine_mean": round(float(cosines.mean()), 4),
            "cosine_min": round(float(cosines.min()), 4),
        }
    }


def tensors(path: Path) -> dict[str, Vectors]:
    with open(path, "rb") as file:
        length = int.from_bytes(file.read(8), "little")
        header = json.loads(file.read(length))
        start = 8 + length
    header.pop("__metadata__", None)
    whole = np.memmap(path, np.uint8, "r")
    return {
        name: whole[start + t["data_offsets"][0] : start + t["data_offsets"][1]].view(np.float32).reshape(t["shape"])
        for name, t in header.items()
        if t["dtype"] == "F32"
    }


def float32_minilm(weights: dict[str, Vectors], ids: Sequence[int]) -> Vectors:
    """BERT in twenty lines: what the int8 file is compared with."""

    def linear(x: Vectors, at: str) -> Vectors:
        return x @ weights[f"{at}.weight"].T + weights[f"{at}.bias"]

    def norm(x: Vectors, at: str) -> Vectors:
        centred = x - x.mean(axis=-1, keepdims=True)
        spread = np.sqrt((centred**2).mean(axis=-1, keepdims=True) + 1e-12)
        scaled: Vectors = centred / spread * weights[f"{at}.weight"] + weights[f"{at}.bias"]
        return scaled

    x = weights["embeddings.word_embeddings.weight"][list(ids)]
    x = x + weights["embeddings.position_embeddings.weight"][: len(ids)]
    x = norm(x + weights["embeddings.token_type_embeddings.weight"][0], "embeddings.LayerNorm")
    erf = np.vectorize(math.erf, otypes=[np.float32])
    for layer in range(6):
        at = f"encoder.layer.{layer}"
        q, k, v = (
            linear(x, f"{at}.attention.self.{part}").reshape(len(ids), 12, 32).transpose(1, 0, 2)
            for part in ("query", "key", "value")
        )
        scores = q @ k.transpose(0, 2, 1) / math.sqrt(32)
        scores = np.exp(scores - scores.max(axis=-1, keepdims=True))
        seen = (scores / scores.sum(axis=-1, keepdims=True) @ v).transpose(1, 0, 2).reshape(len(ids), 384)
        x = norm(x + linear(seen, f"{at}.attention.output.dense"), f"{at}.attention.output.LayerNorm")
        wide = linear(x, f"{at}.intermediate.dense")
        wide = 0.5 * wide * (1 + erf(wide / math.sqrt(2)))
        x = norm(x + linear(wide, f"{at}.output.dense"), f"{at}.output.LayerNorm")
    mean: Vectors = x.mean(axis=0)
    unit: Vectors = mean / np.linalg.norm(mean)
    return unit


# --- probes ----------------------------------------------------------------------------------


def write_probes(folder: Path) -> None:
    """Only after quality and faithfulness were found right on this machine."""
    written = {}
    for card in CATALOGUE:
        texts = TEXTS["han" if "han" in card.scripts else "latin"]
        home = home_of(card, folder)
        model = StaticEmbedder(card, home) if card.runtime == "static" else OnnxEmbedder(card, home)
        rows = model.embed(texts, "document")
        scaled = np.round(rows / np.abs(rows).max(axis=1, keepdims=True) * 127).astype(np.int8)
        written[card.name] = [
            {"text": text, "vector": base64.b64encode(row.tobytes()).decode()}
            for text, row in zip(texts, scaled, strict=True)
        ]
    PROBES.write_text(json.dumps(written, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
