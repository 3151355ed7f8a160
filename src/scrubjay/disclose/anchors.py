"""Sections by their name: `d_1f0c#plan` is what stands between the anchors of that name in a document.

An anchor names a place that line numbers cannot, because they move with every edit above it. What
is named by hand is found first; an id of somebody's own that holds a # is still an id.
"""

from __future__ import annotations

from itertools import groupby

from scrubjay.disclose.passage import passages
from scrubjay.types import Found
from scrubjay.types.base import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scrubjay.ports import Store
    from scrubjay.types import Passage

    Lines = tuple[int, int]


def sections(store: Store, ids: Sequence[str], lines: Lines | None = None, context: int = 0) -> Found:
    """As `passages`, where an id may end in #name."""
    if lines is not None or not any("#" in identity for identity in ids):
        return passages(store, ids, lines, context)
    known = store.documents_by_id(ids)
    found: list[Passage] = []
    missing: list[str] = []
    for named, run in groupby(ids, lambda identity: "#" in identity and identity not in known):
        for part in [[identity] for identity in run] if named else [list(run)]:
            answer = _section(store, part[0]) if named else passages(store, part, None, context)
            found += answer.documents
            missing += answer.missing
    return Found(tuple(found), tuple(missing))


def _section(store: Store, identity: str) -> Found:
    base, _, name = identity.rpartition("#")
    nothing = Found((), (identity,))
    whole = passages(store, [base]).documents if base else ()
    place = _anchors(whole[0].metadata).get(name) if whole else None
    if place is None:
        return nothing
    [section] = passages(store, [whole[0].document_id], place).documents
    return Found((section._replace(id=f"{section.document_id}#{name}"),), ())


def _anchors(metadata: object) -> dict[str, Lines]:
    """The anchors that reading found: the lines of each, from the one that opens it to the one that ends it."""
    known = metadata.get("anchors") if hasattr(metadata, "get") else None
    if not isinstance(known, dict):
        return {}
    return {
        str(name): (lines[0], lines[1])
        for name, lines in known.items()
        if isinstance(lines, list) and len(lines) == 2 and all(isinstance(line, int) for line in lines)
    }
