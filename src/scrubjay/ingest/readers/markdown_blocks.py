"""Walks over Markdown line by line and says where sections, fences, tables and lists begin.

Only what matters for cutting and for heading trails is recognised, after CommonMark: what is
inside a fence, a comment or indented code is never a heading, however much it looks like one.
"""

from __future__ import annotations

import re

from scrubjay.ingest.readers._marks import Mark, lines_of
from scrubjay.types.base import NamedTuple

_ATX = re.compile(r" {0,3}(#{1,6})(?:[ \t]+(.*?))?(?:[ \t]+#+)?[ \t]*$")
_HTML_HEADING = re.compile(r"[ \t]*<h([1-6])(?:\s[^>]*)?>(.+?)</h\1>[ \t]*$", re.I)
_UNDERLINE = re.compile(r" {0,3}(=+|-+)[ \t]*$")
_FENCE = re.compile(r"([ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?)(`{3,}(?=[^`]*$)|~{3,})")
_TABLE_RULE = re.compile(r" {0,3}\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$")
_LIST_ITEM = re.compile(r" {0,3}(?:[-*+]|\d{1,9}[.)])(?:[ \t]|$)")
_NOT_A_PARAGRAPH = re.compile(r"(?: {4}|\t| {0,3}(?:>|#{1,6}(?:[ \t]|$)|\||(?:[-*+]|\d{1,9}[.)])[ \t]))")
_RULE = re.compile(r" {0,3}(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$")
_ANCHOR = re.compile(r"<!--\s*ANCHOR:\s*([\w./-]+)\s*-->", re.I)
_ANCHOR_END = re.compile(r"<!--\s*/ANCHOR:\s*([\w./-]+)\s*-->", re.I)
_LINK = re.compile(r"!?\[([^\[\]]*)\](?:\([^()]*\)|\[[^\[\]]*\])")
_DECORATION = re.compile(
    r"(?<![\w*])[*_]{1,3}(?=\S)([^*]+?)(?<=\S)[*_]{1,3}(?![\w*])|`+([^`]+)`+|<[^<>]{1,80}>|\{#[^{}]*\}"
)
_LONGEST_LINE, _LONGEST_HEADING = 2000, 300  # what is longer is data, not structure


class Blocks(NamedTuple):
    """Where things begin, the title (a heading of the first level, or one before all text), and the named sections."""

    marks: tuple[Mark, ...]
    title: str
    anchors: dict[str, tuple[int, int]]


def blocks_of(text: str, start: int = 0, trail: tuple[str, ...] = ()) -> Blocks:
    """The blocks of `text`; its head up to `start` (front matter) is left alone."""
    walker = _Walker(trail, text.count("\n", 0, start))
    for at, line in lines_of(text[start:]):
        walker.take(start + at, line[:_LONGEST_LINE])
    return Blocks(tuple(walker.marks), walker.title or walker.early_title, walker.named())


def plain_heading(heading: str) -> str:
    """A heading without the signs that only a renderer needs."""
    heading = _LINK.sub(r"\1", heading[:_LONGEST_HEADING])
    heading = _DECORATION.sub(lambda match: match.group(1) or match.group(2) or "", heading)
    return " ".join(heading.replace("\\", "").split())


