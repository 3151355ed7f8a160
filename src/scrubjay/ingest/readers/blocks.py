"""Cuts source text into blocks by its blank lines and margins, for any language at all.

A line at the margin after a blank line begins something, whatever the language. It is what is
used where there is no grammar, and for files too large to be parsed.
"""

from __future__ import annotations

import re

from scrubjay.ingest.readers._marks import Mark, lines_of
from scrubjay.types.base import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_CLOSES = re.compile(r"[)\]}>]|end\b|fi\b|done\b|esac\b|else\b|</")
_COMMENT = re.compile(r"(?://|#(?!\[)|--|;|/\*|\*|%)")
_DEFINES = re.compile(
    r"(?:(?:public|private|protected|internal|static|final|abstract|open|override|export|default|async|local|data"
    r"|sealed|suspend|inline|create|or|replace|temp|temporary|alter|pub)\s+)*"
    r"(?:func|fun|function|def|defp|defmodule|defn|class|interface|trait|struct|enum|object|protocol|extension|module"
    r"|namespace|type|sub|package|procedure|table|view|index|trigger|message|service|resource|rule|section)\b",
    re.I,
)
_LABEL_ENDS = re.compile(r"[({:=]|\s+(?:as|extends|implements|returns)\s")
_LONGEST_LABEL = 80


def block_marks(text: str) -> Iterator[Mark]:
    """Where blocks begin. A comment just above a block belongs to it."""
    after_blank, comment_at = True, -1
    for at, line in lines_of(text):
        if not line or line.isspace():
            after_blank, comment_at = True, -1
            continue
        if line[0] in " \t" or _CLOSES.match(line):
            after_blank, comment_at = False, -1
            continue
        if _COMMENT.match(line):
            comment_at = at if after_blank and comment_at < 0 else comment_at
            after_blank = after_blank or comment_at >= 0
            continue
        defines = _DEFINES.match(line[:200])
        if after_blank or defines:
            trail = (_label(line),) if defines else ()
            yield Mark(comment_at if comment_at >= 0 else at, trail, "code", True)
        after_blank, comment_at = False, -1


def _label(line: str) -> str:
    return _LABEL_ENDS.split(line[:200], maxsplit=1)[0].strip()[:_LONGEST_LABEL]
