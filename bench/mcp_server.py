"""What the MCP server adds: to a search, to a start, to a `remember`, and what the layers save.

Four figures, each against its own base line in the same run, so that a loaded machine disturbs
both alike:

- search: CPU of `search_memories` over stdio against the same search in the library (limit 1.3);
- start: CPU time of a whole server with one search answered, against importing the SDK (limit 1.5);
- remember: from one server's reply until another server's search has it (limit 50 ms);
- layers: search + timeline + one whole text, against the text of all (limit 1/10).

    python bench/mcp_server.py [CHUNKS]      writes bench/results/mcp.json; exit 1 over a limit
"""

from __future__ import annotations

import compileall
import json
import os
import platform
import random
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from time import clock_gettime, perf_counter, process_time
from typing import Any

ROOT = Path(__file__).parents[1]
SEARCH_LIMIT, START_LIMIT, VISIBLE_LIMIT_MS, LAYERS_LIMIT = 1.3, 1.5, 50.0, 0.1
QUERIES, ROUNDS, STARTS, MEMORIES = 20, 15, 5, 10
os.environ["OPENBLAS_NUM_THREADS"] = "1"  # threads that wait for each other spin, and would be counted
EMBEDDER = "hashing"  # costs a query nearly nothing, which is the hardest case for the ratio


class Server:
    """`kb mcp` as a client sees it: one JSON object a line."""

    def __init__(self, base: Path) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "scrubjay", "mcp", "--base", str(base)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment(), text=True, encoding="utf-8",
        )  # fmt: skip
        self._number = 0
        client = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "bench", "version": "1"}}
        self.ask("initialize", client)
        self._send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def _send(self, message: dict[str, Any]) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(message) + "\n")
        self.process.stdin.flush()

    def ask(self, method: str, given: dict[str, Any]) -> Any:
        self._number += 1
        self._send({"jsonrpc": "2.0", "id": self._number, "method": method, "params": given})
        assert self.process.stdout is not None
        return json.loads(self.process.stdout.readline())["result"]

    def call(self, tool: str, **given: Any) -> Any:
        answer = self.ask("tools/call", {"name": tool, "arguments": given})
        if answer.get("isError"):
            raise SystemExit(answer["content"][0]["text"])
        return answer

    def cpu(self) -> float:
        """The CPU seconds it took so far (its clock, as Linux names it)."""
        return clock_gettime((~self.process.pid << 3) | 2)

    def end(self) -> float:
        """Closes the input, waits for the exit, returns the CPU seconds it took in all."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        _, status, usage = os.wait4(self.process.pid, 0)
        self.process.returncode = os.waitstatus_to_exitcode(status)
        return usage.ru_utime + usage.ru_stime


def environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(ROOT / "src"), "KB_EMBEDDER_NAME": EMBEDDER}


def texts(count: int) -> list[str]:
    """Notes over a vocabulary whose words are as unevenly common as in a language."""
    luck = random.Random(7)
    words = [f"{a}{b}{c}" for a in "bdfgklmnprst" for b in ("a", "e", "io", "u") for c in ("ba", "ker", "lim", "no")]
    weights = [1 / place for place in range(1, len(words) * 20 + 1)]
    vocabulary = [f"{word}{number}" for number in range(20) for word in words]
    return [" ".join(luck.choices(vocabulary, weights, k=60)) for _ in range(count)]


def searches(base: Path, queries: list[str]) -> dict[str, Any]:
    """CPU of both sides for the same searches, each side's best round; the times on the clock beside it."""
    import scrubjay
    from scrubjay.mcp.finding import PROFILE

    server = Server(base)
    clocks: dict[str, list[float]] = {"library": [], "stdio": []}
    cpu: dict[str, list[float]] = {"library": [], "stdio": []}
    with scrubjay.open(base, config={"embedder.name": EMBEDDER}) as kb:
        for turn in range(ROUNDS + 1):  # the first one warms both up
            found, answers = [], []
            times: dict[str, list[float]] = {"library": [], "stdio": []}
            used = process_time()
            for query in queries:
                begin = perf_counter()
                found.append([hit.document_id for hit in kb.search(query, top=10, profile=PROFILE).hits])
                times["library"].append((perf_counter() - begin) * 1000)
            spent = process_time() - used, -server.cpu()
            for query in queries:
                begin = perf_counter()
                answers.append(server.call("search_memories", query=query, limit=10))
                times["stdio"].append((perf_counter() - begin) * 1000)
            spent = spent[0], spent[1] + server.cpu()
            if [[hit["id"] for hit in answer["structuredContent"]["results"]] for answer in answers] != found:
                raise SystemExit("the two searches differ")
            for side, seconds in zip(cpu, spent, strict=True):
                if turn:
                    cpu[side].append(seconds * 1000 / len(queries))
                    clocks[side] += times[side]
    server.end()
    ratio = min(cpu["stdio"]) / min(cpu["library"])
    return {
        "library_cpu_ms": spread(cpu["library"]), "stdio_cpu_ms": spread(cpu["stdio"]),
        "ratio_of_least": round(ratio, 3), "limit": SEARCH_LIMIT,
        "library_ms": spread(clocks["library"]), "stdio_ms": spread(clocks["stdio"]),
    }  # fmt: skip


