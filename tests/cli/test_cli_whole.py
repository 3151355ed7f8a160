"""The command line over a real base: what a person does on the first day."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    place = tmp_path / "notes"
    place.mkdir()
    (place / "git.md").write_text("---\ntags: [ops]\n---\n# Git\n\n## Installing\n\nTo install git, run apt.\n")
    (place / "cake.md").write_text("# Cake\n\nApple cake needs apples.\n")
    (place / "tree.md").write_text("# Tree\n\nAn apple tree needs sun.\n")
    monkeypatch.chdir(tmp_path)
    return place


def test_the_first_day(kb: Any, folder: Path) -> None:
    assert kb("search", "git").code == 1
    assert kb("init").code == 0
    added = json.loads(kb("add", "notes", "--json").out)
    assert (added["added"], added["changed"], added["removed"]) == (3, 0, 0)
    assert added["chunks"] >= 3
    assert json.loads(kb("add", "notes", "--json").out)["skipped"] == 3
    found = json.loads(kb("search", "installing", "git", "--fts-only", "--json").out)
    assert found["results"][0]["path"] == str(folder / "git.md")
    assert kb("search", "git", "--fts-only", "--format", "files").out.startswith(str(folder / "git.md") + ":")
    assert kb("get", found["results"][0]["id"]).out.count("apt") == 1
    assert "git.md" in kb("list").out
    assert "ops" in kb("tags").out
    assert "3 markdown" in kb("status").out
    assert kb("doctor").code == 0


def test_a_dash_leaves_out(kb: Any, folder: Path) -> None:
    kb("add", "notes")
    for line in (["apple", "-cake"], ["--", "-cake", "apple"], ["-cake", "apple"]):
        found = json.loads(kb("search", "--json", "--fts-only", *line).out)
        assert [os.path.basename(hit["path"]) for hit in found["results"]] == ["tree.md"]


def test_what_is_deleted_goes_with_the_next_update(kb: Any, folder: Path) -> None:
    kb("add", "notes")
    (folder / "cake.md").unlink()
    assert json.loads(kb("update", "--json").out)["removed"] == 1
    assert "cake" not in kb("list").out


def test_a_path_that_is_not_there_gets_a_suggestion(kb: Any, folder: Path) -> None:
    kb("add", "notes")
    assert "Did you mean notes/cake.md?" in kb("remove", "notes/cak.md").err
    assert kb("remove", "notes/cake.md").out == "1 document removed from the base.\n"


def test_notes_and_their_time(kb: Any, folder: Path) -> None:
    id = kb("note", "We", "chose", "SQLite", "--tags", "decision", "--date", "2026-01-02").out.strip()
    record = json.loads(kb("timeline", "--until", "2026-01-02", "--json").out)
    assert [(entry["id"], entry["type"], entry["tags"]) for entry in record["entries"]] == [(id, "note", ["decision"])]
    assert json.loads(kb("tag", id, "+db", "-decision", "--json").out)["tags"] == ["db"]
    assert json.loads(kb("get", id, "c_none", "--json").out)["missing"] == ["c_none"]
    assert kb("get", id).out.endswith("We chose SQLite\n")


def test_wrong_use_of_a_real_base(kb: Any, folder: Path) -> None:
    kb("init")
    assert kb("search", "x", "--vec-only").code == 2
    assert kb("search", "x", "--profile", "ful").code == 2
    assert kb("search", "x", "--since", "gestern abend").code == 2
    assert kb("search", "x", "--tags", "unknown").code == 0
