"""What the base keeps of memories, beside their texts."""

from __future__ import annotations

from pathlib import Path

import apsw
import pytest

import scrubjay
from scrubjay.errors import UnknownId
from scrubjay.store.sqlite.store import SqliteStore
from scrubjay.types import Draft, Piece
from scrubjay.types.memory import ORDINARY, Facts, Life, Record

FACTS = Facts("episodic", "given", "episodic", "critical", "9999-01-01T00:00:00Z", "p", "s", "book", ("one", "two"))


@pytest.fixture
def store(tmp_path: Path) -> SqliteStore:
    return SqliteStore(str(tmp_path / "kb.db"))


def put(store: SqliteStore, identity: str, facts: Facts | None = None, text: str = "some text", **more: object) -> None:
    draft = Draft(identity, "note", id=identity, memory=facts, content_hash=text)._replace(**more)  # type: ignore[arg-type]
    store.put(draft, [Piece(text, (1, 1))])


def rows(store: SqliteStore, table: str) -> int:
    connection = apsw.Connection(store.location)
    return int(str(connection.execute(f"SELECT count(*) FROM {table}").get))


def test_facts_come_back(store: SqliteStore) -> None:
    put(store, "d_a", FACTS)
    assert store.memory.facts(["d_a", "d_nobody"]) == {"d_a": (FACTS, Life())}
    assert store.memory.facts([]) == {}


def test_an_ordinary_document_takes_no_row(store: SqliteStore) -> None:
    put(store, "d_a", ORDINARY)
    put(store, "d_b")
    assert rows(store, "memories") == 0
    assert store.memory.facts(["d_a"]) == {"d_a": (ORDINARY, Life())}


def test_written_anew_the_facts_change_and_the_life_stays(store: SqliteStore) -> None:
    put(store, "d_a", FACTS)
    life = Life(12.5, 3, "2026-01-01T00:00:00Z")
    store.memory.live({"d_a": life})
    put(store, "d_a", FACTS._replace(tier="normal", triggers=("three",)))
    assert store.memory.facts(["d_a"])["d_a"] == (FACTS._replace(tier="normal", triggers=("three",)), life)
    put(store, "d_a", ORDINARY)
    assert store.memory.facts(["d_a"])["d_a"] == (ORDINARY, life)
    put(store, "d_a", None)
    assert store.memory.facts(["d_a"])["d_a"] == (ORDINARY, life)


def test_facts_go_with_their_document(store: SqliteStore) -> None:
    put(store, "d_a", FACTS)
    put(store, "d_b")
    store.memory.records.add(Record("", "superseded", "d_a", "d_b"), {})
    store.remove(["d_a"])
    assert [rows(store, table) for table in ("memories", "trigger_phrases", "memory_records")] == [0, 0, 0]


def test_what_is_hidden(store: SqliteStore) -> None:
    put(store, "d_gone", FACTS._replace(tier="deprecated"))
    put(store, "d_over", FACTS._replace(tier="temporary", expires_at="2020-01-01T00:00:00Z"))
    put(store, "d_here", FACTS)
    put(store, "d_merged")
    assert store.memory.hidden(["d_gone", "d_over", "d_here", "d_merged"]) == {"d_gone", "d_over"}
    record = store.memory.records.add(Record("", "merged", "d_merged", "d_here"), {})
    assert "d_merged" in store.memory.hidden(["d_merged"])
    assert len(store.memory.hidden_chunks()) == 3
    store.memory.records.undone(record.id)
    assert store.memory.hidden(["d_merged"]) == set()
    assert {phrase for _, _, _, _, phrase in store.memory.triggers()} == {"one", "two"}
    assert {row[0] for row in store.memory.triggers()} == {"d_here"}


def test_standings_are_by_chunk(store: SqliteStore) -> None:
    put(store, "d_a", FACTS, path="/specs/spec.md")
    put(store, "d_b", created_at="2026-01-01")
    numbers = [chunk.number for chunk in store.chunks(["d_a", "d_b"])]
    found = store.memory.standings(numbers)
    assert [found[number].document for number in numbers] == ["d_a", "d_b"]
    assert found[numbers[0]].facts == FACTS._replace(triggers=())
    assert found[numbers[0]].path == "/specs/spec.md"
    assert found[numbers[1]][2:] == (None, "2026-01-01T00:00:00Z", ORDINARY, Life())
    assert store.memory.standings([]) == {}


