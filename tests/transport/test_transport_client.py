"""The transport against a real server: manners, patience, and a key that never shows."""

from __future__ import annotations

import socket
import threading

import pytest

from http_vendor import Answer, Clock, Request, Vendor
from scrubjay.transport import HttpTransport
from scrubjay.transport.client import join

KEY = "sk-very-secret-0123456789"
AUTHORISED = {"Authorization": f"Bearer {KEY}"}


def ask(transport: HttpTransport, vendor: Vendor, **more: object):
    return transport.post(vendor.url, "/v1/embeddings", {"input": ["a"]}, headers=AUTHORISED, **more)


def test_a_good_answer_is_its_json(transport: HttpTransport, vendor: Vendor) -> None:
    reply = ask(transport, vendor)
    assert reply.ok
    assert reply.status == 200
    assert len(reply.value["data"]) == 1
    assert vendor.requests[0].headers["Authorization"] == f"Bearer {KEY}"


def test_a_connection_is_used_again(transport: HttpTransport, vendor: Vendor) -> None:
    before = vendor.connections
    for _ in range(5):
        assert ask(transport, vendor).ok
    assert vendor.connections == before + 1


def test_a_connection_that_the_server_closed_is_no_failure(
    transport: HttpTransport, vendor: Vendor, clock: Clock
) -> None:
    def closing(request: Request) -> Answer:
        return Answer({"data": []}, cut_at=1_000)  # whole, but the server hangs up without saying so

    vendor.next(closing)
    assert ask(transport, vendor).ok
    assert ask(transport, vendor).ok
    assert clock.slept == []


@pytest.mark.parametrize("status", [429, 500, 502, 503, 504])
def test_passing_failures_are_asked_again(transport: HttpTransport, vendor: Vendor, clock: Clock, status: int) -> None:
    vendor.next(Answer({"error": "busy"}, status), Answer({"error": "busy"}, status))
    assert ask(transport, vendor).ok
    assert clock.slept == [0.5, 1.0]


def test_pauses_double_and_jitter_makes_them_shorter(vendor: Vendor, clock: Clock) -> None:
    transport = HttpTransport(attempts=9, sleep=clock.sleep, jitter=lambda: 0.5, clock=clock)
    vendor.always = lambda _: Answer({}, 503)
    reply = ask(transport, vendor, seconds=1_000.0)
    assert clock.slept == [0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 10.0, 10.0]
    assert not reply.ok
    assert reply.reason == f"{vendor.host} answered 503, 9 times"


@pytest.mark.parametrize("status", [301, 400, 401, 403, 404, 413, 422])
def test_final_failures_are_not(transport: HttpTransport, vendor: Vendor, clock: Clock, status: int) -> None:
    vendor.next(Answer({"error": {"message": "no"}}, status))
    reply = ask(transport, vendor)
    assert (reply.ok, reply.status, len(vendor.requests)) == (False, status, 1)
    assert reply.cure
    assert clock.slept == []


def test_money_that_is_gone_does_not_come_back(transport: HttpTransport, vendor: Vendor) -> None:
    vendor.next(Answer({"error": {"message": "check your plan", "code": "insufficient_quota"}}, 429))
    assert not ask(transport, vendor).ok
    assert len(vendor.requests) == 1


def test_retry_after_in_seconds_is_honoured(transport: HttpTransport, vendor: Vendor, clock: Clock) -> None:
    vendor.next(Answer({}, 429, {"Retry-After": "7"}))
    assert ask(transport, vendor).ok
    assert clock.slept == [7.0]


def test_retry_after_as_a_date_is_honoured(transport: HttpTransport, vendor: Vendor, clock: Clock) -> None:
    vendor.next(Answer({}, 503, {"Retry-After": "Sun, 09 Sep 2001 01:46:45 GMT"}))  # five seconds after `now`
    assert ask(transport, vendor).ok
    assert clock.slept == [5.0]


def test_a_wait_beyond_the_time_limit_ends_it_at_once(transport: HttpTransport, vendor: Vendor, clock: Clock) -> None:
    vendor.next(Answer({"error": "slow down"}, 429, {"Retry-After": "3600"}))
    reply = ask(transport, vendor, seconds=60.0)
    assert (reply.ok, len(vendor.requests), clock.slept) == (False, 1, [])


def test_half_a_body_is_asked_again(transport: HttpTransport, vendor: Vendor, clock: Clock) -> None:
    vendor.next(Answer({"data": ["x" * 1000]}, cut_at=100))
    assert ask(transport, vendor).ok
    assert len(clock.slept) == 1


def test_half_a_body_every_time_is_told(transport: HttpTransport, vendor: Vendor) -> None:
    vendor.always = lambda _: Answer({"data": ["x" * 1000]}, cut_at=100)
    reply = ask(transport, vendor)
    assert not reply.ok
    assert "broke off" in reply.reason


def test_a_chunked_body_is_read_and_a_broken_one_refused(transport: HttpTransport, vendor: Vendor) -> None:
    chunked = {"Transfer-Encoding": "chunked"}
    vendor.next(Answer(headers=chunked, raw=b'5\r\n{"a":\r\n3\r\n 1}\r\n0\r\n\r\n'))
    assert ask(transport, vendor).value == {"a": 1}
    vendor.next(Answer(headers=chunked, raw=b'5\r\n{"a":\r\n9\r\n 1', cut_at=99))
    assert ask(transport, vendor, attempts=1).ok is False


def test_an_answer_that_is_no_json(transport: HttpTransport, vendor: Vendor) -> None:
    vendor.always = lambda _: Answer(raw=b"<html>hello</html>")
    reply = ask(transport, vendor)
    assert not reply.ok
    assert "not JSON" in reply.reason


