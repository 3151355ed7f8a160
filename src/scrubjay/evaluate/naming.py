"""Which document a judgement means: by its id, its path, an id in its metadata, or its file name.

Collections name their documents as they like, and a base gives its own ids; the two meet here.
A name that several documents could have says nothing, so it is left out and told, not guessed.
"""

from __future__ import annotations

from scrubjay.types.base import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from scrubjay.types import Document

METADATA_KEYS = ("id", "_id", "doc_id", "docid", "document_id")


class Naming(NamedTuple):
    """Document id → the name it is judged under; and the names that no or several documents have."""

    names: dict[str, str]
    absent: tuple[str, ...] = ()
    ambiguous: tuple[str, ...] = ()


def match_names(documents: Iterable[Document], judged: Collection[str]) -> Naming:
    """Gives each judged name to the one document that has it; the stronger kind of name decides."""
    wanted = frozenset(judged)
    claims: dict[str, tuple[int, list[str]]] = {}
    for document in documents:
        for strength, name in _names(document):
            if name not in wanted:
                continue
            known = claims.get(name)
            if known is None or strength < known[0]:
                claims[name] = strength, [document.id]
            elif strength == known[0] and document.id not in known[1]:
                known[1].append(document.id)
    names: dict[str, str] = {}
    for name in sorted(claims, key=lambda name: claims[name][0]):
        strength, owners = claims[name]
        if len(owners) == 1:
            names.setdefault(owners[0], name)
    taken = set(names.values())
    absent = tuple(sorted(wanted - claims.keys()))
    return Naming(names, absent, tuple(sorted(claims.keys() - taken)))


def _names(document: Document) -> Iterator[tuple[int, str]]:
    """What the document may be called, each with how much that says (less is more)."""
    yield 0, document.id
    for key in METADATA_KEYS:
        if document.metadata.get(key) is not None:
            yield 1, str(document.metadata[key])
    if document.path is None:
        return
    parts = document.path.split("/")
    yield 2, document.path
    for place in range(1, len(parts)):
        yield 3, "/".join(parts[place:])
    stem, dot, _ = parts[-1].rpartition(".")
    yield 4, stem if dot and stem else parts[-1]
