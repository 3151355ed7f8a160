"""Whether two models' vectors may be compared: only when all that decides their meaning is equal."""

from __future__ import annotations

from scrubjay.errors import ModelMismatch
from scrubjay.types import ModelIdentity


def require_same(stored: ModelIdentity, given: ModelIdentity) -> None:
    """Raises ModelMismatch, saying what differs and how to change over."""
    if stored == given:
        return
    if stored.dim != given.dim:
        why = f"They have {stored.dim} dimensions ({stored.name}); {given.name} makes {given.dim}."
    elif stored.name != given.name:
        why = f"They were made by {stored.name}, not by {given.name}."
    else:
        differing = [field for field in ModelIdentity._fields if getattr(stored, field) != getattr(given, field)]
        why = f"{given.name} has changed since: {', '.join(differing)}."
    cure = f"Use {stored.name}, or rebuild the vectors: kb reindex --model {given.name}"
    raise ModelMismatch("The stored vectors are another model's.", why, cure)
