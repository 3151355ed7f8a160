"""One line on a terminal that says what is being done, how fast, and how long it will take.

It is drawn at most ten times a second, because a terminal can be slower than the work.
"""

from __future__ import annotations

import time

from scrubjay.cli import words
from scrubjay.types.base import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from scrubjay.cli.terminal import Screen
    from scrubjay.types import Progress

_BETWEEN = 0.1
_BAR = 20
_EIGHTHS = " ▏▎▍▌▋▊▉"
_DOING = {"walk": "Looking through", "read": "Reading", "embed": "Embedding", "fetch": "Fetching"}
_NOUNS = {"walk": "file", "read": "file", "embed": "chunk", "fetch": "KB"}


class Bar:
    """Draws Progress; to be given to the work as its `progress`, and cleared after it."""

    def __init__(self, screen: Screen, clock: Callable[[], float] = time.monotonic) -> None:
        self._screen = screen
        self._clock = clock
        self._stage = ""
        self._began = 0.0
        self._at_start = 0
        self._drawn = -1.0
        self._shown = False

    def __call__(self, now: Progress) -> None:
        moment = self._clock()
        if now.stage != self._stage:
            self._stage, self._began, self._at_start = now.stage, moment, now.done
        elif moment - self._drawn < _BETWEEN:
            return
        self._drawn = moment
        self._shown = True
        line = self._line(now, moment - self._began)
        self._screen.write("\r" + line + "\x1b[K")
        self._screen.flush()

    def clear(self) -> None:
        if self._shown:
            self._screen.write("\r\x1b[K")
            self._screen.flush()
            self._shown = False

    def _line(self, now: Progress, seconds: float) -> str:
        doing = _DOING.get(now.stage, now.stage.capitalize())
        work = now.done - self._at_start
        rate = work / seconds if seconds > 0.5 and work > 0 else 0.0
        noun = _NOUNS.get(now.stage, "")
        parts = []
        if now.total:
            share = min(1.0, now.done / now.total)
            parts += [_drawn(share), f"{now.done:,}/{now.total:,}"]
        else:
            parts.append(words.counted(now.done, noun) if noun else f"{now.done:,}")
        if now.bytes:
            parts.append(words.size(now.bytes))
        if rate:
            parts.append(f"{rate:,.0f}/s" if rate >= 10 else f"{rate:.1f}/s")
            if now.total and now.total > now.done:
                parts.append(f"{words.duration(max(1, round((now.total - now.done) / rate)))} left")
        line = f"{doing} " + "  ".join(parts)
        room = self._screen.width - 1 - words.width(line) - 2
        detail = words.clean(words.shorten_path(now.detail))
        if detail and room > 12:
            line += "  " + self._screen.paint("faint", words.cut_start(detail, room))
        return line if room >= 0 else words.cut(line, self._screen.width - 1)


def _drawn(share: float) -> str:
    eighths = round(share * _BAR * 8)
    full, part = divmod(eighths, 8)
    return ("█" * full + (_EIGHTHS[part] if part else "")).ljust(_BAR, "░")
