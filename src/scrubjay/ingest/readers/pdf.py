"""Reads PDFs: the text of each page, with the page's number and the bookmark it stands under.

What cannot be had is said plainly: a password, damage, pages that are only pictures. One bad
page costs that page, not the document. The library is not safe for threads and holds memory
outside of Python, so everything is closed before this returns.
"""

from __future__ import annotations

import re

from scrubjay.errors import ReadError
from scrubjay.ingest.decode import storable
from scrubjay.ingest.readers._marks import Mark, date_in, spans_from, stem_of, with_date_of_name
from scrubjay.types import Notice, Reading
from scrubjay.types.base import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pypdfium2 import PdfDocument

_HYPHEN_AT_LINE_END = re.compile("[\ufffe\x02]\r?\n?")
_PDF_DATE = re.compile(r"D?:?(\d{4})(\d{2})(\d{2})(?:(\d{2})(\d{2})(\d{2}))?")
_MOST_BOOKMARKS = 5000


class PdfReader:
    """Satisfies `ports.Reader`."""

    def read(self, path: str, data: bytes) -> Reading:
        document = _opened(path, data)
        try:
            reading = _reading(document, path)
        finally:
            document.close()
        return reading


def _opened(path: str, data: bytes) -> PdfDocument:
    from pypdfium2 import PdfDocument, PdfiumError

    if not data:
        raise ReadError(f"{path} is not a PDF", "it is empty", "copy or download it again")
    try:
        document = PdfDocument(data)
    except PdfiumError as problem:
        if "password" in str(problem).lower():
            cure = "save a copy without a password and add that"
            raise ReadError(f"{path} is protected by a password", "its text is encrypted", cure) from problem
        raise ReadError(f"{path} is damaged or not a PDF", str(problem), "copy or download it again") from problem
    if len(document) == 0:
        document.close()
        raise ReadError(f"{path} is damaged", "no page of it can be found", "copy or download it again")
    return document


def _reading(document: PdfDocument, path: str) -> Reading:
    facts = _facts(document)
    sections = _bookmarks(document)
    marks, parts, notices, at = [], [], [], 0
    trail: tuple[str, ...] = ()
    for number, (text, problem) in enumerate(_pages(document), 1):
        if problem:
            notices.append(Notice("read", f"page {number} of {path} could not be read: {problem}", "the rest was read"))
        opens = number in sections
        trail = sections.get(number, trail)
        marks.append(Mark(at, trail, "prose", opens, number))
        parts.append(text)
        at += len(text)
    text = "".join(parts)
    if not text.strip():
        reason = f"{path} holds only pictures: no text was found on its {len(parts)} pages"
        notices.append(Notice("read", reason, "run it through OCR (ocrmypdf, for one) and add it again"))
        text, marks = "", []
    title = " ".join(storable(facts.get("Title", "")).split()) or stem_of(path)
    metadata: dict[str, object] = {"pages": len(parts)}
    if facts.get("Author", "").strip():
        metadata["author"] = storable(facts["Author"]).strip()
    summary = " ".join(storable(facts.get("Subject", "")).split())
    spans = spans_from(marks, len(text))
    named = with_date_of_name(Reading(text, "pdf", title, spans, (), None, summary, metadata, tuple(notices)), path)
    return named if named.created_at else named._replace(created_at=_date(facts.get("CreationDate", "")))


def _pages(document: PdfDocument) -> Iterator[tuple[str, str]]:
    """The text of each page, always ending its line, and what went wrong with it."""
    from pypdfium2 import PdfiumError

    for index in range(len(document)):
        try:
            page = document[index]
            try:
                inside = page.get_textpage()
                try:
                    text = inside.get_text_range()
                finally:
                    inside.close()
            finally:
                page.close()
        except (PdfiumError, ValueError, UnicodeError) as problem:
            yield "\n", str(problem)
            continue
        text = _HYPHEN_AT_LINE_END.sub("", text).replace("\r\n", "\n").replace("\r", "\n")
        yield storable(text).rstrip() + "\n", ""


def _facts(document: PdfDocument) -> dict[str, str]:
    from pypdfium2 import PdfiumError

    try:
        return dict(document.get_metadata_dict(skip_empty=True))
    except (PdfiumError, UnicodeError):
        return {}


def _bookmarks(document: PdfDocument) -> dict[int, tuple[str, ...]]:
    """Page number → the bookmarks it stands under, for each page where one begins."""
    from pypdfium2 import PdfiumError

    sections: dict[int, tuple[str, ...]] = {}
    above: list[str] = []
    try:
        for count, bookmark in enumerate(document.get_toc(max_depth=6)):
            target = bookmark.get_dest()
            index = target.get_index() if target else None
            above = [*above[: bookmark.level], " ".join(storable(bookmark.get_title()).split())]
            if index is not None:
                sections.setdefault(index + 1, tuple(title for title in above if title))
            if count >= _MOST_BOOKMARKS:
                break
    except (PdfiumError, UnicodeError, ValueError):
        pass  # without bookmarks there are no trails, and the text is whole
    return sections


def _date(value: str) -> str | None:
    """D:20260102101500+01'00' → 2026-01-02T10:15:00; the zone is left out, it is wrong too often."""
    match = _PDF_DATE.match(value.strip())
    if match is None:
        return None
    year, month, day, hour, minute, second = match.groups()
    clock = f" {hour}:{minute}:{second}" if hour else ""
    return date_in(f"{year}-{month}-{day}{clock}")
