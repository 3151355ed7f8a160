"""How alike two texts are by their words alone, for where nothing can tell by meaning.

The cosine between the sets of their words: 1 when both use the same ones, 0 when none is shared.
It knows no synonyms, so whoever shows the number says that it is by words.
"""

from __future__ import annotations

import re
from math import sqrt

BY_WORDS = "words"
LEAST = 3  # words that count, below which nothing is compared
_WORD = re.compile(r"[^\W_]+(?:['’.,:/-][^\W_]+)*")  # 5,432 and don't are one word each
_WIDE = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff]")
# Too common to make two texts alike. "not" is not among them: without it they say the opposite.
_COMMON = frozenset((
    "a", "an", "and", "are", "as", "at", "be", "by", "for", "from", "has", "have", "in", "is", "it", "its", "of", "on",
    "or", "that", "the", "this", "to", "was", "we", "with",
))  # fmt: skip


def words(text: str) -> frozenset[str]:
    """The words that count; of Chinese, Japanese and Korean, which put no spaces, pairs of characters."""
    found: set[str] = set()
    for match in _WORD.finditer(text.casefold()):
        word = match.group()
        if _WIDE.search(word):
            found.update(word[place : place + 2] for place in range(max(1, len(word) - 1)))
        else:
            found.add(word)
    return frozenset(found - _COMMON or found)


def says_something(text: str) -> bool:
    """Whether a text says enough to be the same as another one: a word or two is a heading, not a memory."""
    return len(words(text)) >= LEAST


def overlap(one: frozenset[str], other: frozenset[str]) -> float:
    """Shared words ÷ the geometric mean of how many each has."""
    if not one or not other:
        return 0.0
    return min(len(one & other) / sqrt(len(one) * len(other)), 1.0)
