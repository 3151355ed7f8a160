"""Lists the words and the acronyms of what was written, for the mending of queries later.

Runs over what it has not seen, so it does not matter who wrote: after a writing, or after a bulk
writing in the first search that needs it. It has to cost little, so words are told apart as
bytes, a batch at a time: only a batch's different words are looked at one by one.
"""

from __future__ import annotations

import re
from collections import Counter
from contextlib import suppress
from math import inf
from time import monotonic

from scrubjay.errors import BaseLocked, BaseReadOnly
from scrubjay.search.definitions import definitions
from scrubjay.types.base import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from scrubjay.ports import Store

_BATCH = 10_000
_PATIENCE = 2.0  # seconds that a search gives to it
_MANY, _SAMPLED = 1000, 8
_GROUP = 500
_SHORTEST, _LONGEST = 3, 30
_WORD = re.compile(r"[^\W_]+")
_BRACKET = re.compile(r"\([^()]*[A-Z]|[A-Z0-9]{2,10}s?\s*\(")  # where an acronym may be explained
# ASCII letters small, signs apart, digits and whatever is not ASCII as they are.
_PLAIN = bytes(
    ord(chr(code).lower()) if code < 128 and chr(code).isalnum() else code if code >= 128 else 32
    for code in range(256)
)  # fmt: skip


def catch_up(store: Store) -> None:
    """Before a query is mended: what bulk writing left unread, unless another process writes just now.

    What does not fit into the time is left for the next search, or the next writing.
    """
    with suppress(BaseLocked, BaseReadOnly), store.graph.at_once():
        list_words(store, _PATIENCE)


def list_words(store: Store, seconds: float = inf) -> None:
    """Reads every chunk that was written since the last time, or those it gets to."""
    end = monotonic() + seconds
    while monotonic() < end:
        chunks = store.vocabulary.unread(_BATCH)
        if not chunks:
            return
        words = words_of([text for _, text in chunks])
        store.vocabulary.add(chunks[-1][0], words, list(_acronyms(chunks)))


def words_of(texts: Sequence[str]) -> Counter[str]:
    """Words of letters alone, in small ones, and about how often each stands in the texts.

    About: of many texts every eighth is counted, since only the rough measure decides anything.
    """
    step = _SAMPLED if len(texts) > _MANY else 1
    counted = Counter(_split(texts[::step]))
    words: Counter[str] = Counter()
    for data in _different(texts) if step > 1 else counted:
        count = counted[data] * step or 1
        if data.isascii():
            word = data.decode("ascii")
            if _SHORTEST <= len(word) <= _LONGEST and word.isalpha():
                words[word] += count
            continue
        for part in _WORD.findall(data.decode("utf-8").lower()):
            if _SHORTEST <= len(part) <= _LONGEST and part.isalpha() and _by_letters(part):
                words[part] += count
    return words


def _different(texts: Sequence[str]) -> set[bytes]:
    """A group at a time: a third faster than all at once, because a group's words stay near the processor."""
    return set().union(*(_split(texts[start : start + _GROUP]) for start in range(0, len(texts), _GROUP)))


def _split(texts: Sequence[str]) -> list[bytes]:
    return "\n".join(texts).encode("utf-8", "replace").translate(_PLAIN).split()


def _by_letters(word: str) -> bool:
    """Scripts in which a word can be mistyped by a letter; in Chinese a run is a sentence."""
    return all(letter < "\u0600" or "\u1e00" <= letter < "\u2000" for letter in word)


def _acronyms(chunks: Iterable[tuple[int, str]]) -> Iterator[tuple[str, str, int]]:
    for number, text in chunks:
        if "(" in text and _BRACKET.search(text):
            for short, long in definitions(text):
                yield short.upper(), long.lower(), number
