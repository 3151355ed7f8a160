"""Token vectors in the base: made beside embedding, never of another text or model, gone with their chunk."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import scrubjay

NOTES = (
    {"id": "d_git", "title": "Git", "text": "how to install git on a machine that has none"},
    {"id": "d_bread", "title": "Bread", "text": "sourdough needs time and a warm place"},
)
ON = {"rerank.token_vectors": True}


class Words:
    """An embedder and a token embedder; it writes down which documents it read token by token."""

    dim = 384

    def __init__(self, name: str = "words", fails: bool = False) -> None:
        self.name = name
        self.fails = fails
        self.read: list[str] = []

    def embed(self, texts: list[str], role: str) -> np.ndarray:
        return np.stack([self._row(text) for text in texts]) if texts else np.zeros((0, 384), np.float32)

    def token_vectors(self, texts: list[str], role: str) -> list[np.ndarray]:
        if self.fails:
            raise RuntimeError("no memory")
        self.read += [text for text in texts if role == "document"]
        return [np.stack([self._row(word) for word in text.lower().split() or ["-"]]) for text in texts]

    def _row(self, text: str) -> np.ndarray:
        row = np.random.default_rng(abs(sum(ord(letter) * 31**at for at, letter in enumerate(text[:20])))).normal(
            size=384
        )
        return (row / np.linalg.norm(row)).astype(np.float32)


def opened(place: Path | str = ":memory:", embedder: Any = None, **settings: object) -> scrubjay.KnowledgeBase:
    return scrubjay.open(place, embedder=embedder or Words(), config={**ON, **settings})


def held(kb: scrubjay.KnowledgeBase) -> int:
    return int(kb.status()["token_vectors"]["chunks"])


def test_they_are_off_unless_asked_for() -> None:
    with scrubjay.open(":memory:", embedder=Words()) as kb:
        kb.notes(NOTES)
        assert kb.status()["token_vectors"] == {"chunks": 0, "bytes": 0}


def test_reranking_uses_them_instead_of_the_model() -> None:
    words = Words()
    with opened(embedder=words) as kb:
        kb.notes(NOTES)
        assert held(kb) == 2
        tokens = sum(len(text.split()) for text in words.read)
        assert kb.status()["token_vectors"]["bytes"] == tokens * (128 + 2)
        words.read.clear()
        found = kb.search("install git", rerank=True)
        assert found.hits[0].document_id == "d_git"
        assert found.hits[0].reread is not None
        assert found.hits[0].reread.by == "local/words+128"
        assert words.read == []


def test_files_that_are_added_have_them_too(tmp_path: Path) -> None:
    (tmp_path / "git.md").write_text("# Git\n\ninstall git\n", encoding="utf-8")
    with opened() as kb:
        kb.add(tmp_path)
        assert held(kb) == kb.status()["chunks"] > 0
        (tmp_path / "git.md").unlink()
        kb.update()
        assert held(kb) == 0


def test_an_edited_text_is_never_compared_by_its_old_one() -> None:
    words = Words()
    with opened(embedder=words) as kb:
        kb.notes(NOTES)
        kb.notes([{"id": "d_bread", "title": "Bread", "text": "install git before the dough rises"}], replace=True)
        assert held(kb) == 2
        assert any("dough" in text for text in words.read)
        words.read.clear()
        scores = {hit.document_id: hit.reread for hit in kb.search("install git", rerank=True).hits}
        assert words.read == []
        assert all(read is not None for read in scores.values())


def test_what_goes_takes_them_along() -> None:
    with opened() as kb:
        kb.notes(NOTES)
        kb.remove("d_bread")
        assert held(kb) == 1


def test_a_run_that_was_cut_off_goes_on(tmp_path: Path) -> None:
    place = tmp_path / "kb.db"
    with scrubjay.open(place, embedder=Words()) as kb:
        kb.notes(NOTES)
    broken = Words(fails=True)
    with opened(place, broken) as kb:
        report = kb.update()
        assert any("Token vectors could not be made: RuntimeError: no memory" in str(n.reason) for n in report.notices)
        assert held(kb) == 0
    with opened(place) as kb:
        kb.update()
        assert held(kb) == 2
    words = Words()
    with opened(place, words) as kb:
        kb.update()
        assert words.read == []  # and what is there is not made again


def test_a_passage_that_waits_is_read_by_the_model(tmp_path: Path) -> None:
    place, words = tmp_path / "kb.db", Words()
    with scrubjay.open(place, embedder=Words()) as kb:
        kb.notes(NOTES)
    with opened(place, words) as kb:
        found = kb.search("install git", rerank=True)
        assert found.hits[0].document_id == "d_git"
        assert words.read
        assert held(kb) == 0  # a search writes nothing


def test_switched_off_they_leave_the_base(tmp_path: Path) -> None:
    place = tmp_path / "kb.db"
    with opened(place) as kb:
        kb.notes(NOTES)
        assert held(kb) == 2
    with scrubjay.open(place, embedder=Words()) as kb:
        read = kb.search("install git", rerank=True).hits[0].reread
        assert read is not None
        assert read.by == "local/words"
        kb.update()
        assert held(kb) == 0


def test_another_model_brings_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place, other = tmp_path / "kb.db", Words("other")
    with opened(place) as kb:
        kb.notes(NOTES)
    monkeypatch.setattr("scrubjay.registry.embedder", lambda name, config: other)
    monkeypatch.setattr("scrubjay.registry.may_send", lambda name, config: True)
    monkeypatch.setattr("scrubjay.registry.wanted", lambda config: ["other"])
    with scrubjay.open(place, config={**ON, "embedder.name": "other"}) as kb:
        kb.reindex("other")
        assert [model.identity.name for model in kb.models] == ["other"]
        assert held(kb) == 2
        assert len(other.read) == 2
