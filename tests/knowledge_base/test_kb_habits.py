"""Learning from use: what one search showed and what was opened after it draws together, and fades."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import scrubjay
from fakes import process
from scrubjay.knowledge_base import habits

TEXTS = {"d_1": "git on the server", "d_2": "git on the laptop", "d_3": "git in the cloud", "d_4": "bread"}


@pytest.fixture
def filled(place: str) -> str:
    with scrubjay.open(place) as kb:
        kb.notes({"id": id, "text": text} for id, text in TEXTS.items())
    return place


def learned(kb: scrubjay.KnowledgeBase) -> dict[tuple[str, str | None], float]:
    return {(edge.source, edge.target): round(edge.strength, 3) for edge in kb.learned()}


def test_what_is_opened_after_one_search_belongs_together(filled: str) -> None:
    with scrubjay.open(filled) as kb:
        kb.search("git")
        kb.get("d_1")
        assert learned(kb) == {}  # one document alone belongs to nothing
        kb.get("d_3")
        assert learned(kb) == {("d_1", "d_3"): 0.2}
        assert {(edge.relation, edge.origin) for edge in kb.learned()} == {("opened_with", "learned")}


def test_opened_at_once_counts_as_well_and_each_time_more(filled: str) -> None:
    with scrubjay.open(filled) as kb:
        strengths = []
        for _ in range(3):
            kb.unlearn("d_4")  # forgets what was opened before, nothing else
            kb.search("git")
            kb.get(["d_1", "d_2"])
            strengths.append(learned(kb)["d_1", "d_2"])
    assert strengths == [0.2, 0.36, 0.488]


@pytest.mark.parametrize("opened", [("d_1", "d_4"), ("d_4",), ()])
def test_what_the_search_did_not_show_is_not_learned(filled: str, opened: tuple[str, ...]) -> None:
    with scrubjay.open(filled) as kb:
        kb.search("git")
        for id in opened:
            kb.get(id)
        assert learned(kb) == {}


def test_opening_without_a_search_teaches_nothing(filled: str) -> None:
    with scrubjay.open(filled) as kb:
        kb.get(["d_1", "d_2"])
        assert learned(kb) == {}


def test_who_opens_everything_exports_and_means_nothing(place: str) -> None:
    with scrubjay.open(place) as kb:
        ids = kb.notes({"text": f"git {number}"} for number in range(9))
        kb.search("git", top=20)
        kb.get(ids)
        assert learned(kb) == {}


def test_after_half_an_hour_a_search_is_forgotten(filled: str, monkeypatch: pytest.MonkeyPatch) -> None:
    now = [1_000_000.0]
    monkeypatch.setattr(habits, "time", lambda: now[0])
    with scrubjay.open(filled) as kb:
        kb.search("git")
        now[0] += habits._WINDOW + 1
        kb.get(["d_1", "d_2"])
        assert learned(kb) == {}
        kb.search("git")
        now[0] += habits._WINDOW - 1
        kb.get(["d_1", "d_2"])
        assert learned(kb) == {("d_1", "d_2"): 0.2}


def test_what_was_learned_fades_by_half_in_its_half_life(filled: str) -> None:
    with scrubjay.open(filled, config={"graph.half_life_days": 10}) as kb:
        kb.search("git")
        kb.get(["d_1", "d_2"])
        before = kb.learned()[0].strength
        with kb.store.writing():
            kb.store._connection.execute(  # type: ignore[attr-defined]
                "UPDATE edges SET updated_at = strftime('%Y-%m-%dT%H:%M:%SZ', 'now', '-10 days')"
            )
        assert kb.learned()[0].strength == pytest.approx(before / 2, rel=1e-3)


def test_unlearn_forgets_one_document_or_all(filled: str) -> None:
    with scrubjay.open(filled) as kb:
        kb.search("git")
        kb.get(["d_1", "d_2", "d_3"])
        assert len(kb.learned()) == 3
        assert kb.unlearn("d_1") == 2
        assert learned(kb) == {("d_2", "d_3"): 0.2}
        assert (kb.unlearn(), learned(kb)) == (1, {})
        kb.get("d_2")  # what was found lately is forgotten too
        kb.get("d_3")
        assert learned(kb) == {}


def test_what_a_person_said_stays_when_habits_are_forgotten(filled: str) -> None:
    with scrubjay.open(filled) as kb:
        kb.link("d_1", "d_4", "caused")
        kb.search("git")
        kb.get(["d_1", "d_2"])
        kb.unlearn()
        assert [edge.relation for edge in kb.links("d_1")] == ["caused"]


def test_off_nothing_is_written_and_nothing_learned(filled: str) -> None:
    with scrubjay.open(filled, config={"graph.learn": False}) as kb:
        kb.search("git")
        kb.get(["d_1", "d_2"])
        assert learned(kb) == {}
    assert not os.path.exists(f"{filled}-recent")


def test_the_file_holds_no_words_and_is_nobody_elses(filled: str) -> None:
    with scrubjay.open(filled) as kb:
        kb.search("git secret words")
    recent = Path(f"{filled}-recent")
    told = recent.read_text()
    assert "secret" not in told
    assert "d_1" in told
    assert recent.stat().st_mode & 0o077 == 0


@pytest.mark.parametrize(
    "rubbish", [b"", b"\xff\xfe\x00\n", b"s\n", b"s x d_1 d_2\no 9 \n", b"z 99999999999 d_1 d_2\n"]
)
def test_a_file_that_is_rubbish_does_no_harm(filled: str, rubbish: bytes) -> None:
    Path(f"{filled}-recent").write_bytes(rubbish)
    with scrubjay.open(filled) as kb:
        kb.get(["d_1", "d_2"])
        assert learned(kb) == {}
        kb.search("git")
        kb.get(["d_1", "d_2"])
        assert learned(kb) == {("d_1", "d_2"): 0.2}


def test_the_file_does_not_grow_for_ever(filled: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(habits, "_MOST_BYTES", 500)
    with scrubjay.open(filled) as kb:
        for _ in range(100):
            kb.search("git")
    assert os.path.getsize(f"{filled}-recent") < 1000


def test_one_command_learns_from_another(tmp_path: Path) -> None:
    with scrubjay.open(tmp_path / "kb.db") as kb:
        kb.notes({"id": id, "text": text} for id, text in TEXTS.items())
    for words in (("search", "git"), ("get", "d_1"), ("get", "d_2")):
        assert process(tmp_path, *words).returncode == 0
    done = process(tmp_path, "learned")
    assert "git on the server" in done.stdout
    assert "git on the laptop" in done.stdout
    assert process(tmp_path, "unlearn").returncode == 0
    assert "git on the" not in process(tmp_path, "learned").stdout


def test_a_base_that_is_being_written_is_not_waited_for(filled: str) -> None:
    with scrubjay.open(filled) as kb, scrubjay.open(filled) as other:
        kb.search("git")
        with other.store.writing():
            other.note("half a transaction")
            assert len(kb.get(["d_1", "d_2"]).documents) == 2
        assert learned(kb) == {}
        kb.get(["d_1", "d_2"])
        assert learned(kb) == {("d_1", "d_2"): 0.2}


def test_what_was_learned_leads_a_search_to_it(filled: str) -> None:
    with scrubjay.open(filled) as kb:
        for _ in range(6):
            kb.search("git")
            kb.get(["d_1", "d_2"])
        near = kb.related("d_1")
    assert [one.id for one in near] == ["d_2"]
    assert "was opened with" in near[0].why
