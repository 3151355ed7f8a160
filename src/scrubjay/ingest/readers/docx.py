"""Reads Word documents (.docx): paragraphs, headings, lists and tables, without their looks.

The file is a zip of XML that anyone may have made, so it is read with care: no more is unpacked
than a book needs, whatever the zip claims, and a document that declares a type or entities,
which Word never does and attackers do, is refused.
"""

from __future__ import annotations

import io
import re
import zipfile
from xml.parsers import expat

from scrubjay.errors import ReadError
from scrubjay.ingest.decode import storable
from scrubjay.ingest.readers._marks import Mark, date_in, spans_from, stem_of, with_date_of_name
from scrubjay.types import Reading
from scrubjay.types.base import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

UNPACKED_UP_TO = 64 * 1024 * 1024  # bytes of XML: some twenty thousand pages
_DEEPEST = 512
_HEADING = re.compile(r"heading\s?([1-9])$", re.I)
_DAMAGED = "open it in Word or LibreOffice and save it again"


class DocxReader:
    """Satisfies `ports.Reader`."""

    def read(self, path: str, data: bytes) -> Reading:
        if data.startswith(b"\xd0\xcf\x11\xe0"):
            why = "it has a password, or the format of Word before 2007"
            raise ReadError(f"{path} cannot be read", why, "save it as .docx without a password")
        try:
            with zipfile.ZipFile(io.BytesIO(data)) as archive:
                return _reading(path, archive)
        except (zipfile.BadZipFile, KeyError, expat.ExpatError, NotImplementedError, RuntimeError) as problem:
            raise ReadError(f"{path} is damaged or not a Word document", str(problem), _DAMAGED) from problem
        except (OSError, EOFError, ValueError, zipfile.zlib.error) as problem:  # type: ignore[attr-defined]
            raise ReadError(f"{path} is damaged", str(problem), _DAMAGED) from problem


def _reading(path: str, archive: zipfile.ZipFile) -> Reading:
    names = set(archive.namelist())
    styles, facts = _Styles(), _Facts()
    if "word/styles.xml" in names:
        _parse(path, archive, "word/styles.xml", styles)
    if "docProps/core.xml" in names:
        _parse(path, archive, "docProps/core.xml", facts)
    body = _Body(styles.levels)
    _parse(path, archive, "word/document.xml", body)
    text = "".join(body.parts)
    spans = spans_from([Mark(0), *body.marks], len(text))
    title = facts.values.get("title") or body.title or stem_of(path)
    keywords = (part.strip() for part in re.split(r"[,;]", facts.values.get("keywords", "")))
    tags = tuple(dict.fromkeys(tag for tag in keywords if tag))
    summary = facts.values.get("description") or facts.values.get("subject", "")
    reading = with_date_of_name(Reading(text, "note", title, spans, tags, None, summary), path)
    return reading._replace(created_at=reading.created_at or date_in(facts.values.get("created", "")))


# --- safe XML --------------------------------------------------------------------------------


class _Handler:
    """Gets the local names of tags as they open and close, and the text between them."""

    def opened(self, tag: str, attributes: dict[str, str], /) -> None: ...

    def closed(self, tag: str, /) -> None: ...

    def said(self, text: str, /) -> None: ...


def _parse(path: str, archive: zipfile.ZipFile, name: str, handler: _Handler) -> None:
    """Feeds one file of the archive to `handler`, piece by piece, and stops where it gets too much."""
    parser = expat.ParserCreate(namespace_separator=" ")
    parser.buffer_text = True
    depth = 0

    def opened(tag: str, attributes: dict[str, str]) -> None:
        nonlocal depth
        depth += 1
        if depth > _DEEPEST:
            raise ReadError(f"{path} is damaged", f"{name} is nested more than {_DEEPEST} deep", _DAMAGED)
        handler.opened(_local(tag), {_local(key): value for key, value in attributes.items()})

    def closed(tag: str) -> None:
        nonlocal depth
        depth -= 1
        handler.closed(_local(tag))

    def refuse(*_: object) -> None:
        raise ReadError(f"{path} was not read", "it declares entities, which no Word document does", _DAMAGED)

    parser.StartElementHandler, parser.EndElementHandler = opened, closed
    parser.CharacterDataHandler, parser.StartDoctypeDeclHandler = handler.said, refuse
    unpacked = 0
    with archive.open(name) as file:
        while block := file.read(1 << 16):
            unpacked += len(block)
            if unpacked > UNPACKED_UP_TO:
                why = f"{name} unpacks to more than {UNPACKED_UP_TO >> 20} MB"
                raise ReadError(f"{path} was not read", why, "split the document, if it is one")
            parser.Parse(block, False)
    parser.Parse(b"", True)


