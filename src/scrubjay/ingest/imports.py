"""Which files a piece of code uses, as its import lines say, language by language.

A module's name is the end of a path: `from a.b import c` means …/a/b/c or …/a/b. What is not
in the base (the standard library, packages) simply never finds its file.
"""

from __future__ import annotations

import re
import sys
from posixpath import normpath

from scrubjay.types.base import TYPE_CHECKING
from scrubjay.types.graph import Wanted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Reader = Callable[[str, str], Iterator[tuple[str, str]]]

_PY_FROM = re.compile(r"^[ \t]*from[ \t]+(\.*)([\w.]*)[ \t]+import[ \t]+(\([^)]*\)|[^\n#]+)", re.MULTILINE)
_PY_IMPORT = re.compile(r"^[ \t]*import[ \t]+([\w.]+(?:[ \t]+as[ \t]+\w+)?(?:[ \t]*,[ \t]*[\w.]+)*)", re.MULTILINE)
_JS = re.compile(r"""(?:\bfrom|\bimport|\brequire\s*\(|\bimport\s*\()\s*["'](\.{1,2}/[^"'\n]*)["']""")
_GO_BLOCK = re.compile(r"^import\s*(?:\(([^)]*)\)|(?:\w+\s+)?(\"[^\"\n]+\"))", re.MULTILINE)
_GO_PATH = re.compile(r'"([^"\n]+/[^"\n]+)"')
_RUST_MOD = re.compile(r"^\s*(?:pub(?:\([^)]*\))?\s+)?mod\s+(\w+)\s*;", re.MULTILINE)
_RUST_USE = re.compile(r"^\s*(?:pub\s+)?use\s+(?:crate|super|self)::([\w:]+)", re.MULTILINE)
_JAVA = re.compile(r"^\s*import\s+(?:static\s+)?([\w.]+)\s*;?", re.MULTILINE)
_C = re.compile(r'^\s*#\s*include\s+"([^"\n]+)"', re.MULTILINE)


def imports(text: str, path: str | None) -> Iterator[Wanted]:
    """What the imports of this text lead to; nothing where the language is not known."""
    language = reader_of(path)
    if path is not None and language is not None:
        for wanted, words in language[1](text, path.rpartition("/")[0]):
            yield Wanted(wanted, "imports", "import", words)


def _python(text: str, folder: str) -> Iterator[tuple[str, str]]:
    if "import" not in text:
        return
    for match in _PY_FROM.finditer(text):
        dots, module, names = match.groups()
        if not dots and _is_standard(module):
            continue
        inner = module.replace(".", "/")
        said = f"{dots}{module}"
        start = "s:"
        if dots:
            start = "p:" + normpath(folder + "/" + "../" * (len(dots) - 1)) + "/"
        for name in re.findall(r"(\w+)(?:\s+as\s+\w+)?", names.strip("()")):
            if name != "as":
                yield (
                    f"{start}{inner}/{name}".replace("//", "/").replace("s:/", "s:"),
                    f"{said}.{name}".replace("..", "."),
                )
        if inner:
            yield f"{start}{inner}", said
    for match in _PY_IMPORT.finditer(text):
        for each in match.group(1).split(","):
            module = each.split()[0]
            if _is_standard(module):
                continue
            yield f"s:{module.replace('.', '/')}", module


def _is_standard(module: str) -> bool:
    return module.split(".", 1)[0] in sys.stdlib_module_names


def _javascript(text: str, folder: str) -> Iterator[tuple[str, str]]:
    for match in _JS.finditer(text):
        target = match.group(1).split("?", 1)[0]
        yield f"p:{normpath(folder + '/' + target)}", target


def _go(text: str, _folder: str) -> Iterator[tuple[str, str]]:
    for match in _GO_BLOCK.finditer(text):
        for package in _GO_PATH.findall(match.group(1) or match.group(2)):
            yield f"g:{'/'.join(package.split('/')[-2:])}", package


def _rust(text: str, folder: str) -> Iterator[tuple[str, str]]:
    for match in _RUST_MOD.finditer(text):
        yield f"p:{folder}/{match.group(1)}", f"mod {match.group(1)}"
    for match in _RUST_USE.finditer(text):
        parts = [part for part in match.group(1).split("::") if part]
        for length in range(len(parts), 0, -1):
            yield f"s:src/{'/'.join(parts[:length])}", match.group(1)


def _java(text: str, _folder: str) -> Iterator[tuple[str, str]]:
    for match in _JAVA.finditer(text):
        parts = match.group(1).split(".")
        if len(parts) > 1 and parts[0] not in ("java", "javax", "kotlin", "scala"):
            yield f"s:{'/'.join(parts)}", match.group(1)


def _c(text: str, folder: str) -> Iterator[tuple[str, str]]:
    if "include" not in text:
        return
    for match in _C.finditer(text):
        target = match.group(1)
        yield f"p:{normpath(folder + '/' + target)}", target
        if "/" in target:
            yield f"s:{normpath(target).lstrip('./')}", target


_LANGUAGES: tuple[tuple[frozenset[str], Reader], ...] = (
    (frozenset(("py", "pyi", "pyx")), _python),
    (frozenset(("js", "jsx", "mjs", "cjs", "ts", "tsx", "mts", "cts", "vue", "svelte", "json")), _javascript),
    (frozenset(("go",)), _go),
    (frozenset(("rs",)), _rust),
    (frozenset(("java", "kt", "scala")), _java),
    (frozenset(("c", "h", "cc", "cpp", "cxx", "hpp", "hh", "m", "mm")), _c),
)


def reader_of(path: str | None) -> tuple[frozenset[str], Reader] | None:
    """The endings of a file's language, and what reads its imports."""
    ending = (path or "").rpartition(".")[2].lower()
    return next((row for row in _LANGUAGES if ending in row[0]), None)
