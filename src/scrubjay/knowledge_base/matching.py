"""Which memories a text calls up by their trigger phrases."""

from __future__ import annotations

from scrubjay.memory.tiers import multiplier
from scrubjay.memory.triggers import Trigger, triggered
from scrubjay.types.base import TYPE_CHECKING
from scrubjay.types.memory import Matched

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scrubjay.ports import Store


def match(store: Store, text: str, top: int | None = None) -> Sequence[Matched]:
    """Most phrases first, then the more important; what is not searched is not called up either."""
    about: dict[str, tuple[str, str | None, str]] = {}
    phrases: dict[str, list[str]] = {}
    for identity, title, path, tier, phrase in store.memory.triggers():
        about[identity] = title, path, tier
        phrases.setdefault(identity, []).append(phrase)
    triggers = [Trigger(identity, tuple(said), multiplier(about[identity][2])) for identity, said in phrases.items()]
    return tuple(
        Matched(found.document, *about[found.document][:2], found.phrases, about[found.document][2], found.importance)
        for found in triggered(text, triggers)[:top]
    )
