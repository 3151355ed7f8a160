"""Shows the stretch of a text where the query's words are, with the words marked.

Cut from the stored text, never from what the index made of it. The stretch is the one with
the most different words of the query, rare ones first, as close together as they come. Which
words match is for the index to say: with its tokenizer (`stem`) "installing" is marked for
"install" exactly when the search would find it; a second stemmer here would drift from it.
"""

from __future__ import annotations

from scrubjay.disclose.cut import cut_after, cut_before, folded
from scrubjay.search.stopwords import STOP_WORDS
from scrubjay.types.base import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    Stem = Callable[[str], Sequence[tuple[int, int, str]]]  # (start, end, token), in characters
    Match = tuple[int, int, str]

_CUT = "…"
_SNAP = 24  # how far a cut moves to fall between words; beyond that the script has no spaces
_PREFIX = 3  # shorter words match whole words only
# Han, kana, hangul and their forms: written without spaces, or with endings joined to words.
# Compared one by one: a pattern of such ranges takes longer to compile than a search to run.
_CJK = (
    ("\u1100", "\u11ff"), ("\u3005", "\u3007"), ("\u3040", "\u30ff"), ("\u3130", "\u318f"), ("\u31f0", "\u31ff"),
    ("\u3400", "\u4dbf"), ("\u4e00", "\u9fff"), ("\uac00", "\ud7af"), ("\uf900", "\ufaff"), ("\uff66", "\uff9f"),
    ("\U00020000", "\U000323af"),
)  # fmt: skip


def snippet(
    text: str, terms: Sequence[str], *, width: int = 200, stem: Stem | None = None
) -> tuple[str, tuple[tuple[int, int], ...]]:
    """At most `width` characters of `text` around the best match, and what to mark in them."""
    line = folded(text)
    matches = _matches(line, terms, stem)
    first, last = _best(matches, width - 2 * len(_CUT)) if matches else (0, 0)
    start, end = _frame(line, first, last, max(width, 3))
    opening = _CUT if start > 0 else ""
    shown = opening + line[start:end] + (_CUT if end < len(line) else "")
    return shown, _marks(line, matches, start, end, len(opening) - start)


# --- which words match -----------------------------------------------------------------------


def _matches(line: str, terms: Sequence[str], stem: Stem | None) -> list[Match]:
    words: list[str] = []
    found: list[Match] = []
    for term in terms:
        for run, is_cjk in _runs(folded(term).lower()):
            if is_cjk:
                found += _cjk(line, run)
            elif run.strip():
                words.append(run.strip())
    words = [word for word in words if word not in STOP_WORDS] or words
    if words and stem is not None:
        wanted = {token for _, _, token in stem(" ".join(words))}
        found += [token for token in stem(line) if token[2] in wanted]
    elif words:
        found += _beginning_with(line, words)
    found.sort()
    return found


def _runs(term: str) -> Iterator[tuple[str, bool]]:
    """The term in pieces that are CJK or not: "python数据库" is two."""
    if term.isascii():
        yield term, False
        return
    start, kind = 0, _is_cjk(term[0])
    for at, char in enumerate(term):
        if _is_cjk(char) != kind:
            yield term[start:at], kind
            start, kind = at, not kind
    yield term[start:], kind


def _is_cjk(char: str) -> bool:
    return char >= "\u1100" and any(first <= char <= last for first, last in _CJK)


def _cjk(line: str, run: str) -> Iterator[Match]:
    """The run itself and its pairs of characters, as they are indexed."""
    parts = {run} | {run[at : at + 2] for at in range(len(run) - 1)}
    for part in parts:
        at = line.find(part)
        while at >= 0:
            yield at, at + len(part), part
            at = line.find(part, at + 1)


def _beginning_with(line: str, words: Sequence[str]) -> Iterator[Match]:
    """Words that begin with one of `words`; searching for each is far faster than one pattern."""
    lowered = line.lower()
    if len(lowered) != len(line):  # a few letters become two: places would shift
        lowered = "".join(char.lower() if len(char.lower()) == 1 else char for char in line)
    for word in dict.fromkeys(words):
        at = lowered.find(word)
        while at >= 0:
            end = _word_end(lowered, at, word)
            if end:
                yield at, end, word
            at = lowered.find(word, max(end, at + 1))


def _word_end(line: str, at: int, word: str) -> int:
    """Where the word at `at` ends, or 0 when `word` does not begin it."""
    end = at + len(word)
    if at > 0 and word[0].isalnum() and line[at - 1].isalnum():
        return 0
    if not word[-1].isalnum():
        return end
    while end < len(line) and line[end].isalnum():
        end += 1
    return end if len(word) >= _PREFIX or end == at + len(word) else 0


# --- which stretch is shown ------------------------------------------------------------------


def _best(matches: Sequence[Match], room: int) -> tuple[int, int]:
    """The ends of the tightest stretch with the most different, rarest words."""
    counts: dict[str, int] = {}
    for _, _, word in matches:
        counts[word] = counts.get(word, 0) + 1
    inside: dict[str, int] = {}
    best, chosen, left, weight = (0.0, 0), matches[0][:2], 0, 0.0
    for start, end, word in matches:
        inside[word] = inside.get(word, 0) + 1
        if inside[word] == 1:
            weight += 1 + 1 / counts[word]
        while matches[left][0] < start and (inside[matches[left][2]] > 1 or end - matches[left][0] > room):
            gone = matches[left][2]
            inside[gone] -= 1
            if not inside[gone]:
                weight -= 1 + 1 / counts[gone]
            left += 1
        opens = matches[left][0]
        if (round(weight, 6), opens - end) > best or best == (0.0, 0):
            best, chosen = (round(weight, 6), opens - end), (opens, end)
    return chosen


def _frame(line: str, first: int, last: int, width: int) -> tuple[int, int]:
    """Where to cut so that first..last stands in the middle and no word or character is torn."""
    if len(line) <= width:
        return 0, len(line)
    room = width - 2 * len(_CUT)
    start = max(0, first - max(0, room - (last - first)) // 2)
    if start <= len(_CUT):
        start = 0
    if start + room + len(_CUT) >= len(line):
        start, end = max(start, 0), len(line)
        start = min(start, len(line) - room - len(_CUT))
    else:
        end = start + room + (len(_CUT) if start == 0 else 0)
    if start > 0:
        space = line.find(" ", start - 1, min(start + _SNAP, first + 1)) if first > start else -1
        start = space + 1 if space >= 0 else cut_after(line, start)
    if end < len(line):
        space = line.rfind(" ", max(end - _SNAP, last), end + 1)
        torn = cut_before(line, end)
        end = space if space > start else torn if torn > start else end
    return start, end


def _marks(line: str, matches: Sequence[Match], start: int, end: int, shift: int) -> tuple[tuple[int, int], ...]:
    marks: list[tuple[int, int]] = []
    for opens, closes, _ in matches:
        closes = cut_after(line, closes)
        if opens < start or closes > end:
            continue
        if marks and opens + shift <= marks[-1][1]:
            marks[-1] = (marks[-1][0], max(marks[-1][1], closes + shift))
        else:
            marks.append((opens + shift, closes + shift))
    return tuple(marks)
