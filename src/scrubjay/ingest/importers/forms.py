"""Tells what kind of export lies at a path, by looking at it, because people rename what they carry.

A vault or a folder of dated notes is read as a folder of files, so that `kb update` follows it;
everything else comes as records.
"""

from __future__ import annotations

import os
import re

from scrubjay.types.base import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scrubjay.types import Notice
    from scrubjay.types.carrying import Told

FORMS = ("jsonl", "obsidian", "memory-folder", "claude-mem", "basic-memory")
FOLDERS = ("obsidian", "memory-folder")
SQLITE = "sqlite"
_DATED = re.compile(r"\d{4}-\d{2}-\d{2}\.md")


def detect(path: str) -> str | None:
    """The form of a folder or file: one of FORMS, SQLITE for a database, None for what is not known."""
    if os.path.isdir(path):
        return _folder(path)
    with open(path, "rb") as file:
        beginning = file.read(4096)
    if beginning.startswith(b"SQLite format 3\0"):
        return SQLITE
    return "jsonl" if beginning.removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"{") else None


def _folder(path: str) -> str | None:
    names = os.listdir(path)
    if ".obsidian" in names:
        return "obsidian"
    inside = os.path.join(path, "memory")
    dated = [*names, *(os.listdir(inside) if os.path.isdir(inside) else ())]
    known = any(name.lower() == "memory.md" for name in names) or any(_DATED.fullmatch(name) for name in dated)
    return "memory-folder" if known else None


def lines(path: str) -> Iterator[Told | Notice]:
    """The records of a file of JSON lines."""
    from scrubjay.ingest.importers import jsonl

    with open(path, "rb") as file:
        yield from jsonl.told(file)
