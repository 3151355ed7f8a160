"""A model that gives wrong vectors here is refused; a good one is tested once and then trusted."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from scrubjay.embed.local import selftest
from scrubjay.embed.local.catalogue import ModelCard
from scrubjay.embed.local.onnx import OnnxEmbedder
from scrubjay.embed.local.selftest import STAMP, check
from scrubjay.errors import EmbeddingError, ModelMissing

Tiny = Callable[..., tuple[ModelCard, Path]]
TEXTS = ["install git", "the"]


class Counting(OnnxEmbedder):
    calls = 0

    def embed(self, texts, role):  # type: ignore[no-untyped-def]
        self.calls += 1
        return super().embed(texts, role)


@pytest.fixture
def good(tiny: Tiny, monkeypatch: pytest.MonkeyPatch) -> tuple[Counting, ModelCard, Path]:
    card, home = tiny()
    made = Counting(card, home)
    right = [list(map(int, np.round(row * 127))) for row in OnnxEmbedder(card, home).embed(TEXTS, "document")]
    monkeypatch.setattr(selftest, "probes_of", lambda _: (TEXTS, right))
    return made, card, home


def test_a_good_model_is_tested_once_and_then_trusted(good: tuple[Counting, ModelCard, Path]) -> None:
    made, card, home = good
    check(made, card, home)
    check(made, card, home)
    assert made.calls == 1
    assert (home / STAMP).read_text().startswith(card.revision)


def test_another_processor_or_runtime_is_tested_again(
    good: tuple[Counting, ModelCard, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    made, card, home = good
    check(made, card, home)
    monkeypatch.setattr(selftest, "_processor", lambda: "cpu=another")
    check(made, card, home)
    assert made.calls == 2


def test_wrong_vectors_are_refused_with_a_cure_and_not_remembered(
    good: tuple[Counting, ModelCard, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    made, card, home = good
    monkeypatch.setattr(selftest, "probes_of", lambda _: (TEXTS, [[1, -1] * 4, [-1, 1] * 4]))
    with pytest.raises(EmbeddingError) as told:
        check(made, card, home)
    assert "wrong vectors on this processor" in told.value.what
    assert "kb models list" in told.value.cure
    assert not (home / STAMP).exists()


def test_a_replaced_file_is_refused_even_after_a_good_test(good: tuple[Counting, ModelCard, Path]) -> None:
    made, card, home = good
    check(made, card, home)
    data = (home / "model.onnx").read_bytes()
    (home / "model.onnx").write_bytes(data[:-1] + bytes([data[-1] ^ 1]))
    with pytest.raises(ModelMissing, match="not the published file"):
        check(made, card, home)


def test_a_folder_that_cannot_be_written_only_costs_the_test(
    good: tuple[Counting, ModelCard, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    made, card, home = good

    def refuse(*_: object, **__: object) -> None:
        raise PermissionError

    monkeypatch.setattr(Path, "write_text", refuse)
    check(made, card, home)
    check(made, card, home)
    assert made.calls == 2


def test_the_processor_is_named_the_same_way_twice() -> None:
    assert selftest._processor() == selftest._processor()
