"""Keys come from the environment, else from the keyring, at the moment they are needed."""

from __future__ import annotations

import sys
import types

import pytest

from scrubjay.transport import key_source


def test_the_environment_wins() -> None:
    look_up = key_source(("A_KEY", "B_KEY"), {"A_KEY": "one", "B_KEY": "two"}.get, lambda service, name: "ring")
    assert look_up() == "one"


def test_then_the_keyring_under_our_name() -> None:
    asked = []

    def ring(service: str, name: str) -> str | None:
        asked.append((service, name))
        return "ring\n" if name == "B_KEY" else None

    assert key_source(("A_KEY", "B_KEY"), {}.get, ring)() == "ring"
    assert asked == [("scrubjay", "A_KEY"), ("scrubjay", "B_KEY")]


def test_an_empty_key_is_none() -> None:
    assert key_source(("A_KEY",), {"A_KEY": "  "}.get, lambda service, name: "")() is None


def test_it_is_looked_up_every_time() -> None:
    environment: dict[str, str] = {}
    look_up = key_source(("A_KEY",), environment.get, lambda service, name: None)
    assert look_up() is None
    environment["A_KEY"] = "late"
    assert look_up() == "late"


def test_the_librarys_keyring_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    library = types.ModuleType("keyring")
    library.get_password = lambda service, name: f"{service}:{name}"  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "keyring", library)
    assert key_source(("A_KEY",), {}.get)() == "scrubjay:A_KEY"


def test_a_locked_or_missing_keyring_is_an_absent_key(monkeypatch: pytest.MonkeyPatch) -> None:
    def locked(service: str, name: str) -> str:
        raise RuntimeError("locked")

    library = types.ModuleType("keyring")
    library.get_password = locked  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "keyring", library)
    assert key_source(("A_KEY",), {}.get)() is None
    monkeypatch.setitem(sys.modules, "keyring", None)
    assert key_source(("A_KEY",), {}.get)() is None
