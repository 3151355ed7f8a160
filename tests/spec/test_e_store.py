"""Requirements R89, R95, R97, R98, R102, R103: the store, its sources and its scope."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from datetime import date
from pathlib import Path

import apsw
import numpy as np
import pytest

import scrubjay
from scrubjay.embed.hashing import HashingEmbedder
from scrubjay.errors import BaseTooNew, ScrubjayError
from scrubjay.search.adjust import above, decayed
from scrubjay.search.fuse import ordered, reciprocal_rank, weighted
from scrubjay.store.sqlite.connect import SCHEMA_VERSION
from scrubjay.store.sqlite.migrate import migrate, steps
from scrubjay.types import Candidate, Fused, Ranking

BASES = sorted((Path(__file__).parent.parent / "fixtures" / "bases").glob("v*.db.gz"))
Write = Callable[..., Path]


def version(place: str) -> int:
    connection = apsw.Connection(place)
    try:
        return int(connection.pragma("user_version"))
    finally:
        connection.close()


def everything(place: str) -> list[tuple[object, ...]]:
    connection = apsw.Connection(place)
    try:
        return connection.execute("SELECT type, name, sql FROM sqlite_schema ORDER BY 1, 2").fetchall()
    finally:
        connection.close()


def test_r089_the_steps_are_numbered_without_gaps() -> None:
    assert [number for number, _ in steps()] == list(range(1, SCHEMA_VERSION + 1))


def test_r089_there_is_a_frozen_base_of_this_format() -> None:
    assert f"v{SCHEMA_VERSION:04}.db.gz" in [base.name for base in BASES]


@pytest.mark.parametrize("frozen", BASES, ids=lambda path: path.name)
def test_r089_a_base_of_every_format_opens_and_answers(frozen: Path, place: str) -> None:
    Path(place).write_bytes(gzip.decompress(frozen.read_bytes()))
    with scrubjay.open(place, embedder=HashingEmbedder(8)) as kb:
        assert kb.status()["schema"] == SCHEMA_VERSION
        assert kb.status()["documents"] == 3
        words = kb.search("sourdough", mode="keyword")
        assert [hit.title for hit in words.hits] == ["Bread"]
        assert [hit.title for hit in kb.search("数据库设计", mode="keyword").hits] == ["数据库"]
        assert [hit.title for hit in kb.search("install git", mode="vector", top=1).hits] == ["Git"]
        assert kb.tags() == {"kitchen": 1, "ops": 2}
        assert kb.get("d_git").documents[0].text == "install git on every machine\n"
        assert [check for check in kb.doctor() if check.ok is False] == []
        assert kb.note("a new one")


def test_r089_a_failure_rolls_back_to_the_start(place: str) -> None:
    with scrubjay.open(place) as kb:
        kb.note("install git")
    before, number = everything(place), version(place)
    connection = apsw.Connection(place)
    broken = [
        (number + 1, "CREATE TABLE half (x); INSERT INTO half VALUES (1)"),
        (number + 2, "CREATE TABLE chunks (x)"),
    ]
    with pytest.raises(apsw.Error):
        migrate(connection, place, broken)
    connection.close()
    assert (everything(place), version(place)) == (before, number)
    with scrubjay.open(place) as kb:
        assert len(kb.search("git").hits) == 1


def test_r089_a_new_base_that_fails_halfway_stays_empty(place: str) -> None:
    connection = apsw.Connection(place)
    with pytest.raises(apsw.Error):
        migrate(connection, place, [(1, "CREATE TABLE a (x)"), (2, "no SQL at all")])
    connection.close()
    assert (everything(place), version(place)) == ([], 0)
    with scrubjay.open(place) as kb:
        assert kb.status()["schema"] == SCHEMA_VERSION


def test_r089_running_twice_changes_nothing(place: str) -> None:
    with scrubjay.open(place) as kb:
        kb.note("install git")
    before = everything(place)
    connection = apsw.Connection(place)
    changes = connection.total_changes()
    assert migrate(connection, place) == SCHEMA_VERSION
    assert connection.total_changes() == changes
    connection.close()
    assert everything(place) == before


def test_r089_each_step_leads_to_the_next(place: str) -> None:
    for upto in range(1, SCHEMA_VERSION + 1):
        connection = apsw.Connection(place)
        assert migrate(connection, place, steps()[:upto]) == upto
        connection.close()
        assert version(place) == upto
    with scrubjay.open(":memory:") as fresh:
        at_once = fresh.store._connection.execute("SELECT type, name, sql FROM sqlite_schema ORDER BY 1, 2").fetchall()
    assert everything(place) == at_once


def test_r089_a_newer_file_is_a_clear_error(place: str) -> None:
    with scrubjay.open(place) as kb:
        kb.note("install git")
    connection = apsw.Connection(place)
    connection.pragma("user_version", SCHEMA_VERSION + 1)
    connection.close()
    with pytest.raises(BaseTooNew) as raised:
        scrubjay.open(place)
    assert str(SCHEMA_VERSION + 1) in raised.value.why
    assert "pip install --upgrade scrubjay" in raised.value.cure
    assert version(place) == SCHEMA_VERSION + 1


def test_r095_several_sources_are_kept_up_to_date(place: str, write: Write, tmp_path: Path) -> None:
    write("one/a.md", "# Alpha\n")
    write("two/b.md", "# Beta\n")
    with scrubjay.open(place) as kb:
        kb.add([tmp_path / "one", tmp_path / "two"], tags=["both"])
        assert [source["path"] for source in kb.status()["sources"]] == [str(tmp_path / "one"), str(tmp_path / "two")]
        write("one/c.md", "# Gamma\n")
        write("two/d.md", "# Delta\n")
        assert kb.update().added == 2
        assert [document.title for document in kb.list(tags="both")] == ["Alpha", "Gamma", "Beta", "Delta"]


@pytest.mark.parametrize(("specs", "found"), [(True, 2), (False, 1)])
def test_r095_spec_documents_can_be_left_out(place: str, write: Write, tmp_path: Path, specs: bool, found: int) -> None:
    write("work/specs/001/spec.md", "# Spec\n")
    write("work/notes.md", "# Notes\n")
    with scrubjay.open(place, config={"ingest.specs": specs}) as kb:
        kb.add(tmp_path / "work")
        assert len(kb.list()) == found


def test_r097_float32_round_trip(place: str) -> None:
    row = np.random.default_rng(97).normal(size=768).astype(np.float32)
    row /= np.linalg.norm(row)
    with scrubjay.open(place) as kb:
        kb.notes([{"text": "git", "vector": row}])
        size = kb.store._connection.execute("SELECT sum(length(vectors)) FROM vector_blocks").get
        [(numbers, stored)] = list(kb.store.vectors(1))
    assert size == 3072
    assert len(numbers) == 1
    assert stored.dtype == np.float32
    assert np.array_equal(stored[0], row) or np.max(np.abs(stored[0] - row)) < 1e-7


def test_r097_a_slice_stores_only_itself(place: str) -> None:
    matrix = np.random.default_rng(98).normal(size=(50, 2000)).astype(np.float32)
    part = matrix[7, 100:868]
    column = matrix.T[:768, 3]  # not contiguous either
    with scrubjay.open(place) as kb:
        kb.notes([{"text": "a", "vector": part}, {"text": "b", "vector": column}])
        assert kb.store._connection.execute("SELECT sum(length(vectors)) FROM vector_blocks").get == 2 * 3072
        stored = np.vstack([rows for _, rows in kb.store.vectors(1)])
    for row, given in zip(stored, (part, column), strict=True):
        assert np.allclose(row, given / np.linalg.norm(given), atol=1e-6)


@pytest.mark.parametrize("mode", ["hybrid", "keyword", "vector"])
@pytest.mark.parametrize("path", ["specs/007-auth", "specs/007-auth/", "WHOLE/specs/007-auth"])
def test_r098_folder_scope(place: str, write: Write, tmp_path: Path, mode: str, path: str) -> None:
    wanted = [write(f"work/specs/007-auth/{name}.md", "# Login\n\nhow to log in\n") for name in ("plan", "deep/spec")]
    for other in ("specs/007-authx/plan.md", "specs/007/plan.md", "specs/x007-auth/plan.md", "007-auth.md"):
        write(f"work/{other}", "# Login\n\nhow to log in\n")
    with scrubjay.open(place, embedder=HashingEmbedder(16)) as kb:
        kb.add(tmp_path / "work")
        result = kb.search("log in", path=path.replace("WHOLE", str(tmp_path / "work")), mode=mode)
    assert {hit.path for hit in result.hits} == {str(path) for path in wanted}


def test_r098_one_file_is_a_scope(place: str, write: Write, tmp_path: Path) -> None:
    one = write("work/a.md", "# Login\n")
    write("work/a.md.bak.md", "# Login\n")
    with scrubjay.open(place) as kb:
        kb.add(tmp_path / "work")
        assert [hit.path for hit in kb.search("login", path=one).hits] == [str(one)]
        assert {hit.path for hit in kb.search("login", path="a.md").hits} == {str(one)}


def test_r102_opening_migrates_and_the_version_can_be_read(place: str) -> None:
    connection = apsw.Connection(place)
    migrate(connection, place, steps()[:1])
    connection.close()
    assert version(place) == 1
    with scrubjay.open(place) as kb:
        assert kb.status()["schema"] == SCHEMA_VERSION
    assert version(place) == SCHEMA_VERSION


def test_r103_ordering_and_cutting_leave_their_input_alone() -> None:
    rankings = [
        Ranking("keyword", tuple(Candidate(n, 1.0 / n) for n in (3, 1, 2))),
        Ranking("vector", tuple(Candidate(n, 0.5) for n in (2, 3))),
    ]
    fused = [
        Fused(number, score, reciprocal_rank(rankings)[0][0].votes) for number, score in ((1, 0.1), (2, 0.9), (3, 0.5))
    ]
    kept_rankings, kept_fused = list(rankings), list(fused)
    reciprocal_rank(rankings)
    weighted(rankings)
    ordered(fused)
    above(fused, 0.5)
    decayed(fused, {2: "2020-01-01.md"}.get, 30, date(2026, 1, 1))
    assert rankings == kept_rankings
    assert fused == kept_fused


def test_every_error_says_what_and_how_to_go_on() -> None:
    error = ScrubjayError("The lamp is dark.", "It has no oil.", "Fill it.")
    assert str(error) == "The lamp is dark.\nWhy: It has no oil.\nCure: Fill it."
