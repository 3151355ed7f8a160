"""What one look of `kb watch` costs, by how many files there are.

    python bench/watch.py

CPU milliseconds, the least of seven looks at a folder in which nothing has changed. The result goes
to bench/results/watch.json; docs/adr/0052-watching.md draws the conclusion.
"""

from __future__ import annotations

import json
import tempfile
import time
from pathlib import Path

from scrubjay.ingest.lookout import Lookout
from scrubjay.types import Source

RESULT = Path(__file__).parent / "results" / "watch.json"
SIZES = (100, 1_000, 10_000)


def look(files: int) -> float:
    with tempfile.TemporaryDirectory() as folder:
        for number in range(files):
            path = Path(folder, f"{number // 100:03}", f"{number}.md")
            path.parent.mkdir(exist_ok=True)
            path.write_text(f"# Note {number}\n", encoding="utf-8")
        lookout, source = Lookout(str(Path(folder, "kb.db"))), Source(1, folder, (), (), None, None)
        lookout.look([source])
        lookout.was_read(source)
        took = []
        for _ in range(7):
            start = time.process_time()
            assert lookout.look([source]) == []
            took.append((time.process_time() - start) * 1000)
        return round(min(took), 2)


def main() -> None:
    RESULT.write_text(json.dumps({str(size): {"cpu_ms_a_look": look(size)} for size in SIZES}, indent=2) + "\n")
    print(RESULT.read_text())


if __name__ == "__main__":
    main()
