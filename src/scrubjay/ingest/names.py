"""What a document is called, and whether a link means just this one.

A link is kept as it is worded, so the same rules decide when it is read and when, later, the
document that it names comes in: candidates are found by a name and judged by their paths.
"""

from __future__ import annotations

import re

from scrubjay.ingest.imports import reader_of
from scrubjay.types.base import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from scrubjay.types.graph import Named

_WORD = re.compile(r"\w+")
_BRACKETED = re.compile(r"\s*[(（][^()（）]*[)）]\s*$")  # "Ed Wood (film)" is mentioned as Ed Wood
_LETTERS = re.compile(r"[^\W\d_]{3}")
_LONGEST = 8  # words in a title that a text may mention
_INDEXES = ("__init__", "index", "mod", "readme")  # files that stand for their folder


def in_words(text: str) -> str:
    """Words in small letters with a space between: how names are compared."""
    return " ".join(_WORD.findall(text.replace("_", " ").casefold()))


def names_of(path: str | None, title: str, aliases: Sequence[str] = ()) -> list[str]:
    """Every name under which a document is looked up. `title` is empty where none was given."""
    names: list[str] = []
    stem = ""
    if path:
        *folders, file = path.casefold().split("/")
        stem = without_ending(file)
        names += [f"f:{stem}", f"t:{in_words(stem)}"]
        if folders:
            names.append(f"f:{folders[-1]}/{stem}")
            if stem in _INDEXES:
                names.append(f"f:{folders[-1]}")
            if file.endswith(".go"):
                names.append(f"g:{'/'.join(folders[-2:])}")
    if title:
        names.append(f"t:{in_words(title)}")
        mentioned = mentionable(title, stem)
        if mentioned:
            names.append(f"m:{mentioned}")
    for alias in aliases:
        mentioned = mentionable(alias, stem)
        names += [f"t:{in_words(alias)}", *([f"m:{mentioned}"] if mentioned else [])]
    return list(dict.fromkeys(name for name in names if len(name) > 2))


def aliases_of(kept: str) -> list[str]:
    """The other names of a document, as its front matter was kept."""
    if not kept.startswith("["):
        return [kept] if kept else []
    import json

    return [alias for alias in json.loads(kept) if isinstance(alias, str)]


def mentionable(title: str, stem: str = "") -> str:
    """The title as a text would mention it; empty where that would say nothing."""
    words = _WORD.findall(_BRACKETED.sub("", title))
    if not 0 < len(words) <= _LONGEST or not any(_LETTERS.match(word) for word in words):
        return ""
    if not any(word[0].isupper() for word in words) or (len(words) == 1 and len(words[0]) < 4):
        return ""
    joined = " ".join(words).casefold()
    return "" if len(words) == 1 and joined == in_words(stem) else joined


def without_ending(file: str) -> str:
    """A file name without its ending; .gitignore and Makefile stay whole."""
    head, dot, _ = file.rpartition(".")
    return head if dot and head else file


def lookup(wanted: str) -> str:
    """The name under which the documents are found that a link may mean."""
    way, rest = wanted[:2], wanted[2:].split("#", 1)[0]
    if way == "n:":
        return f"t:{in_words(without_ending_of_text(rest.rsplit('/', 1)[-1]))}"
    if way == "g:":
        return f"g:{'/'.join(rest.casefold().split('/')[-2:])}"
    parts = rest.casefold().rstrip("/").split("/")
    parts[-1] = without_ending(parts[-1])
    return f"f:{'/'.join(parts[-2:]).lstrip('/')}" if way in ("p:", "s:") else ""


def without_ending_of_text(name: str) -> str:
    """[[Notes.md]] means Notes; [[v1.2 plans]] means what it says."""
    head, dot, ending = name.rpartition(".")
    return head if dot and head and ending.casefold() in ("md", "markdown", "txt", "pdf", "org", "rst") else name


def choose(wanted: str, path: str | None, candidates: Iterable[Named], own: int) -> list[int]:
    """Which of the candidates a link means: the nearest to where it stands; for a folder, all its files."""
    way, rest = wanted[:2], wanted[2:].split("#", 1)[0].casefold()
    fitting = [each for each in candidates if each.document != own and _fits(way, rest, (each.path or "").casefold())]
    language = reader_of(path)
    if language is not None:  # code uses code of its own language
        fitting = [each for each in fitting if (each.path or "").rpartition(".")[2].lower() in language[0]]
    if way == "g:":
        return [each.document for each in fitting[:8]]
    if not fitting:
        return []
    here = (path or "").casefold().split("/")[:-1]
    return [min(fitting, key=lambda each: (-_shared(here, each.path), len(each.path or ""), each.document)).document]


def _fits(way: str, rest: str, path: str) -> bool:
    if way == "n:":
        folder = rest.rpartition("/")[0].strip("/")
        return not folder or f"/{folder}/" in path
    if way == "g:":
        return path.rpartition("/")[0].endswith(rest if rest.count("/") < 1 else "/" + rest)
    ended, bare = path, path.rpartition("/")[0] + "/" + without_ending(path.rpartition("/")[2])
    forms = [ended, bare]
    if bare.rpartition("/")[2] in _INDEXES:
        forms.append(bare.rpartition("/")[0])
    rest = rest.rstrip("/")
    return any(form == rest for form in forms) if way == "p:" else any(form.endswith("/" + rest) for form in forms)


def _shared(here: Sequence[str], path: str | None) -> int:
    shared = 0
    for mine, theirs in zip(here, (path or "").casefold().split("/"), strict=False):
        if mine != theirs:
            break
        shared += 1
    return shared


def slug(heading: str) -> str:
    """A heading as the anchor of a link names it."""
    return "-".join(_WORD.findall(heading.casefold()))
