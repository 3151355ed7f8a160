"""Reads what a server's failure means: its message, whether to ask again, how long to wait, the cure.

Apart from the transport because these are rules about answers, not about connections; each was
learned from a server that says it in its own way (an over-long text is 413 from one server,
400 from another and 500 from a third).
"""

from __future__ import annotations

import re

from scrubjay.types.base import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

LONGEST_MESSAGE = 160
_TOO_LONG = re.compile(
    r"too (long|large|many (tokens|inputs|items))|maximum (context|batch|allowed|input)|context (length|window|size)"
    r"|exceeds? .*(token|limit|context|batch)|must have less than|physical batch|at most \d+ (requests|texts|inputs)"
    r"|max(imum)? .*(token|batch size)|batch size .*>",
    re.IGNORECASE,
)
_OUT_OF_MONEY = re.compile(rb"insufficient[_ ](quota|balance|credit)", re.IGNORECASE)
_PASSING = (408, 425, 429, 500, 502, 503, 504, 520, 521, 522, 524, 529)


def is_final(status: int, text: bytes) -> bool:
    """Whether asking again cannot help, though it is too many requests or a fault at the server."""
    return status not in _PASSING or _OUT_OF_MONEY.search(text) is not None


def is_too_long(status: int, message: str) -> bool:
    """Whether the server refuses the size of what it was sent, in any of the ways servers say so."""
    return status == 413 or (status in (400, 422, 500) and _TOO_LONG.search(message) is not None)


def cure_of(status: int) -> str:
    """What a person can do about it, in one line."""
    if status == 0:
        return "Check that the server runs and that its URL is right."
    if status in (401, 403):
        return "Check the key and what it is allowed to do."
    if status in (301, 302, 303, 307, 308):
        return "Give the URL that it redirects to."
    if status in (404, 405):
        return "Check the URL and the name of the model."
    if status == 429:
        return "Wait, send less at once, or raise the limit at the provider."
    if status >= 500:
        return "Try later: the fault is at the server."
    return "Check the model and what was sent to it."


def said(value: Any, text: bytes) -> str:
    """The message in an error's body: every provider puts it elsewhere."""
    for key in ("error", "detail", "message", "errors"):
        if isinstance(value, dict) and value.get(key):
            return said(value[key], b"")
    if isinstance(value, list) and value:
        return said(value[0], b"")
    if isinstance(value, dict):
        return str(value.get("msg") or value.get("code") or "")
    if isinstance(value, str):
        return value
    start = text[:400].decode("utf-8", "replace")
    return "" if start.lstrip().startswith("<") else start  # a proxy's error page says nothing


def one_line(message: str, headers: Mapping[str, str]) -> str:
    """The message on one line, shortened, without anything that authorises the request."""
    for name, value in headers.items():
        if name.lower() in ("authorization", "proxy-authorization", "x-goog-api-key", "api-key"):
            for secret in {value, value.rpartition(" ")[2]}:
                message = message.replace(secret, "…") if secret else message
    line = " ".join("".join(mark if mark.isprintable() else " " for mark in message).split())
    return line if len(line) <= LONGEST_MESSAGE else line[: LONGEST_MESSAGE - 1] + "…"


def seconds_to_wait(header: str | None, now: float) -> float | None:
    """Retry-After as seconds from now: it is a number of seconds or a date."""
    if not header:
        return None
    try:
        wait = float(header)
    except ValueError:
        from email.utils import parsedate_to_datetime

        try:
            wait = parsedate_to_datetime(header).timestamp() - now
        except (ValueError, TypeError, OverflowError):
            return None
    return max(0.0, wait) if wait == wait else None
