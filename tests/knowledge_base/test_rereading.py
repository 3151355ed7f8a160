"""Reranking by a server, from the settings to the hits: leave, faults, limits, memory."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import scrubjay
from http_vendor import Answer, Vendor

KEY = "sk-very-secret-0123456789"
# By words alone the first wins; the vendor counts the query's words and prefers the second.
NOTES = (
    {"id": "d_short", "text": "git git git git git git git " + "x" * 90},
    {"id": "d_both", "text": "how to install git on a machine that has none, in as many words as it takes " + "y" * 60},
    {"id": "d_other", "text": "git is by far the most common of such programs and everybody has it " + "z" * 300},
)

Open = Callable[..., scrubjay.KnowledgeBase]


@pytest.fixture
def opened(server: Vendor, monkeypatch: pytest.MonkeyPatch) -> Iterator[Open]:
    made: list[scrubjay.KnowledgeBase] = []

    def go(provider: str = "voyage", **config: object) -> scrubjay.KnowledgeBase:
        settings = {"embedder.name": "none", "rerank.provider": provider, "rerank.url": server.url, **config}
        kb = scrubjay.open(":memory:", config=settings)
        kb.notes(NOTES)
        made.append(kb)
        return kb

    monkeypatch.setenv("VOYAGE_API_KEY", KEY)
    yield go
    for kb in made:
        kb.close()


def order(found: scrubjay.SearchResult) -> list[str]:
    return [hit.document_id for hit in found.hits]


def told(found: scrubjay.SearchResult) -> list[str]:
    return [f"{notice.reason} {notice.remedy}" for notice in found.notices if notice.stage == "rerank"]


@pytest.mark.parametrize(("provider", "path"), [("voyage", "/v1/rerank"), ("cohere", "/v2/rerank")])
def test_a_vendor_that_the_settings_name_reranks(
    opened: Open, server: Vendor, monkeypatch: pytest.MonkeyPatch, provider: str, path: str
) -> None:
    monkeypatch.setenv("COHERE_API_KEY", KEY)
    kb = opened(provider)
    found = kb.search("install git", rerank=True)
    assert order(found)[0] == "d_both"
    assert found.hits[0].reread is not None
    assert found.hits[0].reread.by.startswith(f"{provider}/")
    (request,) = server.requests
    assert request.path == path
    assert request.headers["Authorization"] == f"Bearer {KEY}"
    assert len(request.body["documents"]) == 3
    assert told(found) == []


def test_without_being_asked_nothing_is_sent(opened: Open, server: Vendor) -> None:
    opened().search("install git", profile="full")
    assert server.requests == []


def test_the_environment_switches_it_on(opened: Open, server: Vendor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ENABLE_CROSS_ENCODER", "true")
    assert order(opened().search("install git"))[0] == "d_both"
    assert len(server.requests) == 1


def test_auto_takes_voyage_and_then_cohere_once_the_user_says_auto(
    opened: Open, server: Vendor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COHERE_API_KEY", KEY)
    opened("auto").search("install git", rerank=True)
    monkeypatch.delenv("VOYAGE_API_KEY")
    opened("auto").search("install git", rerank=True)
    assert [request.path for request in server.requests] == ["/v1/rerank", "/v2/rerank"]


def test_a_project_cannot_send_text_away(
    server: Vendor, monkeypatch: pytest.MonkeyPatch, write: Callable[..., Path]
) -> None:
    monkeypatch.setenv("VOYAGE_API_KEY", KEY)
    lines = f'[rerank]\nenabled = true\nprovider = "voyage"\nurl = "{server.url}"\nmodel = "m"\n'
    folder = write("project/.kb/config.toml", lines).parent
    with scrubjay.open(folder / "kb.db") as kb:
        kb.notes(NOTES)
        found = kb.search("install git")
    assert server.requests == []
    assert sum("may not set rerank." in notice.reason for notice in found.notices) == 4


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (Answer({"error": "bad"}, status=400), "400"),
        (Answer({"error": "who"}, status=401), "401"),
        (Answer(raw=b"<html>"), "JSON"),
        (Answer({"data": [{"index": 0, "relevance_score": 1.0}]}), "does not score each"),
        (Answer({"data": [{"index": place, "relevance_score": None} for place in range(3)]}), "no scores"),
    ],
)
def test_faults_leave_the_order_and_say_why(opened: Open, server: Vendor, answer: Answer, reason: str) -> None:
    kb = opened()
    before = kb.search("install git")
    server.always = lambda _: answer
    found = kb.search("install git", rerank=True)
    assert [(hit.id, hit.score) for hit in found.hits] == [(hit.id, hit.score) for hit in before.hits]
    (line,) = told(found)
    assert reason in line
    assert KEY not in line


def test_a_server_that_is_late_is_not_waited_for(opened: Open, server: Vendor) -> None:
    kb = opened(**{"rerank.seconds": 0.05})
    before = kb.search("install git")
    server.always = lambda _: Answer({"data": []}, wait=0.4)
    found = kb.search("install git", rerank=True)
    assert order(found) == order(before)
    assert told(found)


def test_without_a_key_the_notice_names_it(opened: Open, server: Vendor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("VOYAGE_API_KEY")
    found = opened().search("install git", rerank=True)
    assert "VOYAGE_API_KEY" in told(found)[0]
    assert server.requests == []


def test_asking_again_costs_no_request_until_a_text_changes(opened: Open, server: Vendor) -> None:
    kb = opened()
    first = kb.search("install git", rerank=True)
    assert order(kb.search("install git", rerank=True)) == order(first)
    assert len(server.requests) == 1
    kb.notes([{"id": "d_other", "text": "git, written anew " + "w" * 100}], replace=True)
    kb.search("install git", rerank=True)
    assert len(server.requests) == 2


def test_a_profile_may_rerank_and_others_not(opened: Open, server: Vendor, write: Callable[..., Path]) -> None:
    write("config/scrubjay/config.toml", "[profiles.full.rerank]\nenabled = true\n")
    kb = opened()
    kb.search("install git")
    assert server.requests == []
    kb.search("install git", profile="full")
    assert len(server.requests) == 1
