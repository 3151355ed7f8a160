"""Whether a model's file is the published one: its size, its SHA-256, and nothing less.

Weights run inside the process and decide every result, so no byte is used that was not checked, and
a file takes its name only after that: whoever sees `model.onnx` sees the real one, whole.
"""

from __future__ import annotations

import os

from scrubjay.errors import ModelMissing
from scrubjay.types.base import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from scrubjay.embed.local.catalogue import ModelFile


def sha256_of(path: Path) -> str:
    import hashlib

    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def has_size(path: Path, file: ModelFile) -> bool:
    """The cheap question, asked whenever a model is listed or loaded."""
    try:
        return os.stat(path).st_size == file.size
    except OSError:
        return False


def is_sound(path: Path, file: ModelFile) -> bool:
    """The whole question."""
    return has_size(path, file) and sha256_of(path) == file.sha256


def admit(part: Path, file: ModelFile, source: str) -> None:
    """Give a downloaded file its name if it is the published one; else delete it and raise."""
    if not is_sound(part, file):
        found = f"{os.stat(part).st_size:,} bytes, SHA-256 {sha256_of(part)[:12]}…"
        os.unlink(part)
        raise ModelMissing(
            f"{source} gave other bytes than the published {file.name}",
            f"{found} instead of {file.size:,} bytes, SHA-256 {file.sha256[:12]}…",
        )
    os.replace(part, part.with_name(file.name))
