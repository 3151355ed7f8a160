"""Fetch one file of a model from the Hugging Face hub, going on where an earlier try stopped.

Plain `urllib`: the hub's own client brings thirty packages for what is one GET with a Range header.
What was received stays in `NAME.part`, so an interrupted download costs only what is missing.
A hub that does not answer within seconds is given up at once: there is another source to try.
"""

from __future__ import annotations

import os

from scrubjay.embed.local.verify import admit
from scrubjay.errors import ModelMissing
from scrubjay.types.base import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from http.client import HTTPResponse
    from pathlib import Path

    from scrubjay.embed.local.catalogue import ModelFile

    Progress = Callable[[str, int, int], None]

ENDPOINT = "https://huggingface.co"
PATIENCE_S = 8.0  # for connecting, and for each piece of the reply
TRIES = 3
PIECE = 1 << 18


class HubUnreachable(ModelMissing):
    """The hub did not answer at all; asking it for the next file would only cost time."""


def fetch(file: ModelFile, home: Path, progress: Progress, endpoint: str = ENDPOINT) -> None:
    """Put the verified file into `home`, or raise ModelMissing."""
    if file.hub is None:
        raise ModelMissing(f"the hub does not have {file.name} with these bytes")
    url = f"{endpoint.rstrip('/')}/{file.hub.repository}/resolve/{file.hub.revision}/{file.hub.path}"
    part = home / f"{file.name}.part"
    for _ in range(TRIES):
        _receive(url, file, part, progress)
        if os.stat(part).st_size >= file.size:
            admit(part, file, "the hub")
            return
    received = os.stat(part).st_size
    raise ModelMissing(
        f"the download of {file.name} broke off {TRIES} times",
        f"{received:,} of {file.size:,} bytes are here and are kept",
    )


def _receive(url: str, file: ModelFile, part: Path, progress: Progress) -> None:
    """Append what is missing to `part`, as far as the connection carries."""
    from urllib.error import HTTPError
    from urllib.request import Request, urlopen

    start = os.stat(part).st_size if part.exists() else 0
    if start > file.size:
        os.unlink(part)
        start = 0
    headers = {"User-Agent": "scrubjay", "Accept-Encoding": "identity"}
    if start:
        headers["Range"] = f"bytes={start}-"
    try:
        with urlopen(Request(url, headers=headers), timeout=PATIENCE_S) as reply:
            _append(reply, file, part, start if reply.status == 206 else 0, progress)
    except HTTPError as error:
        error.close()
        if error.code == 416 and start:  # the part is no beginning of this file
            os.unlink(part)
            part.touch()
            return
        raise ModelMissing(f"the hub has no {file.name} at the pinned place", f"HTTP {error.code} for {url}") from error
    except OSError as error:  # refused, timed out, unknown host, a broken certificate chain
        raise HubUnreachable("the hub cannot be reached", str(getattr(error, "reason", error))) from error


def _append(reply: HTTPResponse, file: ModelFile, part: Path, start: int, progress: Progress) -> None:
    """Write the reply behind what is there. A connection that breaks is no error: the part says so."""
    from http.client import HTTPException

    done = start
    with open(part, "ab" if start else "wb") as out:
        while done <= file.size:
            try:
                piece = reply.read(PIECE)
            except (OSError, HTTPException):
                return
            if not piece:
                return
            out.write(piece)
            done += len(piece)
            progress(file.name, min(done, file.size), file.size)
