"""An empty answer explained: what was searched, which filter emptied it, what to try.

"Nothing found" may mean three different things; a person, and even more a program, must be
able to tell "searched and not there" from "left out by a filter".
"""

from __future__ import annotations

from scrubjay.types import EVERYTHING, EmptyReport, Filter
from scrubjay.types.base import TYPE_CHECKING

if TYPE_CHECKING:
    from scrubjay.ports import Store
    from scrubjay.types import SearchResult


def why_empty(result: SearchResult, store: Store) -> EmptyReport:
    """Counts, each filter with the documents that it alone leaves, and what may help."""
    where = result.plan.filter
    alone = [(text, store.count(part)) for text, part in _parts(where)]
    chunks = store.allowed(where)
    searched = store.status()["chunks"] if chunks is None else len(chunks)
    return EmptyReport(store.count(where), searched, tuple(alone), tuple(_suggest(result, store, alone)))


def _parts(where: Filter) -> list[tuple[str, Filter]]:
    parts = [(f"tag {tag}", EVERYTHING._replace(tags=(tag,))) for tag in where.tags]
    if where.kinds:
        parts.append((f"type {', '.join(where.kinds)}", EVERYTHING._replace(kinds=where.kinds)))
    if where.path:
        parts.append((f"path {where.path}", EVERYTHING._replace(path=where.path, scope=where.scope)))
    if where.since:
        parts.append((f"since {where.since[:10]}", EVERYTHING._replace(since=where.since)))
    if where.until:
        parts.append((f"until {where.until[:10]}", EVERYTHING._replace(until=where.until)))
    return parts


def _suggest(result: SearchResult, store: Store, alone: list[tuple[str, int]]) -> list[str]:
    from difflib import get_close_matches

    told = []
    known = store.tags()
    for tag in result.plan.filter.tags:
        near = [] if tag in known else get_close_matches(tag, known, n=1, cutoff=0.6)
        if near:
            told.append(f"There is no tag {tag!r}; did you mean {near[0]!r}?")
    told += [f"Leave out the {text.split()[0]} filter: nothing has {text}." for text, left in alone if left == 0]
    if not result.plan.words.terms:
        told.append("Type at least one word to look for; -word alone only leaves out.")
    elif alone and all(left for _, left in alone):
        told.append("Search without the filters: together they leave nothing that matches.")
    if result.plan.threshold is not None:
        told.append(f"Lower the threshold of {result.plan.threshold:g}.")
    if not result.plan.everything and store.remembers() and store.memory.hidden_chunks():
        hidden = len(set(store.memory.hidden_chunks().values()))
        told.append(f"Not searched, because deprecated, merged or expired: {hidden} (kb search … --all searches them).")
    if store.count(EVERYTHING) == 0:
        told.append("The base is empty: kb add FOLDER")
    elif len(result.plan.words.terms) > 0 and not alone:
        told.append("Use other or fewer words, or a word's beginning: " + result.plan.words.terms[0].text[:4] + "*")
    return told
