"""Runs the benches and says of every promised figure whether it was reached.

    python bench/run.py [NAME …]      all of them, or some: startup writing vectors searching mcp peers

Each writes its own JSON to bench/results/; the table is made from those files, so that
`python bench/run.py --table` shows what was measured last without measuring anything.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

HERE = Path(__file__).parent
BENCHES = ("startup", "writing", "vectors", "searching", "expansion", "reranking", "mcp", "peers")
SCRIPTS = {"mcp": "mcp_server"}  # a file mcp.py here would stand before the SDK's


class Figure(NamedTuple):
    """One promise: where its value stands in a result, and what it must not exceed (or fall short of)."""

    what: str
    bench: str
    path: str
    limit: float
    at_least: bool = False

    def reached(self, value: float) -> bool:
        return value >= self.limit if self.at_least else value <= self.limit


FIGURES = (
    Figure("kb search --fts-only as a process, × an empty Python", "startup", "ratio_of_least", 3.0),
    Figure("bulk writing through the triggers, chunks a CPU second", "writing",
           "chunks_per_cpu_s/store.put_many", 15_000, at_least=True),
    Figure("kb.notes, links and words left for when they are needed, chunks a CPU second", "writing",
           "chunks_per_cpu_s/kb.notes", 15_000, at_least=True),
    Figure("vector top 30 of 100,000, × numpy's product and argpartition", "vectors",
           "like texts/search/ratio_with_argpartition", 0.6),
    Figure("… its recall", "vectors", "like texts/search/recall_at_30", 0.999, at_least=True),
    Figure("… filtered to 1 %, × numpy's product over all", "vectors", "like texts/filtered/1%/ratio_to_product", 0.1),
    Figure("FTS5's OR, × ORDER BY rank (short queries)", "searching", "words/short/ratio_bm25_to_rank", 0.75),
    Figure("FTS5's OR, × ORDER BY rank (questions)", "searching", "words/questions/ratio_bm25_to_rank", 0.75),
    Figure("words in a warm process, × ORDER BY rank (questions)", "searching",
           "words/questions/ratio_keyword_to_rank", 0.75),
    Figure("profile full, × profile kb (short queries)", "searching", "profiles/short/ratio_full_to_kb", 1.5),
    Figure("profile full, × profile kb (questions)", "searching", "profiles/questions/ratio_full_to_kb", 1.5),
    Figure("MCP server with one answer, × importing the SDK", "mcp", "start/ratio_of_least", 1.5),
    Figure("search_memories over stdio, × the search in the library", "mcp", "search/ratio_of_least", 1.3),
    Figure("remember until another process finds it, ms", "mcp", "remember/found_elsewhere_ms/p50", 50),
    Figure("three layers, share of the text of all", "mcp", "layers/share_as_objects", 0.1),
    Figure("mending a mistyped question, CPU ms (95th percentile)", "expansion",
           "speed/questions, one typo/p95_ms", 1.0),
    Figure("what a typo costs, won back (hotpotqa_hr, full)", "expansion",
           "quality/hotpotqa_hr/full hybrid/won back", 0.5, at_least=True),
    Figure("what a typo costs, won back (xquad_en, kb)", "expansion",
           "quality/xquad_en/kb hybrid/won back", 0.5, at_least=True),
    Figure("reranking 20 passages here, CPU ms", "reranking", "hotpotqa_hr/cost/made_cpu_ms", 300),
)  # fmt: skip


def result(bench: str) -> dict[str, Any] | None:
    path = HERE / "results" / f"{bench}.json"
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else None


def value_of(figure: Figure) -> float | None:
    found: Any = result(figure.bench)
    for step in figure.path.split("/"):
        found = found.get(step) if isinstance(found, dict) else None
    return None if found is None else float(found)


def table(figures: Sequence[Figure] = FIGURES) -> int:
    """Prints one line a figure and returns how many were missed."""
    missed = 0
    width = max(len(figure.what) for figure in figures)
    print(f"{'figure':{width}}  {'limit':>10}  {'measured':>10}")
    for figure in figures:
        value = value_of(figure)
        sign = "≥" if figure.at_least else "≤"
        told = "" if value is None else "reached" if figure.reached(value) else "MISSED"
        missed += told == "MISSED"
        shown = "not measured" if value is None else f"{value:,.5g}"
        print(f"{figure.what:{width}}  {sign} {figure.limit:>8,g}  {shown:>10}  {told}")
    return missed


def main() -> int:
    words = sys.argv[1:]
    unknown = [word for word in words if word not in (*BENCHES, "--table")]
    if unknown:
        print(f"There is no bench {unknown[0]!r}; there are {', '.join(BENCHES)}.", file=sys.stderr)
        return 2
    for bench in [] if "--table" in words else words or BENCHES:
        print(f"— {bench} —", flush=True)
        script = HERE / f"{SCRIPTS.get(bench, bench)}.py"
        done = subprocess.run([sys.executable, str(script)], cwd=HERE.parent, stdout=subprocess.DEVNULL)
        if done.returncode:
            print(f"{bench} ended with {done.returncode}", file=sys.stderr)
    return 1 if table() else 0


if __name__ == "__main__":
    sys.exit(main())
