"""Token vectors made small: the projection is always the same, and packing loses next to nothing."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.embed.local.catalogue import DEFAULT, find
from scrubjay.rerank.local import LocalReranker, MemoryTokenCache
from scrubjay.rerank.tokens import (
    DIMENSIONS,
    Packed,
    ProjectedTokens,
    _projection,
    packed,
    projected,
    projection_file,
    unpacked,
)
from scrubjay.types import ModelIdentity


def unit(rows: int, dimensions: int, seed: int = 0) -> np.ndarray:
    drawn = np.random.default_rng(seed).normal(size=(rows, dimensions)).astype(np.float32)
    return drawn / np.linalg.norm(drawn, axis=1, keepdims=True)


def test_the_projection_is_orthonormal_and_fixed() -> None:
    matrix = _projection(384)
    assert matrix.shape == (384, DIMENSIONS)
    assert np.allclose(matrix.T @ matrix, np.eye(DIMENSIONS), atol=1e-5)
    # What bases hold was written with these numbers: another seed or another way is another FORM.
    assert matrix[0, :3] == pytest.approx([0.0413325, -0.0382184, 0.0066371], abs=1e-5)


def test_rows_keep_length_one_and_small_ones_stay_as_they_are() -> None:
    assert np.allclose(np.linalg.norm(projected(unit(9, 384)), axis=1), 1, atol=1e-5)
    small = unit(4, 64)
    assert projected(small) is small


@given(st.integers(0, 40), st.integers(1, 128), st.integers(0, 999))
def test_packing_keeps_every_number_to_a_hundredth(rows: int, dimensions: int, seed: int) -> None:
    vectors = unit(rows, dimensions, seed)
    kept = packed(vectors)
    assert len(kept.scales) == 2 * rows
    assert len(kept.rows) == rows * dimensions
    again = unpacked(kept)
    assert len(again) == rows
    assert again.dtype == np.float32
    assert rows == 0 or np.abs(again - vectors).max() < 0.01


def test_zeros_and_nothing_can_be_kept() -> None:
    assert not unpacked(packed(np.zeros((3, 128), np.float32))).any()
    assert unpacked(Packed(b"", b"")).shape == (0, DIMENSIONS)


class Drawn:
    """A token embedder: the same word has the same vector of 384 numbers."""

    name = "drawn"

    def __init__(self) -> None:
        self.read: list[str] = []

    def token_vectors(self, texts: list[str], role: str) -> list[np.ndarray]:
        self.read += [text for text in texts if role == "document"]
        return [
            np.concatenate([unit(1, 384, sum(map(ord, word))) for word in text.split()] or [np.zeros((0, 384), "f4")])
            for text in texts
        ]


def test_a_passage_that_is_kept_scores_as_one_that_is_not() -> None:
    tokens, query, texts = ProjectedTokens(Drawn()), "install git", ["how to install git", "a cake", ""]
    fresh = LocalReranker(tokens, whole=True).score(query, texts)
    cache = MemoryTokenCache()
    reranker = LocalReranker(tokens, cache, whole=True)
    keys = [reranker.key(text) for text in texts]
    for key, kept in zip(keys, tokens.packed(texts), strict=True):
        cache.put(key, unpacked(kept))
    assert reranker.score(query, texts) == fresh
    assert fresh[0] > fresh[1]
    assert fresh[0] > 0.99


def test_all_of_a_passage_is_read_whatever_is_asked() -> None:
    embedder = Drawn()
    long = "word " * 400 + "git"
    LocalReranker(ProjectedTokens(embedder), whole=True).score("git", [long, "git"])
    assert long in embedder.read


class Catalogued:
    """The default model, as far as its name and its weights go."""

    name = DEFAULT

    def __init__(self, revision: str = find(DEFAULT).revision) -> None:
        self.identity = ModelIdentity(DEFAULT, 384, revision)


def test_the_default_model_brings_its_own_projection() -> None:
    (file,) = projection_file(Drawn()).parent.glob("*.npy")
    matrix = _projection(384, str(file))
    assert file == projection_file(Catalogued())
    assert matrix.shape == (384, DIMENSIONS)
    assert np.allclose(matrix.T @ matrix, np.eye(DIMENSIONS), atol=2e-3)
    assert not np.allclose(matrix, _projection(384))


def test_other_weights_by_the_same_name_do_not_take_it() -> None:
    assert projection_file(Catalogued()).is_file()
    assert not projection_file(Catalogued("000000000000")).is_file()
    assert not projection_file(Drawn()).is_file()
