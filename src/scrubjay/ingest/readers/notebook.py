"""Reads notebooks (.ipynb): the cells in order, code and notes, with what the code printed.

The file is JSON full of pictures and counters; its text is made of what a person wrote and
read. Headings in the notes are the trail of the code below them. Lines are counted in that text.
"""

from __future__ import annotations

from scrubjay.errors import ReadError
from scrubjay.ingest.decode import storable
from scrubjay.ingest.readers._marks import Mark, spans_from, stem_of, with_date_of_name
from scrubjay.ingest.readers._texts import text_of
from scrubjay.ingest.readers.markdown_blocks import blocks_of
from scrubjay.types import Reading
from scrubjay.types.base import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

_LONGEST_OUTPUT = 2000  # characters of one output: enough for an error, not for a table of data


class _Cell(NamedTuple):
    text: str
    form: str


class NotebookReader:
    """Satisfies `ports.Reader`."""

    def read(self, path: str, data: bytes) -> Reading:
        import json

        source, notices = text_of(path, data)
        if not source.strip():
            return Reading("", "code", stem_of(path), notices=notices)
        try:
            notebook = json.loads(source)
        except (ValueError, RecursionError) as problem:
            raise ReadError(f"{path} is not a notebook", f"it is not JSON: {problem}", "save it again") from problem
        if not isinstance(notebook, dict) or not isinstance(notebook.get("cells", []), list):
            raise ReadError(f"{path} is not a notebook", "it has no cells", "save it again in the current format")
        text, marks, title = _joined(_cells(notebook))
        spans = spans_from([Mark(0, (), "code"), *marks], len(text))
        reading = Reading(text, "code", title or stem_of(path), spans, notices=notices)
        return with_date_of_name(reading, path)


def _joined(cells: Iterator[_Cell]) -> tuple[str, list[Mark], str]:
    parts: list[str] = []
    marks: list[Mark] = []
    trail: tuple[str, ...] = ()
    at, title = 0, ""
    for cell in cells:
        text = storable(cell.text).rstrip("\n") + "\n\n"
        marks.append(Mark(at, trail, cell.form, cell.form == "code"))
        if cell.form == "prose":
            blocks = blocks_of(text)
            title = title or blocks.title
            marks += [mark._replace(start=at + mark.start, trail=mark.trail or trail) for mark in blocks.marks]
            trail = next((mark.trail for mark in reversed(blocks.marks) if mark.trail), trail)
        parts.append(text)
        at += len(text)
    return "".join(parts), marks, title


def _cells(notebook: dict[str, Any]) -> Iterator[_Cell]:
    for cell in notebook.get("cells", []):
        if not isinstance(cell, dict):
            continue
        text = _text(cell.get("source"))
        if text.strip():
            yield _Cell(text, "prose" if cell.get("cell_type") in ("markdown", "raw") else "code")
        outputs = cell.get("outputs")
        for output in outputs if isinstance(outputs, list) else ():
            printed = _printed(output)
            if printed.strip():
                yield _Cell(printed[:_LONGEST_OUTPUT], "fence")


def _printed(output: Any) -> str:
    """What a person read below the cell: prints, a value, an error; not a picture."""
    if not isinstance(output, dict):
        return ""
    if output.get("output_type") == "error":
        return f"{_text(output.get('ename'))}: {_text(output.get('evalue'))}"
    data = output.get("data")
    return _text(output.get("text")) or _text(data.get("text/plain") if isinstance(data, dict) else None)


def _text(value: Any) -> str:
    if isinstance(value, list):
        return "".join(part for part in value if isinstance(part, str))
    return value if isinstance(value, str) else ""
