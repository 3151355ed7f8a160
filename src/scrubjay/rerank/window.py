"""Cuts long passages down to the part that has most of the query's words, before they are reread.

A model's time grows with the text it reads, and most of a long passage is not about the query.
"""

from __future__ import annotations

from math import fsum, log

from scrubjay.types.base import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_BEFORE = 80  # characters of what leads to the first match
_STEM = 5  # letters that words of one stem mostly share


def weights(query: str, passages: Sequence[str]) -> dict[str, float]:
    """How much each word of the query tells the passages apart, by its first letters."""
    lower = [passage.lower() for passage in passages]
    stems = {word.strip("?!.,:;()\"'").lower()[:_STEM] for word in query.split()} - {""}
    return {stem: log((len(lower) + 1) / (sum(stem in text for text in lower) + 0.5)) for stem in sorted(stems)}


def window(text: str, words: Mapping[str, float], size: int) -> str:
    """At most about `size` characters of the text, whole words; the beginning where nothing matches."""
    if len(text) <= size:
        return text
    places = _places(text.lower(), words)
    starts = [0, *(max(0, place - _BEFORE) for place, _ in places)]
    best = max(starts, key=lambda start: (_held(places, words, start, size), -start))
    start = min(best, len(text) - size)
    if start > 0 and not text[start - 1].isspace():
        space = text.find(" ", start, start + 40)
        start = space + 1 if space >= 0 else start
    end = start + size
    if end < len(text):
        space = text.rfind(" ", end - 40, end)
        end = space if space >= 0 else end
    return text[start:end]


def _places(lower: str, words: Mapping[str, float]) -> list[tuple[int, str]]:
    """Where a word of the query begins a word of the text, with the beginning that they share."""
    found = []
    for stem in filter(None, words):
        place = lower.find(stem)
        while place >= 0:
            if place == 0 or not lower[place - 1].isalnum() or not stem.isascii():
                found.append((place, stem))
            place = lower.find(stem, place + 1)
    return sorted(found)


def _held(places: list[tuple[int, str]], words: Mapping[str, float], start: int, size: int) -> float:
    return fsum(words[stem] for stem in {stem for place, stem in places if start <= place < start + size})
