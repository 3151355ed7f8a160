"""Finds in a text what it leads to: links, wiki links, imports, paths and ids that it cites.

Only what a look for one or two characters does not rule out is searched for, so a text without
links costs next to nothing. What leads out into the web is none of ours. Nothing is resolved
here: a link is kept as it is worded, because what it names may come later.
"""

from __future__ import annotations

import re
from posixpath import normpath

from scrubjay.ingest.imports import imports
from scrubjay.types.base import TYPE_CHECKING
from scrubjay.types.graph import Wanted

if TYPE_CHECKING:
    from collections.abc import Iterator

_MARKDOWN = re.compile(r"\[([^\[\]]*)\]\(\s*<?([^()<>\s]+(?:\([^()\s]*\)[^()<>\s]*)*)>?(?:\s+[\"'(][^)]*)?\)")
_REFERENCE = re.compile(r"^ {0,3}\[([^\]\n]+)\]:\s*<?(\S+?)>?(?:\s|$)", re.MULTILINE)
_WIKI = re.compile(r"\[\[([^\[\]|\n]+)(?:\|([^\[\]\n]*))?\]\]")
_HREF = re.compile(r"""(?:href|src)\s*=\s*["']([^"'\s]+)["']""", re.IGNORECASE)
_RST = re.compile(r"`([^`<>]*)<([^`<>\s]+)>`_|:doc:`(?:[^`<>]*<)?([^`<>\s]+)>?`|^\.\. include:: (\S+)", re.MULTILINE)
_ID = re.compile(r"\b[dc]_[0-9a-f]{12,14}\b")
_ENDINGS = (
    r"\.(?:md|markdown|rst|org|txt|py|pyi|ipynb|js|jsx|mjs|ts|tsx|go|rs|java|kt|c|cc|cpp|h|hpp|cs|rb|php|swift|sql|sh"
    r"|pdf|html?|docx|csv|json|ya?ml|toml|ini|cfg)"
)
_FILE = re.compile(_ENDINGS + r"(?![\w/])")  # begins with a dot, which is looked for ten times as fast as a path
_PATH = re.compile(rf"(?<![\w/.:@#%-])((?:~?/|\.{{1,2}}/)?(?:[\w.@+-]+/)*[\w@+-][\w.@+-]*{_ENDINGS})(?![\w/])")
_OUTSIDE = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]*:|//")
_MOST = 200  # links a chunk; a page of links is a list, not a text


def links(text: str, kind: str, path: str | None) -> list[Wanted]:
    """What the text leads to, each once, in the order in which it says so."""
    found: dict[tuple[str, str], Wanted] = {}
    for wanted in _all(text, kind, path):
        found.setdefault((wanted.wanted, wanted.relation), wanted)
        if len(found) >= _MOST:
            break
    linked = {wanted.wanted.split("#")[0].rsplit("/", 1)[-1] for wanted in found.values() if wanted.relation == "links"}
    return [
        wanted for wanted in found.values()
        if wanted.relation != "cites" or wanted.wanted[2:].rsplit("/", 1)[-1] not in linked
    ]  # fmt: skip


def _all(text: str, kind: str, path: str | None) -> Iterator[Wanted]:
    if kind == "code":
        yield from imports(text, path)
    else:
        yield from _linked(text, path)
    if "_" in text:
        for match in _ID.finditer(text):
            yield Wanted(f"i:{match.group()}", "cites", "citation", match.group())
    if kind != "code" and _FILE.search(text):
        for match in _PATH.finditer(text):
            if not _inside_a_link(text, match.start(1)):
                yield Wanted(_target(match.group(1), path, cited=True), "cites", "citation", match.group(1))


def _linked(text: str, path: str | None) -> Iterator[Wanted]:
    if "](" in text:
        for match in _MARKDOWN.finditer(text):
            yield from _link(match.group(2), match.group(1), path)
    if "[[" in text:
        for match in _WIKI.finditer(text):
            name = match.group(1).strip()
            if name and not name.startswith("#"):
                yield Wanted(f"n:{name}", "links", "link", (match.group(2) or name).strip())
    if "]:" in text:
        for match in _REFERENCE.finditer(text):
            if not match.group(1).startswith("^"):
                yield from _link(match.group(2), match.group(1), path)
    if "=" in text and ("href" in text or "src" in text):
        for match in _HREF.finditer(text):
            yield from _link(match.group(1), "", path)
    if "`" in text or ".. " in text:
        for match in _RST.finditer(text):
            target = match.group(2) or match.group(3) or match.group(4)
            yield from _link(target, (match.group(1) or "").strip(), path)


def _link(target: str, words: str, path: str | None) -> Iterator[Wanted]:
    if target.startswith("#") or _OUTSIDE.match(target):
        return
    from urllib.parse import unquote

    evidence = words.strip() or target
    yield Wanted(_target(unquote(target).split("?", 1)[0], path), "links", "link", " ".join(evidence.split())[:200])


def _target(target: str, path: str | None, *, cited: bool = False) -> str:
    """A path as it is looked for: whole where it says from where it counts, else by its end."""
    place, hash, anchor = target.partition("#")
    heading = hash + anchor
    if place.startswith("~"):
        return "s:" + place.lstrip("~/") + heading
    if place.startswith("/"):
        return "p:" + normpath(place) + heading
    relative = place.startswith(("./", "../"))
    if path is None or (cited and not relative):
        return "s:" + normpath(place).lstrip("./") + heading
    return "p:" + normpath(path.rpartition("/")[0] + "/" + place) + heading


def _inside_a_link(text: str, start: int) -> bool:
    """Whether a path is a link's own target, which was read as a link already."""
    before = text[max(0, start - 2) : start]
    return before.endswith(("](", "[[", "<", '="', "='")) or before == "]:"
