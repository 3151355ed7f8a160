"""What is known of a memory, put together from what was said of it, its front matter and its text.

What a person or a program says outright is checked, and a mistake is an error; what stands in a
file is taken where it makes sense and else left alone, because one odd word in a thousand notes
must not stop them from being read.
"""

from __future__ import annotations

from scrubjay.memory.kinds import infer
from scrubjay.memory.tiers import TIERS, tier
from scrubjay.memory.triggers import phrases
from scrubjay.types.base import TYPE_CHECKING
from scrubjay.types.memory import Facts

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

_TIER_KEYS = ("importance_tier", "importance", "tier")
_TRIGGER_KEYS = ("trigger_phrases", "triggers")
_SESSION_KEYS = ("session", "session_id")
_TIERS = {row.name for row in TIERS}


def facts_of(
    text: str,
    *,
    created_at: str | None = None,
    path: str | None = None,
    tags: tuple[str, ...] = (),
    metadata: Mapping[str, Any] | None = None,
    memory_type: str | None = None,
    importance: str | None = None,
    triggers: Sequence[str] | str = (),
    project: str | None = None,
    session: str | None = None,
    source: str | None = None,
) -> Facts:
    """The facts of one document; the last six are what was said outright."""
    known = metadata or {}
    guess = infer(text, given=memory_type, path=path, tags=tags, metadata=known)
    row = tier(importance) if importance else tier(_tier_in(known))
    said = phrases(triggers) or next((found for key in _TRIGGER_KEYS if (found := phrases(known.get(key)))), ())
    days = row.expires_days
    return Facts(
        guess.kind,
        guess.source,
        guess.evidence,
        row.name,
        None if days is None else _after(created_at, days),
        scope(_line(project) or _line(known.get("project"))),
        _line(session) or next((_line(known[key]) for key in _SESSION_KEYS if known.get(key)), ""),
        _line(source) or _line(known.get("source")),
        said,
    )


def scope(project: str) -> str:
    """A project or folder in the form in which it is compared: no slash at its end."""
    return project.replace("\\", "/").rstrip("/") or project


def _tier_in(known: Mapping[str, Any]) -> str | None:
    """The tier that front matter names; a number, or a word of somebody else's, is none."""
    named = (str(known.get(key) or "").strip().lower() for key in _TIER_KEYS)
    return next((name for name in named if name in _TIERS), None)


def _line(value: Any) -> str:
    return " ".join(str(value).split()) if isinstance(value, str | int) else ""


def _after(created_at: str | None, days: float) -> str:
    """The moment so many days after a date in the stored form, or after now."""
    from datetime import UTC, datetime, timedelta

    try:
        start = datetime.fromisoformat(created_at) if created_at else datetime.now(UTC)
        start = start if start.tzinfo else start.replace(tzinfo=UTC)
        return f"{(start.astimezone(UTC) + timedelta(days=days)):%Y-%m-%dT%H:%M:%SZ}"
    except (ValueError, OverflowError):  # at the ends of time
        return "9999-12-31T23:59:59Z"
