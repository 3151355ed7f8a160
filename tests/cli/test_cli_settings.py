from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest


@pytest.fixture(autouse=True)
def _at_work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "work").mkdir()
    monkeypatch.chdir(tmp_path / "work")


def test_list_shows_every_setting(kb: Any) -> None:
    from scrubjay.config.settings import SETTINGS

    done = kb("config")
    assert [line.split()[0] for line in done.out.splitlines()] == [setting.name for setting in SETTINGS]
    rows = json.loads(kb("config", "list", "--json").out)["settings"]
    (top,) = [row for row in rows if row["name"] == "search.default_top"]
    assert (top["value"], top["source"], top["environment"]) == (10, "default", "KB_SEARCH_DEFAULT_TOP")


def test_set_then_get(kb: Any, tmp_path: Path) -> None:
    assert kb("config", "set", "search.default_top", "7").code == 0
    assert kb("config", "get", "search.default_top").out == "7\n"
    assert json.loads(kb("config", "get", "search.default_top", "--json").out) == {
        "name": "search.default_top", "value": 7, "source": "user",
    }  # fmt: skip
    assert (tmp_path / "config" / "scrubjay" / "config.toml").exists()


def test_a_project_has_its_own_file(kb: Any, tmp_path: Path) -> None:
    done = kb("config", "set", "search.default_top", "3", "--project", "--json")
    assert json.loads(done.out)["file"] == str(tmp_path / "work" / ".kb" / "config.toml")
    assert kb("config", "get", "search.default_top").out == "3\n"


def test_a_project_is_not_trusted_with_everything(kb: Any, tmp_path: Path) -> None:
    done = kb("config", "set", "embedder.name", "x", "--project")
    assert done.code == 2
    assert not (tmp_path / "work" / ".kb").exists()


def test_a_value_that_does_not_count_is_told(kb: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KB_SEARCH_DEFAULT_TOP", "4")
    assert "is still 4: environment wins" in kb("config", "set", "search.default_top", "7").err


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("get search.default_tpo", "search.default_top"),
        ("set search.default_top 0", "at least 1"),
        ("set search.default_top", "set NAME VALUE"),
        ("get", "get NAME"),
        ("lst", "kb config list"),
        ("list --project", "kb config set"),
        ("set search.default_top 3 --project --base x.db", ".kb folder"),
    ],
)
def test_wrong_use(kb: Any, line: str, said: str) -> None:
    done = kb("config", *line.split())
    assert (done.code, done.out) == (2, "")
    assert said in done.err
