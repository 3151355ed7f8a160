"""The first level of disclosure: what was kept when, each with a line that says what it is."""

from __future__ import annotations

from scrubjay.disclose.summary import body, summary
from scrubjay.errors import UsageError
from scrubjay.types.base import TYPE_CHECKING

if TYPE_CHECKING:
    from scrubjay.ports import Store
    from scrubjay.types import Entry, Filter

_ENOUGH = 2000  # characters that surely hold a summary's hundred behind any front matter


def entries(
    store: Store, where: Filter, *, limit: int | None, anchor: str | None, before: int, after: int
) -> list[Entry]:
    """Chronological, by dates or around an anchor (a document's or a chunk's id)."""
    if limit is not None and limit < 1:
        raise UsageError(f"limit cannot be {limit}.", "At least one entry has to be asked for.", "Use 1 or more.")
    if before < 0 or after < 0:
        raise UsageError("before and after count entries.", "They cannot be negative.", "Use 0 or more.")
    if anchor is not None:
        chunk = store.chunk_by_id(anchor)
        anchor = chunk.document_id if chunk is not None else anchor
    found = store.timeline(where, limit, anchor, before, after)
    openings = store.opening_texts([entry.id for entry in found if not entry.summary], _ENOUGH)
    return [entry._replace(summary=summary(_body(openings.get(entry.id, ""), entry), entry.summary)) for entry in found]


def _body(opening: str, entry: Entry) -> str:
    """What the text begins with once its front matter and its own title are passed over."""
    text = body(opening).lstrip()
    first, _, rest = text.partition("\n")
    return rest.lstrip() if rest.strip() and first.lstrip("# ").strip() == entry.title else text
