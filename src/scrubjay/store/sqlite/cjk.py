"""Chinese, Japanese and Korean: finding such runs and cutting them into overlapping pairs.

FTS5's unicode61 takes a run of these characters for one word, so "设计" would never be found
in "数据库设计". Pairs rank questions better than trigrams do and find one- and two-character
words, which trigrams cannot (../docs/adr has the figures).
"""

from __future__ import annotations

from functools import cache
from itertools import pairwise

from scrubjay.types.base import TYPE_CHECKING

if TYPE_CHECKING:
    import re
    from collections.abc import Iterator

_RANGES = (
    "\u3005-\u3007"  # iteration mark, closing mark, zero
    "\u3040-\u30ff\u31f0-\u31ff"  # kana
    "\u1100-\u11ff\u3130-\u318f\uac00-\ud7af"  # hangul
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"  # han
    "\uff66-\uff9f"  # half-width kana
    "\U00020000-\U000323af"
)


@cache
def _pattern() -> re.Pattern[str]:
    """Compiled when first needed: most texts are plain ASCII and never ask."""
    import re

    return re.compile(f"[{_RANGES}]+")


def runs(text: str) -> Iterator[re.Match[str]]:
    """Every run of such characters."""
    return _pattern().finditer(text)


def has_cjk(text: str) -> bool:
    return not text.isascii() and next(runs(text), None) is not None


def bigrams(text: str) -> str:
    """The pairs of every run, then its last character: "数据库" → "数据 据库 库".

    The last character stands alone so that every character begins some word, and a
    one-character query is a prefix search.
    """
    if text.isascii():
        return ""
    words: list[str] = []
    for match in runs(text):
        run = match.group()
        words += map("".join, pairwise(run))
        words.append(run[-1])
    return " ".join(words)


def split(text: str) -> list[tuple[str, bool]]:
    """The text as alternating pieces, each with whether it is CJK: "Python数据库" → two."""
    if text.isascii():
        return [(text, False)] if text else []
    pieces: list[tuple[str, bool]] = []
    end = 0
    for match in runs(text):
        if match.start() > end:
            pieces.append((text[end : match.start()], False))
        pieces.append((match.group(), True))
        end = match.end()
    if end < len(text):
        pieces.append((text[end:], False))
    return pieces
