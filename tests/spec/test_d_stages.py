"""Section D: the order of the stages, what intent weighs, what switches remove, who reranks."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

import scrubjay


class Backwards:
    """Likes the last passage best, and remembers what it was sent."""

    name = "backwards/1"

    def __init__(self) -> None:
        self.sent: list[list[str]] = []

    def score(self, query: str, passages: Sequence[str]) -> list[float]:
        self.sent.append(list(passages))
        return [place / len(passages) for place in range(len(passages))]


class Broken(Backwards):
    def score(self, query: str, passages: Sequence[str]) -> list[float]:
        self.sent.append(list(passages))
        raise ConnectionError("the server is away")


NOTES = [
    {"text": f"apple number {number} " + "apple " * number + "x" * 120, "title": f"n{number}"} for number in range(30)
]


def told(found: scrubjay.SearchResult) -> list[scrubjay.Notice]:
    """What was said of reranking."""
    return [notice for notice in found.notices if notice.stage == "rerank"]


def filled(reranker: Any = None, **config: Any) -> scrubjay.KnowledgeBase:
    base = scrubjay.open(":memory:", reranker=reranker, config={"embedder.name": "none", **config})
    base.notes(NOTES)
    return base


def test_r078_stages_in_their_order(kb: scrubjay.KnowledgeBase) -> None:
    kb.note("apple")
    stages = kb.search("apple", profile="full", rerank=True).plan.stages
    order = ["plan", "expand", "retrieve", "fuse", "adjust", "rerank", "fetch"]
    assert [name for name in order if name in stages] == list(stages)
    assert {"retrieve", "fuse", "adjust", "rerank"} <= set(stages)


def test_r078_explain_lists_the_stages(run: Callable[..., Any], write: Callable[..., Path]) -> None:
    write("a.md", "apple pie")
    assert run("add", str(write("b.md", "apple cake").parent)).code == 0
    record = json.loads(run("search", "apple", "--profile", "full", "--rerank", "--explain", "--json").out)
    stages = record["plan"]["stages"]
    assert stages.index("retrieve") < stages.index("fuse") < stages.index("adjust") < stages.index("rerank")
    text = run("search", "apple", "--profile", "full", "--explain").out
    assert text.index("retrieve ") < text.index("fuse ") < text.index("adjust ")


def test_r074_explain_shows_the_intent_with_score_and_words(run: Callable[..., Any]) -> None:
    run("note", "the login crash was fixed after the update")
    record = json.loads(run("search", "fix login crash after update", "--profile", "full", "--explain", "--json").out)
    assert record["plan"]["intent"] == {
        "intent": "fix_bug", "score": 5.0, "confidence": 1.0, "words": ["fix", "crash", "after"],
    }  # fmt: skip
    text = run("search", "fix login crash after update", "--profile", "full", "--explain").out
    assert "fix_bug 5" in text
    assert "fix, crash, after" in text


def decisions(tmp_path: Path) -> None:
    words = "We chose sqlite; the decision and its rationale."
    for name in ("notes/equal.md", "specs/1/decision-record.md"):
        path = tmp_path / "files" / name
        path.parent.mkdir(parents=True)
        path.write_text(words)


def test_r077_a_decision_record_above_an_equal_note(tmp_path: Path) -> None:
    decisions(tmp_path)
    with scrubjay.open(":memory:", config={"embedder.name": "none"}) as kb:
        kb.add(tmp_path / "files")
        hits = kb.search("why did we choose sqlite decision rationale", profile="full").hits
        assert [Path(hit.path or "").name for hit in hits] == ["decision-record.md", "equal.md"]
        (factor,) = [factor for factor in hits[0].factors if factor.name == "intent"]
        assert factor.value == 1.4
        plain = kb.search("sqlite", profile="full").hits
        assert all(factor.name != "intent" for hit in plain for factor in hit.factors)


def test_r077_weights_of_an_intent_are_settings(tmp_path: Path) -> None:
    decisions(tmp_path)
    own = {"intents": {"find_decision": {"decision_record": 0.5, "graph": 3, "keyword": 0.9}}}
    with scrubjay.open(":memory:", config={"embedder.name": "none", **own}) as kb:
        kb.add(tmp_path / "files")
        found = kb.search("why did we choose sqlite decision rationale", profile="full")
        assert [Path(hit.path or "").name for hit in found.hits] == ["equal.md", "decision-record.md"]
        assert found.plan.source_weights["keyword"] == 0.9
        assert found.plan.graph_weight == 4.5
        assert found.hits[0].votes[0].contribution == pytest.approx(0.9 / (60 + found.hits[0].votes[0].rank))


def test_r077_only_profile_full_guesses(kb: scrubjay.KnowledgeBase) -> None:
    kb.note("decision rationale")
    assert kb.search("why did we choose sqlite decision rationale").plan.intent is None


def test_r082_all_three_are_shown() -> None:
    class Even(Backwards):
        def score(self, query: str, passages: Sequence[str]) -> list[float]:
            return [0.9] * len(passages)

    with scrubjay.open(":memory:", reranker=Even(), config={"embedder.name": "none"}) as kb:
        kb.notes([{"text": "apple" + "x" * 45}, {"text": "apple " + "y" * 200}])
        found = kb.search("apple*", rerank=True, explain=True)
    short = next(hit for hit in found.hits if hit.snippet.startswith("applex"))
    assert short.reread is not None
    assert short.reread[:4] == ("backwards/1", 0.9, pytest.approx(0.9), pytest.approx(0.81))
    assert short.score == pytest.approx(0.81)
    assert found.hits[0].score == pytest.approx(0.9)


def test_r082_in_explain_and_explain_json(run: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    from scrubjay.rerank import local

    monkeypatch.setattr("scrubjay.knowledge_base.rereading.Rereading._local", lambda self: Backwards())
    assert local
    run("note", "apple pie is good")
    run("note", "apple cake is better")
    record = json.loads(run("search", "apple", "--rerank", "--explain", "--json").out)
    (step,) = [step for step in record["results"][0]["explain"] if step["step"] == "rerank"]
    assert step["final"] == pytest.approx(step["score"] * step["penalty"])
    assert record["results"][0]["score"] == pytest.approx(step["final"])
    text = run("search", "apple", "--rerank", "--explain").out
    assert "reranked: 0.5000 × length 0.840" in text
    assert "by backwards/1" in text


def test_r085_none_leaves_the_order_and_says_so() -> None:
    with filled() as kb:
        plain, asked = kb.search("apple"), kb.search("apple", rerank=True)
    assert [hit.id for hit in plain.hits] == [hit.id for hit in asked.hits]
    assert told(plain) == []
    assert told(asked)[0].remedy


def test_r085_a_key_alone_is_no_leave_to_send(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VOYAGE_API_KEY", "k")
    with filled() as kb:
        found = kb.search("apple", rerank=True)
    assert "key for voyage" in told(found)[0].reason
    assert all(hit.reread is None for hit in found.hits)


def test_r086_enable_cross_encoder_removes_or_adds_its_stage(monkeypatch: pytest.MonkeyPatch) -> None:
    reranker = Backwards()
    with filled(reranker) as kb:
        assert "rerank" not in kb.search("apple", profile="full").plan.stages
        assert reranker.sent == []
        assert "rerank" in kb.search("apple", profile="full", rerank=True).plan.stages
    monkeypatch.setenv("ENABLE_CROSS_ENCODER", "true")
    with filled(reranker) as kb:
        assert "rerank" in kb.search("apple").plan.stages
        assert "rerank" not in kb.search("apple", rerank=False).plan.stages


@pytest.mark.parametrize(
    ("name", "setting", "default"),
    [
        ("ENABLE_RRF_FUSION", "fusion.enabled", True),
        ("ENABLE_BM25", "bm25.enabled", True),
        ("ENABLE_CROSS_ENCODER", "rerank.enabled", False),
        ("CROSS_ENCODER_PROVIDER", "rerank.provider", "auto"),
        ("MAX_RERANK_CANDIDATES", "rerank.candidates", 20),
        ("RERANK_P95_THRESHOLD", "rerank.p95_ms", 500.0),
        ("RERANK_CACHE_TTL", "rerank.cache_ms", 300_000),
        ("RERANK_CACHE_SIZE", "rerank.cache_size", 1000),
        ("EMBEDDING_DIM", "embedding.dimension", 768),
    ],
)
def test_r086_r087_a_bad_value_is_the_default_and_a_notice(
    monkeypatch: pytest.MonkeyPatch, name: str, setting: str, default: object
) -> None:
    monkeypatch.setenv(name, "perhaps")
    with scrubjay.open(":memory:") as kb:
        assert kb.config.get(setting) == default
        kb.note("apple")
        told = kb.search("apple").notices
    assert any(notice.stage == "config" and name in notice.reason for notice in told)


def test_r087_five_candidates_are_five_documents_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    reranker = Backwards()
    with filled(reranker) as kb:
        kb.search("apple", rerank=True)
    monkeypatch.setenv("MAX_RERANK_CANDIDATES", "5")
    with filled(reranker) as kb:
        before = kb.search("apple", top=8)
        after = kb.search("apple", top=8, rerank=True)
    assert [len(sent) for sent in reranker.sent] == [20, 5]
    ids = [hit.id for hit in before.hits]
    assert [hit.id for hit in after.hits] == [*reversed(ids[:5]), *ids[5:]]
    assert [hit.score for hit in after.hits] == sorted((hit.score for hit in after.hits), reverse=True)


def test_r084_the_cache_lives_as_long_as_the_base() -> None:
    reranker = Backwards()
    with filled(reranker) as kb:
        first = kb.search("apple", rerank=True)
        assert [hit.score for hit in kb.search("apple", rerank=True).hits] == [hit.score for hit in first.hits]
    assert len(reranker.sent) == 1


def test_r083_the_guard_lives_as_long_as_the_base() -> None:
    with filled(Backwards(), **{"rerank.cache_size": 0}) as kb:
        kb.search("apple", rerank=True)
        for _ in range(100):
            kb._rereading.guard.record(600)
        found = kb.search("apple", rerank=True)
    assert "above 500 ms" in told(found)[0].reason
    assert all(hit.reread is None for hit in found.hits)


def test_a_failing_reranker_leaves_the_order_with_a_notice() -> None:
    with filled(Broken()) as kb:
        plain, asked = kb.search("apple"), kb.search("apple", rerank=True)
    assert [(hit.id, hit.score) for hit in plain.hits] == [(hit.id, hit.score) for hit in asked.hits]
    assert "the server is away" in told(asked)[0].reason


def test_r103_reordering_leaves_its_input_alone() -> None:
    from scrubjay.search.reorder import reordered
    from scrubjay.types import Fused, Vote

    vote = Vote("keyword", 1, 1.0, 1.0, 0.1)
    ranked = [Fused(number, 0.5 - number / 10, (vote,)) for number in range(4)]
    before = list(ranked)
    found = reordered(ranked, {0: (0.1, 1.0, 0.1), 1: (0.2, 1.0, 0.2)}, "x")
    assert ranked == before
    assert [item.chunk for item in found] == [1, 0, 2, 3]
    assert [item.score for item in found] == sorted((item.score for item in found), reverse=True)


def test_r107_a_default_run_makes_no_network_call(monkeypatch: pytest.MonkeyPatch) -> None:
    import socket

    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("a default run went to the network")

    monkeypatch.setenv("VOYAGE_API_KEY", "k")
    monkeypatch.setenv("COHERE_API_KEY", "k")
    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket, "create_connection", refuse)
    with scrubjay.open(":memory:") as kb:
        kb.note("apple")
        for profile in ("kb", "memory", "observations", "full"):
            found = kb.search("apple", profile=profile)
            assert found.hits
            assert found.plan.rerank is False
