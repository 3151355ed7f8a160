"""docs/models.md names every model and every provider, with lines that really work."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from scrubjay.cli.parse import parse
from scrubjay.config import checked
from scrubjay.embed.local.catalogue import CATALOGUE, DEFAULT
from scrubjay.embed.providers import PROVIDERS, http_embedder
from scrubjay.transport import HttpTransport

TEXT = (Path(__file__).resolve().parent.parent / "docs" / "models.md").read_text(encoding="utf-8")
LINES = re.findall(r"`kb config set embedder\.name ([^`]+)`", TEXT)


@pytest.mark.parametrize("card", CATALOGUE, ids=lambda card: card.name)
def test_every_model_is_told_as_the_catalogue_has_it(card: object) -> None:
    from scrubjay.embed.local.catalogue import ModelCard

    assert isinstance(card, ModelCard)
    head, *rows = [line for line in TEXT.splitlines() if line.startswith("| ")][:5]
    place = next(at for at, cell in enumerate(head.split("|")) if card.name in cell)
    told = [row.split("|")[place].strip() for row in rows]
    assert told == [
        card.languages,
        f"{card.size / 1e6:.1f} MB",
        card.licence,
        f"{card.dim}, {card.max_tokens}",
    ]


def test_the_default_is_named_as_such() -> None:
    assert f"{DEFAULT} (default)" in TEXT


def test_every_provider_has_a_line() -> None:
    assert {line.partition("/")[0] for line in LINES} == set(PROVIDERS)


@pytest.mark.parametrize("line", LINES)
def test_every_line_makes_an_embedder(line: str) -> None:
    assert checked("embedder.name", line) == line
    url = "http://127.0.0.1:1" if line.startswith("compatible") else ""
    made = http_embedder(line, HttpTransport(), key=lambda: None, url=url)
    assert made.name.startswith(line.partition("/")[0])


@pytest.mark.parametrize("name", sorted({name for row in PROVIDERS.values() for name in row.key_names}))
def test_every_name_of_a_key_is_told(name: str) -> None:
    assert name in TEXT or name in ("OLLAMA_API_KEY", "LMSTUDIO_API_KEY")


def test_every_command_is_understood() -> None:
    block = TEXT.split("```sh")[1:]
    commands = [line for part in block for line in part.split("```")[0].splitlines() if "kb " in line]
    assert len(commands) >= 6
    for command in commands:
        words = re.split(r"\s+[#|]", command[command.index("kb ") :])[0].replace('"', "").split()
        assert parse(words[1:]).verb is not None
