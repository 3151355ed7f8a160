"""The three layers over the past: what an agent finds there it can read there."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from scrubjay.mcp.answers import Answer
from scrubjay.mcp.desk import Desk
from scrubjay.store.sqlite import clock


@pytest.fixture
def past(place: str, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Answer]:
    """A base in which something was known on 4 January 2026 that was corrected and deleted on the 8th."""
    today = "2026-01-01T00:00:00Z"
    monkeypatch.setattr(clock, "now", lambda: today)
    desk = Desk(place)
    kept = desk.call("remember", {"text": "the port is 8080", "title": "Port"}).data["id"]
    with desk.using() as kb:
        kb.store._connection.execute("UPDATE changes SET at = '2026-01-01T00:00:00Z'")  # type: ignore[attr-defined]
        today = "2026-01-08T00:00:00Z"
        kb.notes([{"id": kept, "text": "the port is 9090", "title": "Port"}], replace=True)
    return lambda name, **asked: desk.call(name, asked)


def test_search_timeline_and_get_agree_on_the_past(past: Callable[..., Answer]) -> None:
    found = past("search_memories", query="port", as_of="2026-01-04")
    [hit] = found.data["results"]
    assert "8080" in hit["snippet"]
    assert "9090" in past("search_memories", query="port").data["results"][0]["snippet"]
    [entry] = past("timeline", as_of="2026-01-04").data["entries"]
    assert entry["summary"] == "the port is 8080"
    read = past("get_observations", ids=[hit["id"]], as_of="2026-01-04").data["observations"]
    assert read[0]["text"] == "the port is 8080"
    assert past("get_observations", ids=[hit["id"]]).data["observations"][0]["text"] == "the port is 9090"
    assert past("search_memories", query="port", as_of="2025-12-31").data["returned"] == 0


def test_the_status_tells_what_saved_searches_found(place: str) -> None:
    desk = Desk(place)
    with desk.using(create=True) as kb:
        kb.alert("lamp", name="lamps")
    assert "Saved searches" not in desk.call("memory_status", {}).text
    desk.call("remember", {"text": "a lamp of brass"})
    assert "Saved searches found something new: 1 of 'lamps'." in desk.call("memory_status", {}).text
    with desk.using() as kb:
        assert len(kb.alerts_due()) == 1
    assert "Saved searches" not in desk.call("memory_status", {}).text
