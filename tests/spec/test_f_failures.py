"""F1–F24: known ways in which such systems fail, one regression each."""

from __future__ import annotations

import ast
import json
import os
import re
import unicodedata
from collections.abc import Callable
from pathlib import Path
from typing import Any

import apsw
import pytest

import scrubjay
from fakes import SOURCE, Failing, Fixed, process, script
from scrubjay.embed.hashing import HashingEmbedder
from scrubjay.errors import EmbeddingError
from scrubjay.search.fuse import lifted, weighted
from scrubjay.types import Candidate, Ranking

Write = Callable[..., Path]


def test_f01_a_natural_question_finds_its_answer(kb: scrubjay.KnowledgeBase) -> None:
    answer = kb.note("Restore the nightly backup with restic restore latest.")
    kb.note("cake with cream")
    hits = kb.search("how do I get my files back from the nightly backup?").hits
    assert hits[0].document_id == answer


def test_f02_a_hit_by_words_alone_survives_weighting(place: str) -> None:
    embedder = Fixed({"query": [1, 0]}, other=[-1, 0.01])  # nothing is near in meaning
    with scrubjay.open(place, embedder=embedder) as kb:
        for number in range(30):
            kb.note(f"common words everywhere {number} " + "common " * 20)
        kb.note("a query of common words")
        hits = kb.search("common query", profile="memory", top=40).hits
    assert len(hits) == 31
    assert all(hit.score >= 0.1 for hit in hits)


def test_f02_the_weakest_match_by_words_reaches_the_floor() -> None:
    both = [Ranking("vector", ()), Ranking("keyword", (Candidate(1, 1e-7),))]
    assert weighted(both)[0][0].score >= 0.1


def test_f03_scores_of_words_differ(kb: scrubjay.KnowledgeBase) -> None:
    for number in range(1, 6):
        kb.note("git " * number + "filler " * (8 - number))
    kb.note("nothing")
    votes = [hit.votes[0].score for hit in kb.search("git").hits]
    assert len(set(votes)) == 5
    assert min(votes) > 0
    assert len({lifted(vote) for vote in votes}) == 5


def test_f04_rows_are_deleted_by_their_number(place: str) -> None:
    with scrubjay.open(place) as kb:
        kb.note("git")
    connection = apsw.Connection(place)
    connection.execute("PRAGMA foreign_keys = ON")
    for statement in ("DELETE FROM documents WHERE id = 'x'", "DELETE FROM chunks WHERE number = 1"):
        plan = " ".join(row[3] for row in connection.execute(f"EXPLAIN QUERY PLAN {statement}"))
        assert "SCAN" not in plan, plan
    triggers = [sql for (sql,) in connection.execute("SELECT sql FROM sqlite_schema WHERE type = 'trigger'")]
    assert not [sql for sql in triggers if re.search(r"DELETE FROM chunks_(fts|trigram)", sql)]
    connection.close()


def test_f05_no_stale_words_are_left(place: str) -> None:
    with scrubjay.open(place) as kb:
        kb.notes([{"id": "a", "text": "marmalade 数据库设计"}, {"id": "b", "text": "quince"}])
        kb.notes([{"id": "a", "text": "honey 别的内容"}], replace=True)
        kb.remove("b")
        for gone in ("marmalade", "quince", "数据库设计"):
            assert kb.search(gone).hits == ()
        connection = apsw.Connection(place)
        for table in ("chunks_fts", "chunks_trigram"):
            connection.execute(f"INSERT INTO {table} ({table}, rank) VALUES ('integrity-check', 1)")
        vocabulary = "CREATE VIRTUAL TABLE temp.v USING fts5vocab(main, chunks_fts, row)"
        words = {word for (word,) in connection.execute(f"{vocabulary}; SELECT term FROM temp.v")}
        connection.close()
    assert "honei" in words
    assert not words & {"marmalad", "quinc", "数据"}


