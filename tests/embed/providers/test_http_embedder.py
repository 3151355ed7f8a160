"""Every embedding provider against a server that speaks its protocol, well and badly."""

from __future__ import annotations

import json
from collections.abc import Callable

import numpy as np
import pytest

from http_vendor import DIM, Answer, Clock, Request, Vendor, embedded, numbers, texts_of
from scrubjay.embed.providers import PROVIDERS, HttpEmbedder, http_embedder
from scrubjay.errors import EmbeddingError, UsageError
from scrubjay.ports import Embedder
from scrubjay.transport import HttpTransport

KEY = "sk-very-secret-0123456789"
EVERY = tuple(PROVIDERS)
Make = Callable[..., HttpEmbedder]


@pytest.fixture
def make(vendor: Vendor, transport: HttpTransport) -> Make:
    def build(name: str = "compatible", **more: object) -> HttpEmbedder:
        given: dict[str, object] = {"key": lambda: KEY, "url": vendor.url, "model": "tiny", "dim": None, **more}
        return http_embedder(name, transport, **given)  # type: ignore[arg-type]

    return build


def unit(text: str, dim: int = DIM) -> np.ndarray:
    row = np.array(numbers(text, dim))
    return row / np.linalg.norm(row)


def bodies(vendor: Vendor) -> list[list[str]]:
    return [texts_of(request) for request in vendor.requests]


# --- every protocol, spoken well ---------------------------------------------------------------


@pytest.mark.parametrize("name", EVERY)
@pytest.mark.parametrize("role", ["query", "document"])
def test_a_vector_a_text_in_order(make: Make, name: str, role: str) -> None:
    texts = ["one", "two", "drei", "四"]
    vectors = make(name).embed(texts, role)  # type: ignore[arg-type]
    assert vectors.dtype == np.float32
    assert np.allclose(vectors, [unit(text) for text in texts], atol=1e-6)


@pytest.mark.parametrize("name", EVERY)
def test_it_fits_the_port(make: Make, name: str) -> None:
    embedder = make(name)
    assert isinstance(embedder, Embedder)
    assert embedder.name == f"{name}/tiny"
    assert embedder.dim == DIM
    assert embedder.identity.name == embedder.name
    assert embedder.identity.dim == DIM
    assert embedder.identity.normalised


@pytest.mark.parametrize("name", EVERY)
def test_no_texts_is_no_request(make: Make, vendor: Vendor, name: str) -> None:
    assert len(make(name).embed([], "document")) == 0
    assert vendor.requests == []


@pytest.mark.parametrize("name", EVERY)
def test_the_key_travels_in_the_header_and_nowhere_else(make: Make, vendor: Vendor, name: str) -> None:
    embedder = make(name)
    embedder.embed(["one"], "query")
    request = vendor.requests[0]
    header = "x-goog-api-key" if name == "gemini" else "Authorization"
    assert request.headers[header].endswith(KEY)
    assert KEY not in request.path + json.dumps(request.body) + repr(embedder) + repr(embedder.identity)


@pytest.mark.parametrize("name", EVERY)
@pytest.mark.parametrize("status", [400, 401, 403, 429, 500])
def test_the_key_is_in_no_error(make: Make, vendor: Vendor, name: str, status: int) -> None:
    vendor.always = lambda _: Answer({"error": {"message": f"bad key {KEY}"}}, status)
    with pytest.raises(EmbeddingError) as caught:
        make(name).embed(["one"], "query")
    assert KEY not in f"{caught.value}{caught.value!r}"
    for part in (caught.value.what, caught.value.why, caught.value.cure):
        assert part
        assert "\n" not in part


@pytest.mark.parametrize(
    ("name", "path", "query", "document"),
    [
        ("openai", "/v1/embeddings", {}, {}),
        ("compatible", "/v1/embeddings", {}, {}),
        ("voyage", "/v1/embeddings", {"input_type": "query"}, {"input_type": "document"}),
        ("cohere", "/v2/embed", {"input_type": "search_query"}, {"input_type": "search_document"}),
        ("jina", "/v1/embeddings", {"task": "retrieval.query"}, {"task": "retrieval.passage"}),
        ("ollama", "/api/embed", {"truncate": True}, {"truncate": True}),
        ("tei", "/embed", {"truncate": True}, {"truncate": True}),
    ],
)
def test_query_and_document_are_different_calls(
    make: Make, vendor: Vendor, name: str, path: str, query: dict[str, object], document: dict[str, object]
) -> None:
    embedder = make(name)
    embedder.embed(["one"], "query")
    embedder.embed(["one"], "document")
    asked, given = vendor.requests
    assert asked.path == given.path == path
    assert query.items() <= asked.body.items()
    assert document.items() <= given.body.items()


