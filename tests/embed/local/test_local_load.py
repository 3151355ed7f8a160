"""Opening models by name: the errors a person meets, and the real default model."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from scrubjay.embed.local import DEFAULT, find, load
from scrubjay.embed.local.install import damaged, home_of
from scrubjay.embed.local.onnx import OnnxEmbedder
from scrubjay.embed.local.selftest import ENOUGH, self_test
from scrubjay.errors import ModelMissing, UsageError


def test_a_model_that_is_not_installed_names_the_command(tmp_path: Path) -> None:
    with pytest.raises(ModelMissing) as told:
        load("minilm", tmp_path)
    assert told.value.cure == "run: kb models pull all-minilm-l6-v2"


def test_an_unknown_model_is_a_usage_error(tmp_path: Path) -> None:
    with pytest.raises(UsageError):
        load("gpt", tmp_path)


def test_half_a_model_is_not_installed(tmp_path: Path) -> None:
    home = home_of(find(DEFAULT), tmp_path)
    home.mkdir()
    (home / "model.onnx").write_bytes(b"half")
    with pytest.raises(ModelMissing):
        load(DEFAULT, tmp_path)


def test_the_package_starts_without_heavy_libraries() -> None:
    heavy = ("numpy", "onnxruntime", "tokenizers", "ssl", "subprocess", "typing")
    code = f"import sys, scrubjay.embed.local; print([name for name in {heavy} if name in sys.modules])"
    command = [sys.executable, "-S", "-c", code]
    done = subprocess.run(command, capture_output=True, text=True, env={"PYTHONPATH": source()})
    assert done.stdout.strip() == "[]", done.stderr


def source() -> str:
    import scrubjay

    assert scrubjay.__file__
    return str(Path(scrubjay.__file__).parents[1])


@pytest.fixture(scope="module")
def default(models: Path) -> OnnxEmbedder:
    made = load(DEFAULT, models)
    assert isinstance(made, OnnxEmbedder)
    return made


@pytest.mark.model
def test_the_default_model_is_whole_and_right_on_this_processor(models: Path, default: OnnxEmbedder) -> None:
    card = find(DEFAULT)
    assert damaged(card, models) == []
    assert self_test(default, card) >= ENOUGH


@pytest.mark.model
def test_the_default_model_understands(default: OnnxEmbedder) -> None:
    documents = default.embed(
        [
            "git reset --soft HEAD~1 takes back the newest commit and keeps the changes",
            "Bake the bread for forty minutes at 220 degrees",
            "The invoice has to be paid within fourteen days",
        ],
        "document",
    )
    queries = default.embed(["undo my last commit", "oven temperature for a loaf", "payment deadline"], "query")
    assert (queries @ documents.T).argmax(axis=1).tolist() == [0, 1, 2]


@pytest.mark.model
def test_a_text_has_the_same_vector_whatever_is_beside_it(default: OnnxEmbedder) -> None:
    texts = ["undo my last commit", "a much longer text " * 20, ""]
    together = default.embed(texts, "document")
    again = default.embed([*texts[::-1], "another"], "document")
    np.testing.assert_array_equal(together, again[2::-1])
    alone = np.vstack([default.embed([text], "document") for text in texts])
    assert (alone * together).sum(axis=1).min() > 0.999


@pytest.mark.model
def test_the_real_vocabulary_gives_the_reference_ids(models: Path, default: OnnxEmbedder) -> None:
    import tokenizers

    reference = tokenizers.Tokenizer.from_file(str(home_of(find(DEFAULT), models) / "tokenizer.json"))
    reference.no_padding()
    reference.enable_truncation(512)
    for text in (
        "Installing Git on “Linux”: naïve café, 数据库 №5 𝔘nicode [SEP]",
        "x = {'a': [1, 2]}  # ok\n" * 90,
        "",
    ):
        assert default._tokens.encode(text, 512) == reference.encode(text).ids
