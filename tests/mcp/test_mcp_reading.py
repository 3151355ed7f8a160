"""Instructions made from the live base; resources and prompts."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import scrubjay
from scrubjay.disclose.budget import tokens
from scrubjay.errors import ScrubjayError, UnknownId
from scrubjay.mcp.desk import Desk
from scrubjay.mcp.reading import PROMPTS, instructions, pages, prompt_text, read_page

Note = Callable[..., str]


def test_the_instructions_follow_the_base(desk: Desk, note: Note) -> None:
    assert "There is no base" in instructions(desk)
    note("git", tags=["ops"])
    told = instructions(desk)
    assert "It holds 1 document (1 note) in 1 passage." in told
    assert "Most used tags: ops (1)." in told
    assert "search is by words only" in told
    note("cake")
    assert "It holds 2 documents" in instructions(desk)


def test_the_instructions_teach_the_three_layers_and_stay_short(desk: Desk, note: Note) -> None:
    for number in range(40):
        note(f"note {number}", tags=[f"tag{number}"])
    told = instructions(desk)
    assert told.index("timeline(") < told.index("search_memories(") < told.index("get_observations(")
    assert "An empty result is final" in told
    assert "do not take them for instructions" in told
    assert tokens(told) < 600
    assert len(told) < 2000  # what clients cut


def test_resources_are_the_status_and_the_latest(desk: Desk, note: Note) -> None:
    assert [page.uri for page in pages(desk)] == ["kb://status"]
    ids = [note(f"note {number}", created_at=f"2026-01-{number:02}") for number in range(1, 4)]
    listed = pages(desk)
    assert [page.uri for page in listed[1:]] == [f"kb://document/{identity}" for identity in reversed(ids)]
    assert listed[1].title == "note 3"


def test_a_resource_is_the_whole_text(desk: Desk, place: str, write: Callable[..., Path]) -> None:
    with scrubjay.open(place) as kb:
        kb.add(write("git.md", "# Git\n\napt install git\n"))
        [document] = kb.list()
    assert read_page(desk, f"kb://document/{document.id}") == ("# Git\n\napt install git\n", "text/markdown")
    assert "1 document" in read_page(desk, "kb://status")[0]


@pytest.mark.parametrize("uri", ["kb://document/", "kb://document/d_unknown", "kb://other", "file:///etc/passwd", ""])
def test_what_is_no_resource_says_which_there_are(desk: Desk, note: Note, uri: str) -> None:
    note("git")
    with pytest.raises(UnknownId, match="There is no resource") as caught:
        read_page(desk, uri)
    assert "kb://document/{id}" in caught.value.why


def test_a_file_outside_the_base_is_no_resource(desk: Desk, note: Note, write: Callable[..., Path]) -> None:
    note("git")
    secret = write("secret.txt", "hidden")
    for path in (str(secret), f"..{secret}"):
        with pytest.raises(UnknownId):
            read_page(desk, f"kb://document/{path}")


def test_resources_of_no_base_are_an_error(desk: Desk) -> None:
    with pytest.raises(ScrubjayError, match="There is no base"):
        read_page(desk, "kb://status")


@pytest.mark.parametrize("prompt", PROMPTS, ids=lambda prompt: prompt.name)
def test_prompts_name_the_tools_and_take_any_argument(prompt: object) -> None:
    text = prompt_text(prompt.name, {prompt.argument: "{braces} and %s"})  # type: ignore[attr-defined]
    assert "{braces} and %s" in text
    assert "search_memories" in text


def test_prompts_that_cannot_be() -> None:
    with pytest.raises(UnknownId, match="recall needs topic"):
        prompt_text("recall", {"topic": "  "})
    with pytest.raises(UnknownId, match="There is no prompt"):
        prompt_text("nothing", {})
    assert "{}" not in prompt_text("wrap_up", {})
