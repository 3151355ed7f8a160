"""The kinds of memory, how fast each fades, and how a text shows which it is.

A half-life is a promise about use: what was true of one sitting is forgotten in days, what
is known for good in half a year, who someone is hardly at all. The kind is only a guess
unless someone said it, so where the guess came from is kept beside it.
"""

from __future__ import annotations

import re

from scrubjay.errors import UsageError
from scrubjay.types.base import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any


class MemoryKind(NamedTuple):
    """One row: its half-life in days (None: it does not fade), and what it holds."""

    name: str
    half_life_days: float | None
    holds: str


class Inferred(NamedTuple):
    """A kind and where it came from: "given", "metadata", "tags", "path", "text" or "default"."""

    kind: str
    source: str
    evidence: str = ""


MEMORY_KINDS: tuple[MemoryKind, ...] = (
    MemoryKind("working", 1, "what is being done right now"),
    MemoryKind("episodic", 7, "what happened, and when"),
    MemoryKind("prospective", 14, "what is to be done"),
    MemoryKind("implicit", 30, "habits and preferences"),
    MemoryKind("declarative", 60, "facts"),
    MemoryKind("procedural", 90, "how something is done"),
    MemoryKind("semantic", 180, "what something is or means"),
    MemoryKind("autobiographical", 365, "who someone is, what they lived through"),
    MemoryKind("meta-cognitive", None, "rules about remembering and thinking itself"),
)
DEFAULT = "declarative"
_BY_NAME = {row.name: row for row in MEMORY_KINDS}
_KEYS = ("memory_type", "memory_kind", "memory", "type")

# Where a note of a kind is usually kept, and how it is usually tagged.
_PLACES = (
    ("working", ("scratch", "scratchpad", "tmp", "temp", "wip", "session-state")),
    ("episodic", ("journal", "journals", "diary", "daily", "meetings", "sessions", "handover", "standup", "incidents")),
    ("prospective", ("todo", "todos", "tasks", "backlog", "roadmap", "reminders")),
    ("implicit", ("preferences", "habits", "style", "conventions")),
    (
        "procedural",
        ("howto", "how-to", "runbook", "runbooks", "guides", "playbook", "playbooks", "checklist", "recipes"),
    ),
    ("semantic", ("glossary", "concepts", "reference", "architecture", "definitions")),
    ("autobiographical", ("about-me", "biography", "profile", "cv", "resume")),
    ("meta-cognitive", ("constitution", "principles", "meta", "memory-rules")),
)
# Sayings that give a text away; two of one kind decide, or one in the first line.
# Of equals the first row wins: what is rarely said by chance stands above what often is.
_SAYINGS = tuple(
    (name, re.compile(rf"(?<!\w)(?:{pattern})(?!\w)", re.IGNORECASE))
    for name, pattern in (
        (
            "meta-cognitive",
            r"always remember|never forget|rules? for (?:myself|remembering)|when (?:i|you) (?:recall|remember)",
        ),
        (
            "prospective",
            r"to-?do|needs? to|must (?:still )?be done|remind me|remember to|don't forget|due (?:by|on)|deadline"
            r"|follow up|next steps?|(?:will|plan to|going to) (?:do|add|fix|write|ask|call|move)",
        ),
        (
            "procedural",
            r"how to|step \d+|steps?:|first,? .{3,60} then|run the (?:command|following)|instructions?|procedure"
            r"|runbook|to (?:install|deploy|release|restore|set up)",
        ),
        ("implicit", r"i (?:prefer|like|dislike|hate|usually|always use)|prefers?|my (?:favou?rite|habit|usual)"),
        (
            "episodic",
            r"yesterday|today|this morning|last (?:week|night|month|monday|tuesday|wednesday|thursday|friday)"
            r"|we (?:met|discussed|talked|had|shipped|released)|meeting|happened|incident|postmortem",
        ),
        ("working", r"currently|right now|in progress|wip|working on|at the moment"),
        (
            "autobiographical",
            r"i (?:was born|grew up|studied|live in|work(?:ed)? (?:at|for)|moved to)"
            r"|my (?:name|birthday|family|wife|husband|children|career)",
        ),
        (
            "semantic",
            r"is (?:a|an) (?:kind|type|form|set|method|way|pattern|protocol|concept) of|is defined as|means that"
            r"|refers to|stands for|definition|in general",
        ),
    )
)
_READ = 2000  # characters of the text that are looked at; what a note is for is said early


def kind(name: str) -> MemoryKind:
    """The row of that name. An unknown one is a usage error."""
    found = _BY_NAME.get(name.strip().lower().replace("_", "-"))
    if found is None:
        raise UsageError(f"{name!r} is not a kind of memory.", "", f"Choose one of: {', '.join(_BY_NAME)}.")
    return found


def half_life(name: str) -> float | None:
    """After how many days a memory of that kind counts half; None for never."""
    return kind(name).half_life_days


def infer(
    text: str,
    *,
    given: str | None = None,
    path: str | None = None,
    tags: tuple[str, ...] = (),
    metadata: Mapping[str, Any] | None = None,
) -> Inferred:
    """The kind of a memory, from the surest sign to the weakest."""
    if given:
        return Inferred(kind(given).name, "given", given)
    for key in _KEYS:
        named = str((metadata or {}).get(key) or "").strip().lower().replace("_", "-")
        if named in _BY_NAME:
            return Inferred(named, "metadata", f"{key}: {named}")
    for tag in tags:
        found = _named(tag) or _placed(tag)
        if found:
            return Inferred(found, "tags", tag)
    for part in reversed(re.split(r"[/\\]", path or "")):
        found = _placed(re.sub(r"\.\w+$", "", part))
        if found:
            return Inferred(found, "path", part)
    return _from_text(text)


def _named(word: str) -> str | None:
    name = word.lower().replace("_", "-")
    return name if name in _BY_NAME else None


def _placed(word: str) -> str | None:
    name = word.lower().replace("_", "-")
    return next((row for row, places in _PLACES if name in places), None)


def _from_text(text: str) -> Inferred:
    head = text[:_READ]
    line = head.lstrip().split("\n", 1)[0]
    best, most, evidence = DEFAULT, 0, ""
    for name, sayings in _SAYINGS:
        said = list(dict.fromkeys(found[0].lower() for found in sayings.finditer(head)))
        weight = len(said) + bool(sayings.search(line))
        if weight >= 2 and weight > most:
            best, most, evidence = name, weight, ", ".join(said[:3])
    return Inferred(best, "text" if most else "default", evidence)