def test_a_slow_server_is_not_waited_for(vendor: Vendor) -> None:
    released = threading.Event()

    def slow(request: Request) -> Answer:
        released.wait(5)
        return Answer({})

    vendor.next(slow)
    reply = ask(HttpTransport(), vendor, seconds=0.05)
    released.set()
    assert not reply.ok
    assert reply.status == 0
    assert reply.reason == f"{vendor.host} did not answer in time"


def test_a_trickle_does_not_outlast_the_deadline(vendor: Vendor) -> None:
    ticks = iter(range(100))
    transport = HttpTransport(clock=lambda: next(ticks))  # every look at the clock is a second later
    vendor.next(Answer({"data": "x" * 3_000_000}))
    reply = ask(transport, vendor, seconds=4.0, attempts=1)
    assert reply.reason.endswith("did not answer in time")


def test_nobody_listens(transport: HttpTransport, clock: Clock) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    reply = transport.post(f"http://127.0.0.1:{port}", "/x", {})
    assert reply.status == 0
    assert "cannot be reached" in reply.reason
    assert len(clock.slept) == 3
    assert "\n" not in reply.reason + reply.cure


@pytest.mark.parametrize("status", [400, 401, 403, 429, 500])
def test_the_key_is_in_no_reason(transport: HttpTransport, vendor: Vendor, status: int) -> None:
    vendor.always = lambda _: Answer({"error": {"message": f"wrong key: {KEY}\nBearer {KEY}"}}, status)
    reply = ask(transport, vendor)
    assert KEY not in f"{reply.reason}{reply.cure}{transport!r}"
    assert KEY[:8] not in reply.reason
    assert "\n" not in reply.reason


def test_a_refused_key_is_not_shown_in_pieces_either(transport: HttpTransport, vendor: Vendor) -> None:
    vendor.always = lambda _: Answer({"error": {"message": "Incorrect API key provided: sk-very-*****6789"}}, 401)
    assert ask(transport, vendor).reason == f"{vendor.host} answered 401"


@pytest.mark.parametrize("key", ["sk-with\nnewline", "sk-ключ"])
def test_a_key_that_cannot_be_sent_is_not_quoted(transport: HttpTransport, vendor: Vendor, key: str) -> None:
    reply = transport.post(vendor.url, "/v1/embeddings", {}, headers={"Authorization": f"Bearer {key}"})
    assert not reply.ok
    assert key not in reply.reason
    assert "sk-" not in reply.reason
    assert vendor.requests == []


@pytest.mark.parametrize(
    "url", ["", "localhost:8080", "ftp://x", "http://u:p@x", "http://[x", "http://x:port", "http://a b"]
)
def test_what_is_no_url_is_told(transport: HttpTransport, url: str) -> None:
    reply = transport.post(url, "/x", {})
    assert not reply.ok
    assert "URL" in reply.reason


@pytest.mark.parametrize(
    ("message", "status", "expected"),
    [
        ("input is too large to process. increase the physical batch size", 500, True),
        ("Input validation error: `inputs` must have less than 512 tokens. Given: 785", 413, True),
        ("This model's maximum context length is 8192 tokens", 400, True),
        ("BatchEmbedContentsRequest.requests: at most 100 requests can be in one batch", 400, True),
        ("batch size 64 > maximum allowed batch size 32", 422, True),
        ("the input length exceeds the context length", 400, True),
        ("model not found", 400, False),
        ("out of memory", 500, False),
    ],
)
def test_too_long_is_recognised(
    transport: HttpTransport, vendor: Vendor, message: str, status: int, expected: bool
) -> None:
    vendor.always = lambda _: Answer({"error": {"message": message}}, status)
    reply = ask(transport, vendor)
    assert reply.too_long is expected
    assert len(vendor.requests) == (4 if status == 500 and not expected else 1)


@pytest.mark.parametrize(
    "body",
    [
        {"error": {"message": "why"}},
        {"error": "why"},
        {"detail": "why"},
        {"detail": [{"msg": "why"}]},
        {"message": "why"},
    ],
)
def test_the_servers_message_is_found(transport: HttpTransport, vendor: Vendor, body: object) -> None:
    vendor.next(Answer(body, 400))
    assert ask(transport, vendor).reason == f"{vendor.host} answered 400 (why)"


def test_a_proxy_is_asked_for_the_whole_url(vendor: Vendor) -> None:
    proxied = HttpTransport(proxies={"http": f"http://me:secret@{vendor.host}", "no": "internal.test"})
    proxied.post("http://example.test", "/v1/embeddings", {"input": ["a"]})
    assert vendor.requests[0].path == "http://example.test/v1/embeddings"
    assert vendor.requests[0].headers["Proxy-Authorization"].startswith("Basic ")


def test_this_machine_and_exempt_hosts_need_no_proxy(vendor: Vendor) -> None:
    transport = HttpTransport(proxies={"http": "http://127.0.0.1:9", "no": ".internal.test"}, attempts=1)
    assert ask(transport, vendor).ok
    assert "cannot be reached" in transport.post("http://x.internal.test:9", "/x", {}, seconds=1.0).reason


@pytest.mark.parametrize(
    ("base", "expected"),
    [
        ("http://h", "http://h/v1/embeddings"),
        ("http://h/", "http://h/v1/embeddings"),
        ("http://h/v1", "http://h/v1/embeddings"),
        ("http://h/v1/", "http://h/v1/embeddings"),
        ("http://h/v1/embeddings", "http://h/v1/embeddings"),
        ("http://h/openai", "http://h/openai/v1/embeddings"),
    ],
)
def test_a_base_may_hold_part_of_the_path(base: str, expected: str) -> None:
    assert join(base, "/v1/embeddings") == expected
