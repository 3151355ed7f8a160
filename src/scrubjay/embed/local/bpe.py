"""Byte-pair encoding with byte fallback: text to the token ids of a Llama-style vocabulary.

The static table is indexed by these ids. In such a vocabulary no token runs on past the end of a word,
so the merges of one word never depend on its neighbours: words are merged one by one and remembered,
which makes sixty lines of Python as exact as the usual library and fast enough to leave it out.
"""

from __future__ import annotations

import itertools
import re

from scrubjay.types.base import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

CACHED_WORDS = 60_000
LONGEST_WORD = 1_000  # characters merged at a time: merging is quadratic, and real words are short
SPACE = "\u2581"
WORDS = re.compile(f"{SPACE}*[^{SPACE}]{{1,{LONGEST_WORD}}}|{SPACE}{{1,{LONGEST_WORD}}}")
SPECIAL = re.compile(r"(<unk>|<s>|</s>)")


class BytePairs:
    """One vocabulary and its merges ("left right", best first). Safe to use from several threads."""

    def __init__(self, vocabulary: Mapping[str, int], merges: Sequence[str]) -> None:
        self._ids = vocabulary
        self._ranks = dict(zip(merges, range(len(merges)), strict=True))
        self._never = len(merges)
        self._words: dict[str, tuple[int, ...]] = {}

    def encode(self, text: str, limit: int) -> list[int]:
        """At most `limit` ids; no marks for beginning or end."""
        ids: list[int] = []
        for number, part in enumerate(SPECIAL.split(text)):
            if number % 2:
                ids.append(self._ids[part])
            elif part:
                self._append(ids, SPACE + part.replace(" ", SPACE), limit)
        return ids[:limit]

    def _append(self, ids: list[int], text: str, limit: int) -> None:
        known = self._words
        for word in WORDS.findall(text):
            pieces = known.get(word)
            if pieces is None:
                if len(known) >= CACHED_WORDS:
                    known.clear()
                pieces = known[word] = self._merged(word)
            ids.extend(pieces)
            if len(ids) >= limit:
                return

    def _merged(self, word: str) -> tuple[int, ...]:
        """Join the pair that was learnt first, leftmost first, until no pair is known."""
        parts = [part for char in word for part in self._symbols(char)]
        ranks = [self._rank(left, right) for left, right in itertools.pairwise(parts)]
        while ranks and (best := min(ranks)) < self._never:
            at = ranks.index(best)
            parts[at : at + 2] = [parts[at] + parts[at + 1]]
            del ranks[at]
            if at < len(ranks):
                ranks[at] = self._rank(parts[at], parts[at + 1])
            if at:
                ranks[at - 1] = self._rank(parts[at - 1], parts[at])
        return tuple(self._ids[part] for part in parts)

    def _rank(self, left: str, right: str) -> int:
        return self._ranks.get(f"{left} {right}", self._never)

    def _symbols(self, char: str) -> list[str]:
        """The character itself, or where the vocabulary lacks it, its bytes."""
        if char in self._ids:
            return [char]
        return [f"<0x{byte:02X}>" for byte in char.encode("utf-8", "replace")]
