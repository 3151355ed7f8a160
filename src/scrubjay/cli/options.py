"""The shapes of the command-line table, and the options that several verbs share.

The parser, the help and docs/cli.md are three readings of this one table, so they cannot
disagree. It is plain data because every start of `kb` builds it.
"""

from __future__ import annotations

from scrubjay.types import KINDS
from scrubjay.types.base import NamedTuple

KEPT = "What was done so far is kept; run the same command again and it goes on from there."  # said after Ctrl-C
FORMATS = ("text", "json", "jsonl", "csv", "md", "files")


class Option(NamedTuple):
    """One flag. `kind` is flag, text, whole, real, list (commas, repeats) or lines (A:B).

    `also` are spellings that are understood but not advertised.
    """

    flag: str
    help: str
    kind: str = "flag"
    metavar: str = ""
    choices: tuple[str, ...] = ()
    least: int | None = None
    also: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        return self.flag[2:].replace("-", "_")


class Verb(NamedTuple):
    """One verb. `run` is "module:function" below scrubjay.cli, imported when it is called.

    `least` and `most` count the words after the verb. `dashed` says that a word may begin with a
    dash (an excluded word, a tag to take off). `stopped` is what Ctrl-C leaves behind.
    `files` says that the words are files on disk, whose names are bytes that need not be text.
    `brief` runs without the collector of cycles, because it ends before there is anything to collect.
    `synonyms` are what people type who know another program; they lead to a suggestion.
    A `minor` verb is named in the overview without its summary, which must fit on one screen.
    """

    name: str
    family: str
    summary: str
    run: str
    words: str = ""
    least: int = 0
    most: int | None = 0
    options: tuple[Option, ...] = ()
    more: str = ""
    examples: tuple[tuple[str, str], ...] = ()
    dashed: bool = False
    stopped: str = ""
    files: bool = False
    brief: bool = False
    synonyms: tuple[str, ...] = ()
    minor: bool = False


BASE = Option(
    "--base", "the base to use; else KB_BASE, else the nearest .kb/kb.db upward, else your own", "text", "PATH"
)
JSON = Option("--json", "print one JSON object")
DEBUG = Option("--debug", "show the details of an error")
HELP = Option("--help", "show this help", also=("-h",))
COMMON = (BASE, JSON, DEBUG, HELP)
VERSION = Option("--version", "print the version", also=("-V",))

TAGS = Option("--tags", "only documents with all these tags; repeat it or use commas", "list", "A,B", also=("--tag",))
TYPE = Option("--type", "only these types: pdf, markdown, code, note", "list", "T", KINDS, also=("--types", "--kind"))
PATH = Option(
    "--path", "only below this folder, or this file; of notes, their project", "text", "P", also=("--folder",)
)
SINCE = Option(
    "--since", 'only from this day on: 2026-01-31, yesterday, "last week", 30d', "text", "D", also=("--from",)
)
UNTIL = Option("--until", "only up to this day, in the same words", "text", "D", also=("--to",))
AS_OF = Option("--as-of", 'what the base knew then: 2026-01-31, "last week"', "text", "D")
FILTERS = (TAGS, TYPE, PATH, SINCE, UNTIL)


def format_option(*leaving_out: str) -> Option:
    """`--format` with the formats that make sense for a verb."""
    return Option("--format", "how to print", "text", "F", tuple(name for name in FORMATS if name not in leaving_out))


def limit_option(help: str) -> Option:
    return Option("--limit", help, "whole", "N", least=1)
