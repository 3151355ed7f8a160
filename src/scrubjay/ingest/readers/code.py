"""Reads source code: one span a definition, with its comments, and its name as the trail.

A function is what people look for in code, so a piece should begin where one begins. A grammar
finds them where the language has one installed; it stands errors in the source. A file that has
none, or is too large to be worth parsing, is cut by its blank lines instead: fewer names, the
same text.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from functools import cache
from time import thread_time

from scrubjay.ingest.readers._marks import Mark, spans_from
from scrubjay.ingest.readers._texts import text_of
from scrubjay.ingest.readers.blocks import block_marks
from scrubjay.ingest.readers.languages import GRAMMARS, INTERPRETERS, LANGUAGES, NAMES, Grammar
from scrubjay.types import Reading
from scrubjay.types.base import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Node, Parser

PARSED_UP_TO = 1_000_000  # characters: what is larger is generated, and costs seconds
_LONGEST_LINE = 2000
_FIRST_TRY, _SLOWEST = 16_384, 5e-6  # bytes, and seconds a byte: some thirty times the usual
_DEEPEST = 6
_SHEBANG = re.compile(rb"#![ \t]*(?:\S*/)?([A-Za-z]+)[\d.]*(?:[ \t]+(?:-\S+[ \t]+)*([A-Za-z]+)[\d.]*)?(?=\s|\Z)")
_LONGEST_NAME = 80
_ONLY_CLOSES = re.compile(rb"(?:[\s})\];,]|end\b|fi\b|#endif[^\n]*)*\Z")


class CodeReader:
    """Satisfies `ports.Reader`."""

    def read(self, path: str, data: bytes) -> Reading:
        text, notices = text_of(path, data)
        name = re.split(r"[/\\]", path)[-1]
        language = language_of(path, data)
        parsed = language in GRAMMARS and _was_written(text)
        marks = (list(_definitions(text, language)) if parsed and language else []) or list(block_marks(text))
        spans = spans_from([Mark(0, (), "code"), *marks], len(text))
        metadata = {"language": language} if language in GRAMMARS else {}
        return Reading(text, "code", name, spans, metadata=metadata, notices=notices)


def language_of(path: str, head: bytes = b"") -> str | None:
    """The language by the file's name, else by its first line; None when it is no source code."""
    name = re.split(r"[/\\]", path)[-1].lower()
    language = NAMES.get(name) or (LANGUAGES.get(name.rpartition(".")[2]) if "." in name else None)
    return language or script_language(head)


def script_language(head: bytes) -> str | None:
    """The language that the first line of a script names: `#!/usr/bin/env python3`."""
    match = _SHEBANG.match(head[:200])
    if match is None:
        return None
    program, argument = (part.decode("ascii") if part else "" for part in match.groups())
    return INTERPRETERS.get(argument if program == "env" else program)


def _was_written(text: str) -> bool:
    """Whether it is worth parsing: no generated bulk, and no endless line."""
    if len(text) > PARSED_UP_TO:
        return False
    return max(map(len, text.split("\n"))) <= _LONGEST_LINE


# --- with a grammar --------------------------------------------------------------------------


class _Definition(NamedTuple):
    """Where something is defined, in bytes, where that which holds it ends, and all their names."""

    start: int
    end: int
    within: int
    trail: tuple[str, ...]


@cache
def _parser(language: str) -> Parser | None:
    """A parser, or None where the grammar is not installed or too new: then blank lines do."""
    from importlib import import_module

    grammar = GRAMMARS[language]
    try:
        from tree_sitter import Language, Parser

        return Parser(Language(getattr(import_module(grammar.module), grammar.function)()))
    except (ImportError, AttributeError, ValueError):
        return None


def _definitions(text: str, language: str) -> Iterator[Mark]:
    parser = _parser(language)
    if parser is not None:
        data = text.encode("utf-8")
        if _is_foreign(parser, data):
            return
        root = parser.parse(data).root_node
        yield from _marks(sorted(_in(root, _Place(GRAMMARS[language], data, len(data)))), data)


def _is_foreign(parser: Parser, data: bytes) -> bool:
    """Whether the text is not in the parser's language at all, seen by how slowly its head is parsed.

    Recovery from errors takes quadratic time and cannot be stopped from outside, so a large
    file is tried on a quarter of it first, and that on a quarter of that.
    """
    size = _FIRST_TRY
    while size < len(data):
        began = thread_time()
        parser.parse(data[:size])
        if thread_time() - began > size * _SLOWEST:
            return True
        size *= 4
    return False


