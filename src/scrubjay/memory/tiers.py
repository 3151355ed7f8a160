"""The tiers of importance: how much each multiplies a score, and which expire.

A tier is what the writer says of a memory, once, in its front matter; it outranks what the
words say of it. A deprecated memory is kept for history and not searched.
"""

from __future__ import annotations

from scrubjay.errors import UsageError
from scrubjay.types.base import NamedTuple


class Tier(NamedTuple):
    """One row: what a score is multiplied by, and after how many days it no longer counts."""

    name: str
    multiplier: float
    expires_days: float | None = None

    @property
    def searched(self) -> bool:
        return self.multiplier > 0


TIERS: tuple[Tier, ...] = (
    Tier("constitutional", 3.0),
    Tier("critical", 2.0),
    Tier("important", 1.5),
    Tier("normal", 1.0),
    Tier("temporary", 0.5, 7),
    Tier("deprecated", 0.0),
)
DEFAULT = "normal"
_BY_NAME = {row.name: row for row in TIERS}


def tier(name: str | None) -> Tier:
    """The row of that name, "normal" without one. An unknown name is a usage error."""
    if name is None or not name.strip():
        return _BY_NAME[DEFAULT]
    found = _BY_NAME.get(name.strip().lower())
    if found is None:
        raise UsageError(f"{name!r} is not a tier of importance.", "", f"Choose one of: {', '.join(_BY_NAME)}.")
    return found


def multiplier(name: str | None, age_days: float = 0.0) -> float:
    """What a score of that tier is multiplied by; 0 for what is not searched (any more)."""
    row = tier(name)
    expired = row.expires_days is not None and age_days > row.expires_days
    return 0.0 if expired else row.multiplier
