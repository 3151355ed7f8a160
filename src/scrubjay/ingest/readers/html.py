"""Reads web pages: the words a person would see, under the headings they stand under.

Scripts, styles and navigation marks are dropped, a row of a table is a line, entities are the
characters they name. The text is the page's, not the file's, so lines are counted in the text.
"""

from __future__ import annotations

import re
from html.parser import HTMLParser

from scrubjay.ingest.decode import storable
from scrubjay.ingest.readers._marks import Mark, date_in, spans_from, stem_of, with_date_of_name
from scrubjay.ingest.readers._texts import text_of
from scrubjay.types import Notice, Reading

_UNSEEN = frozenset({"script", "style", "template", "svg", "math", "iframe", "object", "canvas"})
_BLOCKS = frozenset(
    {
        *("p", "div", "section", "article", "header", "footer", "main", "nav", "aside", "form", "fieldset"),
        *("ul", "ol", "dl", "li", "dt", "dd", "table", "tr", "caption", "blockquote", "figure", "figcaption"),
        *("pre", "hr", "br", "address", "details", "summary", "title", "h1", "h2", "h3", "h4", "h5", "h6"),
    }
)
_PARAGRAPHS = frozenset({"p", "ul", "ol", "dl", "table", "blockquote", "pre", "figure"})
_HEADING = re.compile(r"h[1-6]$")
_SPACES = re.compile(r"[ \t\r\n\f\v]+")
_DATES = frozenset({"article:published_time", "date", "dc.date", "dcterms.created", "datepublished"})
_TORN_TAG = re.compile(r"</?[a-zA-Z!?][^<>]{0,200}>?")
_LONGEST_REST = 5000
_LONGEST_TAG = 30  # some programs write the whole title where keywords belong
_MOST_OPEN = 2000  # tags inside tags: deeper than this is noise


class HtmlReader:
    """Satisfies `ports.Reader`."""

    def read(self, path: str, data: bytes) -> Reading:
        source, notices = text_of(path, data)
        page = _Page()
        try:
            page.feed(source)
            page.finish()
        except (AssertionError, RecursionError) as problem:  # html.parser gives up on some broken declarations
            reason = f"{path} is not whole HTML; what comes before the fault was read: {problem}"
            notices += (Notice("read", reason, "save the page again"),)
        text = storable("".join(page.parts))
        title = " ".join(page.title.split()) or page.first_heading or stem_of(path)
        spans = spans_from([Mark(0), *page.marks], len(text))
        summary = " ".join(page.summary.split())
        reading = Reading(text, "note", storable(title), spans, page.tags, page.date, storable(summary), {}, notices)
        return with_date_of_name(reading, path)


class _Page(HTMLParser):
    """Collects text as it comes; `at` is how many characters there are already."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.parts: list[str] = []
        self.at = 0
        self.marks: list[Mark] = []
        self.headings: list[tuple[int, str]] = []
        self.title = ""
        self.first_heading = ""
        self.summary = ""
        self.tags: tuple[str, ...] = ()
        self.date: str | None = None
        self._unseen: list[str] = []
        self._in_title = False
        self._preformatted = 0
        self._tables = 0
        self._heading: tuple[int, int, int] | None = None  # level, where, which part
        self._line_has_text = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in _UNSEEN:
            if len(self._unseen) < _MOST_OPEN:
                self._unseen.append(tag)
            return
        if tag == "meta":
            self._meta({name: value or "" for name, value in attrs})
        elif tag == "title" and not self.title:
            self._in_title = True
        elif tag in ("td", "th"):
            self._write(" | " if self._line_has_text else "")
        elif tag in _BLOCKS:
            self._break(tag in _PARAGRAPHS or bool(_HEADING.match(tag)))
        if _HEADING.match(tag):
            self._heading = (int(tag[1]), self.at, len(self.parts))
        elif tag == "table":
            self._tables += 1
            self._mark("table")
        elif tag == "pre":
            self._preformatted += 1
            self._mark("fence")
        elif tag == "li":
            self._write("- ")

    def handle_endtag(self, tag: str) -> None:
        if tag in _UNSEEN:
            while self._unseen and self._unseen.pop() != tag:
                pass
            return
        if tag == "title":
            self._in_title = False
        elif _HEADING.match(tag):
            self._close_heading()
        if tag in _BLOCKS and tag != "br":
            self._break(tag in _PARAGRAPHS or bool(_HEADING.match(tag)))
        if tag == "table" and self._tables:
            self._tables -= 1
            self._mark("prose")
        elif tag == "pre" and self._preformatted:
            self._preformatted -= 1
            self._mark("prose")

    def handle_data(self, data: str) -> None:
        if self._in_title:
            self.title += data
        elif not self._unseen:
            self._write(data if self._preformatted else _SPACES.sub(" ", data))

    def finish(self) -> None:
        """Takes what is left after the last whole tag. A long rest is torn markup: the words of it do.

        The parser would look through all of a long rest again for each of its angle brackets.
        """
        if len(self.rawdata) > _LONGEST_REST:
            rest, self.rawdata = self.rawdata, ""
            self.handle_data(_TORN_TAG.sub(" ", rest))
        self.close()

    # --- writing

    def _write(self, text: str) -> None:
        if not self._preformatted and not self._line_has_text:
            text = text.lstrip(" ")
        if text:
            self.parts.append(text)
            self.at += len(text)
            self._line_has_text = not text.endswith("\n")

    def _break(self, paragraph: bool) -> None:
        """Ends the line, and leaves one empty line between paragraphs, never more."""
        if not self.parts:
            return
        tail = "".join(self.parts[-2:])[-2:]
        missing = (2 if paragraph else 1) - (len(tail) - len(tail.rstrip("\n")))
        if missing > 0:
            self.parts.append("\n" * missing)
            self.at += missing
        self._line_has_text = False

    def _mark(self, form: str) -> None:
        trail = tuple(heading for _, heading in self.headings)
        self.marks.append(Mark(self.at, trail, form))

    def _close_heading(self) -> None:
        if self._heading is None:
            return
        level, at, part = self._heading
        self._heading = None
        heading = " ".join("".join(self.parts[part:]).split())[:300]
        if not heading:
            return
        self.headings = [*(one for one in self.headings if one[0] < level), (level, heading)]
        self.first_heading = self.first_heading or heading
        self.marks.append(Mark(at, tuple(one for _, one in self.headings), "heading", True))

    def _meta(self, attributes: dict[str, str]) -> None:
        name = (attributes.get("name") or attributes.get("property") or attributes.get("itemprop") or "").lower()
        content = attributes.get("content", "")
        if name in ("description", "og:description") and not self.summary:
            self.summary = content
        elif name == "keywords" and not self.tags:
            words = (" ".join(storable(part).split()) for part in content.split(","))
            self.tags = tuple(dict.fromkeys(word for word in words if 0 < len(word) <= _LONGEST_TAG))
        elif name in _DATES and self.date is None:
            self.date = date_in(content)
