"""Default < profile < user file < project file < environment < argument, and what is wrong is told."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.config import BY_NAME, Config, checked, load
from scrubjay.config.files import write_setting
from scrubjay.config.places import default_base, project_folder, user_config_file, user_data_folder
from scrubjay.config.settings import PROFILES, SETTINGS
from scrubjay.errors import ScrubjayError, UnknownSetting

Write = Callable[..., Path]


class Machine:
    """A home with a user's file and a project."""

    def __init__(self, root: Path) -> None:
        self.home = root / "home"
        self.project = root / "project"
        self.user_file = self.home / ".config" / "scrubjay" / "config.toml"
        self.project_file = self.project / ".kb" / "config.toml"
        for file in (self.user_file, self.project_file):
            file.parent.mkdir(parents=True)

    def load(self, arguments: dict[str, Any] | None = None, **environ: str) -> Config:
        return load(arguments, environ={"HOME": str(self.home), **environ}, start=str(self.project))


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


def test_precedence(machine: Machine) -> None:
    name = "search.default_top"
    assert machine.load().lookup(name) == (10, "default")
    machine.user_file.write_text("[search]\ndefault_top = 2\n")
    assert machine.load().lookup(name) == (2, "user")
    machine.project_file.write_text("search.default_top = 3\n")
    assert machine.load().lookup(name) == (3, "project")
    assert machine.load(KB_SEARCH_DEFAULT_TOP="4").lookup(name) == (4, "environment")
    assert machine.load({name: 5}, KB_SEARCH_DEFAULT_TOP="4").lookup(name) == (5, "argument")


def test_a_profile_is_weaker_than_anything_a_person_sets(machine: Machine) -> None:
    assert machine.load().lookup("search.min_score", "memory") == (0.1, "profile")
    machine.user_file.write_text("[search]\nmin_score = 0.2\n")
    assert machine.load().lookup("search.min_score", "memory") == (0.2, "user")
    machine.user_file.write_text("[search]\nmin_score = 0.2\n[profiles.memory.search]\nmin_score = 0.3\n")
    assert machine.load().lookup("search.min_score", "memory") == (0.3, "user")
    assert machine.load().lookup("search.min_score", "kb") == (0.2, "user")


def test_a_profile_of_ones_own(machine: Machine) -> None:
    machine.user_file.write_text('[profiles.mine.fusion]\nmethod = "weighted"\n')
    config = machine.load()
    assert config.profiles == ("kb", "memory", "observations", "full", "mine")
    assert config.get("fusion.method", "mine") == "weighted"


# R86, R87: the names that the requirements give; those of parts that are not built yet are theirs to add
NAMES = {
    "ENABLE_RRF_FUSION": ("fusion.enabled", True),
    "ENABLE_BM25": ("bm25.enabled", True),
    "EMBEDDING_DIM": ("embedding.dimension", 768),
    "KB_BASE": ("base", ""),
}


@pytest.mark.parametrize(("environment", "row"), NAMES.items())
def test_r086_environment_names(environment: str, row: tuple[str, Any]) -> None:
    name, default = row
    assert BY_NAME[name].environment_name == environment
    assert BY_NAME[name].default == default


@pytest.mark.parametrize("word", ["false", "False", "0", "no", "off"])
def test_r086_switches_are_understood_as_people_write_them(machine: Machine, word: str) -> None:
    assert machine.load(ENABLE_BM25=word).get("bm25.enabled") is False


@pytest.mark.parametrize(
    ("name", "value"), [("ENABLE_BM25", "perhaps"), ("KB_SEARCH_DEFAULT_TOP", "-3"), ("EMBEDDING_DIM", "x")]
)
def test_r086_a_bad_value_is_the_default_and_a_notice(machine: Machine, name: str, value: str) -> None:
    config = machine.load(**{name: value})
    setting = next(setting for setting in SETTINGS if setting.environment_name == name)
    assert config.lookup(setting.name) == (setting.default, "default")
    [notice] = config.notices
    assert name in notice.reason
    assert notice.remedy


