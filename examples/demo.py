"""Shows the main job on the sample notes: add a folder, then find by words and by meaning.

Run by `make demo`. Every line that begins with `$` is a real command and what follows its real
output; the base is made anew in .demo and nothing else on the machine is touched. What each search
must put first is written beside it, and a test holds it to that.
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).resolve().parent
BASE = HERE.parent / ".demo" / "kb.db"


class Step(NamedTuple):
    """`first` is the file that a search must answer with; `by_meaning` that it shares no word with the query."""

    told: str
    command: str
    first: str = ""
    by_meaning: bool = False


STEPS = (
    Step("Put a folder of notes, code and a PDF into one file.", "kb add notes"),
    Step("By words, as ever.", "kb search install git --top 1", "git.md"),
    Step("By meaning: the answer shares no word with the question.",
         "kb search 'how do I set up version control' --top 1", "git.md", True),
    Step("Another, in a PDF: the page speaks of radiators and a boiler.",
         "kb search 'broken central heating' --top 1", "boiler.pdf", True),
    Step("And another: the note says aphids and basil.",
         "kb search 'insects eating my herbs' --top 1", "plants.md", True),
    Step("Chinese is found by its characters.", "kb search 豆腐 --fts-only --top 1", "mapo-tofu.md"),
    Step("Only what has a tag, only since a day.",
         "kb search disk --tags ops --since 2026-05-01 --top 1", "backups.md"),
    Step("What was kept when.", "kb timeline --tags ops"),
)  # fmt: skip


def main() -> int:
    shutil.rmtree(BASE.parent, ignore_errors=True)
    environment = {**os.environ, "KB_BASE": str(BASE)}
    if sys.stdout.isatty():
        environment.setdefault("FORCE_COLOR", "1")
    for step in STEPS:
        print(f"\n# {step.told}\n$ {step.command}", flush=True)
        arguments = [sys.executable, "-m", "scrubjay", *shlex.split(step.command)[1:]]
        code = subprocess.run(arguments, cwd=HERE, env=environment, check=False).returncode
        if code:
            return code
    print("\nNow with your own:  .venv/bin/kb add ~/notes   and   .venv/bin/kb search '…'")
    return 0


if __name__ == "__main__":
    sys.exit(main())
