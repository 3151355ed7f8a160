"""Trigger phrases: what a document asks to be remembered by.

A phrase set by the writer is a promise that the document matters when it is said, whatever
else is in the query. Phrases match whole words only: "art" is not said in "start".
"""

from __future__ import annotations

import re

from scrubjay.types.base import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

MOST_PHRASES = 10
_SHORTEST = 2
_LETTER = r"[^\W_]"


class Trigger(NamedTuple):
    """A document's phrases and how important it is (a tier's multiplier)."""

    document: str
    phrases: tuple[str, ...]
    importance: float = 1.0


class Triggered(NamedTuple):
    """A document whose phrases were said."""

    document: str
    phrases: tuple[str, ...]
    importance: float


def phrases(given: Any) -> tuple[str, ...]:
    """The phrases of a document's front matter: a list or a comma-separated text, at most ten.

    Doubles and phrases of one character are left out: they would be said all the time.
    """
    found = given.split(",") if isinstance(given, str) else given if isinstance(given, (list, tuple)) else ()
    clean = (" ".join(str(phrase).split()) for phrase in found)
    unique = {phrase.casefold(): phrase for phrase in reversed(list(clean)) if len(phrase) >= _SHORTEST}
    return tuple(list(reversed(unique.values()))[:MOST_PHRASES])


def triggered(text: str, triggers: Iterable[Trigger]) -> list[Triggered]:
    """The documents whose phrases `text` says: most phrases first, then the more important."""
    said = " ".join(text.casefold().split())
    found: list[Triggered] = []
    for trigger in triggers:
        matched = tuple(phrase for phrase in trigger.phrases[:MOST_PHRASES] if _says(said, phrase))
        if matched:
            found.append(Triggered(trigger.document, matched, trigger.importance))
    return sorted(found, key=_order)


def _order(found: Triggered) -> tuple[int, float, str]:
    return -len(found.phrases), -found.importance, found.document


def _says(said: str, phrase: str) -> bool:
    wanted = " ".join(phrase.casefold().split())
    if not wanted or wanted not in said:  # nearly always, and a hundred times cheaper than a pattern
        return False
    before = f"(?<!{_LETTER})" if _has_boundary(wanted[0]) else ""
    after = f"(?!{_LETTER})" if _has_boundary(wanted[-1]) else ""
    return re.search(before + re.escape(wanted) + after, said) is not None


def _has_boundary(char: str) -> bool:
    """Chinese and Japanese put no boundary between words."""
    return char.isalnum() and not ("\u3040" <= char <= "\u9fff" or "\uf900" <= char <= "\ufaff" or char >= "\U00020000")
