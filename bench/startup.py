"""What a start of `kb search --fts-only` costs, as a multiple of an empty Python process.

The promise is three times. CPU time of whole processes is measured, bare and `kb` in turn so that
both meet the same disturbances, and the least and the median are reported. What must not be
imported on this path is checked by name, because that is what makes a start slow again.

    python bench/startup.py [RUNS]      writes bench/results/startup.json; exit 1 when it is over
"""

from __future__ import annotations

import compileall
import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
LIMIT = 3.0
UNWANTED = {
    "argparse", "asyncio", "ctypes", "csv", "dataclasses", "datetime", "difflib", "email", "hashlib", "http",
    "importlib.metadata", "inspect", "json", "logging", "numpy", "onnxruntime", "pathlib", "shutil", "ssl",
    "tempfile", "textwrap", "tomllib", "typing", "urllib.request",
}  # fmt: skip
# The text that pip writes for a console script; that of an old pip imports `re` first.
SCRIPT = "import sys\nfrom scrubjay.cli.main import run\nif __name__ == '__main__':\n    sys.exit(run())\n"
OLD_SCRIPT = f"import re\n{SCRIPT}"


def main() -> int:
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 40
    # Where PYTHONDONTWRITEBYTECODE is set nothing would be compiled, and that would be measured.
    compileall.compile_dir(ROOT / "src" / "scrubjay", quiet=1)
    with tempfile.TemporaryDirectory() as folder:
        script, old, base = Path(folder, "kb.py"), Path(folder, "old_kb.py"), Path(folder, "kb.db")
        script.write_text(SCRIPT)
        old.write_text(OLD_SCRIPT)
        fill(base)
        bare = [sys.executable, "-c", "pass"]
        words = ["--base", str(base), "search", "install", "git", "--fts-only"]
        search, by_old_pip = ([sys.executable, str(each), *words] for each in (script, old))
        check_answer(search)
        modules = imported(search)
        times = measure({"bare": bare, "search": search, "search_by_an_old_pips_script": by_old_pip}, runs)
    unwanted = sorted(name for name in modules if name in UNWANTED)
    report = summary(times, runs, len(modules), unwanted)
    out = ROOT / "bench" / "results" / "startup.json"
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text(json.dumps(report, indent=2) + "\n")
    print(json.dumps(report, indent=2))
    return 1 if unwanted or report["ratio_of_least"] > LIMIT else 0


def fill(base: Path) -> None:
    """A small base of notes: the start is measured here, not the search."""
    sys.path.insert(0, str(ROOT / "src"))
    import scrubjay

    with scrubjay.open(base) as kb:
        kb.notes(
            [
                {"text": f"How to install git, part {number}: run apt install git.", "title": f"Git {number}"}
                for number in range(50)
            ]
        )


def check_answer(command: list[str]) -> None:
    """A start that fails is fast too; only one that answers counts."""
    done = subprocess.run(command, capture_output=True, text=True, env=environment(), check=True)
    if "apt install git" not in done.stdout:
        raise SystemExit(f"the search did not answer: {done.stdout}{done.stderr}")


def environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(ROOT / "src")}


def imported(command: list[str]) -> list[str]:
    """The modules that a run imports, by Python's own account."""
    watched = [command[0], "-X", "importtime", *command[1:]]
    done = subprocess.run(watched, capture_output=True, text=True, env=environment(), check=True)
    lines = (line.rsplit("|", 1) for line in done.stderr.splitlines() if line.startswith("import time:"))
    return [parts[1].strip() for parts in lines if len(parts) == 2 and not parts[0].strip().endswith("cumulative")]


def measure(commands: dict[str, list[str]], runs: int) -> dict[str, list[float]]:
    """CPU milliseconds of every run, the commands taking turns."""
    times: dict[str, list[float]] = {name: [] for name in commands}
    for _ in range(runs):
        for name, command in commands.items():
            nowhere = subprocess.DEVNULL
            child = subprocess.Popen(command, env=environment(), stdin=nowhere, stdout=nowhere, stderr=nowhere)
            _, status, usage = os.wait4(child.pid, 0)
            child.returncode = os.waitstatus_to_exitcode(status)
            times[name].append((usage.ru_utime + usage.ru_stime) * 1000)
    return times


def summary(times: dict[str, list[float]], runs: int, modules: int, unwanted: list[str]) -> dict[str, Any]:
    least = {name: round(min(measured), 2) for name, measured in times.items()}
    median = {name: round(statistics.median(measured), 2) for name, measured in times.items()}
    return {
        "what": "CPU milliseconds of a whole process: bare Python, and kb search --fts-only",
        "python": platform.python_version(),
        "runs": runs,
        "least_ms": least,
        "median_ms": median,
        "ratio_of_least": round(least["search"] / least["bare"], 2),
        "ratio_of_medians": round(median["search"] / median["bare"], 2),
        "ratio_by_an_old_pips_script": round(least["search_by_an_old_pips_script"] / least["bare"], 2),
        "limit": LIMIT,
        "modules": modules,
        "unwanted": unwanted,
    }


if __name__ == "__main__":
    sys.exit(main())
