"""One process at a time: a lock that the system frees when its holder ends, however it ends."""

from __future__ import annotations

import os
from contextlib import contextmanager, suppress

from scrubjay.types.base import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


@contextmanager
def alone(location: str) -> Iterator[bool]:
    """Whether we are the only one embedding the base at `location`; never waits."""
    if not os.path.exists(location):
        yield True  # a base in memory has no other process
        return
    path = f"{location}-embedding.lock"
    with open(path, "a+b") as file:
        ours = _locked(file.fileno()) and _is_still(file.fileno(), path)
        try:
            yield ours
        finally:
            if ours:
                with suppress(OSError):  # Windows does not remove open files; an empty file stays
                    os.remove(path)


def _is_still(descriptor: int, path: str) -> bool:
    """False when the last holder removed the file between our opening and locking it."""
    return os.path.exists(path) and os.path.samestat(os.fstat(descriptor), os.stat(path))


def _locked(descriptor: int) -> bool:
    try:
        import fcntl
    except ImportError:  # Windows
        return _locked_on_windows(descriptor)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def _locked_on_windows(descriptor: int) -> bool:
    import importlib

    msvcrt = importlib.import_module("msvcrt")
    try:
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
    except OSError:
        return False
    return True
