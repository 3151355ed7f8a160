"""Estimates how many tokens a model will see in a text, from byte counts alone.

A real tokenizer would be exact for one model and slower than all the rest of indexing. Word
pieces follow a simple pattern in every model we use: a punctuation mark is a token, a word is
one token for every four letters or so, a Chinese or Japanese character is one. Deleting byte
classes and taking lengths counts all three at the speed of memory.
"""

from __future__ import annotations

_SPACES = b" \t\n\r\f\v"
_LETTERS = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
_ASCII = bytes(range(128))
_MARKS = bytes(set(_ASCII) - set(_SPACES) - set(_LETTERS))
_WIDE = bytes(range(128, 256))

LETTERS_PER_TOKEN = 4.2
BYTES_PER_WIDE_TOKEN = 3
SPACES_PER_TOKEN = 16  # nearly nothing, but never nothing: a piece of spaces has an end, too
MOST_CHARACTERS_PER_TOKEN = SPACES_PER_TOKEN
_GUESSES, _NEAR_ENOUGH = 10, 8


def estimate(text: str) -> float:
    """About how many tokens `text` has."""
    data = text.encode("utf-8", "surrogatepass")
    letters = len(data.translate(None, _SPACES + _MARKS + _WIDE))
    marks = len(data.translate(None, _SPACES + _LETTERS + _WIDE))
    wide = 0 if len(data) == len(text) else len(data.translate(None, _ASCII))
    spaces = len(data) - letters - marks - wide
    return letters / LETTERS_PER_TOKEN + marks + wide / BYTES_PER_WIDE_TOKEN + spaces / SPACES_PER_TOKEN


def reach(text: str, start: int, end: int, tokens: float) -> int:
    """The position up to which `text[start:end]` holds about `tokens` tokens, and not more."""
    low, high = start, min(end, start + int(tokens * MOST_CHARACTERS_PER_TOKEN) + 1)
    guess = min(high, start + max(1, int(tokens * LETTERS_PER_TOKEN)))
    spent = 0.0  # the tokens in text[start:low]
    for _ in range(_GUESSES):
        cost = estimate(text[low:guess])
        per_character = cost / (guess - low)
        if spent + cost <= tokens:
            low, spent = guess, spent + cost
        else:
            high = guess - 1
        guess = min(high, low + max(1, int((tokens - spent) / per_character)))
        if guess <= low or (low > start and guess - low < _NEAR_ENOUGH):
            break
    return max(low, start + 1)
