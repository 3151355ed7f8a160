"""What every embedder must do, whoever makes the vectors: one suite over all of them."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from http_vendor import Vendor
from scrubjay.config import load
from scrubjay.embed.hashing import HashingEmbedder
from scrubjay.embed.local import DEFAULT
from scrubjay.embed.local import load as load_local
from scrubjay.embed.providers import PROVIDERS, http_embedder
from scrubjay.ports import Embedder
from scrubjay.transport import HttpTransport

TEXTS = ["install git", "how to bake bread", "数据库设计", "x"]


@pytest.fixture(scope="module")
def vendor() -> Iterator[Vendor]:
    vendor = Vendor()
    yield vendor
    vendor.close()


@pytest.fixture(scope="module")
def transport() -> Iterator[HttpTransport]:
    transport = HttpTransport()
    yield transport
    transport.close()


@pytest.fixture(params=["hashing", "hashing, small", *PROVIDERS, pytest.param("local", marks=pytest.mark.model)])
def embedder(request: pytest.FixtureRequest, vendor: Vendor, transport: HttpTransport) -> Any:
    if request.param.startswith("hashing"):
        return HashingEmbedder(8) if "small" in request.param else HashingEmbedder()
    if request.param == "local":
        return load_local(DEFAULT, load().models_folder)
    return http_embedder(request.param, transport, key=lambda: "key", url=vendor.url, model="tiny")


def test_it_fits_the_port(embedder: Embedder) -> None:
    assert isinstance(embedder, Embedder)
    assert embedder.name
    assert embedder.dim > 0


@pytest.mark.parametrize("role", ["query", "document"])
def test_one_finite_row_a_text(embedder: Embedder, role: Any) -> None:
    vectors = embedder.embed(TEXTS, role)
    assert vectors.shape == (len(TEXTS), embedder.dim)
    assert vectors.dtype == np.float32
    assert np.isfinite(vectors).all()
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-3), "of length one, none of length zero"


def test_in_the_order_given_and_alike_in_any_company(embedder: Embedder) -> None:
    together = embedder.embed(TEXTS, "document")
    assert np.allclose(together[::-1], embedder.embed(TEXTS[::-1], "document"), atol=2e-3)
    alone = np.vstack([embedder.embed([text], "document") for text in TEXTS])
    assert np.allclose(together, alone, atol=2e-2)


def test_the_same_text_has_the_same_vector(embedder: Embedder) -> None:
    first, second = embedder.embed(["install git"] * 2, "document")
    assert np.allclose(first, second, atol=1e-6)
    assert np.allclose(first, embedder.embed(["install git"], "document")[0], atol=1e-6)


def test_different_texts_have_different_vectors(embedder: Embedder) -> None:
    vectors = embedder.embed(TEXTS[:3], "document")
    assert np.max(np.abs(vectors @ vectors.T - np.eye(3))) < 0.9999


def test_nothing_to_embed(embedder: Embedder) -> None:
    assert embedder.embed([], "document").shape[0] == 0


@pytest.mark.parametrize("text", ["", " ", "\n\t", "\ufffd", "\ufeff", "a\u0301" * 50, "🙂" * 200, "word " * 3000])
def test_odd_texts_have_a_vector_too(embedder: Embedder, text: str) -> None:
    vectors = embedder.embed([text, "install git"], "document")
    assert vectors.shape == (2, embedder.dim)
    assert np.isfinite(vectors).all()
    assert np.linalg.norm(vectors[0]) > 0 or not text.strip(), "only what is blank may have no direction"
    assert np.linalg.norm(vectors[1]) > 0


@settings(max_examples=10)
@given(texts=st.lists(st.text(st.characters(exclude_categories=["Cs"]), max_size=40), min_size=1, max_size=3))
def test_any_text(embedder: Embedder, texts: list[str]) -> None:
    vectors = embedder.embed(texts, "query")
    assert vectors.shape == (len(texts), embedder.dim)
    assert np.isfinite(vectors).all()


def test_more_texts_than_one_request_takes(embedder: Embedder) -> None:
    texts = [f"text number {number}" for number in range(150)]
    vectors = embedder.embed(texts, "document")
    assert vectors.shape == (150, embedder.dim)
    assert np.allclose(vectors[149], embedder.embed([texts[149]], "document")[0], atol=2e-2)


def test_the_texts_are_left_as_they_are(embedder: Embedder) -> None:
    given = list(TEXTS)
    embedder.embed(given, "document")
    assert given == TEXTS


def test_the_caller_may_write_into_the_vectors(embedder: Embedder) -> None:
    before = embedder.embed(TEXTS, "document")
    kept = before.copy()
    before[:] = 0
    assert np.allclose(embedder.embed(TEXTS, "document"), kept, atol=1e-6)


def test_two_threads_at_once(embedder: Embedder) -> None:
    """A search embeds its query while an add embeds in its own thread."""
    wanted = embedder.embed(["install git"], "query")
    got: list[Any] = []

    def work() -> None:
        got.extend(embedder.embed(["install git"], "query") for _ in range(3))

    threads = [threading.Thread(target=work) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(got) == 6
    assert all(np.allclose(vectors, wanted, atol=1e-5) for vectors in got)
