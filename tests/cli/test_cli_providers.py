"""A provider named in one line; its key is in no output, no file and no base."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from fakes import process
from http_vendor import Answer, Vendor

KEY = "sk-very-secret-0123456789abcdef"
Run = Callable[..., Any]
LINES = {
    "openai": "OPENAI_API_KEY",
    "voyage": "VOYAGE_API_KEY",
    "cohere": "COHERE_API_KEY",
    "jina": "JINA_API_KEY",
    "gemini": "GEMINI_API_KEY",
    "ollama/some-model": "OLLAMA_API_KEY",
    "lmstudio/some-model": "LMSTUDIO_API_KEY",
    "llamacpp": "LLAMA_API_KEY",
    "vllm/some-model": "VLLM_API_KEY",
    "tei": "TEI_API_KEY",
    "compatible/some-model": "KB_EMBEDDER_KEY",
}


@pytest.fixture
def vendor() -> Iterator[Vendor]:
    made = Vendor()
    yield made
    made.close()


@pytest.fixture
def home(tmp_path: Path) -> Path:
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "git.md").write_text("# Git\n\ninstall git on every machine\n")
    return tmp_path


@pytest.mark.parametrize("name", LINES)
def test_one_line_names_a_provider(
    name: str, vendor: Vendor, home: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(LINES[name], KEY)
    monkeypatch.setenv("KB_EMBEDDER_DIMENSION", "8")
    monkeypatch.setenv("KB_EMBEDDER_URL", vendor.url)
    monkeypatch.delenv("KB_EMBEDDER_NAME", raising=False)
    assert run("config", "set", "embedder.name", name).code == 0
    added = run("add", str(home / "notes"), "--json")
    assert json.loads(added.out)["embedded"] == 1, added.out
    found = json.loads(run("search", "git", "--json").out)
    assert (found["mode"], found["notices"]) == ("hybrid", [])
    assert found["results"][0]["ranks"]["vector"] == 1
    assert all(KEY in str(request.headers) for request in vendor.requests)
    assert secrets_in(home) == []


def test_a_server_that_is_down_while_adding_leaves_nothing_wrong_behind(
    vendor: Vendor, home: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KB_EMBEDDER_NAME", "vllm/of-unknown-size")
    monkeypatch.setenv("KB_EMBEDDER_URL", vendor.url)
    vendor.always = lambda _: Answer({}, 404)
    added = json.loads(run("add", str(home / "notes"), "--json").out)
    assert (added["added"], added["embedded"]) == (1, 0)
    assert "404" in added["notices"][0]["reason"]
    assert json.loads(run("search", "git", "--json").out)["returned"] == 1
    vendor.always = None
    assert json.loads(run("update", "--json").out)["embedded"] == 1
    found = json.loads(run("search", "git", "--json").out)
    assert (found["mode"], found["notices"]) == ("hybrid", [])


BROKEN = {
    "refused": Answer({"error": {"message": f"Incorrect API key provided: {KEY}"}}, 401),
    "forbidden": Answer({"detail": f"Bearer {KEY} may not"}, 403),
    "bad request": Answer(raw=f"Authorization: Bearer {KEY}".encode(), status=400),
    "redirect": Answer({}, 307, {"Location": f"http://127.0.0.1:9/?key={KEY}"}),
    "no vectors": Answer({"key": KEY}),
}


@pytest.mark.parametrize("kind", BROKEN)
def test_the_key_is_in_no_output_and_no_file_whatever_the_server_says(
    kind: str, vendor: Vendor, home: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    vendor.always = lambda _: BROKEN[kind]
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv("KB_EMBEDDER_NAME", "openai")
    monkeypatch.setenv("KB_EMBEDDER_URL", vendor.url)
    told = ""
    for words in (
        ("add", str(home / "notes"), "--debug"),
        ("search", "git", "--explain", "--debug"),
        ("search", "git", "--vec-only", "--debug"),
        ("search", "git", "--json"),
        ("reindex", "--debug"),
        ("doctor", "--debug"),
        ("status", "--json"),
        ("config", "list"),
    ):
        done = run(*words)
        told += done.out + done.err
    assert vendor.requests
    assert "openai/text-embedding-3-small" in told
    assert KEY not in told
    assert KEY[:12] not in told
    assert secrets_in(home) == []


def test_a_whole_process_keeps_the_key_as_well(vendor: Vendor, home: Path) -> None:
    vendor.always = lambda _: BROKEN["refused"]
    more = {"OPENAI_API_KEY": KEY, "KB_EMBEDDER_NAME": "openai", "KB_EMBEDDER_URL": vendor.url}
    process(home, "add", "notes", **more)
    done = process(home, "search", "git", "--vec-only", "--debug", **more)
    assert done.returncode == 1
    assert "Traceback" in done.stderr
    assert KEY not in done.stdout + done.stderr
    assert secrets_in(home) == []


def test_a_projects_own_file_cannot_send_text_anywhere(vendor: Vendor, home: Path) -> None:
    (home / ".kb").mkdir()
    (home / ".kb" / "config.toml").write_text(f'[embedder]\nname = "openai"\nurl = "{vendor.url}"\n')
    base = {"KB_BASE": str(home / ".kb" / "kb.db"), "OPENAI_API_KEY": KEY}
    added = process(home, "add", "notes", **base)
    assert added.returncode == 0
    process(home, "search", "git", **base)
    assert vendor.requests == []


def secrets_in(folder: Path) -> list[str]:
    """The files that hold the key."""
    return [
        os.path.join(place, name)
        for place, _, names in os.walk(folder)
        for name in names
        if KEY.encode() in Path(place, name).read_bytes()
    ]
