"""One line that says what an entry is about: the writer's own, or how the text begins.

No model writes summaries here: the first 100 characters are true, instant and the same
tomorrow, and whoever wants better says it in the entry's own field.
"""

from __future__ import annotations

from scrubjay.disclose.cut import beginning, folded

LENGTH = 100


def body(text: str) -> str:
    """The text behind its front matter; all of it if there is nothing else."""
    if not text.startswith("---"):
        return text
    import re

    rest = re.sub(r"\A---[ \t]*\r?\n.*?\n(?:---|\.\.\.)[ \t]*(?:\r?\n|\Z)", "", text, count=1, flags=re.S)
    return rest if rest.strip() else text


def summary(text: str, own: str = "") -> str:
    """`own` if there is one, else the first 100 characters of `text`, on one line."""
    return folded(own) or beginning(text, LENGTH)
