"""Requirements R24–R45: `kb search`, profile kb."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from typing import Any

import apsw
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import scrubjay
from fakes import Fixed
from scrubjay.embed.hashing import HashingEmbedder
from scrubjay.errors import ModelMismatch, NoEmbedder
from scrubjay.search.adjust import above
from scrubjay.search.fuse import reciprocal_rank
from scrubjay.types import Candidate, Fused, ModelIdentity, Ranking

CLOSE = pytest.approx
Run = Callable[..., Any]


def titles(result: Any) -> list[str]:
    return [hit.title for hit in result.hits]


def in_step(connection: apsw.Connection) -> None:
    """Raises when a full-text table does not mirror the chunks exactly."""
    for table in ("chunks_fts", "chunks_trigram"):
        connection.execute(f"INSERT INTO {table} ({table}, rank) VALUES ('integrity-check', 1)")


def test_r024_triggers_keep_the_index_in_step(place: str) -> None:
    with scrubjay.open(place) as kb:
        kb.note("sourdough", title="one")
        other = apsw.Connection(place)
        other.execute("PRAGMA foreign_keys = ON")
        other.execute(
            "INSERT INTO chunks (id, document, ordinal, text) SELECT 'c_raw', number, 1, 'marmalade' FROM documents"
        )
        assert len(kb.search("marmalade").hits) == 1
        other.execute("UPDATE chunks SET text = 'quince' WHERE id = 'c_raw'")
        assert kb.search("marmalade").hits == ()
        assert len(kb.search("quince").hits) == 1
        other.execute("DELETE FROM chunks WHERE id = 'c_raw'")
        assert kb.search("quince").hits == ()
        in_step(other)
        other.close()


def test_r024_in_step_after_1000_random_writes(place: str) -> None:
    with scrubjay.open(place):
        pass
    shuffled = random.Random(24)
    words = ["install", "git", "数据库", "cake", "Привет", "设计", "log", "café", "x" * 40, "日"]
    connection = apsw.Connection(place)
    connection.execute("PRAGMA foreign_keys = ON; PRAGMA synchronous = OFF")
    connection.execute(
        "INSERT INTO documents (id, title, kind, created_at, modified_at, indexed_at)"
        " VALUES ('d', 't', 'note', '', '', '')"
    )
    connection.execute("BEGIN")
    for number in range(1000):
        text = " ".join(shuffled.choices(words, k=shuffled.randint(1, 6)))
        cjk = "数据" if shuffled.random() < 0.5 else ""
        target = shuffled.randint(1, number + 1)
        match shuffled.randint(0, 3):
            case 0 | 1:
                connection.execute(
                    "INSERT INTO chunks (id, document, ordinal, title, text, bigrams) VALUES (?, 1, ?, ?, ?, ?)",
                    (f"c{number}", number, shuffled.choice(words), text, cjk),
                )
            case 2:
                connection.execute("UPDATE chunks SET text = ?, bigrams = ? WHERE number = ?", (text, cjk, target))
            case 3:
                connection.execute("DELETE FROM chunks WHERE number = ?", (target,))
    connection.execute("COMMIT")
    in_step(connection)
    rows = connection.execute("SELECT number FROM chunks ORDER BY number").fetchall()
    assert rows == connection.execute("SELECT rowid FROM chunks_fts ORDER BY rowid").fetchall()
    assert 100 < len(rows) < 900
    connection.close()


@pytest.mark.parametrize("word", ["installation", "installing", "installer"])
def test_r025_stems(kb: scrubjay.KnowledgeBase, word: str) -> None:
    kb.note(f"the {word} of git")
    assert len(kb.search("install").hits) == 1


ODD = ["C++", "node.js", '"x', "a:b", "foo-bar", "NOT", "*", "(", "", "a\0b", "🦊", "AND OR NOT", "x NEAR/2 y", "^a",
       "{a b}", "col:", "-", "--", "''", ";--", "%", "_", "\\", "\ud800", '"" ""', '-"', "a*b*", "-a", "é" * 500,
       "w " * 3000]  # fmt: skip


@pytest.mark.parametrize("query", ODD, ids=lambda query: repr(query[:9]))
def test_r026_any_text_is_a_safe_query(run: Run, query: str) -> None:
    run("note", "C++ and node.js, a:b foo-bar x")
    done = run("search", "--json", query) if query[:1] != "-" else run("search", "--json", "--", query)
    assert done.code == 0, done.err
    assert json.loads(done.out)["returned"] in (0, 1)


@pytest.fixture(scope="module")
def polyglot() -> Any:
    """One base for every query: words, vectors, and Chinese."""
    with scrubjay.open(":memory:", embedder=HashingEmbedder(16)) as kb:
        kb.notes([{"text": "install git on C++ node.js"}, {"text": "用Python写数据库程序"}, {"text": "a cake, no lie"}])
        yield kb


SYNTAX = st.sampled_from(
    ['"', "*", "(", ")", "-", "+", ":", "^", "{", "}", "AND", "OR", "NOT", "NEAR(", ",", " ", "数"]
)


@given(
    query=st.one_of(st.text(st.characters()), st.lists(SYNTAX | st.text(max_size=4)).map("".join)),
    mode=st.sampled_from(["hybrid", "keyword", "vector"]),
    profile=st.sampled_from(["kb", "memory", "observations", "full"]),
)
def test_r026_any_text_is_safe_in_every_mode_and_profile(polyglot: Any, query: str, mode: str, profile: str) -> None:
    result = polyglot.search(query, mode=mode, profile=profile)
    assert len(result.hits) <= 10
    assert [hit.rank for hit in result.hits] == list(range(1, len(result.hits) + 1))


@pytest.mark.parametrize(
    ("query", "text"),
    [("C++", "C++ is hard"), ("node.js", "use node.js here"), ("foo-bar", "a foo-bar"), ("a:b", "see a:b")],
)
def test_r026_what_looks_like_syntax_is_found_as_text(kb: scrubjay.KnowledgeBase, query: str, text: str) -> None:
    kb.note("something else entirely")
    kb.note(text)
    assert [hit.snippet for hit in kb.search(query).hits][:1] == [text]


def test_r027_words_are_joined_by_or_and_ordered_by_bm25(kb: scrubjay.KnowledgeBase) -> None:
    for title, text in (("A", "installation of git"), ("B", "git log"), ("C", "install guide"), ("D", "cake")):
        kb.note(text, title=title)
    result = kb.search("install git")
    assert set(titles(result)) == {"A", "B", "C"}
    assert titles(result)[0] == "A"


def test_r028_fts_only_embeds_nothing(place: str) -> None:
    embedder = Fixed({}, other=[1, 0])
    with scrubjay.open(place, embedder=embedder) as kb:
        kb.note("install git")
        assert len(kb.search("git", mode="keyword").hits) == 1
    assert embedder.queries() == []


def test_r028_fts_only_on_the_command_line(run: Run) -> None:
    run("note", "install git")
    answer = json.loads(run("search", "git", "--fts-only", "--json").out)
    assert (answer["mode"], answer["returned"], answer["notices"]) == ("keyword", 1, [])


def test_r029_the_stored_model_is_used_or_named(place: str) -> None:
    with scrubjay.open(place, embedder=HashingEmbedder(8, "model-x")) as kb:
        kb.note("install git")
    with pytest.raises(ModelMismatch, match=r"model-x(.|\n)*model-y"):
        scrubjay.open(place, embedder=HashingEmbedder(8, "model-y"))


def test_r029_the_config_does_not_change_the_model_of_an_index(place: str) -> None:
    with scrubjay.open(place, embedder=HashingEmbedder(8, "model-x")) as kb:
        kb.note("install git")
    with scrubjay.open(place, config={"embedder.name": "hashing"}) as kb:
        result = kb.search("git")
        assert [model.identity.name for model in kb.store.models()] == ["model-x"]
    used = any("vector" in hit.sources for hit in result.hits)
    told = [f"{notice.reason} {notice.remedy}" for notice in result.notices]
    assert not used, "hashing did not make these vectors"
    assert any("model-x" in text for text in told)


def test_r030_cosine_with_all_chunks(place: str) -> None:
    with scrubjay.open(place) as kb:
        kb.notes([{"text": "along", "vector": [2, 0]}, {"text": "across", "vector": [0, 1]}])
        hits = kb.search("x", vector=[1, 0], mode="vector").hits
    assert [(hit.title, hit.similarity) for hit in hits] == [("along", CLOSE(1.0)), ("across", CLOSE(0.0, abs=1e-6))]


def test_r030_sqlite_vec_and_numpy_give_the_same_ids(place: str) -> None:
    rows = np.random.default_rng(30).normal(size=(200, 12)).astype(np.float32)
    with scrubjay.open(place) as kb:
        kb.notes({"text": f"chunk {number}", "vector": row} for number, row in enumerate(rows))
    answers = []
    for engine in ("numpy", "sqlite-vec", "python"):
        with scrubjay.open(place, config={"vector.engine": engine}) as kb:
            result = kb.search("x", vector=rows[5] + rows[9], mode="vector", top=50)
            assert result.notices == ()
            answers.append([hit.id for hit in result.hits])
    assert len(answers[0]) == 50
    assert answers[0] == answers[1] == answers[2]


@pytest.mark.parametrize(("top", "pool"), [(5, 30), (20, 60), (10, 30), (1, 30)])
def test_r031_retrievers_return_three_times_the_asked_count(top: int, pool: int) -> None:
    with scrubjay.open(":memory:", config={"search.minimum_pool": 30}) as kb:
        assert kb.search("x", top=top).plan.pool == pool
    with scrubjay.open(":memory:") as kb:
        assert kb.search("x", top=top).plan.pool >= pool


def test_r031_the_first_result_is_the_same_for_every_top(place: str) -> None:
    with scrubjay.open(place, embedder=HashingEmbedder(32)) as kb:
        kb.notes(
            {"text": f"git note {number} " + "log " * (number % 7) + "install " * (number % 3)} for number in range(80)
        )
        first = {kb.search("install git log", top=top).hits[0].id for top in (1, 2, 5, 10, 20, 33)}
    assert len(first) == 1


def test_r032_meaning_finds_what_shares_no_word(place: str) -> None:
    query = "how to set up version control"
    embedder = Fixed({"git init creates": [1, 0.1], query: [1, 0]}, other=[0, 1])
    with scrubjay.open(place, embedder=embedder) as kb:
        kb.notes([{"text": "git init creates a repository"}, {"text": "cake"}, {"text": "bread"}])
        hit = kb.search(query).hits[0]
    assert hit.snippet == "git init creates a repository"
    assert hit.sources == ("vector",)


OTHERS = (
    "a cake with cream",
    "the cat sleeps on the sofa",
    "the nightly backup copies the database to the second data centre",
    "SQLite keeps everything in one file",
    "the train to Lisbon leaves at nine",
    "retry a request when the network fails",
    "the meeting about the budget moved to Friday",
    "renew the certificate before it expires",
    "prune the roses in March",
    "the boiler needs a service every year",
)


@pytest.mark.model
def test_r032_with_the_default_model(place: str) -> None:
    with scrubjay.open(place) as kb:
        kb.notes({"text": text} for text in ("git init creates a repository", *OTHERS))
        if kb.status()["embedder"] is None:
            pytest.skip("the default model is not installed: kb models pull")
        hit = kb.search("how to set up version control").hits[0]
        alone = kb.search("how to set up version control", mode="vector").hits[0]
    assert (hit.snippet, alone.snippet) == ("git init creates a repository",) * 2
    assert "vector" in hit.sources


def test_r033_vec_only_runs_no_keyword_search(place: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with scrubjay.open(place, embedder=HashingEmbedder(16)) as kb:
        kb.note("install git")
        monkeypatch.setattr(kb.store, "keyword", lambda *_: pytest.fail("a keyword search ran"))
        result = kb.search("git", mode="vector")
    assert result.mode == "vector"
    assert result.hits[0].sources == ("vector",)


def test_r033_both_flags_are_a_usage_error(run: Run) -> None:
    run("note", "install git")
    done = run("search", "git", "--fts-only", "--vec-only")
    assert (done.code, done.out) == (2, "")
    assert "--fts-only" in done.err


def test_r033_vec_only_without_an_embedder_names_the_cure(run: Run, kb: scrubjay.KnowledgeBase) -> None:
    with pytest.raises(NoEmbedder) as raised:
        kb.search("git", mode="vector")
    assert "kb models pull" in raised.value.cure
    run("note", "install git")
    done = run("search", "git", "--vec-only")
    assert done.code == 2
    assert "kb models pull" in done.err


def one(source: str, *numbers: int) -> Ranking:
    return Ranking(source, tuple(Candidate(number, 1.0 / place) for place, number in enumerate(numbers, 1)))


def test_r034_rrf() -> None:
    assert reciprocal_rank([one("keyword", 1)])[0][0].score == CLOSE(0.016393, abs=1e-6)
    assert reciprocal_rank([one("keyword", 1)], k=10)[0][0].score == CLOSE(0.090909, abs=1e-6)


def test_r034_k_can_be_set() -> None:
    with scrubjay.open(":memory:", config={"fusion.rrf_k": 10}) as kb:
        kb.note("git")
        assert kb.search("git").hits[0].score == CLOSE(0.090909, abs=1e-6)


def test_r035_descending_and_always_the_same(place: str) -> None:
    with scrubjay.open(place, embedder=HashingEmbedder(16)) as kb:
        kb.notes({"text": "the same words"} for _ in range(30))
        kb.notes({"text": f"the same words {n % 3}"} for n in range(30))
        twice = [kb.search("same words", top=60) for _ in range(2)]
    scores = [hit.score for hit in twice[0].hits]
    assert scores == sorted(scores, reverse=True)
    assert len(scores) == 60
    assert [hit.id for hit in twice[0].hits] == [hit.id for hit in twice[1].hits]


def test_r036_hybrid_asks_both_once(place: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with scrubjay.open(place, embedder=HashingEmbedder(16)) as kb:
        kb.note("install git")
        calls: list[str] = []
        for name in ("keyword", "nearest"):
            real = getattr(kb.store, name)
            monkeypatch.setattr(kb.store, name, lambda *given, real=real, name=name: calls.append(name) or real(*given))
        assert kb.search("git").mode == "hybrid"
    assert sorted(calls) == ["keyword", "nearest"]


def test_r037_second_by_words_and_fifth_by_meaning() -> None:
    fused, _ = reciprocal_rank([one("keyword", 7, 1), one("vector", 3, 4, 5, 6, 1)])
    assert fused[0].chunk == 1
    assert fused[0].score == CLOSE(0.031514, abs=1e-6)
    assert fused[1].score == CLOSE(0.016393, abs=1e-6)


def test_r038_several_tags_mean_all_of_them(kb: scrubjay.KnowledgeBase) -> None:
    kb.note("git", title="ops", tags=["ops"])
    kb.note("git", title="both", tags=["ops", "production"])
    kb.note("git", title="production", tags=["production"])
    assert titles(kb.search("git", tags="ops,production")) == ["both"]
    assert titles(kb.search("git", tags=["production", "ops"])) == ["both"]


def test_r039_filters_act_before_ranking(place: str) -> None:
    query = [1.0, 0.0]
    with scrubjay.open(place) as kb:
        kb.notes({"text": "install git", "vector": [1, 0.001 * n]} for n in range(1000))
        [tagged] = kb.notes([{"text": "x y z git", "tags": "ops", "vector": [-1, 0.2]}])
        for mode in ("hybrid", "keyword", "vector"):
            result = kb.search("install git", tags="ops", top=1, mode=mode, vector=query)
            assert [hit.document_id for hit in result.hits] == [tagged], mode


def test_r040_one_tag_and_an_unknown_one(run: Run) -> None:
    run("note", "install git", "--tags", "ops")
    run("note", "git log")
    assert json.loads(run("search", "git", "--tags", "ops", "--json").out)["returned"] == 1
    done = run("search", "git", "--tags", "unheard-of", "--json")
    assert (done.code, json.loads(done.out)["returned"]) == (0, 0)


def test_r041_types(run: Run, write: Callable[..., Any]) -> None:
    for name in ("a.md", "b.py", "c.txt"):
        write(f"files/{name}", "# alpha\n")
    folder = write("files/d.md", "# alpha\n").parent
    assert run("add", str(folder)).code == 0
    for kind, count in (("markdown", 2), ("code", 1), ("note", 1), ("pdf", 0)):
        answer = json.loads(run("search", "alpha", "--type", kind, "--json").out)
        assert [result["type"] for result in answer["results"]] == [kind] * count


def test_r041_an_unknown_type_is_a_usage_error(run: Run) -> None:
    run("note", "git")
    done = run("search", "git", "--type", "foo")
    assert (done.code, done.out) == (2, "")
    assert all(kind in done.err for kind in ("pdf", "markdown", "code", "note"))


def test_r042_threshold() -> None:
    kept = above([Fused(number, score, ()) for number, score in enumerate((0.0315, 0.02, 0.0199))], 0.02)
    assert [item.score for item in kept] == [0.0315, 0.02]


def test_r042_threshold_in_a_search(run: Run) -> None:
    for number in range(5):
        run("note", "git " * (5 - number) + "filler " * number)
    answer = json.loads(run("search", "git", "--threshold", str(1 / 62), "--json").out)
    assert [result["rank"] for result in answer["results"]] == [1, 2]
    assert json.loads(run("search", "git", "--threshold", "0", "--json").out)["returned"] == 5


def test_r042_a_threshold_that_nothing_can_reach_is_told(kb: scrubjay.KnowledgeBase) -> None:
    kb.note("git")
    result = kb.search("git", threshold=0.5)
    assert result.hits == ()
    assert "threshold" in {notice.stage for notice in result.notices}


def test_r043_default_top(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    for _ in range(12):
        run("note", "git")
    assert json.loads(run("search", "git", "--json").out)["returned"] == 10
    assert run("config", "set", "search.default_top", "7").code == 0
    assert json.loads(run("search", "git", "--json").out)["returned"] == 7
    assert json.loads(run("search", "git", "--top", "5", "--json").out)["returned"] == 5


def test_r044_at_most_top(kb: scrubjay.KnowledgeBase) -> None:
    for _ in range(12):
        kb.note("git")
    assert len(kb.search("git", top=5).hits) == 5


def test_r045_fewer_than_asked(run: Run) -> None:
    for _ in range(3):
        run("note", "install git")
    done = run("search", "git", "--json")
    assert (done.code, json.loads(done.out)["returned"]) == (0, 3)
    done = run("search", "unfindable", "--json")
    assert (done.code, json.loads(done.out)["returned"]) == (0, 0)


def test_the_identity_of_a_model_is_more_than_its_name(place: str) -> None:
    with scrubjay.open(place, embedder=HashingEmbedder(8)) as kb:
        kb.note("install git")
        assert kb.store.models()[0].identity == ModelIdentity("hashing", 8, revision="1")
    changed = HashingEmbedder(8)
    changed.identity = changed.identity._replace(revision="2")
    with pytest.raises(ModelMismatch, match="revision"):
        scrubjay.open(place, embedder=changed)
