"""Requirements R68–R71, R99, R101: the BM25 channel over the store's own postings."""

from __future__ import annotations

import apsw
import pytest

import scrubjay
from scrubjay.embed.hashing import HashingEmbedder
from scrubjay.search.parse import parse
from scrubjay.store.sqlite.bm25 import idf, term_score

CLOSE = pytest.approx
DOCUMENTS = ("fix login crash", "login page design", "database schema design notes")


def channel(kb: scrubjay.KnowledgeBase, query: str, k1: float = 1.2, b: float = 0.75) -> dict[str, float]:
    """The channel asked directly: the text of each chunk with its score."""
    ranking = kb.store.bm25(parse(query), 100, None, k1, b)
    texts = {chunk.number: chunk.text for chunk in kb.store.fetch([c.chunk for c in ranking.candidates])}
    return {texts[candidate.chunk]: candidate.score for candidate in ranking.candidates}


def test_r068_the_formula(kb: scrubjay.KnowledgeBase) -> None:
    kb.notes({"text": text} for text in DOCUMENTS)
    scores = channel(kb, "login crash")
    assert scores[DOCUMENTS[0]] == CLOSE(1.512717, abs=1e-4)
    assert scores[DOCUMENTS[1]] == CLOSE(0.490051, abs=1e-4)
    assert scores.get(DOCUMENTS[2], 0.0) == 0


def test_r068_one_term() -> None:
    assert term_score(idf(3, 2), 1, 3, 10 / 3, 1.2, 0.75) == CLOSE(0.490051, abs=1e-4)
    assert term_score(1, 1, 5, 5, 1.2, 0.75) == CLOSE(1.0)
    assert term_score(1, 4, 5, 5, 0, 0.75) == CLOSE(1.0), "with k1 = 0 the frequency does not matter"
    assert term_score(1, 2, 1, 5, 1.2, 0) == term_score(1, 2, 9, 5, 1.2, 0), "with b = 0 the length does not matter"


@pytest.mark.parametrize(("count", "containing", "expected"), [(10, 3, 1.145132), (10, 10, 0.046520), (1, 1, 0.287682)])
def test_r069_idf(count: int, containing: int, expected: float) -> None:
    assert idf(count, containing) == CLOSE(expected, abs=1e-6)


def test_r070_deleting_changes_n_and_the_average_at_once(place: str) -> None:
    with scrubjay.open(place) as kb:
        ids = kb.notes({"text": text} for text in DOCUMENTS)
        before = channel(kb, "login")
        kb.remove(ids[0])
        after = channel(kb, "login")
    assert set(before) == set(DOCUMENTS[:2])
    assert set(after) == {DOCUMENTS[1]}
    assert after[DOCUMENTS[1]] == CLOSE(term_score(idf(2, 1), 1, 3, 3.5, 1.2, 0.75), abs=1e-4)


def test_r070_also_when_another_process_wrote(place: str) -> None:
    with scrubjay.open(place) as kb:
        ids = kb.notes({"text": text} for text in DOCUMENTS)
        channel(kb, "login")
        with scrubjay.open(place) as other:
            other.remove(ids[0])
            other.note("a login with a long, long, long story")
        after = channel(kb, "login")
    assert DOCUMENTS[0] not in after
    assert len(after) == 2
    # 3 chunks of 3, 4 and 8 words, 2 of them with the term
    assert after[DOCUMENTS[1]] == CLOSE(term_score(idf(3, 2), 1, 3, 5, 1.2, 0.75), abs=1e-4)


def test_r070_there_is_no_second_truth(place: str) -> None:
    """An in-memory copy would not see what raw SQL removes."""
    with scrubjay.open(place) as kb:
        kb.notes({"text": text} for text in DOCUMENTS)
        channel(kb, "login")
        connection = apsw.Connection(place)
        connection.execute("DELETE FROM chunks WHERE text LIKE '%crash%'")
        connection.close()
        assert set(channel(kb, "login crash")) == {DOCUMENTS[1]}


