"""The runner around onnxruntime, with a model of a few kilobytes whose answers are known."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from embed.local.tiny_models import VOCABULARY, bert_tokenizer, tiny_table
from scrubjay.embed.local.catalogue import ModelCard
from scrubjay.embed.local.onnx import OnnxEmbedder, spread, usable_cores
from scrubjay.embed.local.tokenizers import wordpiece_of
from scrubjay.errors import EmbeddingError, ModelMissing
from scrubjay.ports import Embedder

Tiny = Callable[..., tuple[ModelCard, Path]]


def unit(row: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    return np.asarray(row / np.linalg.norm(row))


def ids(*words: str) -> list[int]:
    return [VOCABULARY[word] for word in words]


def test_it_is_an_embedder_with_an_identity(tiny: Tiny) -> None:
    card, home = tiny()
    made = OnnxEmbedder(card, home)
    assert isinstance(made, Embedder)
    assert (made.name, made.dim) == ("tiny", 8)
    assert made.identity.revision == card.revision
    assert made.identity.pooling == "mean"


def test_mean_pooling_is_the_mean_over_all_tokens_marks_included(tiny: Tiny) -> None:
    made = OnnxEmbedder(*tiny())
    rows = tiny_table()[ids("[CLS]", "git", "[SEP]")]
    np.testing.assert_allclose(made.embed(["git"], "document")[0], unit(rows.mean(axis=0)), atol=1e-6)


def test_cls_pooling_is_the_first_token(tiny: Tiny) -> None:
    made = OnnxEmbedder(*tiny(pooling="cls"))
    np.testing.assert_allclose(made.embed(["git"], "document")[0], unit(tiny_table()[VOCABULARY["[CLS]"]]), atol=1e-6)


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_rows_come_in_order_and_do_not_depend_on_neighbours(tiny: Tiny, threads: int) -> None:
    made = OnnxEmbedder(*tiny(), threads=threads)
    texts = ["git", "", "the the the the", "install git", "a " * 50, "git"]
    together = made.embed(texts, "document")
    assert together.dtype == np.float32
    assert together.shape == (6, 8)
    np.testing.assert_allclose(np.linalg.norm(together, axis=1), 1, atol=1e-6)
    for text, row in zip(texts, together, strict=True):
        np.testing.assert_array_equal(made.embed([text], "document")[0], row)


def test_no_texts_are_no_rows(tiny: Tiny) -> None:
    made = OnnxEmbedder(*tiny())
    assert made.embed([], "document").shape == (0, 8)
    assert made.token_vectors([], "query") == []


def test_queries_and_documents_get_their_own_prefix(tiny: Tiny) -> None:
    made = OnnxEmbedder(*tiny(query_prefix="the: ", document_prefix="a "))
    plain = OnnxEmbedder(*tiny())
    np.testing.assert_array_equal(made.embed(["git"], "query"), plain.embed(["the: git"], "query"))
    np.testing.assert_array_equal(made.embed(["git"], "document"), plain.embed(["a git"], "document"))


def test_a_text_longer_than_the_model_is_cut(tiny: Tiny) -> None:
    made = OnnxEmbedder(*tiny(max_tokens=5))
    np.testing.assert_array_equal(made.embed(["a b c d e f"], "document"), made.embed(["a b c"], "document"))


def test_token_vectors_are_the_texts_own_tokens(tiny: Tiny) -> None:
    made = OnnxEmbedder(*tiny(query_prefix="the: "))
    one, none, two = made.token_vectors(["install git", "", "a b"], "query")
    assert (one.shape, none.shape, two.shape) == ((2, 8), (0, 8), (2, 8))
    expected = [unit(row) for row in tiny_table()[[made._tokens.encode("install", 9)[1], VOCABULARY["git"]]]]
    pieces = made._tokens.encode("install git", 99)[1:-1]
    assert len(pieces) == len(one)
    np.testing.assert_allclose(one[1], expected[1], atol=1e-6)


def test_tokens_can_be_counted(tiny: Tiny) -> None:
    assert OnnxEmbedder(*tiny()).count_tokens("git git") == 4


def test_many_threads_may_share_one_embedder(tiny: Tiny) -> None:
    made = OnnxEmbedder(*tiny())
    texts = [f"git {number}" for number in range(20)]
    expected = made.embed(texts, "document")
    found: dict[int, Any] = {}

    def work(at: int) -> None:
        found[at] = made.embed(texts, "document")

    threads = [threading.Thread(target=work, args=(at,)) for at in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 4
    for rows in found.values():
        np.testing.assert_array_equal(rows, expected)


def test_numbers_that_are_none_are_refused(tiny: Tiny) -> None:
    made = OnnxEmbedder(*tiny(np.full((len(VOCABULARY), 8), np.nan, np.float32)))
    with pytest.raises(EmbeddingError, match="no number"):
        made.embed(["git"], "document")


def test_a_failure_inside_the_runtime_is_an_embedding_error(tiny: Tiny) -> None:
    made = OnnxEmbedder(*tiny(np.ones((3, 8), np.float32)))  # the table is too short for the vocabulary
    with pytest.raises(EmbeddingError, match="failed on a text"):
        made.embed(["git", "git"], "document")


def test_a_file_that_is_no_model_is_a_clear_error(tiny: Tiny) -> None:
    card, home = tiny()
    (home / "model.onnx").write_bytes(b"rubbish")
    with pytest.raises(ModelMissing, match="cannot be opened"):
        OnnxEmbedder(card, home).embed(["git"], "query")


@pytest.mark.parametrize("written", [b"", b"{", bert_tokenizer()[:-5]])
def test_a_vocabulary_that_cannot_be_read_is_a_clear_error(tmp_path: Path, written: bytes) -> None:
    (tmp_path / "tokenizer.json").write_bytes(written)
    with pytest.raises(ModelMissing, match="cannot be read"):
        wordpiece_of(tmp_path / "tokenizer.json")


@given(st.lists(st.integers()), st.integers(1, 8))
def test_spread_does_each_once(numbers: list[int], threads: int) -> None:
    done: list[int] = []
    spread(done.append, numbers, threads)
    assert sorted(done) == sorted(numbers)


@pytest.mark.parametrize("kind", [ValueError, IndexError, KeyboardInterrupt])
def test_the_first_error_stops_the_others(kind: type[BaseException]) -> None:
    done: list[int] = []

    def work(number: int) -> None:
        if number == 0:
            raise kind
        done.append(number)

    with pytest.raises(kind):
        spread(work, range(100_000), 2)
    assert len(done) < 100_000 - 1


def test_there_is_a_core() -> None:
    assert usable_cores() >= 1
