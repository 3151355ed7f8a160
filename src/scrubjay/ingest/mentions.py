"""Finds the titles of other documents in a text: who names the same thing is about it, too.

The strongest link between texts that nobody has linked: questions that need two documents are
answered far better with it (bench/graph.py). A title counts where it is written with a capital
letter, as names are; a common one is dropped by the caller.
"""

from __future__ import annotations

import re

from scrubjay.types.base import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

_CAPITAL = re.compile(r"\b[^\W_a-z]\w*")
_WORD = re.compile(r"\w+")
_REACH = 120  # characters in which a title of eight words ends
_LONGEST = 8


class Titles:
    """Titles by their first word, so that most words of a text are dismissed by one look."""

    def __init__(self, documents: Mapping[str, Sequence[int]], most: int = 3) -> None:
        self._documents = {title: found for title, found in documents.items() if len(found) <= most}
        lengths: dict[str, set[int]] = {}
        for title in self._documents:
            words = title.split(" ")
            lengths.setdefault(words[0], set()).add(len(words))
        self._lengths = {first: sorted(found, reverse=True) for first, found in lengths.items()}

    def mentioned(self, text: str) -> Iterator[tuple[str, Sequence[int]]]:
        """Each title in the text, the longest that fits at its place, with its documents; each once."""
        seen: set[str] = set()
        lengths = self._lengths
        if lengths.keys().isdisjoint(map(str.casefold, _CAPITAL.findall(text))):
            return
        end = -1
        for match in _CAPITAL.finditer(text):
            first = match.group().casefold()
            if first not in lengths or match.start() < end:
                continue
            words = list(_WORD.finditer(text, match.start(), match.start() + _REACH))
            for length in lengths[first]:
                title = " ".join(word.group() for word in words[:length]).casefold()
                if len(words) >= length and title in self._documents:
                    end = words[length - 1].end()
                    if title not in seen:
                        seen.add(title)
                        yield title, self._documents[title]
                    break


def possible(texts: Iterable[str]) -> set[str]:
    """Everything in the texts that could be a title, for looking a few up instead of knowing all."""
    found: set[str] = set()
    for text in texts:
        for match in _CAPITAL.finditer(text):
            words = [word.group() for word in _WORD.finditer(text, match.start(), match.start() + _REACH)][:_LONGEST]
            joined = ""
            for word in words:
                joined = f"{joined} {word.casefold()}" if joined else word.casefold()
                found.add(joined)
    return found
