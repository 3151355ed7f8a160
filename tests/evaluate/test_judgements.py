from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from scrubjay.errors import UsageError
from scrubjay.evaluate.judgements import judged_only, read, read_qrels, read_queries


def file(folder: Path, text: str, name: str = "file.tsv") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    "text",
    [
        "query-id\tcorpus-id\tscore\nq1\td1\t1\nq1\td2\t0\nq2\td3\t2\n",
        "q1\td1\t1\nq1\td2\t0\nq2\td3\t2",
        "q1 0 d1 1\nq1 0 d2 0\n\nq2 0 d3 2\n",
        "q1\t0\td1\t1\r\nq1\t0\td2\t0\r\nq2\t0\td3\t2\r\n",
        '{"query-id": "q1", "corpus-id": "d1", "score": 1}\n{"query-id": "q1", "corpus-id": "d2", "score": 0}\n'
        '{"query-id": "q2", "corpus-id": "d3", "score": 2}',
        '{"id": "q1", "relevant": {"d1": 1, "d2": 0}}\n{"id": "q2", "relevant": {"d3": 2}}',
    ],
)
def test_qrels_in_all_their_forms(tmp_path: Path, text: str) -> None:
    assert read_qrels(file(tmp_path, text)) == {"q1": {"d1": 1.0, "d2": 0.0}, "q2": {"d3": 2.0}}


def test_qrels_of_two_columns(tmp_path: Path) -> None:
    assert read_qrels(file(tmp_path, "q1\td1\nq1\td2\n")) == {"q1": {"d1": 1.0, "d2": 1.0}}


@pytest.mark.parametrize(
    "text", ['{"_id": "q1", "text": "who is it?"}\n', "q1\twho is it?\n", "query-id\ttext\nq1\twho is it?\n"]
)
def test_queries_in_all_their_forms(tmp_path: Path, text: str) -> None:
    assert read_queries(file(tmp_path, text)) == {"q1": "who is it?"}


def test_a_packed_file(tmp_path: Path) -> None:
    path = tmp_path / "queries.jsonl.gz"
    path.write_bytes(gzip.compress('{"_id": 1, "text": "数据"}\n'.encode()))
    assert read_queries(path) == {"1": "数据"}


def test_one_file_with_both(tmp_path: Path) -> None:
    found = read(
        file(tmp_path, '{"query": "git", "relevant": ["a", "b"]}\n{"id": "x", "query": "c", "relevant": {"a": 2}}')
    )
    assert found.queries == {"q1": "git", "x": "c"}
    assert found.qrels == {"q1": {"a": 1.0, "b": 1.0}, "x": {"a": 2.0}}


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("q1\td1\t1\nq1\td2\tmuch\n", 2),
        ("q1 0 d1 1\nnonsense\n", 2),
        ('{"id": "q1", "relevant": 3}\n', 1),
        ('{"id": "q1", "relevant": {"a": "x"}}\n', 1),
        ('{"relevant": {}}', 1),
        ('{"id": "q1", "relevant": []}\n{broken', 2),
        ("{}\n[]", 1),
    ],
)
def test_a_line_that_cannot_be_read_is_named(tmp_path: Path, text: str, line: int) -> None:
    with pytest.raises(UsageError, match=f"Line {line} of "):
        read_qrels(file(tmp_path, text))


def test_what_is_missing_in_a_file_with_both(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="Line 1"):
        read(file(tmp_path, '{"query": "git"}'))
    with pytest.raises(UsageError, match="twice"):
        read(file(tmp_path, '{"id": 1, "query": "a", "relevant": []}\n{"id": 1, "query": "b", "relevant": []}'))
    with pytest.raises(UsageError, match="no tab"):
        read_queries(file(tmp_path, "q1 who"))


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot be read"):
        read_qrels(tmp_path / "nothing.tsv")


def test_only_what_is_judged() -> None:
    found = judged_only({"a": "1", "b": "2", "c": "3"}, {"a": {"d": 1}, "b": {"d": 0}, "z": {"d": 1}})
    assert found.queries == {"a": "1"}
    assert found.qrels == {"a": {"d": 1}}
