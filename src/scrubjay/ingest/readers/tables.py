"""Reads tables (CSV, TSV): the rows as they are, with the names of the columns as the trail.

A piece that holds only rows means little, to a person as to a model, so each carries the
column names along, without a word being added to the text.
"""

from __future__ import annotations

from scrubjay.ingest.readers._marks import Mark, spans_from, stem_of, with_date_of_name
from scrubjay.ingest.readers._texts import text_of
from scrubjay.types import Reading

_LONGEST_TRAIL = 200
_LONGEST_HEAD = 20_000


class TableReader:
    """Satisfies `ports.Reader`."""

    def read(self, path: str, data: bytes) -> Reading:
        text, notices = text_of(path, data)
        columns = _columns(text)
        trail = (", ".join(columns)[:_LONGEST_TRAIL],) if columns else ()
        spans = spans_from([Mark(0, trail, "table")], len(text))
        metadata = {"columns": columns} if columns else {}
        reading = Reading(text, "note", stem_of(path), spans, metadata=metadata, notices=notices)
        return with_date_of_name(reading, path)


def _columns(text: str) -> list[str]:
    """The names in the first row, if it is a row of names: text in every cell, and no numbers."""
    import csv

    head = text[:_LONGEST_HEAD].partition("\n")[0]
    separator = max("\t;|,", key=head.count)
    try:
        row = next(csv.reader([head], delimiter=separator), [])
    except csv.Error:
        return []
    cells = [" ".join(cell.split()) for cell in row]
    named = len(cells) > 1 and all(cell and not cell[0].isdigit() and len(cell) <= 80 for cell in cells)
    return cells if named else []
