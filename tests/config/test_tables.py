"""Settings with entries of one's own: in TOML, in Python, in the environment, on the command line."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from scrubjay.config import checked, load
from scrubjay.errors import UnknownSetting


def test_stronger_layers_win_entry_by_entry(tmp_path: Path) -> None:
    file = tmp_path / "scrubjay" / "config.toml"
    file.parent.mkdir()
    file.write_text(
        '[acronyms]\nAB = "a b"\nCD = ["c d", "see dee"]\n[intents.fix_bug]\ncode = 2\n'
        "[profiles.full.intents.fix_bug]\ngraph = 0\n"
    )
    environment = {"XDG_CONFIG_HOME": str(tmp_path), "KB_ACRONYMS": "AB=again better, EF=e f"}
    config = load({"intents.fix_bug.keyword": 1.5}, environ=environment, start=str(tmp_path))
    assert config.notices == ()
    assert config.table("acronyms") == {"AB": "again better", "CD": "c d; see dee", "EF": "e f"}
    assert config.table("intents") == {"fix_bug.code": 2.0, "fix_bug.keyword": 1.5}
    assert config.table("intents", "full") == {"fix_bug.code": 2.0, "fix_bug.keyword": 1.5, "fix_bug.graph": 0.0}
    assert config.lookup("acronyms.CD") == ("c d; see dee", "user")
    assert config.lookup("acronyms.XX") == (None, "default")


@pytest.mark.parametrize(("name", "value"), [("intents.fix_bug.code", "much"), ("intents.fix_bug.code", -1)])
def test_an_entry_is_checked(name: str, value: object) -> None:
    with pytest.raises(UnknownSetting):
        checked(name, value)


@pytest.mark.parametrize("value", ["AB", 3, "=x"])
def test_what_holds_no_entries_is_refused(value: object) -> None:
    with pytest.raises(UnknownSetting):
        checked("acronyms", value)


def test_a_bad_entry_in_a_file_is_a_notice(tmp_path: Path) -> None:
    file = tmp_path / "scrubjay" / "config.toml"
    file.parent.mkdir()
    file.write_text('[intents.fix_bug]\ncode = "much"\nkeyword = 1.2\n')
    config = load(environ={"XDG_CONFIG_HOME": str(tmp_path)}, start=str(tmp_path))
    assert config.table("intents") == {"fix_bug.keyword": 1.2}
    assert "intents.fix_bug.code" in config.notices[0].reason


def test_on_the_command_line(run: Callable[..., Any]) -> None:
    assert run("config", "set", "acronyms.ZQR", "zonal query routing").code == 0
    assert run("config", "get", "acronyms.ZQR").out.strip() == "zonal query routing"
    assert "ZQR = zonal query routing" in run("config", "list").out
