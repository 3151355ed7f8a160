from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from scrubjay.errors import UsageError
from scrubjay.evaluate.corpus import read_corpus


def test_a_corpus_becomes_notes(tmp_path: Path) -> None:
    path = tmp_path / "corpus.jsonl.gz"
    rows = ['{"_id": "a", "title": "Git", "text": "how to"}', '{"id": 7, "text": "cake"}', '{"_id": "b", "title": "x"}']
    path.write_bytes(gzip.compress("\n".join(rows).encode()))
    assert list(read_corpus(path)) == [
        {"id": "a", "title": "Git", "text": "how to"},
        {"id": "7", "title": "", "text": "cake"},
        {"id": "b", "title": "x", "text": "x"},
    ]


@pytest.mark.parametrize("row", ['{"text": "no id"}', '{"_id": "a"}', '{"_id": "a", "text": "  "}'])
def test_a_line_that_is_no_document_is_named(tmp_path: Path, row: str) -> None:
    path = tmp_path / "corpus.jsonl"
    path.write_text('{"_id": "a", "text": "cake"}\n' + row)
    with pytest.raises(UsageError, match="Line 2"):
        list(read_corpus(path))
