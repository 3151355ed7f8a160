"""Finds the acronyms that a text itself explains: "Reciprocal Rank Fusion (RRF)", and reversed.

A person's own documents say better than any shipped table what a team's letters stand for.
The long form is the shortest run of words before the bracket whose letters spell the short
one from the right, its first letter beginning a word (the rule of Schwartz and Hearst).
"""

from __future__ import annotations

import re

from scrubjay.types.base import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_SHORT = r"[A-Z0-9](?:[A-Za-z0-9&/.-]{0,8}[A-Za-z0-9])"
_AFTER = re.compile(rf"\(\s*({_SHORT})\s*(?:[,;][^)\n]*)?\)")
_BEFORE = re.compile(rf"(?<!\w)({_SHORT})\s*\(\s*([^()\n]{{5,120}}?)\s*\)")
_WORD = re.compile(r"[^\W_]+")
_REACH = 200  # characters before the bracket in which the long form must be


class Definition(NamedTuple):
    """A short form and the words it stands for, as they were written."""

    short: str
    long: str


def definitions(text: str) -> Iterator[Definition]:
    """Every acronym that `text` explains, in the order it does."""
    if "(" not in text:
        return
    found: list[tuple[int, Definition]] = []
    for match in _AFTER.finditer(text):
        long = _spelled(match[1], _sentence_before(text, match.start()))
        if long:
            found.append((match.start(), Definition(_singular(match[1]), long)))
    for match in _BEFORE.finditer(text):
        long = _spelled(match[1], " ".join(match[2].split()))
        if long and len(_WORD.findall(long)) == len(_WORD.findall(match[2])):
            found.append((match.start(), Definition(_singular(match[1]), long)))
    yield from (definition for _, definition in sorted(found))


def table(found: Iterable[Definition], most: int = 3) -> dict[str, tuple[str, ...]]:
    """What each short form stands for, the most frequent meaning first, at most `most`."""
    counts: dict[str, dict[str, int]] = {}
    for short, long in found:
        meanings = counts.setdefault(short.upper(), {})
        meanings[long.lower()] = meanings.get(long.lower(), 0) + 1
    return {
        short: tuple(sorted(meanings, key=lambda long: (-meanings[long], long))[:most])
        for short, meanings in sorted(counts.items())
    }


def _singular(short: str) -> str:
    return short[:-1] if short.endswith("s") and short[:-1].isupper() else short


def _sentence_before(text: str, at: int) -> str:
    before = text[max(0, at - _REACH) : at]
    return " ".join(re.split(r"[.!?;:]\s|\n\s*\n|[()\[\]|]", before)[-1].split())


def _spelled(short: str, before: str) -> str:
    """The end of `before` that spells `short`, or "" when none does."""
    letters = [char for char in short if char.isalnum()]
    if len(letters) < 2 or not any(char.isalpha() for char in letters) or sum(map(str.isupper, letters)) < 2:
        return ""
    at = len(before)
    for number in range(len(letters) - 1, -1, -1):
        wanted = letters[number].lower()
        at -= 1
        while at >= 0 and (before[at].lower() != wanted or (number == 0 and at > 0 and before[at - 1].isalnum())):
            at -= 1
        if at < 0:
            return ""
    long = before[at:].rstrip(" ,'\"*_`-–—").lstrip("'\"*_`")
    words = _WORD.findall(long)
    fits = 2 <= len(words) <= min(len(letters) + 5, 2 * len(letters))
    return long if fits and short.lower() not in (word.lower() for word in words) else ""
