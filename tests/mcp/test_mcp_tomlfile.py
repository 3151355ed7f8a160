"""One table of a TOML file is changed, and no other line of it."""

from __future__ import annotations

import tomllib

import pytest

from scrubjay.mcp.tomlfile import drop, put

PATH = ("mcp_servers", "scrubjay")
OURS = {"command": "/bin/kb", "args": ["mcp", "--base", 'a "b".db']}

FILE = """\
model = "gpt" # mine

[mcp_servers.other]
command = "x"

# what follows is about profiles
[profiles.fast]
model = "small"
"""


def test_a_table_is_added_at_the_end_and_taken_out_again() -> None:
    new = put(FILE, PATH, OURS)
    assert new.startswith(FILE)
    assert tomllib.loads(new)["mcp_servers"]["scrubjay"] == OURS
    assert put(new, PATH, OURS) == new
    assert drop(new, PATH) == FILE


def test_a_table_that_is_there_keeps_its_place_and_its_other_keys() -> None:
    text = FILE.replace(
        "[mcp_servers.other]",
        '[mcp_servers.scrubjay] # ours\nargs = [\n  "old", # why\n]\nstartup_timeout_sec = 30\ncommand = "old"\n\n'
        '[mcp_servers.scrubjay.env]\nKB_BASE = "x"\n\n[mcp_servers.other]',
    )
    new = put(text, PATH, OURS)
    tree = tomllib.loads(new)
    assert tree["mcp_servers"]["scrubjay"] == {**OURS, "startup_timeout_sec": 30, "env": {"KB_BASE": "x"}}
    assert "# what follows is about profiles\n[profiles.fast]" in new
    assert "[mcp_servers.scrubjay] # ours\n" in new
    gone = drop(new, PATH)
    assert "scrubjay" not in gone
    assert tomllib.loads(gone) == tomllib.loads(FILE)


@pytest.mark.parametrize("text", ["", "\n", "a = 1", "a = 1\n", "a = 1\n\n"])
def test_any_end_of_a_file_will_do(text: str) -> None:
    assert tomllib.loads(put(text, PATH, OURS)) == {**tomllib.loads(text), "mcp_servers": {"scrubjay": OURS}}


@pytest.mark.parametrize(
    "text",
    [
        "a = = 1",
        'mcp_servers = {scrubjay = {command = "x"}}',
        '[mcp_servers]\nscrubjay = {command = "x"}',
        '[mcp_servers."scrubjay"]\ncommand = "x"',
    ],
)
def test_what_is_written_in_another_way_is_left_alone(text: str) -> None:
    with pytest.raises(ValueError):
        put(text, PATH, OURS)


def test_nothing_to_take_out_changes_nothing() -> None:
    assert drop(FILE, PATH) == FILE
    assert drop("", PATH) == ""