def test_gemini_names_the_model_in_the_path_and_the_task_in_every_item(make: Make, vendor: Vendor) -> None:
    embedder = make("gemini", model="gemini-x", dim=DIM)
    embedder.embed(["one", "two"], "query")
    embedder.embed(["one"], "document")
    assert vendor.requests[0].path == "/v1beta/models/gemini-x:batchEmbedContents"
    assert [item["taskType"] for item in vendor.requests[0].body["requests"]] == ["RETRIEVAL_QUERY"] * 2
    assert vendor.requests[1].body["requests"][0] == {
        "model": "models/gemini-x",
        "taskType": "RETRIEVAL_DOCUMENT",
        "outputDimensionality": DIM,
        "content": {"parts": [{"text": "one"}]},
    }


@pytest.mark.parametrize(
    ("name", "field"),
    [
        ("openai", "dimensions"),
        ("voyage", "output_dimension"),
        ("cohere", "output_dimension"),
        ("jina", "dimensions"),
        ("ollama", "dimensions"),
    ],
)
def test_a_dimension_is_asked_for_only_when_it_was_chosen(make: Make, vendor: Vendor, name: str, field: str) -> None:
    make(name).embed(["one"], "query")
    make(name, dim=DIM).embed(["one"], "query")
    assert [request.body.get(field) for request in vendor.requests] == [None, DIM]


def test_a_models_usual_dimension_need_not_be_asked_for(make: Make, vendor: Vendor) -> None:
    vendor.always = lambda request: Answer(embedded(request, 1024))
    make("voyage", model="voyage-3.5", dim=1024).embed(["one"], "query")
    assert "output_dimension" not in vendor.requests[0].body


def test_openais_own_models_answer_in_base64(make: Make, vendor: Vendor) -> None:
    vectors = make("openai", model="text-embedding-3-test").embed(["one"], "query")
    assert vendor.requests[0].body["encoding_format"] == "base64"
    assert np.allclose(vectors[0], unit("one"), atol=1e-6)
    make("lmstudio", model="text-embedding-some-model").embed(["one"], "query")
    assert "encoding_format" not in vendor.requests[1].body


def test_a_models_own_prefixes_are_put_in_front(make: Make, vendor: Vendor) -> None:
    embedder = make("ollama", model="nomic-embed-text:latest")
    vendor.always = lambda request: Answer(embedded(request, 768))
    embedder.embed(["one"], "query")
    embedder.embed(["one"], "document")
    assert bodies(vendor) == [["search_query: one"], ["search_document: one"]]
    assert embedder.identity.query_prefix == "search_query: "
    assert embedder.identity.document_prefix == "search_document: "


@pytest.mark.parametrize(
    ("model", "dim", "prefix"),
    [
        ("nomic-embed-text", 768, "search_query: "),
        ("nomic-ai/nomic-embed-text-v1.5", 768, "search_query: "),
        ("text-embedding-nomic-embed-text-v1.5", 768, "search_query: "),
        ("intfloat/multilingual-e5-small", 384, "query: "),
        ("BAAI/bge-small-en-v1.5", 384, "Represent this sentence for searching relevant passages: "),
        ("sentence-transformers/all-MiniLM-L6-v2", 384, ""),
        ("voyage-3.5", 1024, ""),
    ],
)
def test_a_model_is_known_by_the_names_that_servers_give_it(make: Make, model: str, dim: int, prefix: str) -> None:
    identity = make("vllm", model=model).identity
    assert (identity.dim, identity.query_prefix) == (dim, prefix)


@pytest.mark.parametrize(
    ("name", "port"), [("lmstudio", 1234), ("llamacpp", 8080), ("vllm", 8000), ("ollama", 11434), ("tei", 8080)]
)
def test_a_server_at_home_is_looked_for_where_it_usually_is(make: Make, name: str, port: int) -> None:
    assert f"http://127.0.0.1:{port}" in repr(make(name, url=""))


