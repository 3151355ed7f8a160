"""Draws bars and lines as SVG, so that a measurement can be seen wherever a picture can.

A few rectangles and labels need no plotting library. Colours are told apart by people who do
not see them all (Okabe and Ito), numbers stand on the bars, and the same data gives the same
file, byte for byte, so a committed plot changes only when the figures do.
"""

from __future__ import annotations

from html import escape
from math import ceil, floor, isfinite, log10

from scrubjay.errors import UsageError
from scrubjay.types.base import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

COLOURS = ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#999999")
_LEFT, _RIGHT, _TOP, _BOTTOM = 56, 16, 56, 44
_TICKS = 5
_SMALLEST = 1e-12
_STYLE = "text{font:12px system-ui,sans-serif;fill:#222}.t{font-size:15px;font-weight:600}.v{font-size:10px;fill:#555}"


def bars(series: Mapping[str, Mapping[str, float]], *, title: str = "", width: int = 720, height: int = 360) -> str:
    """Groups of bars: {"keyword": {"notes": .67, "code": .38}, "hybrid": {…}} draws two a group."""
    groups = list(dict.fromkeys(group for values in series.values() for group in values))
    values = [value for row in series.values() for value in row.values()]
    _check(values)
    low, high, step = _scale(min(0.0, *values), max(0.0, *values))
    inner, tall = width - _LEFT - _RIGHT, height - _TOP - _BOTTOM
    slot = inner / len(groups)
    thick = min(48.0, slot * 0.8 / len(series))
    parts = _axes(low, high, step, width, height)
    zero = _y(0.0, low, high, tall)
    for place, group in enumerate(groups):
        middle = _LEFT + slot * (place + 0.5)
        parts.append(_label(middle, height - _BOTTOM + 18, group))
        for number, row in enumerate(series.values()):
            if group not in row:
                continue
            x, y = middle + (number - len(series) / 2) * thick, _y(row[group], low, high, tall)
            top, tallness = min(y, zero), abs(zero - y)
            parts.append(_bar(x, top, thick - 2, tallness, number))
            parts.append(_label(x + thick / 2 - 1, top - 4, _number(row[group]), "v"))
    return _svg(parts, list(series), title, width, height)


def lines(
    series: Mapping[str, Sequence[tuple[float, float]]], *, title: str = "", width: int = 720, height: int = 360
) -> str:
    """Lines through (x, y) points, in the order of x."""
    points = [point for row in series.values() for point in row]
    _check([number for point in points for number in point])
    low, high, step = _scale(min(y for _, y in points), max(y for _, y in points))
    left, right, across = _scale(min(x for x, _ in points), max(x for x, _ in points))
    inner, tall = width - _LEFT - _RIGHT, height - _TOP - _BOTTOM
    parts = _axes(low, high, step, width, height)
    for tick in _ticks(left, right, across):
        parts.append(_label(_LEFT + (tick - left) / (right - left) * inner, height - _BOTTOM + 18, _number(tick)))
    for number, row in enumerate(series.values()):
        places = [(_LEFT + (x - left) / (right - left) * inner, _y(y, low, high, tall)) for x, y in sorted(row)]
        path = " ".join(f"{_short(x)},{_short(y)}" for x, y in places)
        colour = COLOURS[number % len(COLOURS)]
        parts.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        parts += [f'<circle cx="{_short(x)}" cy="{_short(y)}" r="3" fill="{colour}"/>' for x, y in places]
    return _svg(parts, list(series), title, width, height)


# --- parts -----------------------------------------------------------------------------------


def _svg(parts: Sequence[str], names: Sequence[str], title: str, width: int, height: int) -> str:
    head = f'<text class="t" x="{_LEFT}" y="22">{_safe(title)}</text>' if title else ""
    legend, x = [], float(_LEFT)
    for number, name in enumerate(names):
        legend.append(_bar(x, 32, 10, 10, number) + f'<text x="{_short(x + 14)}" y="41">{_safe(name)}</text>')
        x += 34 + 7 * len(name)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img" '
        f'aria-label="{_safe(title or ", ".join(names))}"><style>{_STYLE}</style>'
        f'<rect width="{width}" height="{height}" fill="#fff"/>{head}{"".join(legend)}{"".join(parts)}</svg>\n'
    )


def _axes(low: float, high: float, step: float, width: int, height: int) -> list[str]:
    parts = []
    for tick in _ticks(low, high, step):
        y = _y(tick, low, high, height - _TOP - _BOTTOM)
        colour = "#888" if abs(tick) < step / 2 else "#e5e5e5"
        parts.append(f'<path d="M{_LEFT} {_short(y)}H{width - _RIGHT}" stroke="{colour}"/>')
        parts.append(f'<text x="{_LEFT - 8}" y="{_short(y + 4)}" text-anchor="end">{_number(tick)}</text>')
    return parts


def _bar(x: float, y: float, width: float, height: float, number: int) -> str:
    colour = COLOURS[number % len(COLOURS)]
    return f'<rect x="{_short(x)}" y="{_short(y)}" width="{_short(width)}" height="{_short(height)}" fill="{colour}"/>'


def _label(x: float, y: float, text: str, style: str = "") -> str:
    look = f' class="{style}"' if style else ""
    return f'<text{look} x="{_short(x)}" y="{_short(y)}" text-anchor="middle">{_safe(text)}</text>'


def _y(value: float, low: float, high: float, tall: float) -> float:
    return _TOP + (high - value) / (high - low) * tall


def _scale(low: float, high: float) -> tuple[float, float, float]:
    """Round ends around the values, and a round step between them."""
    spread = high - low
    if spread < _SMALLEST:  # one value, or as good as one
        spread = max(abs(high), _SMALLEST)
    rough = spread / _TICKS
    power = 10.0 ** floor(log10(rough))
    step = next(power * size for size in (1, 2, 2.5, 5, 10) if power * size >= rough * 0.999)
    first, last = floor(low / step + 1e-9) * step, ceil(high / step - 1e-9) * step
    return first, last if last > first else first + step, step


def _ticks(low: float, high: float, step: float) -> list[float]:
    return [low + step * number for number in range(round((high - low) / step) + 1)]


def _number(value: float) -> str:
    return f"{value + 0.0:.3g}" if abs(value) < 1000 else f"{value:,.0f}"


def _short(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")


def _safe(text: str) -> str:
    return escape("".join(char for char in text if char >= " "))


def _check(values: Sequence[float]) -> None:
    if not values:
        raise UsageError("There is nothing to draw.", "No series has a value.", "Give at least one value.")
    if not all(map(isfinite, values)):
        raise UsageError("A value is not a number.", "It has no place on the paper.", "Leave it out.")