class _Walker:
    """The state between two lines: what is open, and where the last paragraph began."""

    def __init__(self, trail: tuple[str, ...], lines_before: int) -> None:
        self.marks: list[Mark] = []
        self.title = self.early_title = ""
        self.has_text = False
        self.above = trail  # headings of an enclosing text, a notebook's for one
        self.headings: list[tuple[int, str]] = []
        self.form = "prose"
        self.fence = ""
        self.in_comment = False
        self.paragraph: list[tuple[int, str]] = []
        self.anchor_at: int | None = None
        self.anchors: dict[str, list[int]] = {}
        self.line_number = lines_before

    @property
    def trail(self) -> tuple[str, ...]:
        return self.above + tuple(heading for _, heading in self.headings)

    def named(self) -> dict[str, tuple[int, int]]:
        return {name: (lines[0], lines[-1] or self.line_number) for name, lines in self.anchors.items()}

    def take(self, at: int, line: str) -> None:
        self.line_number += 1
        if self.fence:
            self._in_fence(line)
        elif self.in_comment:
            self.in_comment = "-->" not in line
        elif not line.strip():
            self._blank()
        elif not self._opens_fence(at, line) and not self._comment(at, line) and not self._heading(at, line):
            self._other(at, line)

    def _mark(self, at: int, form: str, opens: bool = False) -> None:
        self.form = form
        self.marks.append(Mark(at, self.trail, form, opens))

    def _blank(self) -> None:
        self.paragraph = []
        if self.form in ("table", "fence ended"):
            self.form = "ended"

    # --- fences and comments

    def _opens_fence(self, at: int, line: str) -> bool:
        match = _FENCE.match(line)
        indent = len(match.group(1).expandtabs(4)) if match else 0
        if match is None or (indent > 3 and self.form != "list"):
            return False
        self.fence, self.paragraph = match.group(2), []
        self._mark(at, "fence")
        return True

    def _in_fence(self, line: str) -> None:
        bare = line.strip()
        if bare.startswith(self.fence) and not bare.strip(self.fence[0]):
            self.fence, self.form = "", "fence ended"

    def _comment(self, at: int, line: str) -> bool:
        if not line.lstrip().startswith("<!--"):
            return False
        self.in_comment = "-->" not in line
        self.paragraph = []
        if (ended := _ANCHOR_END.search(line)) and ended.group(1) in self.anchors:
            self.anchors[ended.group(1)][-1] = self.line_number
        elif opened := _ANCHOR.search(line):
            self.anchors[opened.group(1)] = [self.line_number, 0]
            self._mark(at, "prose", opens=True)
            self.anchor_at = at
            return True
        if self.form != "prose":
            self._mark(at, "prose")
        return True

    # --- headings

    def _heading(self, at: int, line: str) -> bool:
        begin = line.lstrip(" ")[:2].lower()
        atx = _ATX.match(line) if begin[:1] == "#" else None
        if atx:
            self._section(at, len(atx.group(1)), atx.group(2) or "")
            return True
        html = _HTML_HEADING.match(line) if begin == "<h" else None
        if html:
            self._section(at, int(html.group(1)), html.group(2))
            return True
        rule = _UNDERLINE.match(line) if self.paragraph and line.lstrip(" ")[:1] in ("=", "-") else None
        if rule is None or len(self.paragraph) > 3:
            return False
        first = self.paragraph[0][0]
        self._section(first, 1 if rule.group(1)[0] == "=" else 2, " ".join(text for _, text in self.paragraph))
        return True

    def _section(self, at: int, level: int, heading: str) -> None:
        heading = plain_heading(heading)
        self.headings = [one for one in self.headings if one[0] < level]
        if heading:
            self.headings.append((level, heading))
            if level == 1 and not self.title:
                self.title = heading
            if not self.has_text:
                self.early_title = self.early_title or heading
        if self.anchor_at is not None:  # the section's name stands just above its heading
            at = self.anchor_at
            self.marks.pop()
        while self.marks and self.marks[-1].start >= at:
            self.marks.pop()  # an underlined heading was taken for a paragraph at first
        self._mark(at, "heading", opens=True)
        self.paragraph, self.anchor_at = [], None

    # --- the rest

    def _other(self, at: int, line: str) -> None:
        self.anchor_at, self.has_text = None, self.has_text or line.strip()[:1] not in "<[!"
        if self.form == "table" and "|" in line:
            return
        if self.paragraph and "|" in self.paragraph[-1][1] and "-" in line and _TABLE_RULE.match(line):
            head = self.paragraph[-1][0]
            while self.marks and self.marks[-1].start >= head:
                self.marks.pop()
            self._mark(head, "table")
            self.paragraph = []
        elif _LIST_ITEM.match(line) and not _RULE.match(line):
            self.paragraph = []
            if self.form != "list":
                self._mark(at, "list")
        else:
            self._text(at, line)

    def _text(self, at: int, line: str) -> None:
        indented = line[0] in " \t"
        if self.form not in ("prose", "list") or (self.form == "list" and not self.paragraph and not indented):
            self._mark(at, "prose")
        pipes = line.lstrip().startswith("|")
        if not pipes and (_NOT_A_PARAGRAPH.match(line) or _RULE.match(line)) and not (indented and self.paragraph):
            self.paragraph = []
        elif self.form == "prose" or self.paragraph:
            self.paragraph.append((at, line))
