"""Bytes to text for the readers of text files, with one answer to bytes that are no text."""

from __future__ import annotations

from scrubjay.errors import NotText
from scrubjay.ingest.decode import decode
from scrubjay.types.base import TYPE_CHECKING

if TYPE_CHECKING:
    from scrubjay.types import Notice


def text_of(path: str, data: bytes) -> tuple[str, tuple[Notice, ...]]:
    """The text of a file and what is to be said of its encoding, with the file's name."""
    decoded = decode(data)
    if decoded is None:
        raise NotText(f"{path} is not text", "it holds bytes that no text has", "exclude it, or convert it to text")
    return decoded.text, tuple(notice._replace(reason=f"{path}: {notice.reason}") for notice in decoded.notices)