def starts(base: Path, query: str) -> dict[str, Any]:
    importing: list[float] = []
    answering: list[float] = []
    until: list[float] = []
    for _ in range(STARTS):
        child = subprocess.Popen([sys.executable, "-c", "import mcp"], env=environment())
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        importing.append((usage.ru_utime + usage.ru_stime) * 1000)
        begin = perf_counter()
        server = Server(base)
        server.call("search_memories", query=query)
        until.append((perf_counter() - begin) * 1000)
        answering.append(server.end() * 1000)
    ratio = min(answering) / min(importing)
    return {
        "import_sdk_cpu_ms": spread(importing), "server_cpu_ms": spread(answering), "until_answer_ms": spread(until),
        "ratio_of_least": round(ratio, 3), "limit": START_LIMIT,
    }  # fmt: skip


def memories(base: Path) -> dict[str, Any]:
    one, other = Server(base), Server(base)
    writing: list[float] = []
    seen: list[float] = []
    for number in range(MEMORIES + 1):
        word = f"zyx{number}q"
        begin = perf_counter()
        identity = one.call("remember", text=f"The {word} was agreed upon.")["structuredContent"]["id"]
        kept = perf_counter()
        results = other.call("search_memories", query=word)["structuredContent"]["results"]
        end = perf_counter()
        if [result["id"] for result in results][:1] != [identity]:
            raise SystemExit(f"{word} was not found by the other server")
        if number:
            writing.append((kept - begin) * 1000)
            seen.append((end - kept) * 1000)
    one.end()
    other.end()
    return {"remember_ms": spread(writing), "found_elsewhere_ms": spread(seen), "limit_ms": VISIBLE_LIMIT_MS}


def layers(folder: Path) -> dict[str, Any]:
    import scrubjay

    base = folder / "layers.db"
    sentence = "We looked at the store again and wrote down what we found about it. "
    with scrubjay.open(base, config={"embedder.name": "none"}) as kb:
        kb.notes({"text": (f"Entry {n}. " + sentence * 40)[:2000], "created_at": "2026-01-01"} for n in range(50))
    server = Server(base)
    found = server.call("search_memories", query="store")
    first = found["structuredContent"]["results"][0]["id"]
    answers = [found, server.call("timeline", anchor=first), server.call("get_observations", ids=[first])]
    server.end()
    text = sum(len(answer["content"][0]["text"]) for answer in answers)
    objects = sum(len(json.dumps(answer["structuredContent"], separators=(",", ":"))) for answer in answers)
    return {
        "all_characters": 100_000, "as_text": text, "as_objects": objects,
        "share_as_text": text / 100_000, "share_as_objects": objects / 100_000, "limit": LAYERS_LIMIT,
    }  # fmt: skip


def spread(times: list[float]) -> dict[str, float]:
    ordered = sorted(times)
    p95 = ordered[min(len(ordered) - 1, int(len(ordered) * 0.95))]
    return {"least": round(ordered[0], 2), "p50": round(statistics.median(ordered), 2), "p95": round(p95, 2)}


def main() -> int:
    chunks = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    compileall.compile_dir(ROOT / "src" / "scrubjay", quiet=1)
    sys.path.insert(0, str(ROOT / "src"))
    import scrubjay

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        base = folder / "kb.db"
        written = texts(chunks)
        with scrubjay.open(base, config={"embedder.name": EMBEDDER}) as kb:
            kb.notes({"text": text} for text in written)
        luck = random.Random(11)
        queries = [" ".join(luck.sample(luck.choice(written).split(), 3)) for _ in range(QUERIES)]
        report: dict[str, Any] = {
            "what": "the MCP server over stdio against the library and the SDK",
            "python": platform.python_version(), "chunks": chunks, "embedder": EMBEDDER,
            "search": searches(base, queries), "start": starts(base, queries[0]), "remember": memories(base),
            "layers": layers(folder),
        }  # fmt: skip
    report["over"] = over(report)
    out = ROOT / "bench" / "results" / "mcp.json"
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text(json.dumps(report, indent=2) + "\n")
    print(json.dumps(report, indent=2))
    return 1 if report["over"] else 0


def over(report: dict[str, Any]) -> list[str]:
    return [
        name
        for name, is_over in (
            ("search", report["search"]["ratio_of_least"] > SEARCH_LIMIT),
            ("start", report["start"]["ratio_of_least"] > START_LIMIT),
            ("remember", report["remember"]["found_elsewhere_ms"]["p50"] > VISIBLE_LIMIT_MS),
            ("layers", report["layers"]["share_as_objects"] > LAYERS_LIMIT),
        )
        if is_over
    ]


if __name__ == "__main__":
    sys.exit(main())
