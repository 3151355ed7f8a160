"""Open a model's `tokenizer.json` as one of our two tokenizers, with the settings written in it.

The file is the publisher's own and says how the model was trained, so nothing about a vocabulary is
written down twice; parsing it takes some milliseconds.
"""

from __future__ import annotations

from scrubjay.errors import ModelMissing
from scrubjay.types.base import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path
    from typing import Any

    from scrubjay.embed.local.bpe import BytePairs
    from scrubjay.embed.local.wordpiece import WordPiece


def wordpiece_of(path: Path, lowercase: bool | None = None) -> WordPiece:
    """`lowercase` overrules the file."""
    from scrubjay.embed.local.wordpiece import WordPiece

    written = _read(path)
    small = written["normalizer"]["lowercase"] if lowercase is None else lowercase
    return WordPiece(written["model"]["vocab"], lowercase=small)


def bytepairs_of(path: Path) -> BytePairs:
    from scrubjay.embed.local.bpe import BytePairs

    model = _read(path)["model"]
    return BytePairs(model["vocab"], model["merges"])


def _read(path: Path) -> dict[str, Any]:
    import json

    try:
        with open(path, "rb") as file:
            written: dict[str, Any] = json.load(file)
    except (OSError, ValueError) as error:
        raise ModelMissing(
            f"the vocabulary {path} cannot be read", str(error), f"run: kb models pull {path.parent.name}"
        ) from error
    return written
