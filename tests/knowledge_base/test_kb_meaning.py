"""Which embedders speak for a base, what waits, and that nothing is sent where nobody chose to send it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import scrubjay
from fakes import Failing, Fixed
from scrubjay import registry
from scrubjay.embed.hashing import HashingEmbedder
from scrubjay.errors import NoEmbedder
from scrubjay.types import ModelIdentity


class Vendors:
    """Providers' embedders, made and asked by nobody unless the settings name them."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.made: list[str] = []
        monkeypatch.setattr(registry, "_provider", self._make)

    def _make(self, name: str, config: object) -> HashingEmbedder:
        self.made.append(name)
        return HashingEmbedder(16, name)


@pytest.fixture
def vendors(monkeypatch: pytest.MonkeyPatch) -> Vendors:
    return Vendors(monkeypatch)


@pytest.fixture
def foreign(place: str) -> str:
    """A base that somebody else made with a vendor's vectors, as a cloned repository may bring one."""
    with scrubjay.open(place, embedder=HashingEmbedder(16, "voyage/voyage-3.5")) as kb:
        kb.notes([{"text": "install git"}, {"text": "bake bread"}])
    return place


def test_f22_opening_somebodys_base_sends_nothing(foreign: str, vendors: Vendors) -> None:
    with scrubjay.open(foreign) as kb:
        result = kb.search("git")
        kb.note("another note")
        assert kb.status()["pending"] == 1
    assert vendors.made == []
    assert result.mode == "keyword"
    assert result.notices[0].reason == (
        "The base's vectors are by voyage/voyage-3.5, which your settings do not name. Nothing was sent there."
    )
    assert result.notices[0].remedy == "If you want that: kb config set embedder.name voyage/voyage-3.5"


@pytest.mark.parametrize("named", ["voyage", "voyage/voyage-3.5", "voyage/voyage-4"])
def test_f22_a_provider_that_the_settings_name_is_used(foreign: str, vendors: Vendors, named: str) -> None:
    with scrubjay.open(foreign, config={"embedder.name": named}) as kb:
        result = kb.search("git")
    assert (result.mode, result.notices) == ("hybrid", ())
    assert vendors.made == ["voyage/voyage-3.5"]


def test_f22_another_provider_in_the_settings_is_no_leave(foreign: str, vendors: Vendors) -> None:
    with scrubjay.open(foreign, config={"embedder.name": "openai"}) as kb:
        assert kb.search("git").mode == "keyword"
        with pytest.raises(scrubjay.errors.NoEmbedder):
            kb.reindex("cohere/embed-v4.0")
    assert vendors.made == []


def test_what_failed_is_tried_again_by_the_next_update(place: str, tmp_path: Path) -> None:
    broken = [True]
    embedder = Failing(lambda role, text: role == "document" and broken[0] and "bread" in text, dim=4)
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "a.md").write_text("install git\n")
    (folder / "b.md").write_text("bake bread\n")
    with scrubjay.open(place, embedder=embedder) as kb:
        assert "1 chunk could not be embedded" in kb.add(folder).notices[0].reason
        assert (kb.status()["failed"], kb.status()["vectors"]) == (1, 1)
        broken[0] = False
        report = kb.update()
        assert (report.embedded, report.notices) == (1, ())
        assert (kb.status()["failed"], kb.status()["vectors"]) == (0, 2)


class Short:
    """Reads four words and says of which texts it read only the beginning."""

    name, dim = "short", 8
    identity = ModelIdentity("short", 8)

    def embed(self, texts: Any, role: str) -> Any:
        return HashingEmbedder(8).embed([" ".join(text.split()[:4]) for text in texts], "document")

    def cut(self, texts: Any) -> list[int]:
        return [at for at, text in enumerate(texts) if len(text.split()) > 4]


def test_r091_a_text_longer_than_the_model_reads_is_partial(place: str) -> None:
    with scrubjay.open(place, embedder=Short()) as kb:
        long, short = kb.notes([{"text": "one two three four five six"}, {"text": "one two"}])
        assert {name: kb.status()[name] for name in ("vectors", "partial", "pending", "failed")} == {
            "vectors": 2, "partial": 1, "pending": 0, "failed": 0,
        }  # fmt: skip
        assert kb.search("one two three four", mode="vector").hits[0].document_id == long
        kb.remove(long)
        assert kb.status()["partial"] == 0
        kb.note("one two three four five six")
        assert kb.status()["partial"] == 1  # also when its vector was remembered
        assert short


def test_a_query_is_embedded_once_however_often_it_is_asked(place: str) -> None:
    embedder = Fixed({}, [1.0, 0.5])
    with scrubjay.open(place, embedder=embedder) as kb:
        kb.note("install git")
        for _ in range(3):
            kb.search("git")
        kb.search("bread")
    assert embedder.queries() == ["git", "bread"]


def test_the_same_text_is_never_embedded_twice(place: str, tmp_path: Path) -> None:
    embedder = Fixed({}, [1.0, 0.5])
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "a.md").write_text("# Title\n\ninstall git on every machine\n")
    with scrubjay.open(place, embedder=embedder) as kb:
        assert kb.add(folder).embedded == 1
        (folder / "a.md").rename(folder / "b.md")
        kb.update()
        (folder / "b.md").unlink()
        kb.update()
        (folder / "c.md").write_text("# Title\n\ninstall git on every machine\n")
        kb.update()
        assert kb.status()["pending"] == 0
        assert kb.search("git", mode="vector").hits
    assert [len(texts) for role, texts in embedder.calls if role == "document"] == [1]


def test_batches_hold_texts_of_like_length_and_providers_choose_their_size(place: str) -> None:
    embedder = Fixed({}, [1.0, 0.5])
    embedder.batch = 50  # type: ignore[attr-defined]
    texts = ["word " * (number * 7 % 40 + 1) + str(number) for number in range(120)]
    with scrubjay.open(place, embedder=embedder) as kb:
        kb.notes({"text": text} for text in texts)
    batches = [batch for role, batch in embedder.calls if role == "document"]
    assert [len(batch) for batch in batches] == [50, 50, 20]
    lengths = [len(text) for batch in batches for text in batch]
    assert lengths == sorted(lengths)
    assert np.sum([len(batch) for batch in batches]) == len(texts)


def test_the_time_told_is_all_that_was_waited_for(
    place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from itertools import count

    from scrubjay.knowledge_base import putting

    hours = count(step=3600)
    monkeypatch.setattr(putting, "perf_counter", lambda: float(next(hours)))
    (tmp_path / "a.md").write_text("install git\n")
    with scrubjay.open(place) as kb:
        assert kb.add(tmp_path / "a.md").seconds >= 3600


def test_none_is_no_embedder_whatever_the_base_holds(place: str) -> None:
    with scrubjay.open(place, config={"embedder.name": "hashing"}) as kb:
        kb.note("install git")
        assert kb.search("git").mode == "hybrid"
    with scrubjay.open(place, config={"embedder.name": "none"}) as kb:
        result = kb.search("git")
        assert (result.mode, len(result.hits)) == ("keyword", 1)
        assert [(each.stage, each.remedy) for each in result.notices] == [
            ("vector", "kb config set embedder.name auto")
        ]
        with pytest.raises(NoEmbedder, match="switched off"):
            kb.search("git", mode="vector")
