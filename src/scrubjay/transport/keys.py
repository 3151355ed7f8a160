"""Finds a provider's key when it is needed: in the environment, else in the system's keyring.

A key is looked up at every request and kept nowhere, so that no object, message or file of
ours holds one; a project's file cannot name one at all. The keyring is optional: without its
library, or on a machine without a keyring, only the environment is asked.
"""

from __future__ import annotations

from scrubjay.types.base import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    KeySource = Callable[[], str | None]
else:
    KeySource = object

SERVICE = "scrubjay"  # keyring set scrubjay VOYAGE_API_KEY


def key_source(
    names: tuple[str, ...],
    environment: Callable[[str], str | None],
    keyring: Callable[[str, str], str | None] | None = None,
) -> KeySource:
    """What looks up the first of `names` that is set. `environment` is the config's reader."""
    ask = keyring or _from_keyring

    def look_up() -> str | None:
        for name in names:
            found = (environment(name) or "").strip() or (ask(SERVICE, name) or "").strip()
            if found:
                return found
        return None

    return look_up


def _from_keyring(service: str, name: str) -> str | None:
    try:
        import keyring
    except ImportError:
        return None
    try:
        found = keyring.get_password(service, name)
    except Exception:  # a locked or missing keyring is an absent key, whatever its backend raises
        return None
    return None if found is None else str(found)
