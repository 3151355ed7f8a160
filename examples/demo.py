"""Shows the main job on the sample notes: add a folder, then find by words and by meaning.

Run by `make demo`. Every line that begins with `$` is a real command and what follows its real
output; the base is made anew in .demo and nothing else on the machine is touched.
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
BASE = HERE.parent / ".demo" / "kb.db"

STEPS = (
    ("Put a folder of notes, code and documents into one file.", "kb add notes"),
    ("By words, as ever.", "kb search install git --top 2"),
    ("By meaning: the answer shares no word with the question.", "kb search 'how do I set up version control' --top 1"),
    ("Another: nothing in the note says “storage engine” or “motivation”.",
     "kb search 'motivation behind our storage engine' --top 1"),
    ("Chinese is found by its characters.", "kb search 豆腐 --top 1"),
    ("Only what has a tag, only since a day.", "kb search disk --tags ops --since 2026-05-01 --top 1"),
    ("What was kept when.", "kb timeline --tags ops"),
)  # fmt: skip


def main() -> int:
    shutil.rmtree(BASE.parent, ignore_errors=True)
    environment = {**os.environ, "KB_BASE": str(BASE)}
    if sys.stdout.isatty():
        environment.setdefault("FORCE_COLOR", "1")
    for told, command in STEPS:
        print(f"\n# {told}\n$ {command}", flush=True)
        arguments = [sys.executable, "-m", "scrubjay", *shlex.split(command)[1:]]
        code = subprocess.run(arguments, cwd=HERE, env=environment, check=False).returncode
        if code:
            return code
    print("\nNow with your own:  .venv/bin/kb add ~/notes   and   .venv/bin/kb search '…'")
    return 0


if __name__ == "__main__":
    sys.exit(main())
