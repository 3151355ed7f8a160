"""Lowers the score of very short passages: a cross-encoder likes a heading better than its section."""

from __future__ import annotations

FULL_LENGTH = 100  # characters from which nothing is taken off
LOWEST = 0.8


def length_penalty(length: int) -> float:
    """From 0.8 for nothing to 1 for a hundred characters and more."""
    return 1.0 if length >= FULL_LENGTH else LOWEST + (length / FULL_LENGTH) * (1 - LOWEST)
