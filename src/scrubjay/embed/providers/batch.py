"""Divides texts into calls that stay within a provider's limits.

Tokens are estimated, never counted: every provider has its own tokenizer and none is worth
loading for this. The estimate errs on the high side (three letters a token, one character of
any other script a token); a server that still refuses says so, and then the batch is halved.
"""

from __future__ import annotations

from scrubjay.types.base import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

    from scrubjay.embed.providers.table import Limits


class Batch(NamedTuple):
    """Texts with their places in the whole. `tried` counts how often they were made smaller or asked again."""

    places: tuple[int, ...]
    texts: tuple[str, ...]
    tried: int = 0

    def halves(self) -> tuple[Batch, Batch]:
        middle = len(self.places) // 2
        return (
            Batch(self.places[:middle], self.texts[:middle], self.tried),
            Batch(self.places[middle:], self.texts[middle:], self.tried),
        )

    def only(self, places: Iterable[int]) -> Batch:
        """These places alone, tried once more."""
        texts = dict(zip(self.places, self.texts, strict=True))
        return Batch(tuple(places), tuple(texts[place] for place in places), self.tried + 1)

    def shortened(self) -> Batch:
        return Batch(self.places, tuple(cut(text, estimated_tokens(text) // 2) for text in self.texts), self.tried + 1)


def batches(texts: Iterable[tuple[int, str]], limits: Limits) -> list[Batch]:
    """In order, each as full as the limits allow; a text that is too long by itself is cut."""
    made: list[Batch] = []
    places: list[int] = []
    held: list[str] = []
    tokens = 0
    for place, text in texts:
        text = cut(text, limits.tokens_each)
        size = estimated_tokens(text)
        if places and (len(places) == limits.items or tokens + size > limits.tokens_call):
            made.append(Batch(tuple(places), tuple(held)))
            places, held, tokens = [], [], 0
        places.append(place)
        held.append(text)
        tokens += size
    if places:
        made.append(Batch(tuple(places), tuple(held)))
    return made


def estimated_tokens(text: str) -> int:
    plain = len(text) if text.isascii() else sum(mark < "\x80" for mark in text)
    return -(-plain // 3) + len(text) - plain


def cut(text: str, tokens: int) -> str:
    """The text's beginning, at most `tokens` long, ending between words where there are any."""
    if len(text) <= tokens or estimated_tokens(text) <= tokens:
        return text
    low, high = 1, len(text)
    while low < high:  # the longest beginning that fits
        middle = (low + high + 1) // 2
        low, high = (middle, high) if estimated_tokens(text[:middle]) <= tokens else (low, middle - 1)
    beginning = text[:low]
    between_words = max(beginning.rfind(" "), beginning.rfind("\n"))
    return beginning[:between_words] if between_words > low // 2 else beginning
