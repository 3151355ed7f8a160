"""A model's languages count: each chunk is embedded by the model that reads it, each query asks that one."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import scrubjay
from fakes import Fixed
from scrubjay import registry
from scrubjay.embed.hashing import HashingEmbedder
from scrubjay.embed.local import load
from scrubjay.embed.local.catalogue import find
from scrubjay.embed.local.install import installed

ARCTIC, MINILM, BGE = "snowflake-arctic-embed-s", "all-minilm-l6-v2", "bge-small-zh-v1.5"
ENGLISH = ("git init creates a repository", "a cake with cream", "the cat sleeps on the sofa")
CHINESE = ("数据库的备份每天晚上进行", "豆腐切块，加豆瓣酱炒香", "昨天下雨了，我没带伞")


class Machine:
    """What is installed, as embedders that remember what they were asked."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.installed: list[str] = []
        self.made: dict[str, Fixed] = {}
        monkeypatch.setattr(registry, "installed", lambda config: list(self.installed))
        monkeypatch.setattr(registry, "embedder", lambda name, config: self.of(name))

    def of(self, name: str) -> Fixed:
        if name not in self.made:
            self.made[name] = Fixed({}, [1.0] + [0.5] * (find(name).dim - 1), name)
        return self.made[name]

    def embedded(self, name: str) -> set[str]:
        return {text for role, texts in self.of(name).calls if role == "document" for text in texts}


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> Machine:
    return Machine(monkeypatch)


@pytest.fixture
def mixed(machine: Machine, place: str) -> Iterator[scrubjay.KnowledgeBase]:
    machine.installed = [ARCTIC, BGE]
    with scrubjay.open(place) as kb:
        kb.notes({"text": text} for text in (*ENGLISH, *CHINESE))
        yield kb


def test_each_chunk_is_embedded_by_the_model_that_reads_it(machine: Machine, mixed: scrubjay.KnowledgeBase) -> None:
    assert machine.embedded(ARCTIC) == set(ENGLISH)
    assert machine.embedded(BGE) == set(CHINESE)
    assert mixed.status()["pending"] == 0


def test_each_query_asks_the_model_that_reads_it(machine: Machine, mixed: scrubjay.KnowledgeBase) -> None:
    english, chinese = mixed.search("version control"), mixed.search("怎样备份")
    assert (english.mode, chinese.mode) == ("hybrid", "hybrid")
    assert (english.notices, chinese.notices) == ((), ())
    assert machine.of(ARCTIC).queries() == ["version control"]
    assert machine.of(BGE).queries() == ["怎样备份"]


@pytest.mark.parametrize(
    "query", ["резервное копирование", "النسخ الاحتياطي", "데이터베이스 백업", "データベースの設計"]
)
def test_a_query_in_a_script_nobody_reads_is_answered_by_its_words(
    machine: Machine, mixed: scrubjay.KnowledgeBase, query: str
) -> None:
    mixed.note(query)
    result = mixed.search(query)
    assert (result.mode, result.hits[0].snippet) == ("keyword", query)
    assert [notice.stage for notice in result.notices] == ["vector"]
    assert result.notices[0].reason == (
        f"This was searched by its words alone: {ARCTIC} and {BGE} do not read its script."
    )
    assert machine.of(ARCTIC).queries() == machine.of(BGE).queries() == []
    assert query not in machine.embedded(ARCTIC) | machine.embedded(BGE)
    assert mixed.status()["pending"] == 0


def test_the_notice_names_the_model_that_would_help(machine: Machine, place: str) -> None:
    machine.installed = [ARCTIC]
    with scrubjay.open(place) as kb:
        kb.note(ENGLISH[0])
        told = kb.search("怎样备份").notices
        assert [notice.remedy for notice in told] == [f"By meaning too: kb models pull {BGE}, then kb update"]
        machine.installed.append(BGE)
        assert kb.search("怎样备份").notices[0].remedy == "The installed model for it is used after: kb update"