# --- dimensions --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "dim"), [("voyage", 1024), ("openai", 1536), ("cohere", 1536), ("jina", 1024), ("gemini", 3072)]
)
def test_known_models_are_not_asked_for_their_dimension(make: Make, vendor: Vendor, name: str, dim: int) -> None:
    assert make(name, model="").dim == dim
    assert vendor.requests == []


def test_an_unknown_dimension_is_tried_once(make: Make, vendor: Vendor) -> None:
    embedder = make()
    assert (embedder.dim, embedder.dim, embedder.identity.dim) == (DIM, DIM, DIM)
    assert len(vendor.requests) == 1


def test_the_default_dimension_only_when_nobody_says(make: Make, vendor: Vendor) -> None:
    embedder = make()
    vendor.always = lambda _: Answer({}, 404)
    assert embedder.dim == 768
    vendor.always = None
    assert embedder.dim == DIM


# --- batches -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "most"), [("voyage", 128), ("cohere", 96), ("gemini", 100), ("ollama", 32), ("tei", 32)]
)
def test_batches_keep_the_providers_limit(make: Make, vendor: Vendor, name: str, most: int) -> None:
    texts = [f"text {number}" for number in range(most + 1)]
    vectors = make(name).embed(texts, "document")
    assert [len(batch) for batch in bodies(vendor)] == [most, 1]
    assert np.allclose(vectors[-1], unit(texts[-1]), atol=1e-6)


def test_an_empty_text_is_never_sent_and_is_like_nothing(make: Make, vendor: Vendor) -> None:
    vectors = make().embed(["", "one", " \n"], "document")
    assert bodies(vendor) == [["one"]]
    assert not vectors[0].any()
    assert not vectors[2].any()
    assert np.allclose(vectors[1], unit("one"), atol=1e-6)


def test_a_batch_that_is_too_large_is_halved(make: Make, vendor: Vendor) -> None:
    def only_two(request: Request) -> Answer:
        if len(texts_of(request)) > 2:
            return Answer({"error": "batch size 5 > maximum allowed batch size 2"}, 413)
        return Answer(embedded(request))

    vendor.always = only_two
    texts = ["a", "b", "c", "d", "e"]
    assert np.allclose(make("tei").embed(texts, "document"), [unit(text) for text in texts], atol=1e-6)


def test_a_text_that_is_too_long_is_shortened(make: Make, vendor: Vendor) -> None:
    def only_short(request: Request) -> Answer:
        if any(len(text) > 600 for text in texts_of(request)):
            return Answer({"error": {"message": "input is too large to process"}}, 500)
        return Answer(embedded(request))

    vendor.always = only_short
    vectors, failures = make().embed_some(["short", "word " * 400], "document")
    assert failures == {}
    last = bodies(vendor)[-1][0]
    assert 0 < len(last) <= 600
    assert np.allclose(vectors[1], unit(last), atol=1e-6)


def test_a_text_that_is_always_too_long_fails_alone(make: Make, vendor: Vendor) -> None:
    vendor.always = lambda request: (
        Answer({"error": "too long"}, 413)
        if any("x" in text for text in texts_of(request))
        else Answer(embedded(request))
    )
    vectors, failures = make().embed_some(["a", "x" * 64, "b"], "document")
    assert list(failures) == [1]
    assert vectors[0].any()
    assert vectors[2].any()
    assert not vectors[1].any()


# --- spoken badly ------------------------------------------------------------------------------


def test_shuffled_indexes_are_put_in_order(make: Make, vendor: Vendor) -> None:
    def shuffled(request: Request) -> Answer:
        value = embedded(request)
        value["data"].reverse()
        return Answer(value)

    vendor.next(shuffled)
    texts = ["one", "two", "three"]
    assert np.allclose(make("voyage").embed(texts, "document"), [unit(text) for text in texts], atol=1e-6)


