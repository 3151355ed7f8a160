"""A cross-encoder in a folder: what the model is given, what it answers, and every way it can be wrong."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from embed.local.tiny_models import VOCABULARY, a_cross_encoder, tiny_onnx, tiny_table
from scrubjay.embed.local.pairs import MOST_ASKED, MOST_TOKENS, PairModel
from scrubjay.errors import RerankError


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return a_cross_encoder(tmp_path / "tiny-reranker")


def failed(home: Path) -> RerankError:
    with pytest.raises(RerankError) as caught:
        PairModel(str(home)).logits("git", ["git"])
    assert caught.value.what
    assert caught.value.why
    assert caught.value.cure
    return caught.value


def test_a_pair_is_scored_by_both_of_its_texts(home: Path) -> None:
    model = PairModel(str(home), threads=2)
    assert model.logits("install git", ["git", "install git", "git git", "a cake"]) == [1, 10, 2, 0]
    assert model.logits("git", ["install"]) == [0]
    assert model.logits("git", []) == []
    assert model.name == "tiny-reranker"


def test_a_score_does_not_depend_on_its_neighbours(home: Path) -> None:
    model = PairModel(str(home))
    passages = ["install git " * times for times in range(1, 6)]
    assert model.logits("git", passages) == [model.logits("git", [passage])[0] for passage in passages]


class Session:
    """Writes down what it is given."""

    def __init__(self, *inputs: str) -> None:
        self.inputs = inputs
        self.given: list[dict[str, Any]] = []

    def get_inputs(self) -> list[SimpleNamespace]:
        return [SimpleNamespace(name=name) for name in self.inputs]

    def run(self, _: None, given: dict[str, Any]) -> list[Any]:
        self.given.append(given)
        return [np.array([[0.5]], np.float32)]


def test_the_question_is_of_kind_0_and_the_passage_of_kind_1(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    session = Session("input_ids", "attention_mask", "token_type_ids")
    monkeypatch.setattr("scrubjay.embed.local.pairs.open_session", lambda *_: session)
    assert PairModel(str(home)).logits("git", ["install the"]) == [0.5]
    (given,) = session.given
    words = ["[CLS]", "git", "[SEP]", "install", "the", "[SEP]"]
    assert given["input_ids"].tolist() == [[VOCABULARY[word] for word in words]]
    assert given["token_type_ids"].tolist() == [[0, 0, 0, 1, 1, 1]]
    assert given["attention_mask"].tolist() == [[1] * 6]


def test_a_pair_is_never_longer_than_the_model_reads(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    session = Session("input_ids")
    monkeypatch.setattr("scrubjay.embed.local.pairs.open_session", lambda *_: session)
    PairModel(str(home)).logits("git " * 2000, ["the " * 2000])
    (given,) = session.given
    ids = given["input_ids"][0].tolist()
    assert list(given) == ["input_ids"]
    assert len(ids) == MOST_TOKENS
    assert [at for at, token in enumerate(ids) if token == VOCABULARY["[SEP]"]] == [MOST_ASKED - 1, MOST_TOKENS - 1]


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    error = failed(tmp_path / "nowhere")
    assert "There is no folder" in error.why


@pytest.mark.parametrize("name", ["model.onnx", "tokenizer.json"])
def test_a_file_that_is_not_there(home: Path, name: str) -> None:
    (home / name).unlink()
    assert name in failed(home).why


def test_weights_that_are_something_else(home: Path) -> None:
    (home / "model.onnx").write_bytes(b"<html>not found</html>")
    error = failed(home)
    assert "model.onnx" in error.what
    assert "kb models pull" not in error.cure


def test_an_embedding_model_is_no_cross_encoder(home: Path) -> None:
    (home / "model.onnx").write_bytes(tiny_onnx(tiny_table()))
    assert "no cross-encoder" in failed(home).what


@pytest.mark.parametrize(
    ("written", "said"),
    [
        (b"{", "cannot be read"),
        (b"[]", "cannot be used"),
        (json.dumps({"normalizer": None, "model": {"type": "Unigram", "vocab": [["<s>", 0]]}}).encode(), "be used"),
        (json.dumps({"normalizer": {"lowercase": True}, "model": {"vocab": {"a": 0}}}).encode(), "be used"),
    ],
)
def test_a_vocabulary_that_is_something_else(home: Path, written: bytes, said: str) -> None:
    (home / "tokenizer.json").write_bytes(written)
    assert said in failed(home).what


def test_a_vocabulary_of_another_model(home: Path) -> None:
    vocabulary = {word: number + 9999 for word, number in VOCABULARY.items()}
    (home / "tokenizer.json").write_bytes(
        json.dumps({"normalizer": {"lowercase": True}, "model": {"vocab": vocabulary}}).encode()
    )
    assert "failed on a pair" in failed(home).what


def test_without_onnxruntime_the_cure_installs_it(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    assert "pip install onnxruntime" in failed(home).cure
