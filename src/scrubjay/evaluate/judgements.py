"""Reads judged collections: queries, and which documents answer them, as they are published.

TREC's four columns, tab-separated tables with or without a header, and lines of JSON are all
in use; which one a file is shows in its first line. A line that cannot be read is named with
its number: a judgement silently dropped changes every figure after it.
"""

from __future__ import annotations

import json

from scrubjay.errors import UsageError
from scrubjay.types.base import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from os import PathLike
    from typing import Any

    Qrels = dict[str, dict[str, float]]
    Lines = list[tuple[int, str]]

_ID_KEYS = ("_id", "id", "query_id", "query-id", "qid")
_TEXT_KEYS = ("text", "query", "question")
_RELEVANT_KEYS = ("relevant", "qrels", "documents", "answers")
_DOCUMENT_KEYS = ("corpus-id", "corpus_id", "document_id", "doc_id", "docid", "document")
_CURE = "Use TREC qrels (query 0 document score), tab-separated columns (query, document, score), or JSON lines."


class Judgements(NamedTuple):
    """The queries by id and, for each, how relevant which documents are."""

    queries: dict[str, str]
    qrels: Qrels


def read(path: str | PathLike[str]) -> Judgements:
    """One file that holds both: JSON lines {"query", "relevant": [ids] or {id: score}, "id"}."""
    queries: dict[str, str] = {}
    qrels: Qrels = {}
    for number, row in json_rows(path):
        text, relevant = _first(row, _TEXT_KEYS), _first(row, _RELEVANT_KEYS)
        if text is None or relevant is None:
            raise _bad(path, number, "It needs a query and its relevant documents.")
        query = str(_first(row, _ID_KEYS) or f"q{number}")
        if query in queries:
            raise _bad(path, number, f"The query id {query} is there twice.")
        queries[query] = str(text)
        qrels[query] = _judged(path, number, relevant)
    return Judgements(queries, qrels)


def read_queries(path: str | PathLike[str]) -> dict[str, str]:
    """Queries by id: JSON lines, or two tab-separated columns."""
    queries: dict[str, str] = {}
    lines = _lines(path)
    if _is_json(lines):
        for number, row in _parsed(path, lines):
            name, text = _first(row, _ID_KEYS), _first(row, _TEXT_KEYS)
            if name is None or text is None:
                raise _bad(path, number, "It needs an id and a text.")
            queries[str(name)] = str(text)
        return queries
    for number, line in lines:
        name, tab, text = line.partition("\t")
        if not tab:
            raise _bad(path, number, "It has no tab between the id and the text.")
        if number == 1 and name.strip().lower() in (*_ID_KEYS, "query"):
            continue
        queries[name.strip()] = text.strip()
    return queries


def read_qrels(path: str | PathLike[str]) -> Qrels:
    """How relevant which document is to which query."""
    qrels: Qrels = {}
    lines = _lines(path)
    if _is_json(lines):
        for number, row in _parsed(path, lines):
            query, document = _first(row, _ID_KEYS), _first(row, _DOCUMENT_KEYS)
            if query is None:
                raise _bad(path, number, "It names no query.")
            relevant = {document: row.get("score", 1)} if document is not None else _first(row, _RELEVANT_KEYS)
            qrels.setdefault(str(query), {}).update(_judged(path, number, relevant))
        return qrels
    for number, line in lines:
        columns = line.split("\t") if "\t" in line else line.split()
        if len(columns) not in (2, 3, 4):
            raise _bad(path, number, f"It has {len(columns)} columns.")
        value = columns[-1].strip() if len(columns) > 2 else "1"
        try:
            relevance = float(value)
        except ValueError:
            if number == 1:  # a header
                continue
            raise _bad(path, number, f"{value!r} is not a number.") from None
        if number == 1 and len(columns) == 2 and columns[0].strip().lower() in (*_ID_KEYS, "query"):
            continue
        qrels.setdefault(columns[0].strip(), {})[columns[-2 if len(columns) > 2 else 1].strip()] = relevance
    return qrels


def load(queries: str | PathLike[str], qrels: str | PathLike[str] | None = None) -> Judgements:
    """The queries that something is judged for, from two files, or from one that holds both."""
    judged = read(queries) if qrels is None else judged_only(read_queries(queries), read_qrels(qrels))
    if not judged.queries:
        raise UsageError(
            "No query has a judgement.",
            "The ids of the queries and those of the judgements have nothing in common, or all gains are 0.",
            "The query ids stand in the first column of the judgements; check that both files belong together.",
        )
    return judged


def judged_only(queries: dict[str, str], qrels: Qrels) -> Judgements:
    """The queries that something is judged for; the others would only lower every mean."""
    both = [query for query in queries if any(gain > 0 for gain in qrels.get(query, {}).values())]
    return Judgements({query: queries[query] for query in both}, {query: qrels[query] for query in both})


# --- lines -----------------------------------------------------------------------------------


def _open(path: str | PathLike[str]) -> Iterable[str]:
    from os import fspath

    try:
        if fspath(path).endswith(".gz"):
            import gzip

            with gzip.open(path, "rt", encoding="utf-8-sig") as packed:
                return packed.read().splitlines()
        with open(path, encoding="utf-8-sig") as file:
            return file.read().splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{fspath(path)} cannot be read.", str(error), "Check the path and the encoding.") from error


def _lines(path: str | PathLike[str]) -> Lines:
    """Read once, because a pipe can be read only once."""
    return [(number, line) for number, line in enumerate(_open(path), 1) if line.strip()]


def _is_json(lines: Lines) -> bool:
    return bool(lines) and lines[0][1].lstrip().startswith("{")


def json_rows(path: str | PathLike[str]) -> Iterator[tuple[int, dict[str, Any]]]:
    """Every line as an object, with its number."""
    return _parsed(path, _lines(path))


def _parsed(path: str | PathLike[str], lines: Lines) -> Iterator[tuple[int, dict[str, Any]]]:
    for number, line in lines:
        try:
            row = json.loads(line)
        except ValueError as error:
            raise _bad(path, number, f"It is not JSON: {error}") from error
        if not isinstance(row, dict):
            raise _bad(path, number, "It is not an object.")
        yield number, row


def _first(row: dict[str, Any], keys: Iterable[str]) -> Any:
    return next((row[key] for key in keys if row.get(key) is not None), None)


def _judged(path: str | PathLike[str], number: int, relevant: Any) -> dict[str, float]:
    try:
        if isinstance(relevant, dict):
            return {str(document): float(gain) for document, gain in relevant.items()}
        if isinstance(relevant, list):
            return {str(document): 1.0 for document in relevant}
    except (TypeError, ValueError) as error:
        raise _bad(path, number, str(error)) from error
    raise _bad(path, number, "The relevant documents are neither a list nor an object.")


def _bad(path: str | PathLike[str], number: int, why: str) -> UsageError:
    from os import fspath

    return UsageError(f"Line {number} of {fspath(path)} is not a judgement.", why, _CURE)
