"""One real file for each reader, small enough to mutate: what the contract suite and the readers' tests share."""

from __future__ import annotations

import io
import json
import zipfile
from datetime import UTC, datetime
from functools import cache
from typing import NamedTuple

from scrubjay.ingest.decode import HEAD_BYTES
from scrubjay.ingest.readers import reader_for
from scrubjay.ingest.readers._example import SubtitleReader
from scrubjay.ports import Reader


class Sample(NamedTuple):
    """A file as it lies on a disk, and a word that must be found in what is read of it."""

    path: str
    data: bytes
    word: str
    kind: str


MARKDOWN = """---
title: "The quince"
tags: [fruit, kitchen]
date: 2026-01-31
description: How to cook it
---
# Quince

Hard when raw. #autumn

```python
# not a heading
print("quince")
```

| name | days |
|------|------|
| jam  | 3    |

## Jelly

- wash
- cook
"""

PYTHON = '''"""Fruit."""

import os


class Quince:
    """A hard fruit."""

    def cook(self, minutes: int) -> str:
        """Until soft."""
        return "jelly" * minutes


# how many there are
def count() -> int:
    return 1
'''

HTML = """<!doctype html><html><head><title>Quinces</title><meta name="description" content="About fruit">
<meta name="keywords" content="fruit, kitchen"><style>p {color: red}</style><script>var x = "<p>unseen</p>";</script>
</head><body><nav>menu</nav><h1>Quince</h1><p>Hard &amp; sour&nbsp;fruit.</p><h2>Table</h2>
<table><tr><th>name</th><th>days</th></tr><tr><td>jam</td><td>3</td></tr></table><pre>  kept
    as it is</pre><ul><li>wash</li><li>cook</li></ul></body></html>"""

RST = """======
Quince
======

Hard when raw.

Jelly
-----

.. code-block:: python

   print("quince")

====  ====
name  days
====  ====
jam   3
====  ====
"""

SUBTITLES = """1
00:00:01,000 --> 00:00:03,000
Good evening.

2
00:01:02,500 --> 00:01:04,000
Tonight: the quince
and its jelly.
"""

NOTEBOOK = {
    "cells": [
        {"cell_type": "markdown", "source": ["# Quince study\n", "\n", "Why it is hard."]},
        {
            "cell_type": "code",
            "source": "print('jelly')\n",
            "outputs": [
                {"output_type": "stream", "text": ["jelly\n"]},
                {"output_type": "error", "ename": "ValueError", "evalue": "not ripe"},
                {"output_type": "display_data", "data": {"image/png": "aGlkZGVu"}},
            ],
        },
    ],
    "metadata": {},
    "nbformat": 4,
}


def docx(body: str, *, styles: str = "", core: str = "") -> bytes:
    """A Word document with this XML as its body."""
    word = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("[Content_Types].xml", "<Types/>")
        archive.writestr("word/document.xml", f"<w:document {word}><w:body>{body}</w:body></w:document>")
        if styles:
            archive.writestr("word/styles.xml", f"<w:styles {word}>{styles}</w:styles>")
        if core:
            terms = 'xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/"'
            archive.writestr("docProps/core.xml", f"<coreProperties {terms}>{core}</coreProperties>")
    return held.getvalue()


def paragraph(text: str, style: str = "") -> str:
    """One paragraph of a Word document."""
    said = f'<w:pPr><w:pStyle w:val="{style}"/></w:pPr>' if style else ""
    return f'<w:p>{said}<w:r><w:t xml:space="preserve">{text}</w:t></w:r></w:p>'


@cache
def pdf(*pages: str, title: str = "", bookmarks: bool = False, password: str = "", subject: str = "") -> bytes:
    """A PDF with these texts on its pages; with bookmarks, the first line of a page is one."""
    from fpdf import FPDF

    document = FPDF()
    document.set_creation_date(datetime(2026, 1, 2, 10, 15, tzinfo=UTC))
    if title:
        document.set_title(title)
    if subject:
        document.set_subject(subject)
    document.set_font("helvetica", size=12)
    for page in pages:
        document.add_page()
        if bookmarks:
            document.start_section(page.split("\n")[0])
        document.multi_cell(0, text=page)
    if password:
        document.set_encryption(owner_password=password + "owner", user_password=password)
    return bytes(document.output())


@cache
def samples() -> dict[str, Sample]:
    """A sample a reader, by the reader's name."""
    word = docx(
        paragraph("Quince", "Heading1") + paragraph("Hard when raw, soft as jelly."),
        core="<dc:title>Fruit</dc:title><keywords>fruit; kitchen</keywords>",
    )
    return {
        "markdown": Sample("/notes/quince.md", MARKDOWN.encode(), "Jelly", "markdown"),
        "text": Sample("/notes/quince.txt", b"A quince is hard.\n\nJelly is soft.\n", "Jelly", "note"),
        "code": Sample("/notes/quince.py", PYTHON.encode(), "jelly", "code"),
        "blocks": Sample("/notes/quince.lua", b"-- a\nfunction cook()\n  return 1\nend\n\nlocal x = 1", "cook", "code"),
        "pdf": Sample("/notes/quince.pdf", pdf("Quince\nhard when raw", "Jelly\nsoft", bookmarks=True), "soft", "pdf"),
        "html": Sample("/notes/quince.html", HTML.encode(), "sour", "note"),
        "rst": Sample("/notes/quince.rst", RST.encode(), "Jelly", "note"),
        "table": Sample("/notes/quince.csv", b"name,days\njam,3\njelly,4\n", "jelly", "note"),
        "data": Sample("/notes/quince.json", b'{\n  "name": "jelly",\n  "days": [1, 2]\n}\n', "jelly", "code"),
        "yaml": Sample("/notes/quince.yaml", b"name: jelly\ndays:\n  - 1\n  - 2\n", "jelly", "code"),
        "toml": Sample("/notes/quince.toml", b'[fruit]\nname = "jelly"\n\n[kitchen]\ndays = 3\n', "jelly", "code"),
        "notebook": Sample("/notes/quince.ipynb", json.dumps(NOTEBOOK).encode(), "jelly", "code"),
        "docx": Sample("/notes/quince.docx", word, "jelly", "note"),
        "subtitles": Sample("/notes/quince.srt", SUBTITLES.encode(), "jelly", "note"),
    }


def reader_of(sample: Sample) -> Reader:
    """The reader that a sample is chosen for; for subtitles the example that plug-ins start from."""
    if sample.path.endswith(".srt"):
        return SubtitleReader()
    found = reader_for(sample.path, sample.data[:HEAD_BYTES])
    assert found is not None
    return found
