"""Requirements R1–R23: the weighted profile, its cascade of tiers, and the decay of dated files."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import apsw
import numpy as np
import pytest

import scrubjay
from fakes import SOURCE, Failing, Fixed, environment
from scrubjay.embed.hashing import HashingEmbedder
from scrubjay.search.adjust import above, age_in_days, decay, decayed
from scrubjay.search.fuse import lifted, unit, weighted
from scrubjay.search.parse import parse
from scrubjay.store.sqlite.match import expressions
from scrubjay.types import Candidate, Fused, Ranking

CLOSE = pytest.approx


def fused(vector: float | None, keyword: float | None, **weights: float) -> float:
    """The weighted score of a chunk whose parts are already in [0, 1], both sources having run."""
    # the keyword list carries open-ended scores; this is the one that becomes `keyword`
    open_score = None if keyword is None else _raw(keyword)
    rankings = [
        Ranking("vector", () if vector is None else (Candidate(1, vector),)),
        Ranking("keyword", () if open_score is None else (Candidate(1, open_score),)),
    ]
    return weighted(rankings, **weights)[0][0].score


def _raw(keyword: float) -> float:
    inside = (keyword - 1 / 3) * 3 / 2
    return inside / (1 - inside)


def test_r001_both_sources_are_one_ranked_list(place: str) -> None:
    with scrubjay.open(place, embedder=HashingEmbedder()) as kb:
        both = kb.note("install git on linux")
        kb.note("bake a cake")
        kb.note("git log shows history")
        result = kb.search("install git", profile="memory")
    ids = [hit.document_id for hit in result.hits]
    assert ids.count(both) == 1
    assert ids[0] == both
    assert result.hits[0].sources == ("keyword", "vector")
    scores = [hit.score for hit in result.hits]
    assert scores == sorted(scores, reverse=True)


def test_r002_query_embedded_once_and_compared_by_cosine(place: str) -> None:
    embedder = Fixed({"query": [1, 0], "document": [1, 1]}, other=[0, 1])
    with scrubjay.open(place, embedder=embedder) as kb:
        kb.note("the document")
        hit = kb.search("a query", mode="vector").hits[0]
    assert hit.similarity == CLOSE(0.7071, abs=1e-4)
    assert embedder.queries() == ["a query"]


def test_r003_without_an_embedder_words_answer_and_it_is_said(kb: scrubjay.KnowledgeBase) -> None:
    kb.note("install git")
    result = kb.search("git", profile="memory")
    assert len(result.hits) == 1
    assert result.mode == "keyword"
    notice = next(notice for notice in result.notices if notice.stage == "vector")
    assert notice.reason
    assert notice.remedy


def test_r003_an_embedder_that_fails_leaves_the_words(place: str) -> None:
    with scrubjay.open(place, embedder=Failing(lambda role, _: role == "query")) as kb:
        kb.note("install git")
        result = kb.search("git", profile="memory")
    assert len(result.hits) == 1
    assert result.mode == "keyword"
    notice = next(notice for notice in result.notices if notice.stage == "vector")
    assert "the model server is away" in notice.reason
    assert notice.remedy


@pytest.mark.parametrize("embedder", [None, HashingEmbedder(16)], ids=["without", "with"])
def test_r004_keyword_search_always_runs(place: str, embedder: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    with scrubjay.open(place, embedder=embedder) as kb:
        kb.note("install git")
        calls: list[int] = []
        real = kb.store.keyword
        monkeypatch.setattr(kb.store, "keyword", lambda *given: calls.append(1) or real(*given))
        kb.search("git", profile="memory")
    assert len(calls) == 1


def test_r005_weighted_sum() -> None:
    assert fused(0.8, 0.5) == CLOSE(0.71, abs=1e-4)
    assert fused(0.8, None) == CLOSE(0.56, abs=1e-4)
    assert fused(None, 0.5) == CLOSE(0.15, abs=1e-4)


def test_r005_a_source_that_ran_alone_counts_in_full() -> None:
    only = weighted([Ranking("keyword", (Candidate(1, _raw(0.5)),))])[0]
    assert only[0].score == CLOSE(0.5, abs=1e-4)


def test_r006_weights_by_default(kb: scrubjay.KnowledgeBase) -> None:
    assert kb.config.get("fusion.vector_weight") == 0.7
    assert kb.config.get("fusion.keyword_weight") == 0.3
    plan = kb.search("x", profile="memory").plan
    assert (plan.fusion, plan.vector_weight, plan.keyword_weight) == ("weighted", 0.7, 0.3)


def test_r007_weights_can_be_set_and_zero_is_a_weight() -> None:
    assert fused(0.8, 0.5, vector_weight=0.5, keyword_weight=0.5) == CLOSE(0.65, abs=1e-4)
    assert fused(0.8, 0.5, vector_weight=0) == CLOSE(0.15, abs=1e-4)


def test_r007_a_weight_of_zero_reaches_the_search(place: str) -> None:
    with scrubjay.open(place, embedder=HashingEmbedder(), config={"fusion.vector_weight": 0}) as kb:
        kb.note("install git")
        vote = next(vote for vote in kb.search("git", profile="memory").hits[0].votes if vote.source == "vector")
    assert (vote.weight, vote.contribution) == (0, 0)


def _rows(count: int, dim: int) -> Any:
    rows = np.random.default_rng(7).normal(size=(count, dim)).astype(np.float32)
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def _filled(place: str, rows: Any, engine: str = "numpy") -> scrubjay.KnowledgeBase:
    kb = scrubjay.open(place, config={"vector.engine": engine})
    kb.notes({"text": f"chunk {number}", "vector": row} for number, row in enumerate(rows))
    return kb


def test_r008_a_row_of_another_dimension_is_skipped_with_a_notice(place: str) -> None:
    with _filled(place, _rows(4, 8)):
        pass
    connection = apsw.Connection(place)
    connection.execute("UPDATE vector_blocks SET vectors = zeroblob(5)")
    connection.close()
    with scrubjay.open(place) as kb:
        result = kb.search("chunk", vector=[1.0] * 8)
        assert {hit.title for hit in result.hits} == {"chunk 0", "chunk 1", "chunk 2", "chunk 3"}
        assert any(notice.stage == "vector" for notice in result.notices)


def test_r009_cosine_equals_a_plain_loop(place: str) -> None:
    rows = _rows(1000, 64)
    query = _rows(1, 64)[0] + rows[3]
    with _filled(place, rows) as kb:
        found = kb.store.nearest(1, query, 1000, None).candidates
        number = {chunk.number: int(chunk.text.split()[1]) for chunk in kb.store.fetch([c.chunk for c in found])}
    assert len(found) == 1000
    length = sum(float(x) ** 2 for x in query) ** 0.5
    for candidate in found:
        loop = sum(float(a) * float(b) for a, b in zip(rows[number[candidate.chunk]], query, strict=True)) / length
        assert candidate.score == CLOSE(loop, abs=1e-6)


def test_r010_the_best_k_are_those_of_a_full_sort(place: str) -> None:
    rows = _rows(300, 16)
    query = _rows(1, 16)[0]
    with _filled(place, rows) as kb:
        order = [c.chunk for c in kb.store.nearest(1, query, 300, None).candidates]
        ids = {chunk.number: int(chunk.text.split()[1]) for chunk in kb.store.fetch(order)}
        expected = list(np.argsort(-(rows @ query), kind="stable"))
        assert [ids[number] for number in order] == expected
        for k in (1, 7, 30):
            assert [c.chunk for c in kb.store.nearest(1, query, k, None).candidates] == order[:k]
        assert len(kb.store.nearest(1, query, 1000, None).candidates) == 300
        assert kb.store.nearest(1, query, 0, None).candidates == ()


NO_NUMPY = """
import json, sys
sys.modules["numpy"] = None
import scrubjay
place, folder, query = sys.argv[1], sys.argv[2], json.loads(sys.argv[3])
with scrubjay.open(place) as kb:
    found = kb.search("x", mode="vector", vector=query, top=20)
    added = kb.add(folder)
    words = kb.search("sourdough")
    print(json.dumps({"ids": [hit.id for hit in found.hits], "added": added.added, "words": len(words.hits)}))
