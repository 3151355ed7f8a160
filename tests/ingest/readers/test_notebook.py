"""Notebooks: cells in order, headings over the code below them, and what was printed."""

from __future__ import annotations

import json
from typing import Any

import pytest

from samples import NOTEBOOK
from scrubjay.errors import ReadError
from scrubjay.ingest.readers.notebook import NotebookReader
from scrubjay.types import Reading


def read(value: Any, path: str = "/work/study.ipynb") -> Reading:
    return NotebookReader().read(path, json.dumps(value).encode())


def test_the_sample() -> None:
    reading = read(NOTEBOOK)
    assert reading.title == "Quince study"
    assert "Why it is hard." in reading.text
    assert "print('jelly')" in reading.text
    assert "ValueError: not ripe" in reading.text
    assert "aGlkZGVu" not in reading.text, "a picture is no text"


def test_notes_are_the_trail_of_the_code_below() -> None:
    reading = read(NOTEBOOK)
    [code] = [span for span in reading.spans if reading.text.startswith("print", span.start)]
    assert (code.form, code.trail) == ("code", ("Quince study",))


def test_long_output_is_cut() -> None:
    cell = {"cell_type": "code", "source": "x", "outputs": [{"output_type": "stream", "text": "y" * 9000}]}
    assert 1000 < len(read({"cells": [cell]}).text) < 3000


@pytest.mark.parametrize("data", [b"no JSON", b"[1, 2]", b'{"cells": 5}', b'{"cells": [', b"[" * 100_000])
def test_what_is_no_notebook(data: bytes) -> None:
    with pytest.raises(ReadError) as raised:
        NotebookReader().read("/work/study.ipynb", data)
    assert raised.value.cure


@pytest.mark.parametrize("value", [{}, {"cells": []}, {"cells": [1, None, "x"]}, {"cells": [{"source": 3,
"outputs": {}}]}])
def test_what_has_nothing_in_it(value: Any) -> None:
    assert read(value).text == ""


def test_half_a_surrogate_pair_is_replaced() -> None:
    data = b'{"cells": [{"cell_type": "markdown", "source": "a \\ud800 b"}]}'
    assert "a \ufffd b" in NotebookReader().read("/work/study.ipynb", data).text
