"""What every reranker must do, whoever it is: one suite over all of them."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from math import isfinite
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parents[1]))

from embed.local.tiny_models import a_cross_encoder
from http_vendor import Vendor
from scrubjay.embed.local.pairs import PairModel
from scrubjay.ports import Reranker
from scrubjay.rerank.client import PROVIDERS, http_reranker
from scrubjay.rerank.cross import CrossEncoder
from scrubjay.rerank.local import LocalReranker, MemoryTokenCache
from scrubjay.rerank.tokens import ProjectedTokens
from scrubjay.transport import HttpTransport

QUERY = "install git"
PASSAGES = ["cake with cream", "how to install git on linux", "install a printer", "数据库设计"]


class Letters:
    """A token embedder without a model: a token a word, a dimension a letter."""

    name = "letters"

    def token_vectors(self, texts: list[str], role: str) -> list[np.ndarray]:
        return [np.array([self._word(word) for word in text.split()], np.float32).reshape(-1, 64) for text in texts]

    def _word(self, word: str) -> np.ndarray:
        row = np.full(64, 1e-6)
        for letter in word:
            row[ord(letter) % 64] += 1
        return row / np.linalg.norm(row)


@pytest.fixture(scope="module")
def vendor() -> Iterator[Vendor]:
    vendor = Vendor()
    yield vendor
    vendor.close()


@pytest.fixture(params=[*PROVIDERS, "local", "local, cached", "local, kept", "cross-encoder"])
def reranker(request: pytest.FixtureRequest, vendor: Vendor, tmp_path: Path) -> Reranker:
    if request.param == "cross-encoder":
        return CrossEncoder(PairModel(str(a_cross_encoder(tmp_path / "tiny"))))
    if request.param == "local, kept":
        return LocalReranker(ProjectedTokens(Letters()), MemoryTokenCache(), whole=True)
    if request.param.startswith("local"):
        return LocalReranker(Letters(), MemoryTokenCache() if "cached" in request.param else None)
    return http_reranker(request.param, HttpTransport(), key=lambda: "key", url=vendor.url)


def test_it_fits_the_port(reranker: Reranker) -> None:
    assert isinstance(reranker, Reranker)
    assert "/" in reranker.name


def test_one_finite_score_a_passage(reranker: Reranker) -> None:
    scores = reranker.score(QUERY, PASSAGES)
    assert len(scores) == len(PASSAGES)
    assert all(isinstance(score, float) and isfinite(score) for score in scores)


def test_the_best_match_scores_best_wherever_it_stands(reranker: Reranker) -> None:
    for turn in range(len(PASSAGES)):
        turned = PASSAGES[turn:] + PASSAGES[:turn]
        scores = list(reranker.score(QUERY, turned))
        assert turned[scores.index(max(scores))] == "how to install git on linux"


def test_equal_passages_score_equally(reranker: Reranker) -> None:
    scores = reranker.score(QUERY, ["install git", "cake", "install git"])
    assert scores[0] == scores[2]


def test_no_passages_no_scores(reranker: Reranker) -> None:
    assert list(reranker.score(QUERY, [])) == []


def test_an_empty_passage_is_never_the_best(reranker: Reranker) -> None:
    scores = reranker.score(QUERY, ["", "install git", " "])
    assert scores[1] == max(scores)
    assert scores[0] == scores[2] <= scores[1]


def test_a_hundred_and_one_passages(reranker: Reranker) -> None:
    scores = reranker.score(QUERY, [f"number {number}" for number in range(100)] + ["install git"])
    assert len(scores) == 101
    assert scores[100] == max(scores)


def test_any_text_is_accepted(reranker: Reranker) -> None:
    assert len(reranker.score('"x\0 🐦 \ud800', ["a\0b", "\ud83d", "x" * 50_000])) == 3


def test_the_passages_are_left_as_they_are(reranker: Reranker) -> None:
    given = list(PASSAGES)
    reranker.score(QUERY, given)
    assert given == PASSAGES
