"""Finds the word of the index that a mistyped word was meant to be.

Looks in two places, so that nothing has to be built or loaded before the first query: the
words that share the typed word's beginning (one range of a sorted list) hold the slips in its
later letters, and the few hundred slips that are possible in its first letters are looked up
directly. A correction changes what is searched, so it must be close, and is only tried for
words that the index does not have at all.
"""

from __future__ import annotations

from bisect import bisect_left

from scrubjay.types.base import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from typing import Protocol

    class Vocabulary(Protocol):
        """What mending needs of `scrubjay.ports.Vocabulary`."""

        def known(self, words: Iterable[str]) -> set[str]: ...
        def counts(self, words: Sequence[str]) -> Mapping[str, int]: ...
        def between(self, first: str, after: str, shortest: int, longest: int) -> Iterable[tuple[str, int]]: ...


SHORTEST = 4  # shorter words have too many neighbours
_TWO_SLIPS_FROM = 8
_ROOT = 4  # letters that the range search takes as typed right, at most half of the word
_ROOT_OF_TWO = 3  # the same for two slips, tried only where one does not explain the word
_KEYBOARDS = ("qwertyuiop", "asdfghjkl", "zxcvbnm")
_LATIN = "abcdefghijklmnopqrstuvwxyz"
_CYRILLIC = "абвгдежзийклмнопрстуфхцчшщъыьэюяё"
_GREEK = "αβγδεζηθικλμνξοπρστυφχψω"
# Costs of slips: what fingers do often is cheaper than what only looks alike.
_SWAP, _NEAR_KEY, _DOUBLE, _PLAIN, _FIRST_LETTER = 0.7, 0.8, 0.7, 1.0, 0.3
_TRIED = 4  # of the words that are near, so many are looked up
_RARER_BY = 12.0  # how much more frequent a word must be to make up for a whole slip, as a power of two
# Short words that people type and an index may lack, each a slip away from another.
_LEAVE = frozenset({
    "apps", "auth", "bash", "body", "book", "boot", "bugs", "byte", "call", "card", "cart", "case", "cell", "chat",
    "city", "code", "cold", "cost", "cron", "curl", "data", "date", "desk", "diff", "disk", "docs", "does", "done",
    "dump", "edge", "edit", "else", "exec", "face", "fact", "fail", "fast", "file", "find", "fire", "flag", "flow",
    "font", "food", "form", "from", "game", "gist", "give", "goal", "grep", "hash", "head", "heap", "help", "home",
    "hook", "host", "http", "icon", "idea", "init", "issue", "java", "jira", "join", "json", "kill", "lang", "last",
    "leak", "line", "link", "lint", "list", "load", "lock", "logs", "long", "loop", "mail", "main", "make", "meet",
    "menu", "mode", "name", "next", "node", "note", "null", "open", "page", "pass", "past", "path", "perl", "ping",
    "plan", "play", "port", "post", "pull", "push", "rank", "rate", "read", "repo", "rest", "role", "root", "ruby",
    "rule", "rust", "safe", "sale", "save", "scan", "seed", "send", "show", "side", "size", "slow", "sort", "spec",
    "stop", "sync", "take", "talk", "task", "team", "term", "test", "text", "that", "them", "then", "this", "time",
    "todo", "tool", "tree", "type", "unit", "user", "view", "wait", "walk", "week", "well", "what", "when", "wiki",
    "will", "with", "word", "work", "yaml", "year", "hope", "kids",
    "kind", "lone", "lose", "sing", "song", "tell", "zero", "zone",
})  # fmt: skip


class Correction(NamedTuple):
    """What was typed, what is searched instead, how far apart they are, and how many chunks have it."""

    typed: str
    searched: str
    cost: float
    chunks: int

    def told(self) -> str:
        return f"searched for {self.searched} (you typed {self.typed})"


class WordList:
    """A vocabulary in memory, from any source of words and counts."""

    def __init__(self, words: Iterable[tuple[str, int]]) -> None:
        self._counts = dict(words)
        self._sorted = sorted(self._counts)

    def known(self, words: Iterable[str]) -> set[str]:
        return {word for word in words if word in self._counts}

    def counts(self, words: Sequence[str]) -> Mapping[str, int]:
        known = self._counts
        return {word: known[word] for word in words if word in known}

    def between(self, first: str, after: str, shortest: int, longest: int) -> Iterator[tuple[str, int]]:
        low, high = bisect_left(self._sorted, first), bisect_left(self._sorted, after)
        for word in self._sorted[low:high]:
            if shortest <= len(word) <= longest:
                yield word, self._counts[word]


