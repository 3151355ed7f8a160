"""A write that waits for another process does not hold up whoever reads."""

from __future__ import annotations

import threading

import apsw
import pytest

import scrubjay
from scrubjay.errors import BaseLocked


def test_reading_goes_on_while_a_write_waits(place: str) -> None:
    with scrubjay.open(place) as kb:
        kept = kb.note("git")
        other = apsw.Connection(place)
        other.execute("BEGIN IMMEDIATE")
        writer = threading.Thread(target=kb.note, args=("cake",))
        writer.start()
        for _ in range(20):
            assert [hit.document_id for hit in kb.search("git").hits] == [kept]
        assert writer.is_alive()  # it waits still
        other.execute("ROLLBACK")
        other.close()
        writer.join()
        assert len(kb.search("cake").hits) == 1


def test_waiting_ends_with_an_error_that_leaves_the_base_usable(place: str) -> None:
    with scrubjay.open(place, config={"store.busy_seconds": 0.01}) as kb:
        other = apsw.Connection(place)
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(BaseLocked):
            kb.note("cake")
        other.execute("ROLLBACK")
        other.close()
        kb.note("cake")
        with kb.store.writing(), kb.store.writing():  # one transaction within itself
            kb.note("bread")
        assert kb.status()["documents"] == 2
