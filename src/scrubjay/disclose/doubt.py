"""One line, for people and models, when what was found may not be about what was asked."""

from __future__ import annotations

from scrubjay.types.base import TYPE_CHECKING

if TYPE_CHECKING:
    from scrubjay.types.confidence import Confidence

_SHOWN = 4


def doubt(sure: Confidence) -> str:
    """Empty when there is nothing to say."""
    if sure.level == "strong":
        return ""
    words = [f"“{' '.join(word.split())}”" for word in sure.absent[:_SHOWN]]
    lacking = f"the base has no {_joined(words)}" if words else ""
    if sure.level == "none":
        return f"Nothing here seems to be about this{': ' + lacking if lacking else ''}."
    held = f"the best passage holds {sure.coverage:.0%} of what is telling in it"
    return f"Perhaps not about this: {lacking or held}."


def _joined(words: list[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and no {words[-1]}"
