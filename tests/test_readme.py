"""The README holds: its commands are understood, its Python runs, its output is what is printed."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from scrubjay.cli.parse import parse
from scrubjay.embed.local.catalogue import DEFAULT

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
Run = Callable[..., Any]


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", README, flags=re.MULTILINE | re.DOTALL)


def commands() -> list[list[str]]:
    """Every `kb …` of the shell blocks, taken apart as a shell would."""
    found = []
    for block in blocks("sh"):
        for line in block.splitlines():
            for part in line.split("#")[0].split("&&"):
                words = shlex.split(part)
                if words and words[0].endswith("kb"):
                    found.append(words[1:])
    return found


@pytest.mark.parametrize("words", commands(), ids=" ".join)
def test_every_command_is_understood(words: list[str]) -> None:
    assert parse(words).verb is not None


def test_there_are_commands_to_check() -> None:
    assert len(commands()) > 15
    assert blocks("python")
    assert blocks("console")


def test_the_python_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, write: Callable[..., Path]) -> None:
    write("notes/git.md", "# Git\n\napt install git")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("KB_EMBEDDER_NAME", "none")
    monkeypatch.chdir(tmp_path)
    for block in blocks("python"):
        exec(compile(block, "README.md", "exec"), {})
    assert (tmp_path / "notes.db").is_file()


@pytest.mark.model
def test_the_output_is_what_is_printed(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT / "examples")
    monkeypatch.setenv("KB_EMBEDDER_NAME", DEFAULT)
    monkeypatch.setenv("KB_EMBEDDER_COMPANIONS", "false")  # whatever else is installed here
    for block in blocks("console"):
        for part in block.strip().split("$ ")[1:]:
            command, _, shown = part.partition("\n")
            done = run(*shlex.split(command)[1:])
            assert done.code == 0, done.err
            printed = done.out + done.err
            assert _masked(shown) == _masked(printed)


def _masked(output: str) -> str:
    """Without what differs from place to place: durations, and ids, which are made from whole paths."""
    return re.sub(r"\bc_[0-9a-f]{14}\b", "c_…", re.sub(r"\d+(\.\d+)? m?s\b", "… ms", output.strip()))
