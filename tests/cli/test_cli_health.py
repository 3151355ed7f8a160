from __future__ import annotations

import json
from typing import Any

from scrubjay.types import Check


def test_status_shows_counts_sizes_and_what_waits(kb: Any, base: Any) -> None:
    out = kb("status").out
    for text in (
        "/notes/.kb/kb.db", "3.4 MB", "310", "300 markdown", "1,204", "arctic · 384", "12", "still to be made",
        "2.0 MB", "read never",
    ):  # fmt: skip
        assert text in out, text


def test_status_without_an_embedder_says_so(kb: Any, base: Any) -> None:
    base.state = {**base.state, "embedder": None, "pending": 0, "failed": 0}
    out = kb("status").out
    assert "by words alone" in out
    assert "pending" not in out


def test_status_of_an_empty_base_says_what_to_do(kb: Any, base: Any) -> None:
    base.state = {**base.state, "documents": 0, "chunks": 0, "by_kind": {}, "sources": []}
    assert "kb add" in kb("status").err


def test_status_json_is_the_whole_state(kb: Any, base: Any) -> None:
    assert json.loads(kb("status", "--json").out) == base.state


def test_doctor_is_well_without_optional_parts(kb: Any, base: Any) -> None:
    done = kb("doctor")
    assert done.code == 0
    assert "✓ sqlite" in done.out
    assert "– onnxruntime" in done.out
    assert "pip install it" in done.out
    assert "All is well." in done.out


def test_doctor_without_a_base_checks_the_parts(kb: Any, base: Any) -> None:
    base.missing = True
    base.checks = [*base.checks, Check("integrity", True, "the file is sound")]
    done = kb("doctor")
    assert done.code == 0
    assert done.out.startswith("– base")
    assert "`kb add PATH` makes one." in done.out
    assert "✓ sqlite" in done.out
    assert "integrity" not in done.out  # there is no file
    assert kb("doctor", "--base", "typo.db").code == 1


def test_doctor_fails_when_something_is_broken(kb: Any, base: Any) -> None:
    base.checks = [Check("integrity", False, "damaged", "restore a backup")]
    done = kb("doctor")
    assert done.code == 1
    assert "✗ integrity" in done.out
    assert "restore a backup" in done.out
    assert "1 thing to mend." in done.out
    record = json.loads(kb("doctor", "--json").out)
    assert record["ok"] is False
    assert record["checks"] == [{"name": "integrity", "ok": False, "detail": "damaged", "cure": "restore a backup"}]