def test_an_empty_variable_is_no_value(machine: Machine) -> None:
    config = machine.load(KB_SEARCH_DEFAULT_TOP="")
    assert (config.get("search.default_top"), config.notices) == (10, ())


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[search\n", "could not be read"),
        ("[search]\ndefault_top = 'many'\n", "search.default_top"),
        ("[search]\ndefault_topp = 5\n", "search.default_top"),
        ("profiles = 3\n", ""),
        ("\xff\xfe", "could not be read"),
    ],
)
def test_a_bad_file_stops_nothing(machine: Machine, text: str, told: str) -> None:
    machine.user_file.write_bytes(text.encode("latin-1"))
    config = machine.load()
    assert config.get("search.default_top") == 10
    assert (told in " ".join(f"{n.reason} {n.remedy}" for n in config.notices)) or not told


def test_a_bad_argument_is_an_error(machine: Machine) -> None:
    with pytest.raises(UnknownSetting, match="whole number"):
        machine.load({"search.default_top": "many"})
    with pytest.raises(UnknownSetting, match=r"search\.default_top"):
        machine.load({"search.defaulttop": 3})
    with pytest.raises(UnknownSetting):
        machine.load().get("search.nothing")


@pytest.mark.parametrize(
    ("name", "given", "value"),
    [
        ("search.default_top", "7", 7), ("search.default_top", 7.0, 7), ("search.default_top", 7.5, None),
        ("search.default_top", 0, None), ("search.default_top", True, None), ("search.min_score", "0", 0.0),
        ("search.min_score", "nan", None), ("search.min_score", "inf", None), ("search.min_score", -0.1, None),
        ("bm25.enabled", "off", False), ("bm25.enabled", "maybe", None), ("fusion.method", "weighted", "weighted"),
        ("fusion.method", "magic", None), ("search.minimum_pool", 29, None), ("bm25.b", 0, 0.0),
    ],
)  # fmt: skip
def test_values_are_checked(name: str, given: Any, value: Any) -> None:
    if value is None:
        with pytest.raises(UnknownSetting):
            checked(name, given)
    else:
        converted = checked(name, given)
        assert (converted, type(converted)) == (value, type(BY_NAME[name].default))


@given(st.sampled_from(sorted(BY_NAME)), st.text(max_size=12))
def test_no_value_whatever_is_another_error(name: str, value: str) -> None:
    try:
        converted = checked(name, value)
    except UnknownSetting:
        return
    assert type(converted) is type(BY_NAME[name].default)


def test_the_table_is_sound() -> None:
    assert len(BY_NAME) == len(SETTINGS)
    assert len({setting.environment_name for setting in SETTINGS}) == len(SETTINGS)
    for setting in SETTINGS:
        assert setting.help, setting.name
        assert setting.default == "" or checked(setting.name, setting.default) == setting.default
    for settings in PROFILES.values():
        for name, value in settings.items():
            assert checked(name, value) == value


# --- writing -----------------------------------------------------------------------------------


def test_setting_keeps_every_other_line(machine: Machine) -> None:
    machine.user_file.write_text(
        "# mine\nbase = '/x'   # there\n\n[search]\n# ten\ndefault_top = 10 # few\nunknown = 1\n\n[bm25]\nb = 0.5\n"
    )
    write_setting(str(machine.user_file), "search.default_top", "7")
    write_setting(str(machine.user_file), "search.min_score", "0.5")
    write_setting(str(machine.user_file), "decay.half_life_days", "9")
    text = machine.user_file.read_text()
    for line in ("# mine", "base = '/x'   # there", "# ten", "unknown = 1", "b = 0.5"):
        assert line in text.splitlines()
    config = machine.load()
    assert [config.get(name) for name in ("search.default_top", "search.min_score", "decay.half_life_days")] == [
        7,
        0.5,
        9.0,
    ]
    assert config.get("bm25.b") == 0.5


