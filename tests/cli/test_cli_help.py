from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from scrubjay.cli import help
from scrubjay.cli.reference import document
from scrubjay.cli.verbs import VERBS


def test_kb_alone_prints_a_short_help(kb: Any) -> None:
    done = kb()
    assert (done.code, done.err) == (0, "")
    assert len(done.out.splitlines()) < 40
    assert all(verb.name in done.out for verb in VERBS)
    assert kb("help") == kb("--help") == done


@pytest.mark.parametrize("verb", VERBS, ids=lambda verb: verb.name)
def test_every_verb_explains_itself(kb: Any, verb: Any) -> None:
    done = kb(verb.name, "--help")
    assert done.code == 0
    assert kb("help", verb.name) == done
    for option in verb.options:
        assert option.flag in done.out
    assert all(len(line) <= help.WIDTH for line in done.out.splitlines())


def test_version(kb: Any) -> None:
    assert kb("--version").out.startswith("scrubjay ")
    assert kb("-V", "--json").code == 0


def test_every_verb_can_be_imported() -> None:
    from importlib import import_module

    for verb in VERBS:
        module, _, function = verb.run.partition(":")
        assert callable(getattr(import_module(f"scrubjay.cli.{module}"), function))


def test_the_examples_are_right() -> None:
    import shlex

    from scrubjay.cli.parse import parse

    for verb in VERBS:
        for line, _ in verb.examples:
            for part in line.split("|"):
                words = shlex.split(part)
                if words[0] == "kb":
                    parsed = parse(words[1:])
                    assert parsed.verb is verb


def test_the_reference_is_up_to_date() -> None:
    page = Path(__file__).parents[2] / "docs" / "cli.md"
    assert page.read_text(encoding="utf-8") == document(), "run: make docs"


def test_the_page_of_settings_is_made_from_the_table() -> None:
    from scrubjay.cli.reference import settings_page

    page = Path(__file__).parents[2] / "docs" / "config.md"
    assert page.read_text(encoding="utf-8") == settings_page(), "run: make docs"
