"""reStructuredText: headings by their underlines, in whatever signs a file uses."""

from __future__ import annotations

import pytest

from samples import RST
from scrubjay.ingest.readers.rst import RstReader
from scrubjay.types import Reading


def read(text: str) -> Reading:
    return RstReader().read("/docs/name.rst", text.encode())


def trails(text: str) -> list[tuple[str, ...]]:
    return [span.trail for span in read(text).spans if span.form == "heading"]


def test_the_sample() -> None:
    reading = read(RST)
    assert (reading.text, reading.title) == (RST, "Quince")
    assert trails(RST) == [("Quince",), ("Quince", "Jelly")]
    assert [span.form for span in reading.spans if span.form in ("fence", "table")] == ["fence", "table"]


@pytest.mark.parametrize(("first", "second"), [("=-"), ("-="), ("~^"), ('"\''), ("*+")])
def test_the_first_sign_is_the_first_level(first: str, second: str) -> None:
    text = f"A\n{first * 5}\n\ntext\n\nB\n{second * 5}\n\nC\n{first * 5}\n"
    assert trails(text) == [("A",), ("A", "B"), ("C",)]


@pytest.mark.parametrize(
    "text",
    ["text\n\n----\n\nmore\n", "  indented\n  =====\n", "long line of text\n==\n", ".. note::\n\n   A\n   ===\n",
    "a\n\n===\n"],
)
def test_what_is_no_heading(text: str) -> None:
    assert trails(text) == []


def test_roles_and_marks_are_left_out_of_headings() -> None:
    assert trails(":mod:`json` --- *the* encoder\n=============================\n") == [("json --- the encoder",)]
    assert trails("``code`` and |sub|\n==================\n") == [("code and sub",)]


def test_without_a_heading_it_is_called_as_its_file() -> None:
    assert read("only text\n").title == "name"


def test_a_grid_table_is_one_form() -> None:
    table = "+---+---+\n| a | b |\n+===+===+\n| 1 | 2 |\n+---+---+\n"
    reading = read(f"text\n\n{table}\nafter\n")
    [span] = [span for span in reading.spans if span.form == "table"]
    assert table.strip() in reading.text[span.start : span.end]


def test_windows_line_ends() -> None:
    assert trails(RST.replace("\n", "\r\n")) == trails(RST)