def test_r071_tokens(kb: scrubjay.KnowledgeBase) -> None:
    assert [token for _, _, token in kb.store.tokens("user_authentication_flow")] == ["user", "authent", "flow"]
    assert [token for _, _, token in kb.store.tokens("running")] == ["run"]


@pytest.mark.parametrize("profile", ["kb", "full"])
def test_r071_the_whole_identifier_is_findable(kb: scrubjay.KnowledgeBase, profile: str) -> None:
    kb.note("the user said: authentication, flow, flow, flow; user authentication flow")
    whole = kb.note("call user_authentication_flow() first, which is a rather long function with many lines")
    hit = kb.search("user_authentication_flow", profile=profile).hits[0]
    assert hit.document_id == whole
    for part in ("authentication", "user", "flow"):
        assert whole in {hit.document_id for hit in kb.search(part, profile=profile).hits}


def test_r072_a_query_of_stop_words_still_searches(kb: scrubjay.KnowledgeBase) -> None:
    kb.note("to be or not to be")
    kb.note("cake")
    for profile in ("kb", "memory", "full"):
        assert len(kb.search("to be or not to be", profile=profile).hits) == 1


SWITCHED = [
    ({"bm25.enabled": False}, {"keyword", "vector"}, "fts5"),
    ({"fusion.enabled": False}, {"vector"}, ""),
    ({}, {"keyword", "vector"}, "bm25"),
]


@pytest.mark.parametrize(("config", "sources", "tier"), SWITCHED, ids=["no bm25", "no fusion", "no graph"])
def test_r099_switches_take_their_stage_away(place: str, config: dict[str, bool], sources: set[str], tier: str) -> None:
    with scrubjay.open(place, embedder=HashingEmbedder(16), config=config) as kb:
        kb.note("install git")
        result = kb.search("install git", profile="full")
    assert {source for hit in result.hits for source in hit.sources} == sources
    assert result.tier == tier


@pytest.mark.parametrize(("name", "stage"), [("ENABLE_BM25", "fts5"), ("ENABLE_RRF_FUSION", "")])
def test_r099_switches_of_the_environment(place: str, monkeypatch: pytest.MonkeyPatch, name: str, stage: str) -> None:
    monkeypatch.setenv(name, "false")
    with scrubjay.open(place, embedder=HashingEmbedder(16)) as kb:
        kb.note("install git")
        assert kb.search("install git", profile="full").tier == stage


def test_r099_without_fusion_and_without_vectors_words_answer(kb: scrubjay.KnowledgeBase) -> None:
    with scrubjay.open(":memory:", config={"fusion.enabled": False}) as base:
        base.note("install git")
        result = base.search("git")
    assert result.hits[0].sources == ("keyword",)
    assert result.mode == "keyword"


def test_r101_the_channel_can_be_asked_directly(kb: scrubjay.KnowledgeBase) -> None:
    kb.notes({"text": text} for text in DOCUMENTS)
    ranking = kb.store.bm25(parse("login crash"), 100, None, 1.2, 0.75)
    assert (ranking.source, ranking.tier) == ("keyword", "bm25")
    scores = [candidate.score for candidate in ranking.candidates]
    assert scores == sorted(scores, reverse=True)
    chunks = kb.store.fetch([candidate.chunk for candidate in ranking.candidates])
    assert [chunk.text for chunk in chunks] == list(DOCUMENTS[:2])
    assert len(kb.store.bm25(parse("login"), 1, None, 1.2, 0.75).candidates) == 1


def test_r101_filters_act_on_the_channel_too(kb: scrubjay.KnowledgeBase) -> None:
    ids = kb.notes({"text": text, "tags": ["x"] if "page" in text else []} for text in DOCUMENTS)
    hits = kb.search("login crash", tags="x", profile="full").hits
    assert [hit.document_id for hit in hits] == [ids[1]]
