"""Ties what was written into the graph: names first, then links, then mentions.

Runs after writing, or after a bulk writing before something follows links, over what the store
says is unread, in batches of one transaction each. So it does not matter in what order files come
in, who wrote them, or whether a run was stopped: links wait for what they name, and the next run
goes on where this one ended.
"""

from __future__ import annotations

from math import inf
from time import monotonic

from scrubjay.ingest.links import links
from scrubjay.ingest.mentions import Titles, possible
from scrubjay.ingest.names import aliases_of, choose, lookup, names_of, slug
from scrubjay.types.base import TYPE_CHECKING
from scrubjay.types.graph import FoundEdge

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scrubjay.ports import Linking, Store
    from scrubjay.types.graph import Named, Unread, Wanted

_BATCH = 2000
_ALL_TITLES = 20  # all titles are fetched at once when a batch is not smaller than a share of the base
_COMMON = 32  # a title that more chunks mention than this, and than one in fifty, is a common word
_STRENGTH = {"link": 1.0, "import": 1.0, "citation": 1.0, "mention": 1.0}


def weave(store: Store, seconds: float = inf) -> int:
    """Reads everything unread, or the texts it gets to in that time; how many edges were found."""
    end = monotonic() + seconds
    found = 0
    new: list[tuple[int, str]] = []
    while True:
        with store.writing():
            linking = store.graph.linking
            documents = linking.unread_documents(_BATCH)
            new += _name(linking, documents)
        if len(documents) < _BATCH:
            break
    titles: Titles | None = None
    with store.writing():
        count, read, unread = linking.counts()
        if read and new:
            found += _mentioned_before(linking, new, count)
    while unread > 0 and monotonic() < end:
        with store.writing():
            chunks = linking.unread_chunks(_BATCH)
            if not chunks:
                break
            if titles is None and unread * _ALL_TITLES > count:
                titles = Titles(linking.titles(None))
            found += _read(linking, chunks, titles or _titles_for(linking, chunks), count)
        unread -= len(chunks)
    return found


def _name(linking: Linking, documents: Sequence[Named]) -> list[tuple[int, str]]:
    """Gives documents their names, ends the waiting for them, and returns the titles to look for."""
    named = [(each.document, names_of(each.path, each.title, aliases_of(each.aliases))) for each in documents]
    if not named:
        return []
    linking.put_names(named)
    waiting = linking.waiting(name for _, names in named for name in names)
    if waiting:
        known = linking.named(lookup(each.wanted) for each in waiting)
        for each in waiting:
            chosen = choose(each.wanted, each.path, known.get(lookup(each.wanted), ()), each.source)
            if chosen:
                linking.settle(each.edge, chosen[0], _section(linking, chosen[0], each.wanted))
    return [(document, name[2:]) for document, names in named for name in names if name.startswith("m:")]


def _titles_for(linking: Linking, chunks: Sequence[Unread]) -> Titles:
    return Titles(linking.titles(possible(chunk.text for chunk in chunks if chunk.kind != "code")))


def _read(linking: Linking, chunks: Sequence[Unread], titles: Titles, documents: int) -> int:
    """Everything that a batch of chunks leads to."""
    numbers = [chunk.chunk for chunk in chunks]
    linking.forget_found(numbers)
    worded = [(chunk, links(chunk.text, chunk.kind, chunk.path)) for chunk in chunks]
    known = linking.named(lookup(wanted.wanted) for _, found in worded for wanted in found)
    ids = linking.documents_by_id(
        wanted.wanted[2:] for _, found in worded for wanted in found if wanted.wanted.startswith("i:")
    )
    edges: list[FoundEdge] = []
    mentioned: set[int] = set()
    for chunk, found in worded:
        before = len(edges)
        for wanted in found:
            edges += _edges(linking, chunk, wanted, known, ids)
        if chunk.kind != "code":
            linked = {edge.target for edge in edges[before:]}
            for edge in _mentions(chunk, titles):
                if edge.target not in linked:
                    edges.append(edge)
                    mentioned.add(edge.target or 0)
    linking.put_found(edges)
    linking.was_read(numbers)
    if mentioned:
        linking.too_common(sorted(mentioned), max(_COMMON, documents // 50))
    return len(edges)


def _edges(
    linking: Linking, chunk: Unread, wanted: Wanted, known: dict[str, list[Named]], ids: dict[str, tuple[int, int]]
) -> list[FoundEdge]:
    name = lookup(wanted.wanted)

    def edge(target: int | None, place: int, strength: float) -> FoundEdge:
        return FoundEdge(
            chunk.document, chunk.chunk, target, place, wanted.relation, wanted.origin, strength, wanted.evidence,
            wanted.wanted, name,
        )  # fmt: skip

    strength = _STRENGTH[wanted.origin]
    if wanted.wanted.startswith("i:"):
        target, place = ids.get(wanted.wanted[2:], (chunk.document, 0))
        return [] if target == chunk.document else [edge(target, place, strength)]
    chosen = choose(wanted.wanted, chunk.path, known.get(name, ()), chunk.document)
    if chosen:
        return [edge(each, _section(linking, each, wanted.wanted), strength / len(chosen)) for each in chosen]
    return [edge(None, 0, strength)] if name else []


def _section(linking: Linking, document: int, wanted: str) -> int:
    """The chunk under the heading that a link names; 0 for the document as a whole."""
    heading = slug(wanted.partition("#")[2].lstrip("^"))
    if not heading:
        return 0
    return next((number for number, title in linking.sections(document) if slug(title) == heading), 0)


def _mentions(chunk: Unread, titles: Titles) -> list[FoundEdge]:
    return [
        FoundEdge(
            chunk.document, chunk.chunk, document, 0, "mentions", "mention", _STRENGTH["mention"] / len(documents),
            title, "", "",
        )
        for title, documents in titles.mentioned(chunk.text)
        for document in documents
        if document != chunk.document
    ]  # fmt: skip


def _mentioned_before(linking: Linking, new: Sequence[tuple[int, str]], documents: int) -> int:
    """Older texts that mention a document which has only now come in."""
    found = 0
    most = max(_COMMON, documents // 50)
    for document, title in new:
        texts = linking.texts_with(title.split(" "), most + 1)
        if not texts or len(texts) > most:
            continue
        titles = Titles(linking.titles([title]))
        edges = [edge for text in texts if text.kind != "code" for edge in _mentions(text, titles)]
        linking.put_found(edge for edge in edges if edge.target == document)
        found += len(edges)
    return found
