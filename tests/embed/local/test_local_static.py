"""The static table: the mean of the tokens' rows, from a file read by hand."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from embed.local.test_local_bpe import MERGES, VOCABULARY
from embed.local.tiny_models import a_card, safetensors
from scrubjay.embed.local.catalogue import ModelCard
from scrubjay.embed.local.static import StaticEmbedder, read_table
from scrubjay.errors import ModelMissing
from scrubjay.ports import Embedder

TABLE = np.random.default_rng(2).normal(size=(len(VOCABULARY), 8)).astype(np.float16)


@pytest.fixture
def made(tmp_path: Path) -> StaticEmbedder:
    files = {
        "model.safetensors": safetensors(TABLE),
        "tokenizer.json": json.dumps({"model": {"vocab": VOCABULARY, "merges": MERGES}}).encode(),
    }
    for name, data in files.items():
        (tmp_path / name).write_bytes(data)
    card: ModelCard = a_card(files, runtime="static")
    return StaticEmbedder(card, tmp_path)


def test_it_is_an_embedder_with_an_identity(made: StaticEmbedder) -> None:
    assert isinstance(made, Embedder)
    assert made.identity.dim == made.dim == 8


def test_a_vector_is_the_mean_of_the_tokens_rows(made: StaticEmbedder) -> None:
    mean = TABLE[[VOCABULARY["▁the"], VOCABULARY["▁all"]]].astype(np.float32).mean(axis=0)
    found = made.embed(["the all"], "query")
    assert found.dtype == np.float32
    np.testing.assert_allclose(found[0], mean / np.linalg.norm(mean), atol=1e-5)


def test_an_empty_text_is_near_to_nothing(made: StaticEmbedder) -> None:
    rows = made.embed(["", "the"], "document")
    assert np.linalg.norm(rows[0]) == 0
    assert np.linalg.norm(rows[1]) == pytest.approx(1, abs=1e-5)


def test_no_texts_are_no_rows(made: StaticEmbedder) -> None:
    assert made.embed([], "document").shape == (0, 8)


@pytest.mark.parametrize(
    "written",
    [b"", b"\xff" * 8, b"\x02\0\0\0\0\0\0\0{}", safetensors(TABLE)[:-2], safetensors(TABLE, "F32")],
    ids=["empty", "no header", "no tensor", "cut short", "another type"],
)
def test_a_table_that_cannot_be_read_is_a_clear_error(tmp_path: Path, written: bytes) -> None:
    (tmp_path / "t").write_bytes(written)
    with pytest.raises(ModelMissing, match="cannot be read"):
        read_table(tmp_path / "t")
