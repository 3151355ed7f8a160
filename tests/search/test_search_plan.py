"""What was asked becomes what will run: every default filled in, every value checked."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from scrubjay.config import load
from scrubjay.errors import UsageError
from scrubjay.search.plan import filter_of, one_of, plan, split_tags
from scrubjay.types import EVERYTHING, KINDS, QueryPlan, SearchOptions


def planned(settings: dict[str, Any] | None = None, **asked: Any) -> QueryPlan:
    config = load(settings, environ={"HOME": "/nowhere"}, start="/")
    return plan(SearchOptions(asked.pop("query", "git"), **asked), config)


def test_the_four_profiles() -> None:
    rows = {name: planned(profile=name) for name in ("kb", "memory", "observations", "full")}
    assert {name: row.fusion for name, row in rows.items()} == {
        "kb": "rrf", "memory": "weighted", "observations": "rrf", "full": "enhanced",
    }  # fmt: skip
    assert {name: row.floor for name, row in rows.items()} == {"kb": 0, "memory": 0.1, "observations": 0, "full": 0}
    assert [name for name, row in rows.items() if row.half_life_days is not None] == ["memory"]
    assert [name for name, row in rows.items() if row.keyword_channel == "bm25"] == ["full"]
    assert all((row.rrf_k, row.top) == (60, 10) for row in rows.values())


def test_a_setting_wins_over_a_profile() -> None:
    assert planned({"search.min_score": 0.5}, profile="memory").floor == 0.5
    assert planned({"fusion.method": "rrf"}, profile="full").fusion == "rrf"
    assert planned({"search.decay": True}, profile="kb").half_life_days == 30


def test_the_sources_of_each_mode() -> None:
    assert planned().sources == ("keyword", "vector")
    assert planned(mode="keyword").sources == ("keyword",)
    assert planned(mode="vector").sources == ("vector",)
    assert planned({"fusion.enabled": False}).sources == ("vector",)


def test_the_pool_is_never_smaller_than_what_is_asked() -> None:
    for top in (1, 9, 33, 34, 500):
        assert planned(top=top).pool >= max(100, 3 * top)


@pytest.mark.parametrize(
    "asked",
    [
        {"top": 0}, {"top": -1}, {"mode": "psychic"}, {"profile": "fast"}, {"kind": "foo"}, {"kind": ["pdf", "foo"]},
        {"since": "the day after never"}, {"threshold": float("nan")},
    ],
)  # fmt: skip
def test_what_cannot_be_meant_is_a_usage_error(asked: dict[str, Any]) -> None:
    with pytest.raises(UsageError) as raised:
        planned(**asked)
    assert raised.value.exit_code == 2


def test_the_error_names_what_there_is_and_what_is_near() -> None:
    with pytest.raises(UsageError) as raised:
        one_of("type", "markdwon", KINDS)
    assert all(kind in raised.value.why for kind in KINDS)
    assert "markdown" in raised.value.cure


@pytest.mark.parametrize(
    "given", ["#ops, production", ["ops", "production"], ["ops,production"], ("#ops", "ops", "production")]
)
def test_tags_are_read_as_people_write_them(given: Any) -> None:
    assert split_tags(given) == ("ops", "production")


def test_filters_are_read_as_people_write_them(tmp_path: Path) -> None:
    assert filter_of() == EVERYTHING
    assert filter_of("", (), "", "", " ") == EVERYTHING
    where = filter_of("ops", "pdf,code", tmp_path, "2026-01-01", "2026-01-02")
    assert where.kinds == ("pdf", "code")
    assert where.path == str(tmp_path)
    assert (where.since, where.until) == ("2026-01-01T00:00:00Z", "2026-01-02T23:59:59Z")


@pytest.mark.parametrize(
    ("given", "path"),
    [("specs/007", "specs/007"), ("specs/007/", "specs/007"), ("/a/b/", "/a/b"), ("/a/../b", "/b"), ("notes", "notes")],
)
def test_a_path_is_a_place_or_a_part_of_one(
    given: str, path: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert filter_of(path=given).path == path
    assert filter_of(path=".").path == str(tmp_path)


def test_a_folder_that_is_there_is_meant_as_it_is_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "notes").mkdir()
    monkeypatch.chdir(tmp_path)
    assert filter_of(path="notes").path == str(tmp_path / "notes")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert filter_of(path="~/notes").path == str(tmp_path / "notes")
