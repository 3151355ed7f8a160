"""What a new memory does to one that says nearly the same.

Only how alike the two are decides between the same, the same thing said anew, and something
near it; whether "said anew" refines the old or replaces it needs a sign in the words. Every
decision is a record, so that it can be shown and undone; nothing is overwritten here.
"""

from __future__ import annotations

import re

from scrubjay.errors import UsageError
from scrubjay.types.base import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

REINFORCE = 0.95
UPDATE = 0.85
LINK = 0.70
CORRECTIONS = ("superseded", "deprecated", "refined", "merged")
_NEGATION = re.compile(
    r"(?<!\w)(?:not|no longer|never|don't|doesn't|isn't|aren't|won't|can't|cannot|without|instead of|replaced?|"
    r"deprecated|obsolete|abandoned|reverted?|switched (?:from|to)|moved (?:from|away)|anymore|wrong|incorrect)(?!\w)",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")


class Decision(NamedTuple):
    """What to do: "reinforce", "update", "supersede", "link" or "create"; with which memory, and why."""

    action: str
    other: str | None = None
    similarity: float = 0.0
    reason: str = ""


def decide(similarity: float, new: str = "", old: str = "", other: str | None = None) -> Decision:
    """What a new memory does to an old one that is `similarity` (cosine) alike."""
    if not -1.000001 <= similarity <= 1.000001:
        raise UsageError(f"A similarity of {similarity:g} is impossible.", "", "Give a cosine, from -1 to 1.")
    if similarity < LINK:
        return Decision("create", None, similarity, "nothing alike is known")
    if similarity < UPDATE:
        return Decision("link", other, similarity, "about something near it")
    against = contradiction(new, old)
    if similarity >= REINFORCE and not against:
        return Decision("reinforce", other, similarity, "the same is known")
    if against:
        return Decision("supersede", other, similarity, against)
    return Decision("update", other, similarity, "the same thing, said anew")


def decide_among(new: str, others: Iterable[tuple[str, float, str]]) -> Decision:
    """The decision against the most alike of (id, similarity, text); "create" when there are none."""
    best = max(others, key=lambda each: each[1], default=None)
    return Decision("create") if best is None else decide(best[1], new, best[2], best[0])


def contradiction(new: str, old: str) -> str:
    """A sign that the two texts cannot both hold, or "". Needs both; a guess, and recorded as one."""
    if not new or not old:
        return ""
    here, there = set(map(str.lower, _NEGATION.findall(new))), set(map(str.lower, _NEGATION.findall(old)))
    if here - there:
        return f"the new one says {sorted(here - there)[0]!r}"
    if there - here:
        return f"only the old one says {sorted(there - here)[0]!r}"
    numbers, former = set(_NUMBER.findall(new)), set(_NUMBER.findall(old))
    if numbers and former and not numbers & former:
        return f"{sorted(former)[0]} became {sorted(numbers)[0]}"
    return ""


def correction(kind: str) -> str:
    """The name of a correction, checked."""
    if kind not in CORRECTIONS:
        raise UsageError(f"{kind!r} is not a kind of correction.", "", f"Choose one of: {', '.join(CORRECTIONS)}.")
    return kind
