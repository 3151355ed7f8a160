"""Tables carry their columns along; data is cut at its outermost keys, correct or not."""

from __future__ import annotations

import pytest

from scrubjay.ingest.chunk import chunk
from scrubjay.ingest.readers.data import DataReader
from scrubjay.ingest.readers.tables import TableReader
from scrubjay.types import Reading


def table(text: str, name: str = "fruit.csv") -> Reading:
    return TableReader().read(f"/data/{name}", text.encode())


def keys(name: str, text: str) -> list[str]:
    reading = DataReader().read(f"/data/{name}", text.encode())
    assert reading.text == text
    return [span.trail[0] for span in reading.spans if span.trail]


@pytest.mark.parametrize(
    ("text", "columns"),
    [
        ("name,days\njam,3\n", ["name", "days"]), ("name;days\n", ["name", "days"]),
        ("name\tdays\n", ["name", "days"]),
        ('"full name","days, all"\n', ["full name", "days, all"]), ("name|days\n", ["name", "days"]),
        ("1,2\n3,4\n", None), ("one\ntwo\n", None), ("a,,c\n", None), ("", None), ("名前,日数\n", ["名前", "日数"]),
        ("\ufeffname,days\n", ["name", "days"]), ("name,days\r\njam,3\r\n", ["name", "days"]),
    ],
)  # fmt: skip
def test_columns(text: str, columns: list[str] | None) -> None:
    assert table(text).metadata.get("columns") == columns


def test_every_piece_of_a_long_table_has_the_columns() -> None:
    pieces = chunk(table("name,days\n" + "jam of quinces,3\n" * 500))
    assert len(pieces) > 5
    assert {piece.trail for piece in pieces} == {("name, days",)}
    assert all(piece.text.endswith("\n") for piece in pieces), "no row is cut"


def test_quotes_that_never_end() -> None:
    assert table('"' + "a," * 5000).text


@pytest.mark.parametrize(
    ("name", "text", "found"),
    [
        ("a.json", '{\n  "one": 1,\n  "two": {\n    "three": 3\n  }\n}\n', ["one", "two"]),
        ("a.json", '{"one": 1, "two": 2}', []),
        ("a.json", '{\n  "one": [,,\n  "two": \n', ["one", "two"]),
        ("a.jsonl", '{"a": 1}\n{"a": 2}\n', []),
        ("a.yaml", "one: 1\ntwo:\n  three: 3\n# four: 4\n", ["one", "two"]),
        ("a.yml", "- one: 1\n- two: 2\n", []),
        ("a.toml", 'title = "x"\n\n[one]\na = 1\n\n[[two]]\nb = 2\n', ["title", "one", "two"]),
        ("a.ini", "[one]\na = 1\n; [no]\n[two]\nb: 2\n", ["one", "two"]),
        ("a.conf", "port = 80\nhost=local\n", ["port"]),
        (".env.properties", "a.b = 1\n", ["a.b"]),
    ],
)
def test_outermost_keys(name: str, text: str, found: list[str]) -> None:
    assert keys(name, text) == found


def test_a_hundred_thousand_keys_are_rows() -> None:
    assert keys("a.yaml", "".join(f"key{number}: 1\n" for number in range(25_000))) == []


def test_the_title_is_the_files_name() -> None:
    assert DataReader().read("/data/settings.toml", b"").title == "settings.toml"
