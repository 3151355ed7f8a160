"""How fast the nearest vectors are found, against one pass of numpy over the same matrix.

    python bench/vectors.py [--rows 100000] [--dim 384] [--queries 40] [--slow]

Every figure is CPU time of one thread, in milliseconds, and every ratio is taken between medians
of runs that alternate, because machines are shared. Recall is against the full float64 product.
Two kinds of vectors: uniform random ones, and ones like texts make (a few thousand topics along
directions of falling strength). Writes bench/results/vectors.json.
"""

# ruff: noqa: E402 - the number of threads must be said before numpy is imported

from __future__ import annotations

import os

for _name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[_name] = "1"  # the reference runs on one thread, as we do

import argparse
import json
import platform
import statistics
import subprocess
import sys
import tempfile
from array import array
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any

import numpy as np
from corpus import cpu, like_texts, unit

from scrubjay.store.sqlite.connect import connect
from scrubjay.store.sqlite.vectors import VectorIndex
from scrubjay.store.sqlite.vectors.exact_numpy import NumpyEngine

if TYPE_CHECKING:
    from collections.abc import Callable

    import apsw
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]

TOP = 30

FRESH = """
import os, sys, time
os.environ["OPENBLAS_NUM_THREADS"] = "1"
import numpy as np
from scrubjay.store.sqlite.connect import connect
from scrubjay.store.sqlite.vectors import VectorIndex
query = np.random.default_rng(9).standard_normal(int(sys.argv[2])).tolist()
began = time.process_time()
index = VectorIndex(connect(sys.argv[1]), sys.argv[1])
index.nearest(1, query, 30)
first = time.process_time()
index.nearest(1, query, 30)
print((first - began) * 1000, (time.process_time() - first) * 1000)
"""


def uniform(rows: int, dim: int, seed: int) -> Floats:
    return np.random.default_rng(seed).standard_normal((rows, dim), dtype=np.float32)


KINDS: dict[str, Callable[[int, int, int], Floats]] = {"uniform": uniform, "like texts": like_texts}


def filled(location: str, vectors: Floats) -> apsw.Connection:
    connection = connect(location)
    with connection:
        connection.execute(
            "INSERT INTO models (identity, name, dim, created_at) VALUES ('m', 'm', ?, '')", (vectors.shape[1],)
        )
        connection.execute(
            "INSERT INTO documents (number, id, title, kind, created_at, modified_at, indexed_at)"
            " VALUES (1, 'd', '', 'note', '', '', '')"
        )
        connection.executemany(
            "INSERT INTO chunks (id, document, ordinal, text) VALUES (?, 1, 0, 'x')",
            ((f"c{n}",) for n in range(len(vectors) + 1000)),
        )
    return connection


def write(connection: apsw.Connection, index: VectorIndex, vectors: Floats) -> None:
    for start in range(0, len(vectors), 1024):
        part = vectors[start : start + 1024]
        with connection:
            index.put(1, range(start + 1, start + 1 + len(part)), part)


def against_numpy(index: VectorIndex, matrix: Floats, queries: Floats) -> dict[str, float]:
    """Medians of our search, the product alone, and the product with its argpartition."""
    truth = []
    for query in queries:  # apart from the timing: it would push everything out of the processor's cache
        scores = matrix.astype(np.float64) @ query.astype(np.float64)
        truth.append(set((np.argsort(-scores, kind="stable")[:TOP] + 1).tolist()))
    ours, product, whole, recall = [], [], [], []
    for query, best in zip(queries, truth, strict=True):
        found: list[tuple[int, float]] = []
        as_list = query.tolist()
        product.append(cpu(lambda q=query: matrix @ q))  # type: ignore[misc]
        ours.append(cpu(lambda f=found, q=as_list: f.extend(index.nearest(1, q, TOP))))  # type: ignore[misc]
        whole.append(cpu(lambda q=query: np.argpartition(-(matrix @ q), TOP)[:TOP]))  # type: ignore[misc]
        recall.append(len({number for number, _ in found} & best) / TOP)
    middle = [statistics.median(part) for part in (ours, product, whole)]
    return {
        "ours_ms": round(middle[0], 3),
        "product_ms": round(middle[1], 3),
        "product_and_argpartition_ms": round(middle[2], 3),
        "ratio_to_product": round(middle[0] / middle[1], 3),
        "ratio_with_argpartition": round(middle[0] / middle[2], 3),
        "recall_at_30": round(statistics.mean(recall), 5),
    }


def filtered(index: VectorIndex, matrix: Floats, queries: Floats) -> dict[str, Any]:
    """In a session, after another search with the same filter; and right after numpy's product, which
    has pushed everything else, our code included, out of the processor's cache."""
    rng = np.random.default_rng(4)
    told: dict[str, Any] = {}
    for share in (0.01, 0.1, 0.5):
        chosen = np.sort(rng.choice(len(matrix), int(len(matrix) * share), replace=False)) + 1
        allowed = array("q", chosen.tolist())
        product, first, ours = [], [], []
        for query, other in zip(queries, queries[::-1], strict=True):
            as_list, before = query.tolist(), other.tolist()
            product.append(cpu(lambda q=query: matrix @ q))  # type: ignore[misc]
            first.append(cpu(lambda: index.nearest(1, before, TOP, allowed)))  # noqa: B023 - called at once
            ours.append(cpu(lambda: index.nearest(1, as_list, TOP, allowed)))  # noqa: B023 - called at once
        whole = statistics.median(product)
        told[f"{share:.0%}"] = {
            "ours_ms": round(statistics.median(ours), 3),
            "ratio_to_product": round(statistics.median(ours) / whole, 4),
            "cold_cache_ms": round(statistics.median(first), 3),
            "cold_cache_ratio": round(statistics.median(first) / whole, 4),
        }
    return told


