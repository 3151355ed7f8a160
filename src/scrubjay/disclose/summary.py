"""One line that says what an entry is about: the writer's own, or how the text begins.

No model writes summaries here: the first 100 characters are true, instant and the same
tomorrow, and whoever wants better says it in the entry's own field.
"""

from __future__ import annotations

from scrubjay.disclose.cut import beginning, folded

LENGTH = 100


def body(text: str) -> str:
    """The text behind its front matter; all of it if there is nothing else."""
    # no regular expression: `re` would cost every search in a folder of notes a tenth of its start
    opening = text.find("\n")
    if not text.startswith("---") or text[3:opening].strip(" \t\r"):
        return text
    place = opening
    while (place := text.find("\n", place + 1)) != -1:
        if text[place + 1 : place + 4] in ("---", "..."):
            end = text.find("\n", place + 4)
            end = len(text) if end == -1 else end
            if not text[place + 4 : end].strip(" \t\r"):
                rest = text[end + 1 :]
                return rest if rest.strip() else text
    return text


def summary(text: str, own: str = "") -> str:
    """`own` if there is one, else the first 100 characters of `text`, on one line."""
    return folded(own) or beginning(text, LENGTH)
