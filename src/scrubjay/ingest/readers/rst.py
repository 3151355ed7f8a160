"""Reads reStructuredText: headings by their underlines, tables and directives kept whole.

Which sign is which level is not fixed in this format: the first kind of underline met is the
first level, and so on. What is indented belongs to a directive and is never a heading.
"""

from __future__ import annotations

import re

from scrubjay.ingest.readers._marks import Mark, lines_of, spans_from, stem_of, with_date_of_name
from scrubjay.ingest.readers._texts import text_of
from scrubjay.types import Reading

_ADORNMENT = re.compile(r"([!-/:-@\[-`{-~])\1{2,}\s*$")
_TABLE = re.compile(r"(?:={2,}(?:[ ]+={2,})+|\+[-=+]{3,}\+)\s*$")
_DIRECTIVE = re.compile(r"\.\. [\w:-]+::")
_COLUMNS = re.compile(r"\S {2,}\S")
_ROLE = re.compile(r":[\w:.-]+:`([^`<]*?)(?:\s*<[^`>]*>)?`|``?([^`]+)``?_{0,2}|\|([^|]+)\|")
_LONGEST_HEADING = 300


class RstReader:
    """Satisfies `ports.Reader`."""

    def read(self, path: str, data: bytes) -> Reading:
        text, notices = text_of(path, data)
        marks, title = _marks(text)
        spans = spans_from([Mark(0), *marks], len(text))
        return with_date_of_name(Reading(text, "note", title or stem_of(path), spans, notices=notices), path)


def _marks(text: str) -> tuple[list[Mark], str]:
    lines = list(lines_of(text))
    marks: list[Mark] = []
    levels: list[tuple[str, bool]] = []
    headings: list[tuple[int, str]] = []
    form = "prose"
    number = 0
    while number < len(lines):
        at, line = lines[number]
        found = _heading(lines, number)
        if found:
            heading, kind, used = found
            if kind not in levels:
                levels.append(kind)
            level = levels.index(kind)
            headings = [*(one for one in headings if one[0] < level), (level, heading)]
            marks.append(Mark(at, _trail(headings), "heading", True))
            form, number = "heading", number + used
            continue
        now = _form(line, form)
        if now != form:
            marks.append(Mark(at, _trail(headings), now))
            form = now
        number += 1
    return marks, next((mark.trail[-1] for mark in marks if mark.form == "heading"), "")


def _trail(headings: list[tuple[int, str]]) -> tuple[str, ...]:
    return tuple(heading for _, heading in headings)


def _heading(lines: list[tuple[int, str]], number: int) -> tuple[str, tuple[str, bool], int] | None:
    """A heading that begins in this line: its text, its kind, and how many lines it takes."""
    line = lines[number][1]
    if not line.strip() or len(line) > _LONGEST_HEADING:
        return None
    above = lines[number - 1][1].strip() if number else ""
    under = lines[number + 1][1] if number + 1 < len(lines) else ""
    if _ADORNMENT.match(line):
        third = lines[number + 2][1] if number + 2 < len(lines) else ""
        if under.strip() and third.rstrip() == line.rstrip() and len(under.strip()) <= len(line.rstrip()):
            return _plain(under), (line[0], True), 3
        return None
    if line[0].isspace() or above or not _ADORNMENT.match(under) or len(under.rstrip()) < min(len(line.rstrip()), 4):
        return None
    return _plain(line), (under[0], False), 2


def _form(line: str, form: str) -> str:
    """What a line belongs to, given what the line before it belonged to."""
    if not line.strip():
        return form
    if _TABLE.match(line):
        return "table"
    if form == "table" and (line[0] in "|+ " or _COLUMNS.search(line)):
        return form
    if form == "fence" and line[0] in " \t":
        return form
    return "fence" if line.startswith(".. ") and _DIRECTIVE.match(line[:2000]) else "prose"


def _plain(heading: str) -> str:
    text = _ROLE.sub(lambda match: match.group(1) or match.group(2) or match.group(3) or "", heading)
    return " ".join(text.replace("*", "").split())
