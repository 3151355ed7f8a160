"""Search results for people: title, place, score, the snippet with its matches, tags and age.

On a terminal the snippet is wrapped to its width and the matches are lit; off one, every hit is
three plain lines, so that nothing is lost to a cut.
"""

from __future__ import annotations

from scrubjay.cli import words
from scrubjay.types.base import TYPE_CHECKING

if TYPE_CHECKING:
    from scrubjay.cli.terminal import Screen
    from scrubjay.types import Hit, SearchResult

_SNIPPET_LINES = 3


def print_hits(out: Screen, result: SearchResult, explain: bool) -> None:
    if explain:
        from scrubjay.cli.explain import plan_lines

        for line in plan_lines(out, result):
            out.line(line)
        out.line()
    margin = len(str(len(result.hits))) + 2
    for position, hit in enumerate(result.hits):
        if position:
            out.line()
        _print_hit(out, hit, margin)
        if hit.folded:
            out.line(" " * margin + out.paint("faint", f"and {len(hit.folded)} near-same: {', '.join(hit.folded)}"))
        if explain:
            from scrubjay.cli.explain import hit_lines

            for line in hit_lines(out, hit, result.plan):
                out.line(" " * margin + line)


def _print_hit(out: Screen, hit: Hit, margin: int) -> None:
    score = f"{hit.score:.4f}"
    title = heading(hit)
    if out.is_terminal:
        room = out.width - margin - len(score) - 2
        title = words.cut(title, room)
        gap = " " * (room - words.width(title) + 2)
    else:
        gap = "  "
    number = out.paint("faint", str(hit.rank).rjust(margin - 2))
    out.line(f"{number}  {out.paint('title', title)}{gap}{out.paint('faint', score)}")
    out.line(" " * margin + _about(out, hit, out.width - margin))
    for line in _snippet(out, hit, out.width - margin):
        out.line(" " * margin + line)


def heading(hit: Hit) -> str:
    """The title, then the headings below it that lead to the passage."""
    trail = [words.one_line(part) for part in hit.trail]
    title = words.one_line(hit.title)
    if trail and trail[0] == title:
        trail = trail[1:]
    return " › ".join([title or "(no title)", *trail])


def _about(out: Screen, hit: Hit, room: int) -> str:
    where = words.clean(words.place(hit.path, hit.lines, hit.page)) or hit.kind
    tags = ", ".join(map(words.one_line, hit.tags))
    when = words.age(hit.created_at) if out.is_terminal else hit.created_at[:10]
    others = [text for text in (tags, when, hit.id) if text]
    if out.is_terminal:
        where = words.cut_start(where, max(20, room - sum(words.width(text) + 3 for text in others)))
    shown = [out.link(hit.path, out.paint("place", where))]
    if tags:
        shown.append(out.paint("tag", tags))
    if hit.marks:
        shown.append(out.paint("bad", ", ".join(map(words.one_line, hit.marks))))
    shown.append(out.paint("faint", f"{when} · {hit.id}" if when else hit.id))
    return out.paint("faint", " · ").join(shown)


def _snippet(out: Screen, hit: Hit, room: int) -> list[str]:
    if not hit.snippet:
        return []
    if not out.is_terminal:
        return [words.one_line(hit.snippet)]
    lines = words.wrap(words.marked(hit.snippet, hit.highlights), min(room, 100), _SNIPPET_LINES)
    return ["".join(out.paint("match", text) if lit else text for text, lit in words.pieces(line)) for line in lines]


def print_markdown(out: Screen, result: SearchResult) -> None:
    """A list that reads well where Markdown is shown: in a chat, an issue, a note."""
    for hit in result.hits:
        where = words.place(hit.path, hit.lines, hit.page) or hit.id
        out.line(f"{hit.rank}. **{heading(hit)}** — `{where}` ({hit.score:.4f})")
        marks = words.marked(hit.snippet, hit.highlights)
        text = "".join(f"**{run}**" if lit else run for run, lit in words.pieces(marks))
        if text:
            out.line(f"   > {text}")