def test_what_was_left_out_is_asked_for_again(make: Make, vendor: Vendor) -> None:
    def forgetful(request: Request) -> Answer:
        value = embedded(request)
        del value["data"][1]
        return Answer(value)

    vendor.next(forgetful)
    vectors = make().embed(["one", "two", "three"], "document")
    assert bodies(vendor) == [["one", "two", "three"], ["two"]]
    assert np.allclose(vectors[1], unit("two"), atol=1e-6)


def test_what_is_always_left_out_fails_alone(make: Make, vendor: Vendor) -> None:
    def forgetful(request: Request) -> Answer:
        value = embedded(request)
        value["data"] = [item for item in value["data"] if texts_of(request)[item["index"]] != "two"]
        return Answer(value)

    vendor.always = forgetful
    vectors, failures = make().embed_some(["one", "two", "three"], "document")
    assert failures == {1: "the server left it out of its answer"}
    assert np.allclose(vectors[2], unit("three"), atol=1e-6)


@pytest.mark.parametrize(("first", "second"), [(0, 0), (0, 7), (0, -1), (0, "1"), (0, None), (0, 1.0)])
def test_indexes_that_make_no_sense_make_the_answer_nonsense(
    make: Make, vendor: Vendor, first: object, second: object
) -> None:
    rows = [{"index": first, "embedding": numbers("one")}, {"index": second, "embedding": numbers("two")}]
    vendor.always = lambda _: Answer({"data": rows})
    with pytest.raises(EmbeddingError, match="index"):
        make().embed(["one", "two"], "document")


@pytest.mark.parametrize(
    "raw", [b"[]", b"{}", b'"x"', b"7", b'{"data": null}', b'{"data": [1]}', b'{"data": [{"index": 0}]}', b"null"]
)
@pytest.mark.parametrize("name", EVERY)
def test_an_answer_of_another_kind_is_an_error(make: Make, vendor: Vendor, raw: bytes, name: str) -> None:
    vendor.always = lambda _: Answer(raw=raw)
    with pytest.raises(EmbeddingError):
        make(name).embed(["one"], "query")


def test_a_wrong_dimension_is_an_error_that_says_both(make: Make, vendor: Vendor) -> None:
    with pytest.raises(EmbeddingError, match="8 dimensions, not 1024"):
        make("voyage", model="voyage-3.5").embed(["one", "two"], "document")
    assert len(vendor.requests) == 1


def test_one_vector_of_a_wrong_dimension_fails_alone(make: Make, vendor: Vendor) -> None:
    def uneven(request: Request) -> Answer:
        value = embedded(request)
        value["data"][1]["embedding"].append(1.0)
        return Answer(value)

    vendor.always = uneven
    vectors, failures = make(dim=DIM).embed_some(["one", "two"], "document")
    assert failures == {1: "the vector has 9 dimensions, not 8"}
    assert np.allclose(vectors[0], unit("one"), atol=1e-6)


@pytest.mark.parametrize("bad", ["NaN", "Infinity", "-Infinity", "null", '"x"', "[1]", "1e400"])
def test_what_is_no_number_fails_alone(make: Make, vendor: Vendor, bad: str) -> None:
    def spoilt(request: Request) -> Answer:
        value = embedded(request)
        value["data"][1]["embedding"][3] = "BAD"
        return Answer(raw=json.dumps(value).replace('"BAD"', bad).encode())

    vendor.next(spoilt)
    vectors, failures = make().embed_some(["one", "two", "three"], "document")
    assert list(failures) == [1]
    assert np.isfinite(vectors).all()
    assert np.allclose(vectors[2], unit("three"), atol=1e-6)


@pytest.mark.parametrize("row", [[0.0] * DIM, [], 3, "", "AAA", {"a": 1}, [[1.0] * DIM]])
def test_what_is_no_vector_is_refused(make: Make, vendor: Vendor, row: object) -> None:
    vendor.always = lambda _: Answer({"data": [{"index": 0, "embedding": row}]})
    with pytest.raises(EmbeddingError):
        make().embed(["one"], "query")


def test_numbers_beyond_a_float32_still_have_a_direction(make: Make, vendor: Vendor) -> None:
    vendor.always = lambda _: Answer({"data": [{"index": 0, "embedding": [3e200, 4e200]}]})
    assert np.allclose(make().embed(["one"], "query"), [[0.6, 0.8]])