def one_new_note(connection: apsw.Connection, location: str, matrix: Floats) -> dict[str, float]:
    """What another process pays for one new vector, and for asking whether there is one."""
    reader = VectorIndex(connect(location), location)
    query = matrix[0].tolist()
    reader.nearest(1, query, TOP)
    steady = statistics.median(cpu(lambda: reader.nearest(1, query, TOP)) for _ in range(20))
    writer, puts, seen = VectorIndex(connection, location), [], []
    for turn in range(20):

        def put(number: int = len(matrix) + 1 + turn) -> None:
            with connection:
                writer.put(1, [number], [query])

        puts.append(cpu(put))
        seen.append(cpu(lambda: reader.nearest(1, query, TOP)))
    return {
        "write_ms": round(statistics.median(puts), 3),
        "first_search_after_ms": round(statistics.median(seen), 3),
        "worst_search_after_ms": round(max(seen), 3),
        "steady_search_ms": round(steady, 3),
    }


def fresh_process(location: str, dim: int) -> dict[str, float]:
    """After the imports of numpy and ours; with compiled modules, as an installed program has them."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    command = [sys.executable, "-c", FRESH, location, str(dim)]
    runs = []
    for _ in range(7):
        done = subprocess.run(command, capture_output=True, check=True, text=True, env=environment)
        runs.append([float(figure) for figure in done.stdout.split()])
    return {
        "open_and_first_search_ms": round(statistics.median(run[0] for run in runs), 3),
        "second_search_ms": round(statistics.median(run[1] for run in runs), 3),
    }


def other_engines(
    connection: apsw.Connection, location: str, matrix: Floats, queries: Floats, slow: bool
) -> dict[str, Any]:
    index = VectorIndex(connection, location)
    index._engine = NumpyEngine(connection, None, index.notices, kernel=False)
    index.nearest(1, queries[0].tolist(), TOP)
    told: dict[str, Any] = {"numpy without numkong": against_numpy(index, matrix, queries)}
    for name in ("sqlite-vec", "python") if slow else ():
        index = VectorIndex(connection, location, name)
        first = cpu(lambda: index.nearest(1, queries[0].tolist(), TOP))  # noqa: B023 - called at once
        told[name] = {"first_search_ms": round(first, 1), **against_numpy(index, matrix, queries[:3])}
    return told


def measure(kind: str, rows: int, dim: int, count: int, slow: bool) -> dict[str, Any]:
    given = KINDS[kind](rows, dim, 1)
    matrix, queries = unit(given), unit(KINDS[kind](count, dim, 2))
    with tempfile.TemporaryDirectory() as folder:
        location = os.path.join(folder, "kb.db")
        connection = filled(location, given)
        index = VectorIndex(connection, location)
        told: dict[str, Any] = {"write_cpu_s": round(cpu(lambda: write(connection, index, given)) / 1000, 2)}
        told["build_cpu_s"] = round(cpu(lambda: index.nearest(1, queries[0].tolist(), TOP)) / 1000, 3)
        told["search"] = against_numpy(index, matrix, queries)
        told["filtered"] = filtered(index, matrix, queries)
        told["fresh process"] = fresh_process(location, dim)
        told["other engines"] = other_engines(connection, location, matrix, queries[: max(3, count // 4)], slow)
        told["one new note"] = one_new_note(connection, location, matrix)
        index.close()
        connection.close()
    return told


def installed(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None


def processor() -> str:
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            return next(line.split(":", 1)[1].strip() for line in file if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor() or platform.machine()


def table(told: dict[str, Any], indent: str = "") -> None:
    for key, value in told.items():
        if isinstance(value, dict):
            print(f"{indent}{key}")
            table(value, indent + "    ")
        else:
            print(f"{indent}{key:<{40 - len(indent)}}{value}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--dim", type=int, default=384)
    parser.add_argument("--queries", type=int, default=40)
    parser.add_argument("--slow", action="store_true", help="also the sqlite-vec and pure Python engines")
    parser.add_argument("--output", default=os.path.join(os.path.dirname(__file__), "results", "vectors.json"))
    asked = parser.parse_args()
    told: dict[str, Any] = {
        "rows": asked.rows,
        "dim": asked.dim,
        "queries": asked.queries,
        "processor": processor(),
        "python": platform.python_version(),
        "versions": {name: installed(name) for name in ("apsw", "numpy", "numkong", "sqlite-vec")},
    }
    for kind in KINDS:
        told[kind] = measure(kind, asked.rows, asked.dim, asked.queries, asked.slow)
    table(told)
    with open(asked.output, "w", encoding="utf-8") as file:
        json.dump(told, file, indent=1)
        file.write("\n")


if __name__ == "__main__":
    main()
