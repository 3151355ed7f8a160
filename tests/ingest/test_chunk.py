"""Pieces: nothing added, dropped or repeated; of the right size; cut where a reader would."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.ingest.chunk import chunk
from scrubjay.ingest.graphemes import is_boundary
from scrubjay.ingest.readers.markdown import markdown_reading
from scrubjay.ingest.tokens import estimate
from scrubjay.types import Piece, Reading, Span

WORDS = st.sampled_from(
    [
        *("word", "a", "# Heading", "## Below", "\n", "\n\n", "\r\n", " ", "```\n", "- item\n"),
        *("。", "数据库", "e\u0301", "👩‍👩‍👧‍👦", "🇩🇪", "한", "sentence ends. ", "x" * 50, "\t", "(a, b)", '"'),
        *("\u2028", "\x0b", "| a | b |\n|---|---|\n"),
    ]
)
TEXTS = st.lists(WORDS, max_size=120).map("".join)


def plain(text: str) -> Reading:
    return Reading(text, "note", spans=(Span(0, len(text)),) if text else ())


def joined(pieces: tuple[Piece, ...]) -> str:
    return "".join(piece.text for piece in pieces)


def cuts(pieces: tuple[Piece, ...]) -> list[int]:
    places, at = [], 0
    for piece in pieces[:-1]:
        at += len(piece.text)
        places.append(at)
    return places


@given(text=TEXTS, target=st.integers(1, 40), more=st.integers(0, 40))
def test_any_text_rejoins_exactly(text: str, target: int, more: int) -> None:
    for reading in (plain(text), markdown_reading(text, "t")):
        pieces = chunk(reading, target=target, maximum=target + more)
        assert joined(pieces) == reading.text
        assert all(piece.text for piece in pieces)


@given(text=st.text(max_size=300), target=st.integers(1, 20))
def test_really_any_text(text: str, target: int) -> None:
    assert joined(chunk(plain(text), target=target, maximum=target)) == text


@given(text=TEXTS, target=st.integers(10, 40))
def test_no_character_is_cut(text: str, target: int) -> None:
    pieces = chunk(markdown_reading(text, "t"), target=target, maximum=target + 5)
    assert all(is_boundary(text, place) for place in cuts(pieces))


def test_a_character_that_alone_is_too_large_stays_whole() -> None:
    family = "👩\u200d👩\u200d👧\u200d👦"
    pieces = chunk(markdown_reading(family * 3 + " and more words after it. " * 4, "t"), target=33, maximum=38)
    assert pieces[0].text.startswith(family)
    assert joined(pieces).startswith(family * 3)


@given(text=TEXTS, target=st.integers(10, 60), more=st.integers(0, 40))
def test_no_piece_is_larger_than_allowed(text: str, target: int, more: int) -> None:
    """But for blanks, which are given to the piece before them, and one character that alone is larger."""
    maximum = target + more
    for piece in chunk(markdown_reading(text, "t"), target=target, maximum=maximum):
        whole_first = next((at for at in range(1, len(piece.text)) if is_boundary(piece.text, at)), len(piece.text))
        assert estimate(piece.text.strip()) <= max(maximum, estimate(piece.text[:whole_first])) + 1e-9


@given(text=TEXTS, target=st.integers(2, 30))
def test_lines_are_those_an_editor_shows(text: str, target: int) -> None:
    at = 0
    for piece in chunk(markdown_reading(text, "t"), target=target, maximum=target + 5):
        first, last = piece.lines
        assert first == text.count("\n", 0, at) + 1
        assert last == first + max(0, piece.text.count("\n") - piece.text.endswith("\n"))
        at += len(piece.text)


@given(text=TEXTS)
def test_no_piece_is_blank_beside_others(text: str) -> None:
    pieces = chunk(plain(text), target=5, maximum=8)
    assert len(pieces) <= 1 or not any(piece.text.isspace() for piece in pieces)


@given(
    text=st.text("ab \n", min_size=1, max_size=80),
    spans=st.lists(st.builds(Span, st.integers(-3, 90), st.integers(-3, 90)), max_size=6),
)
def test_a_reader_that_does_not_cover_its_text_loses_none(text: str, spans: list[Span]) -> None:
    assert joined(chunk(Reading(text, "note", spans=tuple(spans)), target=4, maximum=6)) == text


def test_nothing_makes_nothing() -> None:
    assert chunk(plain("")) == ()


def test_a_short_text_is_one_piece() -> None:
    [piece] = chunk(plain("To install git,\nrun the installer.\n"))
    assert piece == Piece("To install git,\nrun the installer.\n", (1, 2))


def test_pieces_are_about_the_target() -> None:
    text = "A sentence of eight words, more or less. " * 400
    sizes = [estimate(piece.text) for piece in chunk(plain(text), target=300, maximum=400)]
    assert max(sizes) <= 400
    assert min(sizes) >= 200
    assert 270 <= sum(sizes) / len(sizes) <= 330


def test_sections_are_cut_apart_and_small_neighbours_kept_together() -> None:
    long = "words about one thing. " * 60
    text = f"# A\n\n{long}\n\n# B\n\n{long}\n\n## C\n\nshort\n\n## D\n\nalso short\n"
    pieces = chunk(markdown_reading(text, "t"), target=300, maximum=400)
    assert pieces[0].trail == ("A",)
    assert pieces[0].text.startswith("# A")
    assert pieces[0].text.count("# ") == 1
    assert any("## C" in piece.text and "## D" in piece.text for piece in pieces)


def test_a_heading_stays_with_what_it_heads() -> None:
    text = "\n\n".join(f"## Heading {number}\n\n" + "and its words. " * 120 for number in range(5))
    for piece in chunk(markdown_reading(text, "t"), target=200, maximum=250):
        assert not piece.text.rstrip().split("\n")[-1].startswith("## "), "a heading at the end of a piece"


@pytest.mark.parametrize(
    ("opening", "row", "closing"),
    [("```python\n", "value = compute(number)\n", "```\n"), ("| a | b |\n|---|---|\n", "| one | two |\n", "\n")],
)
@pytest.mark.parametrize("before", [0, 40, 90, 97, 120, 170, 260])
def test_what_fits_is_not_cut(opening: str, row: str, closing: str, before: int) -> None:
    block = opening + row * 12 + closing
    assert estimate(block) <= 200
    text = "prose before it. " * before + "\n\n" + block + "\n" + "prose after it. " * 150
    pieces = chunk(markdown_reading(text, "t"), target=150, maximum=200)
    assert any(block in piece.text for piece in pieces), "it was cut"


def test_a_fence_too_large_is_cut_between_lines() -> None:
    text = "```\n" + "".join(f"line number {number} of the code\n" for number in range(500)) + "```\n"
    pieces = chunk(markdown_reading(text, "t"), target=100, maximum=150)
    assert len(pieces) > 10
    assert all(piece.text.endswith("\n") for piece in pieces)


def test_cuts_fall_between_paragraphs_then_sentences_then_words() -> None:
    paragraphs = "\n\n".join("Words of one paragraph, quite a few of them here. " * 5 for _ in range(20))
    assert all(piece.text.endswith("\n\n") for piece in chunk(plain(paragraphs), target=100, maximum=150)[:-1])
    sentences = "These are words of a sentence that ends. " * 100
    assert all(piece.text.endswith(". ") for piece in chunk(plain(sentences), target=50, maximum=70)[:-1])
    words = "word " * 1000
    assert all(piece.text.endswith(" ") for piece in chunk(plain(words), target=50, maximum=70)[:-1])
    chinese = "这是一个关于数据库设计的句子。" * 60
    assert all(piece.text.endswith("。") for piece in chunk(plain(chinese), target=50, maximum=70)[:-1])


def test_pages_are_never_mixed() -> None:
    text = "one\ntwo\nthree\n"
    spans = (Span(0, 4, page=1), Span(4, 8, page=2), Span(8, 14, page=3))
    assert [(piece.text, piece.page) for piece in chunk(Reading(text, "pdf", spans=spans))] == [
        ("one\n", 1), ("two\n", 2), ("three\n", 3),
    ]  # fmt: skip


def test_one_line_of_a_megabyte_is_many_pieces() -> None:
    text = '{"a": [' + "1234567, " * 110_000 + "]}"
    pieces = chunk(plain(text))
    assert joined(pieces) == text
    assert {piece.lines for piece in pieces} == {(1, 1)}
    assert max(estimate(piece.text) for piece in pieces) <= 400
    assert len(pieces) <= estimate(text) / 200


@pytest.mark.parametrize("maximum", [0, -5, 1])
def test_senseless_sizes_still_end(maximum: int) -> None:
    assert joined(chunk(plain("some words"), target=0, maximum=maximum)) == "some words"


def test_the_same_text_makes_the_same_pieces() -> None:
    text = "# A\n\n" + "words and more. " * 500
    assert chunk(markdown_reading(text, "t")) == chunk(markdown_reading(text, "t"))


def test_a_change_at_the_end_leaves_the_pieces_before_it() -> None:
    sections = "".join(f"# Heading {number}\n\n" + f"words of section {number}. " * 70 + "\n\n" for number in range(20))
    before = chunk(markdown_reading(sections, "t"))
    after = chunk(markdown_reading(sections + "# New\n\nmore\n", "t"))
    assert after[: len(before) - 1] == before[:-1]
