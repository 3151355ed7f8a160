"""Prints docs/cli.md: the same help that `--help` shows, so that the two cannot disagree.

Run as `python -m scrubjay.cli.reference > docs/cli.md`; a test compares the two.
"""

from __future__ import annotations

import sys

from scrubjay.cli import help, verbs

_INTRODUCTION = """# The command line

<!-- Made by `python -m scrubjay.cli.reference`; change src/scrubjay/cli/verbs/ instead. -->

`kb` and `scrubjay` are the same program. Results go to the standard output, everything else
(notices, hints, progress bars) to the standard error. The exit code is 0 also when nothing is
found, 1 on failure, 2 on wrong use and 130 after Ctrl-C. `--base` and `--json` may stand before
or after the verb, words and options in any order, and `--` ends the options.
"""


def document() -> str:
    """The whole page."""
    parts = [_INTRODUCTION, f"```text\n$ kb\n{help.text(None)}```\n"]
    for verb in verbs.VERBS:
        parts.append(f"## kb {verb.name}\n\n```text\n$ kb {verb.name} --help\n{help.text(verb)}```\n")
    return "\n".join(parts)


if __name__ == "__main__":
    sys.stdout.write(document())
