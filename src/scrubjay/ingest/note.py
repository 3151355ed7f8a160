"""Makes a reading out of a note that was typed in, so that notes and files take one way.

Notes are written as Markdown more often than not, and plain text is Markdown without signs:
headings, lists and fences are honoured, and the kind stays `note`.
"""

from __future__ import annotations

from scrubjay.ingest.decode import storable
from scrubjay.ingest.readers.markdown import markdown_reading
from scrubjay.types.base import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scrubjay.types import Reading


def note_reading(text: str, title: str = "", tags: Sequence[str] = (), created_at: str | None = None) -> Reading:
    """The reading of a note; what is given goes before what the text says of itself."""
    reading = markdown_reading(storable(text), "")
    return reading._replace(
        kind="note",
        title=storable(title) or reading.title,
        tags=tuple(dict.fromkeys([*map(storable, tags), *reading.tags])),
        created_at=created_at or reading.created_at,
    )