def correct(word: str, vocabulary: Vocabulary) -> Correction | None:
    """The most likely word meant by `word`, which the index does not have; None to leave it."""
    typed = word.lower()
    if not may_be_mistyped(typed):
        return None
    one = _best(typed, 1, min(_ROOT, len(typed) // 2), vocabulary)
    found = one or (_best(typed, 2, _ROOT_OF_TWO, vocabulary) if len(typed) >= _TWO_SLIPS_FROM else None)
    return found and found._replace(typed=word)


def _best(typed: str, slips: int, root: int, vocabulary: Vocabulary) -> Correction | None:
    """The one of least doubt that the index can find: a listed word may be gone from it."""
    near: list[tuple[float, str, Correction]] = []
    for found, count in _candidates(typed, slips, root, vocabulary):
        cost = distance(typed, found, slips)
        if cost is not None:
            near.append((cost - count.bit_length() / _RARER_BY, found, Correction(typed, found, cost, count)))
    for _, found, correction in sorted(near)[:_TRIED]:
        if vocabulary.known([found]):
            return correction
    return None


def may_be_mistyped(word: str) -> bool:
    """Numbers, versions, hashes, short words and scripts without letters by letters are left alone."""
    return len(word) >= SHORTEST and word not in _LEAVE and bool(_alphabet(word))


def distance(typed: str, meant: str, slips: int) -> float | None:
    """What it costs to get from one word to the other in at most `slips` slips; None if it takes more.

    A slip is a letter too much, missing or wrong, or two swapped (Damerau–Levenshtein).
    """
    if abs(len(typed) - len(meant)) > slips:
        return None
    start, shortest = 0, min(len(typed), len(meant))
    while start < shortest and typed[start] == meant[start]:
        start += 1
    end = 0
    while end < shortest - start and typed[-1 - end] == meant[-1 - end]:
        end += 1
    cost = _cost(typed[start : len(typed) - end], meant[start : len(meant) - end], slips, typed[start - 1 : start])
    if cost is None or cost == 0:
        return cost
    return cost + (_FIRST_LETTER if start == 0 else 0.0)


def _cost(left: str, right: str, slips: int, before: str) -> float | None:
    """Cost of the parts that differ. Tries every first slip; there are only one or two."""
    if left == right:
        return 0.0
    if slips == 0:
        return None
    if left and right and left[0] == right[0]:
        return _cost(left[1:], right[1:], slips, left[0])
    costs: list[float] = []
    if len(left) > 1 and len(right) > 1 and left[0] == right[1] and left[1] == right[0]:
        _collect(costs, _SWAP, _cost(left[2:], right[2:], slips - 1, left[1]))
    if left and right:
        near = _NEAR_KEY if _neighbours(left[0], right[0]) else _PLAIN
        _collect(costs, near, _cost(left[1:], right[1:], slips - 1, left[0]))
    if left:
        double = left[0] == before or left[0] == left[1:2]
        _collect(costs, _DOUBLE if double else _PLAIN, _cost(left[1:], right, slips - 1, left[0]))
    if right:
        double = right[0] == before or right[0] == right[1:2]
        _collect(costs, _DOUBLE if double else _PLAIN, _cost(left, right[1:], slips - 1, right[0]))
    return min(costs, default=None)


def _collect(costs: list[float], slip: float, rest: float | None) -> None:
    if rest is not None:
        costs.append(slip + rest)


def _neighbours(one: str, other: str) -> bool:
    for number, row in enumerate(_KEYBOARDS):
        at = row.find(one)
        if at >= 0:
            around = row[max(0, at - 1) : at + 2]
            above = _KEYBOARDS[number - 1][at : at + 2] if number else ""
            below = _KEYBOARDS[number + 1][max(0, at - 1) : at + 1] if number + 1 < len(_KEYBOARDS) else ""
            return other in around + above + below
    return False


# --- where to look ---------------------------------------------------------------------------


def _candidates(typed: str, slips: int, root: int, vocabulary: Vocabulary) -> Iterator[tuple[str, int]]:
    head, letters = typed[:root], set(typed)
    after = head[:-1] + chr(ord(head[-1]) + 1)
    for found, count in vocabulary.between(head, after, len(typed) - slips, len(typed) + slips):
        if len(letters.symmetric_difference(found)) <= 2 * slips - abs(len(typed) - len(found)):
            yield found, count
    if slips == 1:
        yield from vocabulary.counts(list(_early_slips(typed, root))).items()


def _early_slips(typed: str, until: int) -> Iterator[str]:
    """Every word that is one slip in the first letters away."""
    alphabet = _alphabet(typed)
    for at in range(until):
        head, tail = typed[:at], typed[at:]
        yield head + tail[1:]
        yield head + tail[1:2] + tail[:1] + tail[2:]
        for letter in alphabet:
            yield head + letter + tail
            yield head + letter + tail[1:]


def _alphabet(word: str) -> str:
    """The letters that might have been meant; "" for what is not written letter by letter."""
    if not word.isalpha():
        return ""
    for letters in (_LATIN, _CYRILLIC, _GREEK):
        own = set(word)
        if own <= set(letters):
            return letters
    return _LATIN + "".join(sorted(set(word) - set(_LATIN))) if word[0] < "\u0250" else ""
