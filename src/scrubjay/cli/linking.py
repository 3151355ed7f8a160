"""The verbs for how documents hang together: link, unlink, links, related, learned and unlearn.

An edge is told as a sentence from the end that was asked about, because "A ← supersedes B" makes
everybody think twice about who replaced whom.
"""

from __future__ import annotations

import os

from scrubjay.cli import words
from scrubjay.cli.output import print_columns, print_json
from scrubjay.cli.records import plain, typed
from scrubjay.errors import UnknownId, UsageError
from scrubjay.types.base import TYPE_CHECKING
from scrubjay.types.graph import RELATIONS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scrubjay.cli.call import Call
    from scrubjay.knowledge_base import KnowledgeBase
    from scrubjay.types import Edge

_ORIGINS = {"user": "said", "learned": "learned from use"}  # all others were read in the text
_STYLES = ("faint", "place", "faint", "faint", "")


def link(call: Call) -> int:
    source, target = call.words
    if call["relation"] is None:
        raise UsageError(
            "--relation is missing.",
            "It says how the two belong together: caused, enabled, supersedes, contradicts, derived_from or supports.",
            f"For instance: kb link {source} {target} --relation caused",
        )
    strength = 1.0 if call["strength"] is None else call["strength"]
    with call.open() as kb:
        edge = kb.link(
            _identity(kb, source), _identity(kb, target), call["relation"], strength=strength,
            evidence=call["evidence"] or "",
        )  # fmt: skip
    if call["json"]:
        print_json(call.out, plain(edge))
        return 0
    sentence = f"{_named(edge.source_title, edge.source)} {RELATIONS[edge.relation].forward} "
    sentence += _named(edge.target_title, edge.target or edge.wanted)
    more = f"strength {edge.strength:g}" + (f" · {words.one_line(edge.evidence)}" if edge.evidence else "")
    call.out.line(f"{sentence}  {call.out.paint('faint', more)}")
    return 0


def unlink(call: Call) -> int:
    source, target = call.words
    with call.open() as kb:
        removed = kb.unlink(_identity(kb, source), _identity(kb, target), call["relation"])
    if call["json"]:
        print_json(call.out, {"removed": removed})
        return 0
    call.out.line(f"{words.counted(removed, 'link')} taken back.")
    if not removed:
        call.console.hint(f"Nobody said that {source} leads to {target}: `kb links {source}` shows what there is.")
    return 0


def links(call: Call) -> int:
    with call.open() as kb:
        identity = _identity(kb, call.words[0])
        edges = kb.links(identity)
    if call["json"]:
        print_json(call.out, {"id": identity, "links": plain(edges)})
        return 0
    _print_edges(call, edges, identity)
    if not edges:
        call.console.hint(f"{identity} is linked with nothing: `kb link {identity} ID --relation R` says how.")
    return 0


def related(call: Call) -> int:
    with call.open() as kb:
        identity = _identity(kb, call.words[0])
        found = kb.related(identity, 10 if call["top"] is None else call["top"])
    if call["json"]:
        print_json(call.out, {"id": identity, "related": [typed(plain(one)) for one in found]})
        return 0
    rows = [
        (
            f"{one.score:.2f}",
            words.one_line(one.title) or words.clean(words.place(one.path)),
            one.kind,
            one.id,
            words.one_line(one.why),
        )
        for one in found
    ]
    print_columns(call.out, rows, ("faint", "place", "faint", "faint", ""))
    if not found:
        call.console.hint(f"Nothing is linked with {identity}.")
    return 0


def learned(call: Call) -> int:
    with call.open() as kb:
        edges = kb.learned()[: call["limit"]]
    if call["json"]:
        print_json(call.out, {"learned": plain(edges)})
        return 0
    rows = [
        (f"{edge.strength:.2f}", words.one_line(edge.source_title), edge.source, "with", _target(edge))
        for edge in edges
    ]
    print_columns(call.out, rows, ("faint", "place", "faint", "faint", "place"))
    if not edges:
        call.console.hint("Nothing yet: it is learned from documents that one search showed and that were opened.")
    return 0


def unlearn(call: Call) -> int:
    with call.open() as kb:
        removed = kb.unlearn(_identity(kb, call.words[0]) if call.words else None)
    if call["json"]:
        print_json(call.out, {"removed": removed})
    else:
        call.out.line(f"{words.counted(removed, 'learned link')} forgotten.")
    return 0


def _identity(kb: KnowledgeBase, given: str) -> str:
    """The id that was given, or that of the file at the path that was given."""
    if "/" not in given and "." not in given and "\\" not in given:
        return given
    path = os.path.abspath(os.path.expanduser(given)).replace(os.sep, "/")
    found = next((document.id for document in kb.list(path=path, limit=1) if document.path == path), None)
    if found is None:
        raise UnknownId(f"There is no document {given!r}.", "", "`kb list` shows the documents with their ids.")
    return found


def _print_edges(call: Call, edges: Sequence[Edge], identity: str) -> None:
    rows = []
    for edge in edges:
        leads_away = identity in (edge.source, edge.source_chunk)
        way = RELATIONS[edge.relation]
        other = _target(edge) if leads_away else words.one_line(edge.source_title)
        place = (edge.target_chunk or edge.target or "not in the base") if leads_away else edge.source_chunk
        rows.append(
            (
                way.forward if leads_away else way.backward,
                other,
                place or edge.source,
                f"{edge.strength:.2f}",
                " · ".join(part for part in (_ORIGINS.get(edge.origin, "in the text"), _because(edge)) if part),
            )
        )
    print_columns(call.out, rows, _STYLES, right=(3,))


def _because(edge: Edge) -> str:
    return words.one_line(edge.evidence)


def _target(edge: Edge) -> str:
    return words.one_line(edge.target_title or edge.wanted)


def _named(title: str, identity: str) -> str:
    return f"{words.one_line(title)} ({identity})" if title else identity
