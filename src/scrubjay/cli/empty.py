"""An empty answer for people: what was searched, what emptied it, and what to try.

"Nothing found" alone leaves a person to guess whether the base is empty, a filter too narrow or
a word misspelt.
"""

from __future__ import annotations

from scrubjay.cli.words import counted, one_line
from scrubjay.types.base import TYPE_CHECKING

if TYPE_CHECKING:
    from scrubjay.cli.terminal import Console
    from scrubjay.types import EmptyReport, SearchResult


def print_empty(console: Console, result: SearchResult, report: EmptyReport) -> None:
    err = console.err
    by = {"hybrid": "by words and meaning", "keyword": "by words", "vector": "by meaning"}.get(result.mode, "")
    err.line(err.paint("title", f"Nothing found for “{one_line(result.query)}”."))
    documents = counted(report.searched_documents, "document")
    chunks = counted(report.searched_chunks, "chunk")
    if report.filters and not report.searched_documents:
        err.line("The filters leave nothing to search.")
    elif report.filters:
        err.line(f"The filters leave {chunks} of {documents}; that is what was searched {by}.")
    else:
        err.line(f"Searched {chunks} of {documents} {by}.")
    for text, left in report.filters:
        verdict = err.paint("bad", "leaves nothing") if left == 0 else f"leaves {counted(left, 'document')}"
        err.line(f"  {one_line(text)}: alone {verdict}")
    for number, suggestion in enumerate(report.suggestions):
        err.line(f"{'Try:' if number == 0 else '    '} {suggestion}")