"""


def test_r011_without_numpy(place: str, tmp_path: Path, write: Callable[..., Path]) -> None:
    query = [float(x) for x in _rows(1, 16)[0]]
    with _filled(place, _rows(100, 16)) as kb:
        ids = [hit.id for hit in kb.search("x", mode="vector", vector=query, top=20).hits]
    write("notes/bread.md", "# Bread\n\nsourdough needs time\n")
    done = subprocess.run(
        [sys.executable, "-c", NO_NUMPY, place, str(tmp_path / "notes"), json.dumps(query)],
        capture_output=True, text=True, env=environment(tmp_path, PYTHONPATH=SOURCE),
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == {"ids": ids, "added": 1, "words": 1}


@pytest.mark.parametrize(
    ("text", "query"),
    [("say hello to the world", "hello world"), ("un café noir", "café"), ("Привет, мир", "Привет")],
)
def test_r012_text_without_cjk_is_found_by_fts5(kb: scrubjay.KnowledgeBase, text: str, query: str) -> None:
    kb.note(text)
    result = kb.search(query, profile="memory")
    assert len(result.hits) == 1
    assert result.tier == "fts5"


def test_r013_bm25_becomes_a_unit_score() -> None:
    assert unit(1) == CLOSE(0.5, abs=1e-4)
    assert unit(9) == CLOSE(0.9, abs=1e-4)
    scores = [unit(score) for score in (0, 1e-9, 0.1, 1, 2, 9, 100, 1e6)]
    assert scores == sorted(set(scores))
    assert unit(1e308) < 1.0


def test_r013_a_keyword_only_hit_stays_above_the_floor() -> None:
    assert 0.3 * lifted(1e-9) >= 0.1
    assert lifted(0) == CLOSE(1 / 3, abs=1e-4)
    assert lifted(1e12) <= 1.0


def test_r014_a_cjk_query_is_answered_by_trigrams(kb: scrubjay.KnowledgeBase) -> None:
    kb.note("我们的数据库设计文档")
    kb.note("完全无关的内容")
    result = kb.search("数据库设计", profile="memory")
    assert [hit.snippet for hit in result.hits[:1]] == ["我们的数据库设计文档"]
    assert result.tier == "trigram"


def test_r015_cjk_runs_and_words_are_joined_by_and(kb: scrubjay.KnowledgeBase) -> None:
    match = expressions(parse("Python数据库"), lambda text: text.lower().split())
    assert match.trigram == '"Python" AND "数据库"'
    both = kb.note("用Python写数据库程序")
    kb.note("Python only, and much of it: Python Python")
    result = kb.search("Python数据库", profile="memory")
    assert (result.tier, result.hits[0].document_id) == ("trigram", both)


def test_r016_parts_of_words_are_found_by_like(kb: scrubjay.KnowledgeBase) -> None:
    kb.note("run it with docker")
    result = kb.search("ocker", profile="memory")
    assert len(result.hits) == 1
    assert result.tier == "like"


def test_r017_like_takes_single_cjk_characters_and_longer_words(kb: scrubjay.KnowledgeBase) -> None:
    kb.note("数据库")
    kb.note("a cab is a taxi")
    assert len(kb.search("库", profile="memory").hits) == 1
    assert kb.search("ab", profile="memory").hits == ()


def test_r017_words_that_stand_in_every_text_are_no_match_by_themselves(kb: scrubjay.KnowledgeBase) -> None:
    kb.note("It should show what the gauge says")
    assert kb.search("how long should the leaves steep", mode="keyword").hits == ()
    assert kb.search("the", mode="keyword").hits  # unless nothing else was asked for


def test_r017_either_part_is_found_and_both_rank_first(kb: scrubjay.KnowledgeBase) -> None:
    one = kb.note("一个教程在这里")
    both = kb.note("这是 python 教程")
    other = kb.note("all about python")
    found = [hit.document_id for hit in kb.search("教程 python", profile="memory").hits]
    assert found[0] == both
    assert set(found) == {one, both, other}


TODAY = date(2026, 1, 31)


@pytest.mark.parametrize(
    ("path", "days"),
    [
        ("memory/2026-01-01.md", 30),
        ("a/b/2026-01-01.md", 30),
        ("2026-01-01.md", 30),
        ("notes.md", None),
        ("2026-01-01.txt", None),
        ("log-2026-01-01.md", None),
        ("MEMORY.md", None),
        ("2025-13-40.md", None),
        ("2025-02-29.md", None),
    ],
)
def test_r018_which_files_age(path: str, days: int | None) -> None:
    assert age_in_days(path, TODAY) == days


def _aged(path: str, score: float = 0.8, half_life: float = 30) -> float:
    return decayed([Fused(1, score, ())], {1: path}.get, half_life, TODAY)[0].score


def test_r019_scores_halve_every_half_life() -> None:
    assert _aged("2026-01-01.md") == CLOSE(0.4, abs=1e-4)
    assert _aged("2025-12-02.md") == CLOSE(0.2, abs=1e-4)
    assert decay(7, 30) == CLOSE(0.850667, abs=1e-6)


def test_r019_the_age_is_in_the_explanation(place: str, write: Callable[..., Path]) -> None:
    day = datetime.now(UTC).date() - timedelta(days=30)
    path = write(f"memory/{day.isoformat()}.md", "# Day\n\nwe planted potatoes\n")
    with scrubjay.open(place) as kb:
        kb.add(path)
        hit = kb.search("potatoes", profile="memory").hits[0]
        plain = kb.search("potatoes").hits[0]
    age = next(factor for factor in hit.factors if factor.name == "age")
    assert age.value == CLOSE(0.5, abs=0.02)  # a day may begin while this runs
    assert hit.score == CLOSE(sum(vote.contribution for vote in hit.votes) * age.value, abs=1e-4)
    assert plain.factors == ()


def test_r020_half_life(kb: scrubjay.KnowledgeBase) -> None:
    assert kb.search("x", profile="memory").plan.half_life_days == 30
    assert _aged("2026-01-01.md", half_life=15) == CLOSE(0.8 * 0.25, abs=1e-4)


@pytest.mark.parametrize("path", ["MEMORY.md", "2025-13-40.md", "2026-02-01.md", "2026-01-31.md"])
def test_r021_undated_future_and_impossible_dates_keep_their_score(path: str) -> None:
    assert _aged(path) == 0.8


def test_r022_the_floor_acts_before_decay(place: str, write: Callable[..., Path]) -> None:
    scored = [Fused(number, score, ()) for number, score in enumerate((0.35, 0.10, 0.09))]
    assert len(above(scored, 0.1)) == 2
    assert len(above(scored, 0)) == 3
    day = datetime.now(UTC).date() - timedelta(days=900)
    path = write(f"{day.isoformat()}.md", "# Day\n\nwe planted potatoes\n")
    with scrubjay.open(place) as kb:
        kb.add(path)
        hits = kb.search("potatoes", profile="memory").hits
        assert kb.search("x", profile="memory").plan.floor == 0.1
    assert len(hits) == 1, "it matched well: age ranks it lower and does not drop it"
    assert hits[0].score < 0.1


def test_r022_a_floor_of_zero_can_be_asked_for(place: str) -> None:
    with scrubjay.open(place, config={"search.min_score": 0}) as kb:
        assert kb.search("x", profile="memory").plan.floor == 0


def test_r023_at_most_ten_and_the_best_ones(kb: scrubjay.KnowledgeBase) -> None:
    for number in range(12):
        kb.note("filler " * number + "zebra " * (12 - number))
    hits = kb.search("zebra", profile="memory").hits
    assert len(hits) == 10
    every = kb.search("zebra", profile="memory", top=12).hits
    assert [hit.id for hit in hits] == [hit.id for hit in every[:10]]
    assert len(every) == 12
