"""Cuts a reading into pieces that are small enough to embed and large enough to mean something.

A piece should begin where a topic opens, so sections come first: small neighbours under one
heading are put together up to the target, a section too large for one piece is cut into even
parts. A cut falls on the best boundary near the even place: blank line, line that ends a
sentence, line, sentence, word, and only then between two characters. Tables and fences stay
whole when they fit. Nothing is added, dropped or repeated: the pieces joined are the text,
which is what lets `kb get` give back what was put in.

A section is walked once, a window at a time: one line of fifty megabytes costs no more memory
than its pieces.
"""

from __future__ import annotations

import re
from collections import deque
from itertools import takewhile

from scrubjay.ingest.graphemes import cut_at, end_of_character, is_boundary
from scrubjay.ingest.tokens import MOST_CHARACTERS_PER_TOKEN, estimate, reach
from scrubjay.types import Piece, Span
from scrubjay.types.base import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from scrubjay.types import Reading

TARGET, MAXIMUM = 300, 400
WHOLE = ("table", "fence")  # forms that are not cut when they fit

_Bound = tuple[int, int, tuple[str, ...], "int | None"]  # start, end, trail, page

# From the best place for a cut to the worst: each match ENDS where the cut would be, and the
# number says how far from the even place it may be. Words are everywhere, so look near it first.
_WORDS = re.compile(r"\s+|[,;{}、，](?=\S)")
_BOUNDARIES = (
    (re.compile(r"\n(?:[ \t\r\f\v]*\n)+"), None),
    (
        re.compile(r"[.!?:;…。！？；][\"'”’」』)\]]*[ \t\r]*\n|\n(?=[ \t]*(?:[-*+•]|\d+[.)])[ \t])"),
        None,
    ),
    (re.compile(r"\n"), None),
    (re.compile(r"[.!?…][\"'”’)\]]*\s+|[。！？；][\"'”’」』）]*"), None),
    (_WORDS, 60),
    (_WORDS, None),
)
_NEAREST_CUT = 0.55  # of the way to the even place: a piece is not cut shorter than this
_EVEN_WITHIN = 3  # longest pieces: a longer stretch is cut at the target and evened at its end
_TINY = 0.25  # of the target: less than this means little alone


class _Section(NamedTuple):
    """A stretch that is about one thing, and the stretches in it that should stay whole."""

    start: int
    end: int
    trail: tuple[str, ...]
    page: int | None
    whole: tuple[tuple[int, int], ...]
    cost: float


def chunk(reading: Reading, *, target: int = TARGET, maximum: int = MAXIMUM) -> tuple[Piece, ...]:
    """The pieces of `reading`, in order; `"".join(piece.text for piece in pieces) == reading.text`."""
    text = reading.text
    if not text:
        return ()
    maximum = max(1, maximum)
    target = max(1, min(target, maximum))
    sections = _sections(text, _covering(text, reading.spans), maximum)
    bounds = _without_blanks(text, _bounds(text, sections, target, maximum))
    pieces, line = [], 1
    for start, end, trail, page in bounds:
        part = text[start:end]
        breaks = part.count("\n")
        pieces.append(Piece(part, (line, max(line, line + breaks - part.endswith("\n"))), trail, page))
        line += breaks
    return tuple(pieces)


# --- what belongs together -------------------------------------------------------------------


def _covering(text: str, spans: Sequence[Span]) -> Iterator[Span]:
    """The spans with gaps filled, overlaps cut off and no border inside a character.

    Readers cover their text exactly; a reader from elsewhere that does not may still not lose text.
    """
    at, size = 0, len(text)
    for span in sorted(spans, key=lambda span: span.start):
        start, end = min(max(span.start, at), size), min(span.end, size)
        while end < size and not is_boundary(text, end):
            end += 1
        if end <= start:
            continue
        if start > at:
            yield Span(at, start)
        yield span._replace(start=start, end=end)
        at = end
    if at < size:
        yield Span(at, size)


def _sections(text: str, spans: Iterable[Span], maximum: int) -> Iterator[_Section]:
    """Runs of spans from one opening to the next; a page is never mixed with another."""
    run: list[Span] = []
    for span in spans:
        if run and (span.opens or span.page != run[0].page):
            yield _section(text, run, maximum)
            run = []
        run.append(span)
    if run:
        yield _section(text, run, maximum)


def _section(text: str, run: Sequence[Span], maximum: int) -> _Section:
    start, end = run[0].start, run[-1].end
    whole = tuple(
        (span.start, span.end)
        for span in run
        if span.form in WHOLE and _cost(text, span.start, span.end, maximum) <= maximum
    )
    return _Section(start, end, run[0].trail, run[0].page, whole, _cost(text, start, end, maximum))


