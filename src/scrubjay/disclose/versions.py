"""What a document was after each of its changes, and what made the difference.

Only what was replaced is kept, so a version is put together: its header is what the next change
found before it, its text the pieces that the next change of the text found.
"""

from __future__ import annotations

from difflib import unified_diff

from scrubjay.types.base import TYPE_CHECKING
from scrubjay.types.history import Change

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from scrubjay.types.history import StoredChange

    Header = Mapping[str, Any]
    State = tuple[Header, tuple[str, ...]]  # what it is, and the ids of its pieces in order

_SHOWN = ("title", "path", "kind", "tags", "created_at", "summary", "metadata")


def state_before(changes: Sequence[StoredChange], present: State | None) -> State | None:
    """What a document was before the first of these changes; None when it was not there."""
    if not changes:
        return present
    header = changes[0].before
    if header is None:
        return None
    for change in changes:
        if change.pieces is not None:
            return header, change.pieces
    return header, present[1] if present is not None else ()


def needed(changes: Sequence[StoredChange], present: State | None) -> list[str]:
    """The ids of all pieces of all versions."""
    found = [piece for change in changes for piece in change.pieces or ()]
    return list(dict.fromkeys([*found, *(present[1] if present is not None else ())]))


def versions(changes: Sequence[StoredChange], present: State | None, texts: Mapping[str, str]) -> list[Change]:
    """Each change with the difference that it made, oldest first."""
    states = [state_before(changes[place:], present) for place in range(len(changes))] + [present]
    return [_shown(change, states[place], states[place + 1], texts) for place, change in enumerate(changes)]


def text_of(state: State | None, texts: Mapping[str, str]) -> str:
    return "" if state is None else "".join(texts.get(piece, "") for piece in state[1])


def _shown(change: StoredChange, before: State | None, after: State | None, texts: Mapping[str, str]) -> Change:
    if change.what == "added":
        before = None
    if change.what == "deleted":
        after = None
    header = after or before
    old, new = text_of(before, texts), text_of(after, texts)
    lines = [] if change.what == "added" else _diff(old, new, change)
    body = [line for line in lines[2:] if not line.startswith("@@")]
    fields: dict[str, tuple[Any, Any]] = {}
    if before is not None and after is not None:
        fields = {
            name: (before[0].get(name), after[0].get(name))
            for name in _SHOWN
            if before[0].get(name) != after[0].get(name)
        }
    return Change(
        number=change.number,
        at=change.at,
        document=change.document,
        what=change.what,
        actor=change.actor,
        title=str(header[0].get("title", "")) if header else "",
        path=header[0].get("path") if header else None,
        fields=fields,
        added_lines=len(new.splitlines()) if change.what == "added" else sum(line[0] == "+" for line in body),
        removed_lines=sum(line[0] == "-" for line in body),
        diff="".join(lines),
    )


def _diff(old: str, new: str, change: StoredChange) -> list[str]:
    """Lines as a patch has them; one without an end gets one, and says so."""
    if old == new:
        return []
    parts = unified_diff(_lines(old), _lines(new), "before", f"after {change.what} {change.at}", lineterm="\n")
    return list(parts)


def _lines(text: str) -> list[str]:
    lines = text.split("\n")
    ended = [line + "\n" for line in lines[:-1]]
    return ended + ([f"{lines[-1]}\n", "\\ No newline at end of file\n"] if lines[-1] else [])
