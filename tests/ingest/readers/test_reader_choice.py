"""The reader is chosen by the name, and by the first bytes where the name lies or is silent."""

from __future__ import annotations

import pytest

from scrubjay.ingest.readers import kind_for, reader_for

TEXT = b"some words of text, nothing else\n"


def chosen(path: str, head: bytes = TEXT) -> str:
    reader = reader_for(path, head)
    return type(reader).__name__.removesuffix("Reader") if reader else ""


@pytest.mark.parametrize(
    ("path", "reader"),
    [
        ("/a/notes.md", "Markdown"), ("/a/NOTES.MD", "Markdown"), ("/a/x.markdown", "Markdown"),
        ("/a/x.qmd", "Markdown"),
        ("/a/x.txt", "Text"), ("/a/README", "Text"), ("/a/x.unknown", "Text"), ("/a/x.log", "Text"),
        ("/a/x.org", "Text"),
        ("/a/x.py", "Code"), ("/a/Makefile", "Code"), ("/a/Dockerfile", "Code"), ("/a/x.rs", "Code"),
        ("/a/x.sql", "Code"),
        ("/a/x.html", "Html"), ("/a/x.rst", "Rst"), ("/a/x.csv", "Table"), ("/a/x.tsv", "Table"),
        ("/a/x.json", "Data"), ("/a/x.yaml", "Data"), ("/a/x.toml", "Data"), ("/a/x.ini", "Data"),
        ("/a/.editorconfig", "Data"),
        ("/a/x.ipynb", "Notebook"), ("/a/x.docx", "Docx"), ("/a/x.pdf", "Pdf"), ("C:\\notes\\x.md", "Markdown"),
        ("/a/folder.md/file", "Text"), ("/a/x.png", ""), ("/a/x.gz", ""), ("/a/x.sqlite3", ""), ("/a/id.pem", ""),
    ],
)  # fmt: skip
def test_by_name(path: str, reader: str) -> None:
    assert chosen(path) == reader


@pytest.mark.parametrize(
    ("head", "reader"),
    [
        (b"%PDF-1.7\n", "Pdf"),
        (b"#!/usr/bin/env python3\nprint(1)\n", "Code"),
        (b"#!/bin/sh\necho\n", "Code"),
        (b"#!/usr/bin/env -S node --flag\n", "Code"),
        (b"#!/usr/bin/nonsense\n", "Text"),
        (b"\x7fELF\x02\x01\x01" + b"\x00" * 99, ""),
        (b"", "Text"),
        ("Größe".encode("utf-16"), "Text"),
    ],
)
def test_a_silent_name(head: bytes, reader: str) -> None:
    assert chosen("/bin/thing", head) == reader


def test_a_lying_name() -> None:
    assert chosen("/a/scan.txt", b"%PDF-1.4\n") == "Pdf"
    assert chosen("/a/scan.png", b"%PDF-1.4\n") == "Pdf"
    assert chosen("/a/junk.md", bytes(range(256)) * 4) == "", "binary, whatever it is called"


def test_kind_by_name_alone() -> None:
    assert [kind_for(f"/a/x.{ending}") for ending in ("md", "py", "pdf", "txt", "png")] == [
        "markdown", "code", "pdf", "note", None,
    ]  # fmt: skip


def test_plug_ins_go_first() -> None:
    class Own:
        pass

    own = Own()
    assert reader_for("/a/x.srt", TEXT, {"srt": own}) is own  # type: ignore[dict-item,comparison-overlap]
    assert reader_for("/a/x.srt", TEXT, {"vtt": own}) is not own  # type: ignore[dict-item,comparison-overlap]
