"""A cross-encoder of the user's own, from the settings to the hits and to `kb doctor`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import scrubjay
from embed.local.tiny_models import a_cross_encoder
from scrubjay.types import Check

# By words alone the first wins; the cross-encoder asks for both words.
NOTES = (
    {"id": "d_often", "text": "git git git git git git git " + "x" * 90},
    {"id": "d_both", "text": "how to install git on a machine that has none, in as many words as it takes " + "y" * 60},
)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return a_cross_encoder(tmp_path / "tiny-reranker")


def opened(**settings: object) -> scrubjay.KnowledgeBase:
    kb = scrubjay.open(":memory:", config={"embedder.name": "none", **settings})
    kb.notes(NOTES)
    return kb


def looked_at(kb: scrubjay.KnowledgeBase) -> list[Check]:
    return [check for check in kb.doctor() if check.name == "reranker"]


@pytest.mark.parametrize("provider", ["cross-encoder", "local", "auto"])
def test_it_reranks_when_the_settings_name_its_folder(home: Path, provider: str) -> None:
    with opened(**{"rerank.provider": provider, "rerank.model": str(home)}) as kb:
        assert kb.search("git", rerank=False).hits[0].document_id == "d_often"
        found = kb.search("install git", rerank=True)
        assert found.hits[0].document_id == "d_both"
        read = found.hits[0].reread
        assert read is not None
        assert read.by == "cross-encoder/tiny-reranker"
        assert 0.5 < read.score < 1
        assert read.final == pytest.approx(read.score * read.penalty)
        assert [check.detail for check in looked_at(kb)] == ["cross-encoder/tiny-reranker"]


def test_the_environment_names_it(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CROSS_ENCODER_PROVIDER", "cross-encoder")
    with opened(**{"rerank.model": str(home)}) as kb:
        assert kb.search("install git", rerank=True).hits[0].document_id == "d_both"


@pytest.mark.parametrize(("model", "said"), [("", "rerank.model is empty"), ("no/such/folder", "There is no folder")])
def test_without_its_folder_the_order_stays_and_the_cure_is_told(model: str, said: str) -> None:
    with opened(**{"rerank.provider": "cross-encoder", "rerank.model": model}) as kb:
        before, found = kb.search("install git"), kb.search("install git", rerank=True)
        assert [hit.id for hit in found.hits] == [hit.id for hit in before.hits]
        (notice,) = [notice for notice in found.notices if notice.stage == "rerank"]
        assert said in notice.reason
        assert notice.remedy
        (check,) = looked_at(kb)
        assert check.ok is False
        assert said in check.detail


def test_a_wrong_file_leaves_the_order_and_shows_in_doctor(home: Path) -> None:
    (home / "model.onnx").write_bytes(b"nothing")
    with opened(**{"rerank.provider": "cross-encoder", "rerank.model": str(home)}) as kb:
        found = kb.search("install git", rerank=True)
        assert all(hit.reread is None for hit in found.hits)
        assert any("cannot be opened" in notice.reason for notice in found.notices)
        assert looked_at(kb)[0].ok is False


def test_auto_does_not_take_the_name_of_a_vendors_model_for_a_folder() -> None:
    with opened(**{"rerank.provider": "auto", "rerank.model": "rerank-2.5-lite"}) as kb:
        assert looked_at(kb) == []


def test_a_project_cannot_name_a_model(home: Path, write: Callable[..., Path]) -> None:
    lines = f'[rerank]\nenabled = true\nprovider = "cross-encoder"\nmodel = "{home}"\n'
    folder = write("project/.kb/config.toml", lines).parent
    with scrubjay.open(folder / "kb.db") as kb:
        kb.notes(NOTES)
        assert all(hit.reread is None for hit in kb.search("install git").hits)
