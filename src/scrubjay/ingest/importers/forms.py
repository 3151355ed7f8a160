"""Tells what was exported where, and hands it to whoever reads that.

A form is a name in the table; `detect` looks at the file or folder itself, never at its name
alone, because people rename what they carry about.
"""

from __future__ import annotations

import os

from scrubjay.errors import UsageError
from scrubjay.types.base import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scrubjay.types import Notice
    from scrubjay.types.carrying import Told

FORMS = ("jsonl",)


def detect(path: str) -> str:
    """The form of what lies at a path; a UsageError that says what could be meant otherwise."""
    if os.path.isdir(path):
        raise UsageError(
            f"{path} is a folder of no kind that is known.", "A folder of files is added, not imported.",
            f"kb add {path}",
        )  # fmt: skip
    with open(path, "rb") as file:
        beginning = file.read(4096)
    if beginning.startswith(b"SQLite format 3\0"):
        raise UsageError(
            f"{path} is a SQLite file of no kind that is known.", "",
            "A backup of a base is put back with kb restore.",
        )  # fmt: skip
    if beginning.removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"{"):
        return "jsonl"
    raise UsageError(
        f"{path} is no export that is known.", f"It would be one of {', '.join(FORMS)}.",
        f"A document is added with: kb add {path}",
    )  # fmt: skip


def feed(path: str, form: str) -> Iterator[Told | Notice]:
    """The records of a file or folder in that form."""
    if form == "jsonl":
        from scrubjay.ingest.importers import jsonl

        with open(path, "rb") as file:
            yield from jsonl.told(file)
