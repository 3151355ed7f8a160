"""`kb search`: asks the base, then prints the answer in the format that was asked for."""

from __future__ import annotations

from scrubjay.cli import words
from scrubjay.errors import UsageError
from scrubjay.types.base import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any

    from scrubjay.cli.call import Call
    from scrubjay.knowledge_base import KnowledgeBase
    from scrubjay.types import SearchResult

_COLUMNS = (
    "rank", "score", "normalized", "path", "lines", "title", "type", "tags", "created_at", "id", "snippet",
)  # fmt: skip


def search(call: Call) -> int:
    mode = mode_of(call)
    format = call.format
    query = " ".join(call.words)
    more: dict[str, Any] = {"everything": True} if call["all"] else {}
    with call.open() as kb:
        result = kb.search(
            query,
            top=call["top"],
            profile=call["profile"],
            mode=mode,
            threshold=call["threshold"],
            rerank=call["rerank"] or None,
            deadline_ms=call["deadline_ms"],
            explain=call["explain"],
            as_of=call["as_of"],
            **call.filters,
            **_differing(call),
            **more,
        )
        if format == "json":
            _print_object(call, kb, result)
        else:
            _print(call, kb, result, format)
    return 0


def _differing(call: Call) -> dict[str, Any]:
    """What was asked of how alike results are. A person gets fewer of the same without asking;
    what is read by a program is complete unless it asks."""
    given = {name: call[name] for name in ("fusion", "fold", "per_document", "mmr")}
    asked = {name: value for name, value in given.items() if value is not None and value is not False}
    if call.format == "text" and call.out.is_terminal:
        from scrubjay import config

        get = config.load(base=call["base"]).get
        shown = {"fold": get("search.fold"), "per_document": get("search.per_document")}
        asked = {**{name: value for name, value in shown.items() if value}, **asked}
    return asked


def mode_of(call: Call) -> str:
    if call["fts_only"] and call["vec_only"]:
        raise UsageError(
            "--fts-only and --vec-only exclude each other.",
            "One searches by words alone, the other by meaning alone.",
            "Leave one out; without both, search uses words and meaning together.",
        )
    return "keyword" if call["fts_only"] else "vector" if call["vec_only"] else "hybrid"


def _print_object(call: Call, kb: KnowledgeBase, result: SearchResult) -> None:
    from scrubjay.cli.output import print_json
    from scrubjay.cli.records import plain, result_record

    record = result_record(result, call["explain"])
    if not result.hits:
        record["empty"] = plain(kb.explain_empty(result))
    print_json(call.out, record)


def _print(call: Call, kb: KnowledgeBase, result: SearchResult, format: str) -> None:
    if format == "text":
        from scrubjay.cli.hits import print_hits

        print_hits(call.out, result, call["explain"])
    elif format == "md":
        from scrubjay.cli.hits import print_markdown

        print_markdown(call.out, result)
    else:
        from scrubjay.cli.output import print_rows
        from scrubjay.cli.records import hit_record

        print_rows(call, format, [hit_record(hit, call["explain"]) for hit in result.hits], _COLUMNS)
    call.notices(result.notices)
    if not result.hits:
        from scrubjay.cli.empty import print_empty

        print_empty(call.console, result, kb.explain_empty(result))
        return
    _tell_doubt(call, result, format)
    if call.console.err.is_terminal and format == "text":
        call.console.hint("\n" + _footer(result))


def _tell_doubt(call: Call, result: SearchResult, format: str) -> None:
    """That nothing fits is said to everybody who reads; that it may not fit, to people only."""
    if result.sure is None or result.sure[0] == "strong" or format not in ("text", "md"):
        return
    sure = result.confidence
    if sure is None:
        return
    if sure.level == "none" or call.console.err.is_terminal:
        from scrubjay.disclose.doubt import doubt

        call.console.hint(words.clean(doubt(sure)))


def _footer(result: SearchResult) -> str:
    by = {"hybrid": "words and meaning", "keyword": "words", "vector": "meaning"}.get(result.mode, result.mode)
    return f"{words.counted(len(result.hits), 'result')} by {by} in {words.duration(result.took_ms / 1000)}"
