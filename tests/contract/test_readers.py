"""One suite over every reader: spans that cover, and no bytes that bring one down."""

from __future__ import annotations

import io
import random
import time
import zipfile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from samples import Sample, reader_of, samples
from scrubjay.errors import ReadError
from scrubjay.ingest.chunk import chunk
from scrubjay.types import KINDS, Reading

NAMES = sorted(samples())
TEXTS = sorted(set(NAMES) - {"pdf", "docx"})
every = pytest.mark.parametrize("name", NAMES)


def sound(reading: Reading) -> Reading:
    """Everything that the rest of the program relies on."""
    assert isinstance(reading.text, str)
    reading.text.encode("utf-8")  # it can be stored
    assert "\x00" not in reading.text
    assert reading.kind in KINDS
    at = 0
    for span in reading.spans:
        assert span.start == at, "a gap or an overlap"
        assert span.end > span.start, "an empty span"
        assert all(heading and len(heading) <= 300 and "\n" not in heading for heading in span.trail), span.trail
        at = span.end
    assert at == len(reading.text), "the spans end before or after the text"
    assert "\n" not in reading.title
    assert all(tag and tag == tag.strip() for tag in reading.tags)
    assert all(notice.stage and notice.reason for notice in reading.notices)
    assert "".join(piece.text for piece in chunk(reading)) == reading.text
    return reading


def tried(sample: Sample, data: bytes) -> Reading | None:
    """The reading of other bytes under the sample's name; None when they are refused as they should be."""
    try:
        return sound(reader_of(sample).read(sample.path, data))
    except ReadError as error:
        refused = error
    assert sample.path in refused.what
    assert refused.why
    assert refused.cure
    return None


@every
def test_the_sample_is_read(name: str) -> None:
    sample = samples()[name]
    reading = tried(sample, sample.data)
    assert reading is not None
    assert sample.word in reading.text
    assert reading.kind == sample.kind
    assert reading.title


@every
def test_twice_the_same(name: str) -> None:
    sample = samples()[name]
    reader = reader_of(sample)
    assert reader.read(sample.path, sample.data) == reader.read(sample.path, sample.data)


@every
def test_nothing_at_all(name: str) -> None:
    reading = tried(samples()[name], b"")
    assert reading is None or reading.text == ""


@every
@given(data=st.binary(max_size=300))
def test_any_bytes(name: str, data: bytes) -> None:
    tried(samples()[name], data)


@pytest.mark.parametrize("name", TEXTS)
@given(text=st.text(max_size=300), encoding=st.sampled_from(["utf-8", "utf-16", "utf-8-sig", "utf-32-le"]))
def test_any_text(name: str, text: str, encoding: str) -> None:
    tried(samples()[name], text.encode(encoding, "surrogatepass"))


@pytest.mark.parametrize("name", TEXTS)
@given(
    text=st.lists(
        st.sampled_from(
            [
                *("# a", "## b", "```", "~~~", "---", "===", "| a | b |", "|-|-|", "- x", "  indented", ""),
                *("<p>", "</p>", "<!--", "-->", "<h1>", "{", "}", '"a": 1,', "def f():", "class A:", "    pass", "1"),
                *("00:00:01,000 --> 00:00:02,000", ".. note::", "+++", "title: [a", "a,b", "<!-- ANCHOR:x -->"),
                *("\t", "\r", "\f", "key: 1", "[s]", "数据库", "e\u0301"),
            ]
        ),
        max_size=40,
    ).map("\n".join)
)
def test_any_structure(name: str, text: str) -> None:
    tried(samples()[name], text.encode())


@every
def test_damaged_files(name: str) -> None:
    """Cut, with bytes changed, doubled and taken out: always a reading or a ReadError."""
    sample = samples()[name]
    chance = random.Random(name)
    for _ in range(60):
        data = bytearray(sample.data)
        for _ in range(chance.randint(1, 8)):
            at = chance.randrange(len(data)) if data else 0
            match chance.randrange(4):
                case 0:
                    data[at : at + 1] = bytes([chance.randrange(256)])
                case 1:
                    del data[at : at + chance.randrange(1, 40)]
                case 2:
                    data[at:at] = data[: chance.randrange(1, 60)]
                case _:
                    data = data[:at] if chance.random() < 0.3 else data
        tried(sample, bytes(data))


@pytest.mark.parametrize("filling", ["word ", "<a ", "*_", ", ", "数", *"a#[<`|-\t{\"=\\:("])
@pytest.mark.parametrize("name", TEXTS)
def test_one_long_line_is_no_catastrophe(name: str, filling: str) -> None:
    """Usually a hundredth of a second; looking through all the rest at each character takes minutes."""
    sample = samples()[name]
    head = sample.data if name in ("html", "subtitles") else b""
    data = head + (filling * (200_000 // len(filling))).encode()
    began = time.process_time()
    tried(sample, data)
    assert time.process_time() - began < 10


@pytest.mark.parametrize("name", ["docx"])
def test_an_archive_of_something_else(name: str) -> None:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as archive:
        archive.writestr("a.txt", "hello")
    assert tried(samples()[name], held.getvalue()) is None