def _local(name: str) -> str:
    return name.rpartition(" ")[2]


# --- what the files say ----------------------------------------------------------------------


class _Styles(_Handler):
    """Style ids that are headings: the id is in the writer's language, the name is not."""

    def __init__(self) -> None:
        self.levels: dict[str, int] = {}
        self._style = ""

    def opened(self, tag: str, attributes: dict[str, str]) -> None:
        if tag == "style":
            self._style = attributes.get("styleId", "")
        elif tag == "name" and (match := _HEADING.match(attributes.get("val", ""))):
            self.levels[self._style] = int(match.group(1))
        elif tag == "name" and attributes.get("val", "").lower() == "title":
            self.levels[self._style] = 0


class _Facts(_Handler):
    """Title, keywords, description and date of creation."""

    def __init__(self) -> None:
        self.values: dict[str, str] = {}
        self._tag = ""

    def opened(self, tag: str, _: dict[str, str]) -> None:
        self._tag = tag

    def closed(self, _: str) -> None:
        self._tag = ""

    def said(self, text: str) -> None:
        if self._tag in ("title", "keywords", "description", "subject", "created"):
            before = self.values.get(self._tag, "")
            self.values[self._tag] = " ".join(storable(f"{before} {text}").split())


class _Body(_Handler):
    """The text, with a mark where a heading, a table or a list begins."""

    def __init__(self, levels: dict[str, int]) -> None:
        self.levels = levels
        self.parts: list[str] = []
        self.marks: list[Mark] = []
        self.title = ""
        self._at = 0
        self._headings: list[tuple[int, str]] = []
        self._line: list[str] = []
        self._level: int | None = None
        self._tables = self._cells = 0
        self._in_text = self._in_list = False
        self._hidden = 0
        self._acts: dict[str, Callable[[dict[str, str]], None]] = {
            "pStyle": self._styled,
            "tab": lambda _: self._line.append("\t"),
            "br": lambda _: self._line.append("\n"),
            "cr": lambda _: self._line.append("\n"),
            "noBreakHyphen": lambda _: self._line.append("-"),
            "numPr": self._listed,
        }

    def opened(self, tag: str, attributes: dict[str, str]) -> None:
        if tag in ("Fallback", "del", "moveFrom"):  # said twice, or taken out by its writer
            self._hidden += 1
        elif tag == "t":
            self._in_text = True
        elif tag == "tbl":
            self._tables += 1
            if self._tables == 1:
                self._mark("table")
        elif tag == "tr":
            self._cells = 0
        elif tag == "tc":
            self._cells += 1
            if self._cells > 1:
                self._write(" | ")
        elif tag in self._acts and not (tag == "tab" and attributes):  # a tab with attributes is a tab stop
            self._acts[tag](attributes)

    def closed(self, tag: str) -> None:
        if tag in ("Fallback", "del", "moveFrom"):
            self._hidden -= 1
        elif tag == "t":
            self._in_text = False
        elif tag == "p":
            self._paragraph()
        elif tag == "tr":
            self._write("\n")
        elif tag == "tbl":
            self._tables -= 1
            if not self._tables:
                self._write("\n")
                self._mark("prose")

    def said(self, text: str) -> None:
        if self._in_text and not self._hidden:
            self._line.append(storable(text))

    def _styled(self, attributes: dict[str, str]) -> None:
        style = attributes.get("val", "")
        match = _HEADING.match(style)
        self._level = self.levels.get(style, int(match.group(1)) if match else (0 if style == "Title" else None))

    def _listed(self, _: dict[str, str]) -> None:
        self._in_list = True

    def _paragraph(self) -> None:
        text, level = "".join(self._line), self._level
        self._line, self._level = [], None
        in_list, self._in_list = self._in_list, False
        if self._tables:
            self._write(" ".join(text.split()))
            return
        if not text.strip():
            return
        if level is not None:
            self._head(level, " ".join(text.split()))
        self._write(("- " if in_list else "") + text + ("\n" if in_list else "\n\n"))

    def _head(self, level: int, heading: str) -> None:
        self.title = self.title or heading
        self._headings = [*(one for one in self._headings if one[0] < level), (level, heading[:300])]
        self._mark("heading", True)

    def _mark(self, form: str, opens: bool = False) -> None:
        self.marks.append(Mark(self._at, tuple(heading for _, heading in self._headings), form, opens))

    def _write(self, text: str) -> None:
        self.parts.append(text)
        self._at += len(text)