def test_adding_what_nobody_reads_is_told_once(machine: Machine, place: str, tmp_path: str) -> None:
    from pathlib import Path

    machine.installed = [ARCTIC]
    folder = Path(tmp_path) / "notes"
    folder.mkdir()
    for number, text in enumerate((*ENGLISH, *CHINESE)):
        (folder / f"{number}.md").write_text(text + "\n", encoding="utf-8")
    with scrubjay.open(place) as kb:
        report = kb.add(folder)
        assert report.embedded == 3
        assert [(notice.stage, notice.reason) for notice in report.notices] == [
            ("embed", "3 chunks are found by words only: no model here reads their script.")
        ]
        assert kb.update().notices == ()
        machine.installed.append(BGE)
        again = kb.update()
        assert (again.embedded, again.notices) == (3, ())
    assert machine.embedded(BGE) == {f"{number}\n{text}\n" for number, text in enumerate(CHINESE, 3)}


def test_a_model_that_is_gone_leaves_its_chunks_waiting_and_not_to_another(
    machine: Machine, mixed: scrubjay.KnowledgeBase, monkeypatch: pytest.MonkeyPatch
) -> None:
    def gone(name: str, config: object) -> Fixed:
        if name == ARCTIC:
            raise scrubjay.errors.ModelMissing(f"the model {name} is not installed")
        return machine.of(name)

    place = mixed.store.location
    mixed.close()
    monkeypatch.setattr(registry, "embedder", gone)
    with scrubjay.open(place) as kb:
        kb.notes([{"text": "prune the roses in March"}, {"text": "明天早上八点的高铁"}])
        assert kb.status()["pending"] == 2  # it has to say itself which of them it leaves to others
    assert machine.embedded(BGE) == {*CHINESE, "明天早上八点的高铁"}


def test_a_new_main_model_keeps_the_companion_and_comes_first(
    machine: Machine, mixed: scrubjay.KnowledgeBase
) -> None:
    machine.installed.append(MINILM)
    report = mixed.reindex(MINILM)
    assert (report.complete, report.embedded) == (True, 3)
    assert [model.identity.name for model in mixed.models] == [MINILM, BGE]
    mixed.search("version control")
    mixed.search("怎样备份")
    mixed.note("prune the roses in March")
    assert machine.of(MINILM).queries() == ["version control"]
    assert machine.of(BGE).queries() == ["怎样备份"]
    assert machine.embedded(MINILM) == {*ENGLISH, "prune the roses in March"}
    assert machine.embedded(BGE) == set(CHINESE)


def test_a_companion_that_becomes_the_main_model_gets_all_chunks(
    machine: Machine, mixed: scrubjay.KnowledgeBase
) -> None:
    report = mixed.reindex(BGE)
    assert (report.complete, report.embedded) == (True, 3)
    assert [model.identity.name for model in mixed.models] == [BGE]
    assert machine.embedded(BGE) == {*ENGLISH, *CHINESE}
    assert mixed.search("version control").mode == "hybrid"


def test_a_model_for_every_script_needs_no_companion(machine: Machine, mixed: scrubjay.KnowledgeBase) -> None:
    place = mixed.store.location
    mixed.close()
    everything = HashingEmbedder(32, "everything")
    machine.made["everything"] = everything  # type: ignore[assignment]
    with scrubjay.open(place) as kb:
        report = kb.reindex("everything")
        assert (report.complete, report.embedded) == (True, 6)
        assert [model.identity.name for model in kb.models] == ["everything"]


@pytest.mark.model
def test_two_real_models_share_a_base(place: str) -> None:
    from scrubjay.config import load as settings

    folder = settings().models_folder
    if not all(installed(find(name), folder) for name in (ARCTIC, BGE)):
        pytest.skip(f"both models are needed: kb models pull {ARCTIC} {BGE}")
    assert load(BGE, folder).dim != load(ARCTIC, folder).dim
    with scrubjay.open(place) as kb:
        kb.notes({"text": text} for text in (*ENGLISH, *CHINESE))
        assert kb.status()["pending"] == 0
        for query, answer in (
            ("how to set up version control", ENGLISH[0]),
            ("怎样防止资料丢失", CHINESE[0]),
            ("麻辣的菜怎么做", CHINESE[1]),
        ):
            result = kb.search(query)
            assert (result.hits[0].snippet, result.notices) == (answer, ())
        assert kb.search("резервное копирование").mode == "keyword"
