"""Queries whose answers are known without anybody judging: made from what the base itself says.

Two kinds, because each alone would be unfair. A few words of a chunk, or its heading, must find
that chunk: that is easy for a search by words. Its first sentence must find what it is linked
with and what stands beside it, the chunk itself left out: that is easier for a search by meaning.
"""

from __future__ import annotations

import re

from scrubjay.types.base import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from scrubjay.types import Chunk

WORDS = 6  # what a person types to find something again
_LONGEST = 200  # characters of a sentence that is asked
_RUN = 16  # characters of a script that is written without spaces
_SENTENCE = re.compile(r"(?<=[.!?])\s+|(?<=[。！？])|\n\s*\n")
_WORD = re.compile(r"[^\W_][\w'’]*")
_SIGNS = re.compile(r"[\"“”«»*#`|<>\[\]{}]|(?<!\S)[-+]+")
_WIDE = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]")


class Known(NamedTuple):
    """A query, the chunks that answer it, and the one it was made from if that is left out."""

    query: str
    answers: frozenset[int]
    without: int | None = None


def itself(chunk: Chunk, common: Collection[str], turn: int) -> Known | None:
    """Its heading, every third time, else some words of its first sentence."""
    heading = chunk.trail[-1] if len(chunk.trail) > 1 else ""
    if turn % 3 == 0 and len(heading.split()) > 1:
        return Known(plain(heading), frozenset((chunk.number,)))
    query = remembered(first_sentence(chunk.text), common)
    return Known(query, frozenset((chunk.number,))) if query else None


def around(chunk: Chunk, related: Mapping[int, frozenset[int]]) -> Known | None:
    """Its first sentence, to find what belongs to it."""
    answers = related.get(chunk.number)
    query = plain(first_sentence(chunk.text))[:_LONGEST].strip()
    return Known(query, answers, chunk.number) if answers and query else None


def first_sentence(text: str) -> str:
    """The first that is more than a heading or a list's mark."""
    sentences = (part.strip() for part in _SENTENCE.split(text) if part is not None)
    told = [part for part in sentences if len(part) > 3 and not part.startswith(("#", "```", "---", "|"))]
    return next((part for part in told if len(part) >= 20), told[0] if told else "")


def remembered(sentence: str, common: Collection[str]) -> str:
    """What is left of a sentence in a head: some of its words, in order."""
    if len(_WIDE.findall(sentence)) > len(sentence) / 3:
        return plain(sentence)[:_RUN].strip()
    words = [word for word in _WORD.findall(sentence) if word.lower() not in common]
    if len(words) <= WORDS:
        return " ".join(words)
    step = len(words) / WORDS
    return " ".join(words[int(place * step)] for place in range(WORDS))


def plain(text: str) -> str:
    """Without the signs that would mean something in a query."""
    return " ".join(_SIGNS.sub(" ", text).split())


def queries(
    chunks: Iterable[Chunk], related: Mapping[int, frozenset[int]], common: Collection[str]
) -> tuple[list[Known], list[Known]]:
    """The known items of both kinds."""
    found, beside = [], []
    for turn, chunk in enumerate(chunks):
        one, other = itself(chunk, common, turn), around(chunk, related)
        found += [one] if one else []
        beside += [other] if other else []
    return found, beside