def test_one_refused_text_does_not_lose_the_batch(make: Make, vendor: Vendor) -> None:
    def squeamish(request: Request) -> Answer:
        if "bad" in texts_of(request):
            return Answer({"error": {"message": "content refused"}}, 400)
        return Answer(embedded(request))

    vendor.always = squeamish
    texts = ["a", "b", "bad", "c", "d", "e"]
    vectors, failures = make().embed_some(texts, "document")
    assert list(failures) == [2]
    assert "content refused" in failures[2]
    good = [place for place in range(6) if place != 2]
    assert np.allclose(vectors[good], [unit(texts[place]) for place in good], atol=1e-6)


def test_a_provider_that_refuses_everything_is_not_asked_forever(make: Make, vendor: Vendor) -> None:
    vendor.always = lambda _: Answer({"error": {"message": "no"}}, 400)
    vectors, failures = make("voyage").embed_some([f"text {number}" for number in range(1_000)], "document")
    assert len(failures) == 1_000
    assert len(vendor.requests) < 20
    assert not vectors.any()


@pytest.mark.parametrize("status", [401, 403, 404, 502, 503, 429])
def test_a_provider_that_is_gone_is_asked_once(make: Make, vendor: Vendor, clock: Clock, status: int) -> None:
    vendor.always = lambda _: Answer({}, status)
    failures = make("voyage").embed_some(["text"] * 1_000, "document")[1]
    assert len(failures) == 1_000
    assert len(vendor.requests) <= 4


def test_500s_are_asked_again_and_then_it_goes_on(make: Make, vendor: Vendor, clock: Clock) -> None:
    vendor.next(Answer({}, 500), Answer({}, 500), Answer({}, 500))
    assert np.allclose(make().embed(["one"], "document"), [unit("one")], atol=1e-6)
    assert clock.slept == [0.5, 1.0, 2.0]


def test_half_a_body_is_asked_for_again(make: Make, vendor: Vendor) -> None:
    vendor.next(lambda request: Answer(embedded(request), cut_at=40))
    assert np.allclose(make().embed(["one"], "document"), [unit("one")], atol=1e-6)


def test_a_query_is_given_up_sooner_than_a_document(make: Make, vendor: Vendor) -> None:
    vendor.always = lambda _: Answer({}, 503)
    with pytest.raises(EmbeddingError):
        make().embed(["one"], "query")
    assert len(vendor.requests) == 2


def test_the_error_counts_and_names_the_first(make: Make, vendor: Vendor) -> None:
    vendor.always = lambda request: (
        Answer({"error": "no"}, 400) if "bad" in texts_of(request) else Answer(embedded(request))
    )
    with pytest.raises(EmbeddingError, match=r"1 of 3 texts \(the first is number 2\)"):
        make().embed(["a", "bad", "c"], "document")


# --- what is refused before anything is sent ---------------------------------------------------


@pytest.mark.parametrize("name", [name for name in EVERY if PROVIDERS[name].vendor])
def test_a_vendor_without_a_key_is_not_asked(make: Make, vendor: Vendor, name: str) -> None:
    with pytest.raises(EmbeddingError, match=PROVIDERS[name].key_names[0]):
        make(name, key=lambda: None).embed(["one"], "query")
    assert vendor.requests == []


def test_a_server_at_home_needs_no_key(make: Make, vendor: Vendor) -> None:
    make(key=lambda: None).embed(["one"], "query")
    assert "Authorization" not in vendor.requests[0].headers


@pytest.mark.parametrize("wrong", [{"name": "nobody"}, {"url": ""}, {"model": ""}])
def test_what_cannot_work_is_said_at_once(make: Make, wrong: dict[str, str]) -> None:
    with pytest.raises(UsageError):
        make(**{"name": "compatible", **wrong})


def test_every_shape_in_the_table_exists(transport: HttpTransport) -> None:
    for name, provider in PROVIDERS.items():
        assert provider.vendor == provider.url.startswith("https://")
        assert provider.key_names
        assert http_embedder(name, transport, key=lambda: None, url="http://x", model="m").name == f"{name}/m"


def test_an_embedders_own_name_makes_it_again(make: Make) -> None:
    for name in ("voyage/voyage-3.5-lite", "compatible/owner/model", "ollama/nomic-embed-text:latest"):
        assert make(name, model="").name == name
