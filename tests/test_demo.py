"""The searches that `make demo` shows give the answers that it promises, with the real model."""

from __future__ import annotations

import importlib.util
import json
import os
import shlex
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import scrubjay
from scrubjay.config import load
from scrubjay.embed.local import DEFAULT, find
from scrubjay.embed.local.install import home_of, installed

EXAMPLES = Path(__file__).resolve().parent.parent / "examples"
Run = Callable[..., Any]


def steps() -> Any:
    spec = importlib.util.spec_from_file_location("demo", EXAMPLES / "demo.py")
    assert spec
    assert spec.loader
    demo = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(demo)
    return demo.STEPS


@pytest.fixture
def only_the_default(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a fresh clone has after `make demo`: the default model and no other."""
    folder = load().models_folder
    card = find(DEFAULT)
    if not installed(card, folder):
        pytest.skip("the default model is not installed: kb models pull")
    shutil.copytree(home_of(card, folder), tmp_path / "models" / card.name, symlinks=True, copy_function=os.symlink)
    monkeypatch.setenv("KB_MODELS_FOLDER", str(tmp_path / "models"))


@pytest.mark.model
def test_every_search_of_the_demo_answers_as_promised(
    run: Run, place: str, only_the_default: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(EXAMPLES)
    shown, by_meaning = 0, 0
    for step in steps():
        done = run(*shlex.split(step.command)[1:], "--json")
        assert done.code == 0, done.err
        if not step.first:
            continue
        top = json.loads(done.out)["results"][0]
        assert Path(top["path"]).name == step.first, step.command
        shown += 1
        if step.by_meaning:
            by_meaning += 1
            with scrubjay.open(place) as kb:
                passage = kb.get(top["id"]).documents[0]
                asked = {word for _, _, word in kb.store.tokens(shlex.split(step.command)[2])}
                said = {word for _, _, word in kb.store.tokens(f"{passage.title} {passage.text} {passage.path}")}
            assert asked & said == set(), step.command
    assert shown >= 5
    assert by_meaning >= 3