def test_f06_nothing_is_replaced_behind_the_triggers() -> None:
    statements = []
    for path in (Path(SOURCE) / "scrubjay").rglob("*.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        statements += [n.value for n in ast.walk(tree) if isinstance(n, ast.Constant) and isinstance(n.value, str)]
    statements += [path.read_text(encoding="utf-8") for path in (Path(SOURCE) / "scrubjay").rglob("*.sql")]
    assert any("INSERT INTO chunks" in text for text in statements)
    assert not [text for text in statements if re.search(r"\b(INSERT OR REPLACE|REPLACE INTO)\b", text)]


def test_f06_writing_again_leaves_the_index_sound(place: str) -> None:
    with scrubjay.open(place) as kb:
        for round_number in range(5):
            kb.notes([{"id": f"d{n}", "text": f"same words {n % 3} {round_number}"} for n in range(20)], replace=True)
        assert kb.status()["documents"] == 20
        assert [check for check in kb.doctor() if check.ok is False] == []


@pytest.mark.parametrize("query", ["数", "设计", "数据 设计", "python 数", "库 文档"])
def test_f07_short_cjk_terms_match_and_void_nothing(kb: scrubjay.KnowledgeBase, query: str) -> None:
    wanted = kb.note("用python写的数据库设计文档")
    kb.note("毫不相干")
    assert [hit.document_id for hit in kb.search(query).hits] == [wanted]


@pytest.mark.parametrize("engine", ["numpy", "sqlite-vec", "python"])
def test_f08_filters_act_before_the_nearest_are_chosen(place: str, engine: str) -> None:
    with scrubjay.open(place, config={"vector.engine": engine}) as kb:
        kb.notes({"text": f"near {n}", "vector": [1, 0.001 * n]} for n in range(200))
        kb.notes({"text": f"far {n}", "vector": [-1, 0.1 * n], "tags": "x"} for n in range(5))
        hits = kb.search("x", vector=[1, 0], mode="vector", tags="x", top=5).hits
    assert [hit.title for hit in hits] == ["far 4", "far 3", "far 2", "far 1", "far 0"]


@pytest.mark.parametrize("engine", ["numpy", "sqlite-vec", "python"])
def test_f09_nearest_means_cosine(place: str, engine: str) -> None:
    with scrubjay.open(place, config={"vector.engine": engine}) as kb:
        kb.notes(
            [{"text": "same way, far away", "vector": [100, 1]}, {"text": "near, another way", "vector": [0.9, 0.4]}]
        )
        hits = kb.search("x", vector=[1, 0], mode="vector").hits
    assert [hit.title for hit in hits] == ["same way, far away", "near, another way"]


@pytest.mark.parametrize("mode", ["hybrid", "keyword", "vector"])
def test_f10_filter_then_rank_then_cut(place: str, mode: str) -> None:
    with scrubjay.open(place, embedder=HashingEmbedder(16), config={"search.minimum_pool": 30}) as kb:
        kb.notes({"text": "git git git", "created_at": "2020-01-01"} for _ in range(150))
        kb.notes({"text": "git and other things", "created_at": "2026-01-01"} for _ in range(4))
        assert len(kb.search("git", since="2025-01-01", top=3, mode=mode).hits) == 3
        assert len(kb.search("git", since="2025-01-01", mode=mode).hits) == 4


def test_f11_the_best_does_not_depend_on_how_many_are_asked(place: str) -> None:
    with scrubjay.open(place, embedder=HashingEmbedder(24)) as kb:
        kb.notes(
            {"text": " ".join(["git", "log", "install", "tree"][: 1 + n % 4]) + f" {n * 37 % 11}"} for n in range(120)
        )
        for profile in ("kb", "memory", "full"):
            lists = [
                [h.id for h in kb.search("install git log", top=top, profile=profile).hits] for top in (1, 3, 10, 30)
            ]
            assert all(ids == lists[-1][: len(ids)] for ids in lists), profile


def test_f12_a_failing_embedder_aborts_nothing_and_rows_wait(place: str, write: Write, tmp_path: Path) -> None:
    for number in range(3):
        write(f"notes/{number}.md", f"# Note {number}\n\ngit\n")
    away = Failing(lambda role, text: True)
    with scrubjay.open(place, embedder=away) as kb:
        report = kb.add(tmp_path / "notes")
        assert (report.added, report.embedded) == (3, 0)
        assert any("away" in notice.reason for notice in report.notices)
        assert len(kb.search("git").hits) == 3
        assert kb.status()["pending"] == 3
        away.when = lambda role, text: False
        assert kb.update().embedded == 3
        assert kb.status()["pending"] == 0


def test_f12_one_text_that_cannot_be_embedded_holds_up_no_other(place: str) -> None:
    with scrubjay.open(place, embedder=Failing(lambda role, text: "poison" in text)) as kb:
        kb.notes({"text": "poison" if number == 5 else f"git {number}"} for number in range(12))
        status = kb.status()
        assert (status["vectors"], status["failed"]) == (11, 1)
        assert len(kb.search("poison", mode="keyword").hits) == 1


FAMILY = "👨‍👩‍👧‍👦"


@pytest.mark.parametrize("character", [FAMILY, "🇩🇪", "e\u0301", "नि", "각", "漢"])
def test_f13_previews_are_not_cut_inside_a_character(kb: scrubjay.KnowledgeBase, character: str) -> None:
    kb.note(character * 400 + " needle " + character * 400, title="t")
    shown = [kb.search("needle").hits[0].snippet, kb.timeline()[0].summary]
    for text in shown:
        bare = text.replace("…", "").replace("needle", "").replace(" ", "")
        assert len(bare) % len(character) == 0, "a part of a character is left"
        assert bare == character * (len(bare) // len(character))
        assert not unicodedata.combining(bare[:1] or "x")


def test_f14_one_very_long_line(place: str, write: Write) -> None:
    text = "".join(f"word{number % 97} " for number in range(40_000)) + "needle"
    path = write("long.txt", text)
    with scrubjay.open(place) as kb:
        kb.add(path)
        [document] = kb.list()
        chunks = kb.store.chunks([document.id])
        assert len({chunk.id for chunk in chunks}) == len(chunks) > 100
        assert "".join(chunk.text for chunk in chunks) == text
        assert kb.get(document.id).documents[0].text == text
        assert "needle" in kb.search("needle").hits[0].snippet


def test_f14_repeated_text_keeps_ids_apart(place: str, write: Write) -> None:
    text = "# Same\n\nthe same words\n\n" * 300
    with scrubjay.open(place) as kb:
        kb.add(write("same.md", text))
        [document] = kb.list()
        chunks = kb.store.chunks([document.id])
        assert len({chunk.id for chunk in chunks}) == len(chunks) > 3
        assert kb.get(document.id).documents[0].text == text


def test_f15_files_deleted_on_disk_leave_the_index(place: str, write: Write, tmp_path: Path) -> None:
    gone = write("notes/gone.md", "# Gone\n\nmarmalade\n")
    write("notes/here.md", "# Here\n\nquince\n")
    with scrubjay.open(place) as kb:
        kb.add(tmp_path / "notes")
        gone.unlink()
        assert kb.update().removed == 1
        assert kb.search("marmalade").hits == ()
        assert len(kb.search("quince").hits) == 1


def test_f16_zero_is_a_value(place: str) -> None:
    zeros = {
        "fusion.rrf_k": 0, "fusion.vector_weight": 0, "fusion.keyword_weight": 0, "fusion.graph_weight": 0,
        "fusion.convergence_bonus": 0, "bm25.k1": 0, "bm25.b": 0, "search.min_score": 0, "keyword.title_weight": 0,
        "store.busy_seconds": 0,
    }  # fmt: skip
    with scrubjay.open(place, config=zeros) as kb:
        assert {name: kb.config.lookup(name) for name in zeros} == dict.fromkeys(zeros, (0, "argument"))
        ids = [kb.note(f"git {day}", created_at=f"2026-01-0{day}") for day in (1, 2, 3)]
        plan = kb.search("git", profile="memory", threshold=0).plan
        assert (plan.rrf_k, plan.vector_weight, plan.floor, plan.threshold) == (0, 0, 0, 0)
        assert len(kb.search("git", threshold=0).hits) == 3
        assert [entry.id for entry in kb.timeline(anchor=ids[1], before=0, after=0)] == [ids[1]]


def test_f16_zero_from_the_environment_and_from_a_file(
    run: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KB_FUSION_RRF_K", "0")
    assert json.loads(run("config", "get", "fusion.rrf_k", "--json").out)["value"] == 0
    assert run("config", "set", "fusion.convergence_bonus", "0").code == 0
    assert json.loads(run("config", "get", "fusion.convergence_bonus", "--json").out)["value"] == 0


def test_f16_asking_for_no_results_is_an_error_not_the_default(run: Callable[..., Any]) -> None:
    run("note", "git")
    assert run("search", "git", "--top", "0").code == 2


def test_f17_a_hash_in_a_fence_is_no_heading(place: str, write: Write) -> None:
    text = "# Real\n\n```sh\n# not a heading\nmake marmalade\n```\n\n~~~\n## neither\n~~~\n\nthe end, a quince\n"
    with scrubjay.open(place) as kb:
        kb.add(write("a.md", text))
        for word in ("marmalade", "quince"):
            assert kb.search(word).hits[0].trail in ((), ("Real",))


def test_f18_imported_rows_are_found(place: str) -> None:
    with scrubjay.open(place):
        pass
    connection = apsw.Connection(place)
    connection.execute(
        "INSERT INTO documents (id, title, kind, created_at, modified_at, indexed_at)"
        " VALUES ('d_in', 'Imported', 'note', '2026-01-01T00:00:00Z', '2026-01-01T00:00:00Z', '2026-01-01T00:00:00Z');"
        "INSERT INTO chunks (id, document, ordinal, text) SELECT 'c_in', number, 0, 'imported marmalade' FROM documents"
    )
    connection.close()
    with scrubjay.open(place, embedder=HashingEmbedder(8)) as kb:
        assert [hit.document_id for hit in kb.search("marmalade", mode="keyword").hits] == ["d_in"]
        kb.update()
        assert [hit.document_id for hit in kb.search("marmalade", mode="vector").hits] == ["d_in"]


def test_f19_unavailable_is_not_empty(place: str) -> None:
    with scrubjay.open(place, embedder=Failing(lambda role, _: role == "query")) as kb:
        kb.note("git")
        unavailable = kb.search("cake")
        searched = kb.search("cake", mode="keyword")
    assert unavailable.hits == searched.hits == ()
    assert "vector" in {notice.stage for notice in unavailable.notices}
    assert searched.notices == ()


def test_f19_asking_for_what_is_unavailable_raises(place: str) -> None:
    with scrubjay.open(place, embedder=Failing(lambda role, _: role == "query")) as kb:
        kb.note("git")
        with pytest.raises(EmbeddingError, match="the model server is away") as raised:
            kb.search("cake", mode="vector")
        assert raised.value.cure


TOGETHER = """
import sys, scrubjay
sys.stdin.readline()
with scrubjay.open(sys.argv[1], config={"embedder.name": "hashing"}) as kb:
    report = kb.add(sys.argv[2])
    print(report.added, report.embedded, report.skipped)
"""


def test_f20_two_processes_make_and_fill_one_base(place: str, write: Write, tmp_path: Path) -> None:
    for number in range(30):
        write(f"notes/{number}.md", f"# Note {number}\n\ngit {number}\n")
    both = [script(tmp_path, TOGETHER, place, str(tmp_path / "notes")) for _ in range(2)]
    for one in both:
        assert one.stdin is not None
        one.stdin.write("go\n")
        one.stdin.flush()
    said = [one.communicate(timeout=60) for one in both]
    assert [one.returncode for one in both] == [0, 0], said
    added, embedded, skipped = (sum(column) for column in zip(*(map(int, out.split()) for out, _ in said), strict=True))
    assert (added, skipped) == (30, 30)
    assert embedded == 30, "the work was done once"
    with scrubjay.open(place) as kb:
        status = kb.status()
        assert (status["documents"], status["vectors"], status["pending"]) == (30, 30, 0)
        assert [check for check in kb.doctor() if check.ok is False] == []


def test_f21_no_bars_off_a_terminal(tmp_path: Path, write: Write) -> None:
    for number in range(5):
        write(f"notes/{number}.md", "# Note\n\ngit\n")
    done = process(tmp_path, "add", "notes", "--json", KB_EMBEDDER_NAME="hashing")
    assert done.returncode == 0
    assert set(json.loads(done.stdout)) >= {"added", "changed", "removed", "skipped", "chunks", "notices"}
    assert done.stderr == ""
    done = process(tmp_path, "search", "git", "--format", "files")
    assert "\r" not in done.stdout + done.stderr
    assert "\x1b" not in done.stdout + done.stderr


def test_f22_a_projects_config_cannot_send_text_away(tmp_path: Path, write: Write) -> None:
    write(
        ".kb/config.toml",
        'base = "/etc/elsewhere.db"\n[embedder]\nname = "openai/text-embedding-3-small"\nurl = "http://evil.example"\n'
        '[models]\nfolder = "/evil"\n[search]\ndefault_top = 3\n',
    )
    with scrubjay.open(tmp_path / ".kb" / "kb.db") as kb:
        guarded = ("base", "embedder.name", "embedder.url", "models.folder")
        assert [kb.config.lookup(name)[1] for name in guarded] == ["default"] * 4
        assert kb.config.lookup("search.default_top") == (3, "project")
        told = " ".join(notice.reason for notice in kb.config.notices)
        assert all(name in told for name in guarded)
        assert kb.store.location == str(tmp_path / ".kb" / "kb.db")


def test_f22_every_setting_that_names_a_place_or_a_server_is_guarded() -> None:
    from scrubjay.config import BY_NAME

    risky = [name for name in BY_NAME if re.search(r"^base$|url|keys?$|command|folder|embedder\.name|server", name)]
    assert len(risky) >= 4
    assert [name for name in risky if not BY_NAME[name].guarded] == []


def test_f24_links_out_of_the_folder_are_not_followed(place: str, write: Write, tmp_path: Path) -> None:
    secret = write("outside/secret.md", "# Secret\n\nmarmalade\n")
    inside = write("notes/inside.md", "# Inside\n\nquince\n")
    os.symlink(secret, tmp_path / "notes" / "link.md")
    os.symlink(secret.parent, tmp_path / "notes" / "folder")
    os.symlink(tmp_path / "notes", tmp_path / "notes" / "loop")
    with scrubjay.open(place) as kb:
        report = kb.add(tmp_path / "notes")
        assert [document.path for document in kb.list()] == [str(inside)]
        assert any("not followed" in notice.reason for notice in report.notices)
        assert kb.search("marmalade").hits == ()
