"""Every reranking provider against a server that speaks its protocol, well and badly."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from http_vendor import Answer, Request, Vendor, reranked
from scrubjay.errors import RerankError, UsageError
from scrubjay.rerank.client import PROVIDERS, HttpReranker, http_reranker
from scrubjay.transport import HttpTransport

KEY = "sk-very-secret-0123456789"
EVERY = tuple(PROVIDERS)
PASSAGES = ["nothing here", "install git on linux", "install something"]
Make = Callable[..., HttpReranker]


@pytest.fixture
def make(vendor: Vendor, transport: HttpTransport) -> Make:
    def build(name: str = "voyage", **more: object) -> HttpReranker:
        given: dict[str, object] = {"key": lambda: KEY, "url": vendor.url, **more}
        return http_reranker(name, transport, **given)  # type: ignore[arg-type]

    return build


@pytest.mark.parametrize("name", EVERY)
def test_scores_come_back_in_the_passages_order(make: Make, name: str) -> None:
    assert make(name).score("install git", PASSAGES) == [0.0, 1.0, 0.5]


@pytest.mark.parametrize(
    ("name", "path", "expected"),
    [
        ("voyage", "/v1/rerank", {"model": "rerank-2.5", "query": "q", "documents": ["a", "b"], "top_k": 2}),
        ("cohere", "/v2/rerank", {"model": "rerank-v3.5", "query": "q", "documents": ["a", "b"], "top_n": 2}),
        ("jina", "/v1/rerank", {"query": "q", "documents": ["a", "b"], "top_n": 2, "return_documents": False}),
        ("compatible", "/v1/rerank", {"query": "q", "documents": ["a", "b"], "top_n": 2}),
        ("tei", "/rerank", {"query": "q", "texts": ["a", "b"]}),
    ],
)
def test_each_is_asked_in_its_own_way(
    make: Make, vendor: Vendor, name: str, path: str, expected: dict[str, object]
) -> None:
    reranker = make(name)
    reranker.score("q", ["a", "b"])
    request = vendor.requests[0]
    assert request.path == path
    assert expected.items() <= request.body.items()
    assert request.headers["Authorization"] == f"Bearer {KEY}"
    assert KEY not in json.dumps(request.body) + repr(reranker) + reranker.name


def test_servers_that_say_score_are_understood(make: Make, vendor: Vendor) -> None:
    vendor.next(Answer({"results": [{"index": 0, "score": -3.5}]}))
    assert make("compatible").score("q", ["a"]) == [-3.5]


def test_no_passages_and_empty_passages_are_not_sent(make: Make, vendor: Vendor) -> None:
    assert make().score("q", []) == []
    assert make().score("q", ["", " "]) == [0.0, 0.0]
    assert vendor.requests == []
    assert make().score("install git", ["install", "", "install git"]) == [0.5, 0.5, 1.0]
    assert vendor.requests[0].body["documents"] == ["install", "install git"]


@pytest.mark.parametrize("name", EVERY)
@pytest.mark.parametrize(
    "spoil",
    [
        lambda results: results[:-1],
        lambda results: [*results, results[0]],
        lambda results: [],
        lambda results: [{**item, "index": item["index"] + 1} for item in results],
        lambda results: [{**item, "index": str(item["index"])} for item in results],
        lambda results: [{"index": item["index"]} for item in results],
        lambda results: [
            {key: (value if key == "index" else "high") for key, value in item.items()} for item in results
        ],
        lambda results: [{key: (value if key == "index" else None) for key, value in item.items()} for item in results],
        lambda results: [
            {key: (value if key == "index" else float("nan")) for key, value in item.items()} for item in results
        ],
        lambda results: [1, 2, 3],
        lambda results: {"a": 1},
    ],
)
def test_an_answer_that_is_not_whole_is_an_error(make: Make, vendor: Vendor, name: str, spoil: Callable) -> None:
    def spoilt(request: Request) -> Answer:
        good = reranked(request)
        if isinstance(good, list):
            return Answer(spoil(good))
        return Answer({key: spoil(value) for key, value in good.items()})

    vendor.always = spoilt
    with pytest.raises(RerankError):
        make(name).score("install git", PASSAGES)


@pytest.mark.parametrize("raw", [b"null", b"7", b"[]", b"{}", b"<html>", b'{"error": "x"}'])
@pytest.mark.parametrize("name", EVERY)
def test_an_answer_of_another_kind_is_an_error(make: Make, vendor: Vendor, name: str, raw: bytes) -> None:
    vendor.always = lambda _: Answer(raw=raw)
    with pytest.raises(RerankError):
        make(name).score("q", ["a"])


@pytest.mark.parametrize("name", EVERY)
@pytest.mark.parametrize(("status", "requests"), [(400, 1), (401, 1), (429, 2), (500, 2), (503, 2)])
def test_failures_are_errors_without_the_key(make: Make, vendor: Vendor, name: str, status: int, requests: int) -> None:
    vendor.always = lambda _: Answer({"detail": f"key {KEY}\nis bad"}, status)
    with pytest.raises(RerankError) as caught:
        make(name).score("q", ["a"])
    assert len(vendor.requests) == requests
    assert KEY not in f"{caught.value}{caught.value!r}"
    for part in (caught.value.what, caught.value.why, caught.value.cure):
        assert part
        assert "\n" not in part


def test_half_a_body_and_a_500_are_asked_again(make: Make, vendor: Vendor) -> None:
    vendor.next(lambda request: Answer(reranked(request), cut_at=10))
    assert make().score("install git", PASSAGES) == [0.0, 1.0, 0.5]
    vendor.next(Answer({}, 500))
    assert make("cohere").score("install git", PASSAGES) == [0.0, 1.0, 0.5]


@pytest.mark.parametrize("name", [name for name in EVERY if PROVIDERS[name].vendor])
def test_a_vendor_without_a_key_is_not_asked(make: Make, vendor: Vendor, name: str) -> None:
    with pytest.raises(RerankError, match=PROVIDERS[name].key_names[0]):
        make(name, key=lambda: None).score("q", ["a"])
    assert vendor.requests == []


def test_a_server_at_home_needs_no_key(make: Make, vendor: Vendor) -> None:
    make("compatible", key=lambda: None).score("q", ["a"])
    assert "Authorization" not in vendor.requests[0].headers


def test_what_cannot_work_is_said_at_once(make: Make) -> None:
    with pytest.raises(UsageError):
        make("nobody")
    with pytest.raises(UsageError):
        make("compatible", url="")


def test_a_rerankers_own_name_makes_it_again(make: Make) -> None:
    for name in ("voyage/rerank-2.5-lite", "compatible/owner/model"):
        assert make(name).name == name
