"""Word documents: paragraphs, headings, lists and tables; and archives that mean harm."""

from __future__ import annotations

import io
import zipfile

import pytest

from samples import docx, paragraph
from scrubjay.errors import ReadError
from scrubjay.ingest.readers.docx import UNPACKED_UP_TO, DocxReader
from scrubjay.types import Reading

PATH = "/letters/quince.docx"
ITEM = '<w:p><w:pPr><w:numPr><w:ilvl w:val="0"/></w:numPr></w:pPr><w:r><w:t>{}</w:t></w:r></w:p>'
CELL = "<w:tc><w:p><w:r><w:t>{}</w:t></w:r></w:p></w:tc>"


def read(body: str, **parts: str) -> Reading:
    return DocxReader().read(PATH, docx(body, **parts))


def test_headings_and_paragraphs() -> None:
    reading = read(paragraph("A", "Heading1") + paragraph("one") + paragraph("B", "Heading2") + paragraph("two"))
    assert reading.text == "A\n\none\n\nB\n\ntwo\n\n"
    assert [span.trail for span in reading.spans if span.form == "heading"] == [("A",), ("A", "B")]
    assert reading.title == "A"


def test_headings_in_a_writers_language() -> None:
    styles = '<w:style w:styleId="berschrift1"><w:name w:val="heading 1"/></w:style>'
    assert read(paragraph("A", "berschrift1"), styles=styles).title == "A"


def test_lists_and_tables() -> None:
    row = "<w:tr>" + CELL.format("a") + CELL.format("b") + "</w:tr>"
    reading = read(ITEM.format("one") + ITEM.format("two") + f"<w:tbl>{row}{row}</w:tbl>" + paragraph("end"))
    assert "- one\n- two\n" in reading.text
    assert "a | b\na | b\n" in reading.text
    assert "table" in {span.form for span in reading.spans}


def test_what_was_deleted_is_gone_and_what_was_added_is_there() -> None:
    body = "<w:p><w:del><w:r><w:t>no</w:t></w:r></w:del><w:ins><w:r><w:t>yes</w:t></w:r></w:ins></w:p>"
    assert read(body).text == "yes\n\n"


def test_what_the_document_says_of_itself() -> None:
    core = (
        "<dc:title>The Quince</dc:title><keywords>fruit; kitchen, jam</keywords><dc:description>How</dc:description>"
        "<dcterms:created>2026-01-31T10:00:00Z</dcterms:created>"
    )
    reading = read(paragraph("text"), core=core)
    assert (reading.title, reading.tags, reading.summary) == ("The Quince", ("fruit", "kitchen", "jam"), "How")
    assert reading.created_at == "2026-01-31T10:00:00+00:00"


def test_without_anything_it_is_called_as_its_file() -> None:
    assert read(paragraph("text")).title == "quince"


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "damaged"), (b"no archive", "damaged"), (docx("")[:-30], "damaged"), (docx("<w:p>"), "damaged"),
        (b"\xd0\xcf\x11\xe0" + b"\x00" * 600, "cannot be read"),
    ],
)  # fmt: skip
def test_damage_is_named(data: bytes, words: str) -> None:
    with pytest.raises(ReadError, match=words) as raised:
        DocxReader().read(PATH, data)
    assert raised.value.cure


def with_document(xml: bytes) -> bytes:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("word/document.xml", xml)
    return held.getvalue()


def test_entities_are_refused() -> None:
    bomb = b'<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;">]><w>&b;</w>'
    with pytest.raises(ReadError, match="entities"):
        DocxReader().read(PATH, with_document(bomb))


def test_an_archive_that_unpacks_to_too_much_is_refused() -> None:
    with pytest.raises(ReadError, match="unpacks"):
        DocxReader().read(PATH, with_document(b"<w>" + b" " * (UNPACKED_UP_TO + 10) + b"</w>"))


def test_endless_nesting_is_refused() -> None:
    with pytest.raises(ReadError, match="nested"):
        DocxReader().read(PATH, with_document(b"<w>" * 5000))