def test_setting_makes_the_file(tmp_path: Path) -> None:
    path = tmp_path / "a" / "b" / "config.toml"
    assert write_setting(str(path), "base", 'C:\\notes "mine"\\kb.db') == 'C:\\notes "mine"\\kb.db'
    assert tomllib.loads(path.read_text())["base"] == 'C:\\notes "mine"\\kb.db'


def test_odd_values_beside_it_do_not_stop_a_setting(machine: Machine) -> None:
    write_setting(str(machine.user_file), "base", "one\u2028two\x85three\x1cfour\nfive")
    write_setting(str(machine.user_file), "search.default_top", "7")
    config = machine.load()
    assert config.get("base") == "one\u2028two\x85three\x1cfour\nfive"
    assert config.get("search.default_top") == 7


def test_a_broken_file_is_not_made_worse(machine: Machine) -> None:
    machine.user_file.write_text("[search\nmine = 1\n")
    with pytest.raises(ScrubjayError, match="not changed"):
        write_setting(str(machine.user_file), "search.default_top", "7")
    assert machine.user_file.read_text() == "[search\nmine = 1\n"


def test_a_bad_value_is_not_written(machine: Machine) -> None:
    with pytest.raises(UnknownSetting):
        write_setting(str(machine.user_file), "search.default_top", "many")
    assert not machine.user_file.exists()


@given(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0")))
def test_any_text_is_written_so_that_it_is_read_back(tmp_path_factory: pytest.TempPathFactory, value: str) -> None:
    path = tmp_path_factory.getbasetemp() / "any.toml"
    path.unlink(missing_ok=True)
    write_setting(str(path), "base", value)
    assert tomllib.loads(path.read_text(encoding="utf-8"))["base"] == value


# --- places ------------------------------------------------------------------------------------


def test_the_base_is_what_was_asked_then_set_then_near_then_the_users(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = str(machine.home / ".local" / "share" / "scrubjay" / "kb.db")
    assert machine.load().base() == own
    (machine.project / ".kb" / "kb.db").write_bytes(b"")
    below = machine.project / "a" / "b"
    below.mkdir(parents=True)
    environ = {"HOME": str(machine.home)}
    near = str(machine.project / ".kb" / "kb.db")
    assert load(environ=environ, start=str(below)).base() == near
    assert machine.load(KB_BASE="/set.db").base() == "/set.db"
    assert machine.load(KB_BASE="/set.db").base("/asked.db") == "/asked.db"


def test_the_nearest_project_counts(tmp_path: Path) -> None:
    for folder in (tmp_path, tmp_path / "inner"):
        (folder / ".kb").mkdir(parents=True)
        (folder / ".kb" / "kb.db").write_bytes(b"")
    assert project_folder(str(tmp_path / "inner" / "x")) == str(tmp_path / "inner" / ".kb")
    assert project_folder(str(tmp_path)) == str(tmp_path / ".kb")
    (tmp_path / "inner" / ".kb" / "kb.db").unlink()
    assert default_base({"HOME": "/h"}, str(tmp_path / "inner")) == str(tmp_path / ".kb" / "kb.db")


def test_the_customs_of_linux_are_followed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.platform", "linux")
    assert user_config_file({"HOME": "/h"}) == "/h/.config/scrubjay/config.toml"
    assert user_data_folder({"HOME": "/h"}) == "/h/.local/share/scrubjay"
    assert user_config_file({"HOME": "/h", "XDG_CONFIG_HOME": "/c"}) == "/c/scrubjay/config.toml"


def test_the_customs_of_macos_are_followed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.platform", "darwin")
    assert user_data_folder({"HOME": "/h"}) == "/h/Library/Application Support/scrubjay"


def test_a_key_is_told_only_by_its_name(machine: Machine) -> None:
    config = machine.load(OPENAI_API_KEY="sk-1", EMPTY="")
    assert (config.secret("OPENAI_API_KEY"), config.secret("EMPTY"), config.secret("ABSENT")) == ("sk-1", None, None)
    assert "sk-1" not in repr(vars(config)["_layers"])
