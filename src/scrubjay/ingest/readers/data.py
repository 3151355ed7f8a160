"""Reads data and settings (JSON, YAML, TOML, INI): the text as it is, one span a top-level key.

Nothing is parsed: a file with an error in it is found as well as a correct one, and the lines
are those of the file. The outermost keys stand at the margin, or one step in from it.
"""

from __future__ import annotations

import re

from scrubjay.ingest.readers._marks import Mark, lines_of, spans_from
from scrubjay.ingest.readers._texts import text_of
from scrubjay.types import Reading
from scrubjay.types.base import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_SECTION = re.compile(r"\[{1,2}\s*([^\[\]]{1,80}?)\s*\]{1,2}\s*(?:[#;].*)?$")
_KEY = re.compile(r"""["']?([\w./$@ -]{1,80}?)["']?\s*[:=](?:\s|$)""")
_JSON_KEY = re.compile(r'(\s*)"((?:[^"\\]|\\.){1,80})"\s*:')
_MOST_MARKS = 20_000  # beyond this it is rows, not keys


class DataReader:
    """Satisfies `ports.Reader`."""

    def read(self, path: str, data: bytes) -> Reading:
        text, notices = text_of(path, data)
        name = re.split(r"[/\\]", path)[-1]
        ending = name.rpartition(".")[2].lower()
        found = _of_json(text) if ending in ("json", "jsonc", "json5", "geojson") else _of_lines(text)
        marks = [] if ending in ("jsonl", "ndjson") else list(found)
        marks = marks if len(marks) <= _MOST_MARKS else []
        return Reading(text, "code", name, spans_from([Mark(0, (), "data"), *marks], len(text)), notices=notices)


def _of_json(text: str) -> Iterator[Mark]:
    """The keys one step in: those with the same margin as the first one."""
    margin: str | None = None
    for at, line in lines_of(text):
        match = _JSON_KEY.match(line) if '"' in line[:200] else None
        if match and (margin is None or match.group(1) == margin):
            margin = match.group(1)
            yield Mark(at, (match.group(2),), "data", True)


def _of_lines(text: str) -> Iterator[Mark]:
    """Sections in brackets where there are any, else the keys at the margin."""
    section = ""
    for at, line in lines_of(text):
        if not line or line[0] in " \t#;-}])":
            continue
        named = _SECTION.match(line[:200])
        if named:
            section = named.group(1)
            yield Mark(at, (section,), "data", True)
        elif not section and (key := _KEY.match(line[:200])):
            yield Mark(at, (key.group(1).strip(),), "data", True)
