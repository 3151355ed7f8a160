"""Cuts text for reading: never inside what a reader sees as one character.

Snippets and summaries are both cut to a width, so the care is taken once. Halves of a
surrogate pair, which only broken input holds, are kept together too: apart they cannot even
be printed.
"""

from __future__ import annotations

from unicodedata import category

from scrubjay.ingest.graphemes import is_boundary

_LONGEST_CLUSTER = 256  # accents piled higher than this are noise and have to be cut somewhere
_WINDOW = 4096
_LONGEST_CONJUNCT = 16
_TRAILING = "\u0e33\u0eb3"  # Thai and Lao "am", drawn onto the letter before
# Signs drawn around the number that follows them.
_LEADING = frozenset("\u0600\u0601\u0602\u0603\u0604\u0605\u06dd\u070f\u0890\u0891\u08e2\u0d4e\U000110bd\U000110cd")
# An Indic consonant with its vowel silenced is written into the next one.
_MARK = "\u0300-\u036f\u093c\u09bc\u0abc\u0b3c\u0c3c\u200d"
_SILENCED = f"[\u0915-\u0d39][{_MARK}]*[\u094d\u09cd\u0acd\u0b4d\u0c4d\u0d4d][{_MARK}\u094d]*$"
_INDIC = ("\u0915", "\u0d39")


def folded(text: str) -> str:
    """The text on one line, every run of white space a single space."""
    return " ".join(text.split())


def may_cut(text: str, at: int) -> bool:
    """Whether `text` may be cut before position `at`."""
    if not 0 < at < len(text):
        return True
    before, after = text[at - 1], text[at]
    if before < "\u0300" and after < "\u0300":
        return is_boundary(text, at)
    if "\ud800" <= before < "\udc00" <= after < "\ue000" or not is_boundary(text, at):
        return False
    if before in "\r\n":
        return True
    if after in _TRAILING or (before == "\u200d" and after in "©®"):
        return False
    if before in _LEADING and category(after) != "Cc":
        return False
    if not _INDIC[0] <= after <= _INDIC[1]:
        return True
    import re

    return re.search(_SILENCED, text[max(0, at - _LONGEST_CONJUNCT) : at]) is None


def cut_after(text: str, at: int) -> int:
    """The nearest place at or after `at` where the text may be cut."""
    place = max(at, 0)
    while place < len(text) and place - at < _LONGEST_CLUSTER and not may_cut(text, place):
        place += 1
    return min(place, len(text)) if may_cut(text, place) else at


def cut_before(text: str, at: int) -> int:
    """The nearest place at or before `at` where the text may be cut."""
    place = min(at, len(text))
    while place > 0 and at - place < _LONGEST_CLUSTER and not may_cut(text, place):
        place -= 1
    return max(place, 0) if may_cut(text, place) else at


def first_characters(text: str, count: int) -> str:
    """The first `count` characters as a reader counts them."""
    head = text[: count + 1]
    if head.isascii() and "\r" not in head:  # a line end of two signs is one character
        return text[:count]
    place = 0
    for _ in range(count):
        place = cut_after(text, place + 1)
        if place >= len(text):
            return text
    return text[:place]


def beginning(text: str, count: int) -> str:
    """The first `count` characters of the folded text, without folding all of a long one."""
    window = _WINDOW
    while True:
        head = folded(text[:window])
        shown = first_characters(head, count)
        if window >= len(text) or len(shown) < len(head) - _LONGEST_CLUSTER:
            return shown.rstrip()
        window *= 4