class _Place(NamedTuple):
    """Where in a file definitions are looked for."""

    grammar: Grammar
    data: bytes
    end: int
    trail: tuple[str, ...] = ()
    depth: int = 0


def _in(node: Node, place: _Place) -> Iterator[_Definition]:
    """The definitions directly below `node`, and those inside of them."""
    grammar, data, within, trail, depth = place
    comment_at, comment_row = -1, -2
    for child in node.children:
        if child.type in grammar.comments:
            if child.start_point[0] > comment_row + 1:
                comment_at = child.start_byte
            comment_row = child.end_point[0] - (child.end_point[1] == 0)
            continue
        inner = _unwrapped(child, grammar)
        if inner is not None:
            attached = comment_at >= 0 and child.start_point[0] <= comment_row + 1
            own = (*trail, _name(inner, grammar.definitions[inner.type], data))
            start = _line_start(data, comment_at if attached else child.start_byte)
            yield _Definition(start, child.end_byte, within, own)
            if inner.type in grammar.holders and depth < _DEEPEST:
                for body in inner.children:
                    yield from _in(body, _Place(grammar, data, child.end_byte, own, depth + 1))
        elif child.type in _LOOKED_INTO | grammar.wrappers and depth < _DEEPEST:
            yield from _in(child, place._replace(depth=depth + 1))
        comment_at, comment_row = -1, -2


# Nodes that are no definition and may hold some: what a broken file is in, header guards, `extern "C"`.
_LOOKED_INTO = frozenset({"ERROR", "preproc_ifdef", "preproc_if", "declaration_list", "declaration", "program"})


def _unwrapped(node: Node, grammar: Grammar) -> Node | None:
    """The definition that a node is, or stands around; None when it is none."""
    for _ in range(3):
        if node.type in grammar.definitions:
            return node if _defines(node) else None
        if node.type not in grammar.wrappers:
            return None
        inside = [child for child in node.named_children if child.type in grammar.definitions]
        wraps = [child for child in node.named_children if child.type in grammar.wrappers]
        if not inside and not wraps:
            return None
        node = (inside or wraps)[-1]
    return None


def _defines(node: Node) -> bool:
    """`const a = 1` defines nothing to look for; `const f = () => …` and long tables do."""
    if node.type != "lexical_declaration":
        return True
    return node.end_point[0] - node.start_point[0] >= 3


def _name(node: Node, word: str, data: bytes) -> str:
    found = _named(node)
    name = data[found.start_byte : found.end_byte].decode("utf-8", "replace") if found else ""
    return " ".join(f"{word} {name}".split())[:_LONGEST_NAME]


def _named(node: Node) -> Node | None:
    """The node that holds the name: a field of it, of its declarator, or of what it is for."""
    for _ in range(6):
        named = node.child_by_field_name("name")
        if named is not None:
            return named
        inner = node.child_by_field_name("declarator") or node.child_by_field_name("type")
        if inner is None:
            inner = next((one for one in node.named_children if one.child_by_field_name("name")), None)
        if inner is None:
            return node if "identifier" in node.type or node.type.endswith("_type") else None
        node = inner
    return node


def _line_start(data: bytes, at: int) -> int:
    start = data.rfind(b"\n", 0, at) + 1
    return start if not data[start:at].strip() else at


def _marks(found: list[_Definition], data: bytes) -> Iterator[Mark]:
    """Marks in characters: at each definition, and where one ends and other code goes on."""
    starts = [definition.start for definition in found]
    places = [(definition.start, definition.trail, True) for definition in found]
    for definition in found:
        following = bisect_left(starts, definition.end)
        stop = min(definition.within, starts[following] if following < len(starts) else len(data))
        after = data.find(b"\n", definition.end, stop) + 1
        if after and not _ONLY_CLOSES.match(data, after, stop):
            places.append((after, definition.trail[:-1], len(definition.trail) == 1))
    at_byte = at = 0
    for byte, trail, opens in sorted(places, key=lambda place: place[0]):
        at += len(data[at_byte:byte].decode("utf-8", "replace"))
        at_byte = byte
        yield Mark(at, trail, "code", opens)
