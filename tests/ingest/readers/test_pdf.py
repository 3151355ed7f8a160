"""PDFs: text by pages, bookmarks as trails, and every way in which one may be broken."""

from __future__ import annotations

import io

import pytest

from samples import pdf
from scrubjay.errors import ReadError
from scrubjay.ingest.chunk import chunk
from scrubjay.ingest.readers.pdf import PdfReader

PATH = "/papers/quince.pdf"


def test_pages_have_their_numbers() -> None:
    reading = PdfReader().read(PATH, pdf("first page", "second page", "third page"))
    pieces = chunk(reading)
    assert [piece.page for piece in pieces] == [1, 2, 3]
    assert "second" in pieces[1].text
    assert reading.metadata["pages"] == 3
    assert reading.kind == "pdf"


def test_bookmarks_are_the_trail() -> None:
    reading = PdfReader().read(PATH, pdf("Quince\nhard", "Jelly\nsoft", bookmarks=True))
    assert [(span.page, span.trail) for span in reading.spans] == [(1, ("Quince",)), (2, ("Jelly",))]


def test_what_the_file_says_of_itself() -> None:
    reading = PdfReader().read(PATH, pdf("text", title="The Quince: a study", subject="Fruit"))
    assert reading.title == "The Quince: a study"
    assert reading.summary == "Fruit"
    assert reading.created_at == "2026-01-02T10:15:00"


def test_without_a_title_it_is_called_as_its_file() -> None:
    assert PdfReader().read(PATH, pdf("text")).title == "quince"


def test_a_password_is_named() -> None:
    with pytest.raises(ReadError) as raised:
        PdfReader().read(PATH, pdf("secret", password="x"))
    assert "password" in raised.value.what
    assert raised.value.cure


@pytest.mark.parametrize("data", [b"", b"%PDF-1.7", b"%PDF-1.7\n%%EOF", b"no PDF at all",
b"%PDF-1.7\n" + b"\x00" * 5000])
def test_damage_is_named(data: bytes) -> None:
    with pytest.raises(ReadError) as raised:
        PdfReader().read(PATH, data)
    assert PATH in raised.value.what
    assert raised.value.cure


@pytest.mark.parametrize("share", [0.3, 0.6, 0.9, 0.97])
def test_cut_short(share: float) -> None:
    data = pdf("first page", "second page")
    try:
        reading = PdfReader().read(PATH, data[: int(len(data) * share)])
    except ReadError as error:
        refused = error
        assert refused.cure
    else:
        assert reading.spans[-1].end == len(reading.text)


def test_only_pictures_is_told_with_the_cure() -> None:
    from fpdf import FPDF

    document = FPDF()
    document.add_page()
    document.rect(10, 10, 50, 50)
    document.add_page()
    reading = PdfReader().read(PATH, bytes(document.output()))
    assert reading.text == ""
    assert chunk(reading) == ()
    [notice] = reading.notices
    assert "only pictures" in notice.reason
    assert "OCR" in notice.remedy


def test_text_on_some_pages_only() -> None:
    reading = PdfReader().read(PATH, pdf("words", " ", "more words"))
    assert [span.page for span in reading.spans if reading.text[span.start : span.end].strip()] == [1, 3]
    assert reading.notices == ()


def test_nothing_of_it_stays_open() -> None:
    for _ in range(30):
        PdfReader().read(PATH, pdf("first page", "second page"))
    held = io.BytesIO(pdf("first page", "second page"))
    assert PdfReader().read(PATH, held.getvalue()).text