def _cost(text: str, start: int, end: int, maximum: int) -> float:
    """The tokens of a stretch; of a very long one only that it is long."""
    if end - start > maximum * MOST_CHARACTERS_PER_TOKEN * _EVEN_WITHIN:
        return float("inf")
    return estimate(text[start:end])


# --- putting together and cutting ------------------------------------------------------------


def _bounds(text: str, sections: Iterable[_Section], target: int, maximum: int) -> Iterator[_Bound]:
    group: list[_Section] = []
    cost = 0.0
    for section in sections:
        tiny = cost < target * _TINY
        if group and _related(group, section, tiny):
            if tiny and cost + section.cost > maximum:  # a heading goes with what it heads
                section = section._replace(start=group[0].start, cost=cost + section.cost)
                group, cost = [], 0.0
            elif cost + section.cost > (maximum if tiny else target):
                yield _joined(group)
                group, cost = [], 0.0
        elif group:
            yield _joined(group)
            group, cost = [], 0.0
        if section.cost > maximum:
            yield from _cut(text, section, target, maximum)
        else:
            group.append(section)
            cost += section.cost
    if group:
        yield _joined(group)


def _related(group: Sequence[_Section], section: _Section, tiny: bool) -> bool:
    """Whether a section may share a piece with those before it: its siblings, or its parent.

    A group too small to mean anything alone may also go with a section further away under the
    same top heading.
    """
    if section.page != group[0].page:
        return False
    first, trail = group[0].trail, section.trail
    shared = len(_common(first, trail))
    if shared == len(first) or shared >= max(len(first), len(trail)) - 1:
        return True
    return tiny and shared > 0


def _joined(group: Sequence[_Section]) -> _Bound:
    trail = group[0].trail
    for section in group[1:]:
        trail = _common(trail, section.trail)
    return group[0].start, group[-1].end, trail or group[0].trail, group[0].page


def _common(a: tuple[str, ...], b: tuple[str, ...]) -> tuple[str, ...]:
    length = 0
    while length < min(len(a), len(b)) and a[length] == b[length]:
        length += 1
    return a[:length]


def _cut(text: str, section: _Section, target: int, maximum: int) -> Iterator[_Bound]:
    at, end = section.start, section.end
    whole = deque(section.whole)
    while at < end:
        rest = _cost(text, at, end, maximum)
        if rest <= maximum:
            place = end
        else:
            parts = max(-(-rest // maximum), round(rest / target)) if rest < float("inf") else 0
            even = reach(text, at, end, rest / parts if parts else target)
            while whole and whole[0][1] <= at:
                whole.popleft()
            last = reach(text, at, end, maximum)
            place = _best_place(text, at, even, last, _begun(whole, last))
        yield at, place, section.trail, section.page
        at = place


def _begun(whole: Iterable[tuple[int, int]], last: int) -> list[tuple[int, int]]:
    return list(takewhile(lambda stretch: stretch[0] < last, whole))


def _best_place(text: str, start: int, even: int, last: int, whole: list[tuple[int, int]]) -> int:
    """Where to end the piece that begins at `start`: near `even`, not after `last`."""
    if whole and whole[-1][1] > last:
        if whole[-1][0] <= start:
            last = whole[-1][1]  # it begins the piece, and it fits: the estimate of `last` was low
        else:
            last = whole.pop()[0]  # it would not fit any more: end before it
            even = min(even, last)
    first = start + max(1, int((even - start) * _NEAREST_CUT))
    edges = [edge for stretch in whole for edge in stretch if first <= edge <= last]
    for boundary, within in _BOUNDARIES:
        low, high = (first, last) if within is None else (max(first, even - within), min(last, even + within))
        places = [match.end() for match in boundary.finditer(text, low - 1, high)]
        places = [place for place in places if place >= low and not _inside(place, whole)] + edges
        for place in sorted(places, key=lambda place: abs(place - even)):
            if is_boundary(text, place):
                return place
    if whole and whole[-1][0] <= start:
        return whole[-1][1]
    place = cut_at(text, last, start)
    return place if is_boundary(text, place) else end_of_character(text, place)  # one that alone is too large


def _inside(place: int, whole: Sequence[tuple[int, int]]) -> bool:
    return any(start < place < end for start, end in whole)


def _without_blanks(text: str, bounds: Iterable[_Bound]) -> Iterator[_Bound]:
    """Gives stretches of nothing but white space to the piece before them, or to the first one."""
    kept: _Bound | None = None
    kept_is_blank = False
    for bound in bounds:
        blank = text[bound[0] : bound[1]].isspace()
        if kept is None:
            kept, kept_is_blank = bound, blank
        elif blank:
            kept = (kept[0], bound[1], kept[2], kept[3])
        elif kept_is_blank:
            kept, kept_is_blank = (kept[0], *bound[1:]), False
        else:
            yield kept
            kept = bound
    if kept is not None:
        yield kept
