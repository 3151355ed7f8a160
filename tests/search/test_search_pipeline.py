"""A whole search: what is told of each hit, and what happens when a source is not there."""

from __future__ import annotations

import pytest

import scrubjay
from fakes import Failing, Fixed
from scrubjay.embed.hashing import HashingEmbedder
from scrubjay.errors import ModelMismatch, ScrubjayError


def test_a_hit_explains_itself(place: str) -> None:
    with scrubjay.open(place, embedder=HashingEmbedder(32)) as kb:
        kb.note("install git", title="Git")
        kb.note("cake")
        for profile in ("kb", "memory", "observations", "full"):
            result = kb.search("install git", profile=profile, explain=True)
            hit = result.hits[0]
            assert hit.sources == ("keyword", "vector")
            assert dict(hit.ranks) == {"keyword": 1, "vector": 1, "graph": None}
            assert [vote.source for vote in hit.votes] == ["keyword", "vector"]
            bonus = 1.1 if profile == "full" else 1.0
            assert hit.score == pytest.approx(sum(vote.contribution for vote in hit.votes) * bonus)
            assert 0 < hit.normalized <= 1
            assert (result.profile, result.plan.profile) == (profile, profile)


def test_a_search_says_how_long_each_stage_took(kb: scrubjay.KnowledgeBase) -> None:
    kb.note("git")
    result = kb.search("git")
    assert {"plan", "retrieve", "fuse", "adjust", "fetch", "total"} <= set(result.timings)
    assert result.took_ms == result.timings["total"] >= 0
    assert list(result.timings)[:-1] == list(result.plan.stages)


def test_the_same_query_is_embedded_once(place: str) -> None:
    embedder = Fixed({}, other=[1, 0])
    with scrubjay.open(place, embedder=embedder) as kb:
        kb.note("git")
        for _ in range(3):
            kb.search("git")
    assert embedder.queries() == ["git"]


def test_exclusions_act_on_the_words(kb: scrubjay.KnowledgeBase) -> None:
    kb.note("apple cake")
    pie = kb.note("apple pie")
    assert [hit.document_id for hit in kb.search("apple -cake").hits] == [pie]
    assert kb.search("-cake").hits == ()


def test_an_exclusion_holds_in_every_mode_and_profile(place: str) -> None:
    with scrubjay.open(place, embedder=HashingEmbedder(32)) as kb:
        kb.note("apple cake", title="Cake")
        pie = kb.note("apple pie", title="Pie")
        for profile in ("kb", "memory", "full"):
            for mode in ("hybrid", "keyword", "vector"):
                hits = kb.search("apple -cake", profile=profile, mode=mode).hits
                assert [hit.document_id for hit in hits] == [pie], (profile, mode)


def test_a_phrase_holds_in_every_profile(kb: scrubjay.KnowledgeBase) -> None:
    together = kb.note("one may install git here")
    kb.note("git, which one may install")
    for profile in ("kb", "memory", "full"):
        assert [hit.document_id for hit in kb.search('"install git"', profile=profile).hits] == [together]


def test_a_words_beginning(kb: scrubjay.KnowledgeBase) -> None:
    kb.note("marmalade")
    assert len(kb.search("marm*").hits) == 1
    assert len(kb.search("marm*", profile="full").hits) == 1


def test_an_exact_title_comes_first(kb: scrubjay.KnowledgeBase) -> None:
    kb.notes({"text": "git setup git setup", "title": f"About {n}"} for n in range(20))
    wanted = kb.note("how it is done", title="Git Setup")
    assert kb.search("git setup").hits[0].document_id == wanted


def test_an_embedder_that_answers_nonsense_is_a_notice(place: str) -> None:
    embedder = Fixed({}, other=[1, 0])
    with scrubjay.open(place, embedder=embedder) as kb:
        kb.note("git")
        embedder._other = [1, 0, 0]
        result = kb.search("git", top=3)
        assert (result.mode, len(result.hits)) == ("keyword", 1)
        assert any("2" in notice.reason for notice in result.notices if notice.stage == "vector")
        with pytest.raises(ScrubjayError):
            kb.search("git", mode="vector")


@pytest.mark.parametrize("value", [float("nan"), 0.0, float("inf")])
def test_a_query_vector_without_direction_is_a_notice(place: str, value: float) -> None:
    with scrubjay.open(place) as kb:
        kb.notes([{"text": "git", "vector": [1, 0]}])
        result = kb.search("git", vector=[value, value])
        assert len(result.hits) == 1
        assert "vector" in {notice.stage for notice in result.notices}


def test_a_query_vector_of_another_dimension(place: str) -> None:
    with scrubjay.open(place) as kb:
        kb.notes([{"text": "git", "vector": [1, 0]}])
        assert [notice.stage for notice in kb.search("git", vector=[1, 0, 0]).notices] == ["vector"]
        with pytest.raises(ModelMismatch, match=r"3(.|\n)*2"):
            kb.search("git", vector=[1, 0, 0], mode="vector")


def test_chunks_without_a_vector_are_found_by_words(place: str) -> None:
    with scrubjay.open(place, embedder=Failing(lambda role, text: "two" in text)) as kb:
        kb.note("git one")
        two = kb.note("git two")
        assert two in {hit.document_id for hit in kb.search("git").hits}


def test_searching_writes_nothing(place: str) -> None:
    with scrubjay.open(place, embedder=HashingEmbedder(8)) as kb:
        kb.note("git")
        before = kb.store._connection.total_changes()
        for profile in ("kb", "memory", "full"):
            kb.search("git", profile=profile)
        assert kb.store._connection.total_changes() == before