def test_successors(store: SqliteStore) -> None:
    for identity in ("d_old", "d_new", "d_other"):
        put(store, identity)
    numbers = {chunk.document_id: chunk.number for chunk in store.chunks(["d_old", "d_new", "d_other"])}
    assert store.memory.successors(list(numbers.values())) == {}
    store.graph.put("d_new", "d_old", "supersedes", 1.0, "")
    store.graph.put("d_new", "d_other", "caused", 1.0, "")
    assert store.memory.successors(list(numbers.values())) == {numbers["d_old"]: ["d_new"]}


def test_the_same_text_in_the_same_scope(store: SqliteStore) -> None:
    put(store, "d_a", text="x", created_at="2026-01-01")
    put(store, "d_b", text="x")
    put(store, "d_p", Facts(project="p"), text="x")
    put(store, "d_f", text="x", path="/a.md")
    assert store.memory.same("x", "note", "")[0] == ("d_a", "2026-01-01T00:00:00Z")
    assert [identity for identity, _ in store.memory.same("x", "note", "")] == ["d_a", "d_b"]
    assert [identity for identity, _ in store.memory.same("x", "note", "p")] == ["d_p"]
    assert store.memory.same("y", "note", "") == []


def test_records_are_kept_when_undone(store: SqliteStore) -> None:
    for identity in ("d_a", "d_b", "d_c"):
        put(store, identity)
    records = store.memory.records
    first = records.add(Record("", "conflict", "d_a", "d_b", 0.9, "words", "3 became 4"), {"x": [1, "ü"]})
    second = records.add(Record("", "deprecated", "d_c"), {})
    assert (first.document_title, first.other_title, first.similarity) == ("d_a", "d_b", 0.9)
    assert records.before(first.id) == {"x": [1, "ü"]}
    assert records.get(second.id.removeprefix("r_")) == second
    assert [record.id for record in records.all()] == [second.id, first.id]
    assert records.all(["conflict"], "d_b") == [first]
    assert records.all(["conflict"], "d_c") == []
    assert records.of_documents(["d_b", "d_c"]) == {"d_b": [first], "d_a": [first], "d_c": [second]}
    undone = records.undone(first.id)
    assert undone.undone_at is not None
    assert records.all() == [second]
    assert records.all(undone=True) == [second, undone]
    for unknown in ("r_99", "r_x", "", "r_" + "9" * 30, "r_²"):
        with pytest.raises(UnknownId):
            records.get(unknown)


def test_a_use_is_not_waited_for(store: SqliteStore) -> None:
    put(store, "d_a")
    other = apsw.Connection(store.location)
    other.execute("BEGIN IMMEDIATE")
    life = Life(2.0, 1, "2026-01-01T00:00:00Z")
    assert store.memory.used({"d_a": life}) is False
    other.execute("ROLLBACK")
    assert store.memory.used({"d_a": life, "d_nobody": life}) is True
    assert store.memory.facts(["d_a"])["d_a"] == (ORDINARY, life)


def test_old_front_matter_is_taken_over(tmp_path: Path) -> None:
    """A base from before had the front matter as metadata only."""
    place = str(tmp_path / "kb.db")
    with scrubjay.open(place) as kb:
        kb.note("x", id="d_a", created_at="2020-01-01")
        kb.note("y", id="d_b")
        kb.note("z", id="d_c")
    connection = apsw.Connection(place)
    [script] = [p.read_text() for p in Path(scrubjay.__file__).parent.glob("store/sqlite/schema/*_memory.sql")]
    for table in ("memories", "trigger_phrases", "memory_records"):
        connection.execute(f"DROP TABLE {table}")
    connection.execute("DROP INDEX edges_superseding")
    for identity, metadata in (
        ("d_a", '{"importance_tier": " Temporary", "trigger_phrases": ["git push", 7, "", "x"]}'),
        ("d_b", '{"importance_tier": "huge", "trigger_phrases": "one"}'),
        ("d_c", '{"importance_tier": ["critical"]}'),
    ):
        connection.execute("UPDATE documents SET metadata = ? WHERE id = ?", (metadata, identity))
    connection.execute(script)
    connection.close()
    with scrubjay.open(place) as kb:
        facts = kb.store.memory.facts(["d_a", "d_b", "d_c"])
    assert facts["d_a"][0] == Facts(tier="temporary", expires_at="2020-01-08T00:00:00Z", triggers=("git push",))
    assert facts["d_b"][0] == facts["d_c"][0] == ORDINARY
