"""Says which libraries the server needs when they are not installed, or too old."""

from __future__ import annotations

from contextlib import contextmanager

from scrubjay.errors import MissingExtra
from scrubjay.types.base import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_OURS = "scrubjay"


@contextmanager
def needing(what: str) -> Iterator[None]:
    """Within it, a library that is absent becomes MissingExtra with the command to run."""
    try:
        yield
    except ImportError as error:
        if (error.name or "").split(".")[0] == _OURS:
            raise  # a fault of ours, not of the installation
        raise MissingExtra(
            f"{what} cannot start.", f"It needs the MCP SDK, version 2 ({error}).", "pip install --upgrade 'mcp>=2.3'"
        ) from error
