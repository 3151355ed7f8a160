"""Takes a command line apart by the table of verbs, or says what is wrong with it and how to mend it.

Written by hand for three reasons: argparse costs a search by words a quarter of its time
(docs/adr/0001-start-up.md); it takes `-cake` for a flag where a query means "without cake"; and
words between options (`kb search install --top 5 git`) trip it. Where argparse would accept a
line, this gives the same values: the tests compare the two.
"""

from __future__ import annotations

from scrubjay.cli import verbs
from scrubjay.cli.options import BASE, COMMON, VERSION, Option, Verb
from scrubjay.cli.words import readable
from scrubjay.errors import UsageError
from scrubjay.types.base import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any


_TO_THE_END = 2**31 - 1  # more lines than a text has


HELP_VERB = Verb("help", "", "", "")


class Parsed(NamedTuple):
    """A verb with its words and the value of every option it has; hints are for the person."""

    verb: Verb | None
    words: tuple[str, ...]
    values: Mapping[str, Any]
    hints: tuple[str, ...] = ()


def parse(arguments: Sequence[str]) -> Parsed:
    """Raises UsageError with a suggestion when the line cannot be what was meant."""
    rest = list(arguments)
    verb: Verb | None = None
    known = _spellings((*COMMON, VERSION))
    values: dict[str, Any] = {option.name: _absent(option) for option in (*COMMON, VERSION)}
    words: list[str] = []
    hints: list[str] = []
    while rest:
        token = rest.pop(0)
        if token == "--" and verb is not None:
            words += rest
            break
        if _is_option(token, known, verb):
            _take(token, rest, known, values, verb)
        elif verb is None:
            verb = _verb(token, rest)
            known = _spellings((*verb.options, *COMMON))
            values.update((option.name, _absent(option)) for option in verb.options)
        else:
            words.append(token)
            hints += _dash_hint(token, known)
        if values["help"]:
            return Parsed(verb, tuple(words), values)
    if verb is not None:
        _check_words(verb, words)
        words = words if verb.files else [readable(word) for word in words]
    return Parsed(verb, tuple(words), values, tuple(hints))


def _spellings(options: Iterable[Option]) -> dict[str, Option]:
    return {spelling: option for option in options for spelling in (option.flag, *option.also)}


def _absent(option: Option) -> Any:
    return False if option.kind == "flag" else () if option.kind in ("list", "repeat") else None


def _is_option(token: str, known: Mapping[str, Option], verb: Verb | None) -> bool:
    if not token.startswith("-") or token == "-":
        return False
    if token.partition("=")[0] in known:
        return True
    # A dash before a word means "without it" in a query; a note may begin with one, as in a list.
    return verb is None or not verb.dashed or (token.startswith("--") and " " not in token)


def _take(token: str, rest: list[str], known: Mapping[str, Option], values: dict[str, Any], verb: Verb | None) -> None:
    flag, equals, given = token.partition("=")
    option = known.get(flag)
    if option is None:
        raise _unknown_option(flag, known, verb)
    if option.kind == "flag":
        if equals:
            raise UsageError(f"{flag} takes no value.", f"It was given {given!r}.", f"Write {flag} alone.")
        values[option.name] = True
        return
    if not equals:
        if not rest or rest[0] == "--" or rest[0].partition("=")[0] in known:
            raise UsageError(f"{flag} needs a value.", f"It is {option.help}.", f"Write {flag} {option.metavar}.")
        given = rest.pop(0)
    converted = _convert(option, flag, given)
    several = option.kind in ("list", "repeat")
    values[option.name] = (*values[option.name], *converted) if several else converted


def _convert(option: Option, flag: str, given: str) -> Any:
    if option is not BASE:
        given = readable(given)
    if option.kind == "list":
        return tuple(_choice(option, flag, part.strip()) for part in given.split(",") if part.strip())
    if option.kind == "repeat":
        return (given,)
    if option.kind == "whole":
        return _number(option, flag, given, int, "a whole number")
    if option.kind == "real":
        return _number(option, flag, given, float, "a number")
    if option.kind == "lines":
        return _lines(flag, given)
    return _choice(option, flag, given)


def _choice(option: Option, flag: str, given: str) -> str:
    if not option.choices or given in option.choices:
        return given
    if given.lower() in option.choices:
        return given.lower()
    near = closest(given, option.choices)
    raise UsageError(
        f"{flag} cannot be {given!r}.",
        "It is one of " + ", ".join(option.choices) + ".",
        f"Did you mean {flag} {near}?" if near else "",
    )


def _number(option: Option, flag: str, given: str, make: type[int] | type[float], expected: str) -> int | float:
    try:
        number = make(given)
    except ValueError:
        raise UsageError(f"{flag} cannot be {given!r}.", f"It takes {expected}.") from None
    if number != number or number in (float("inf"), float("-inf")):
        raise UsageError(f"{flag} cannot be {given!r}.", f"It takes {expected}.")
    if option.least is not None and number < option.least:
        raise UsageError(f"{flag} cannot be {given}.", f"It is {option.least} at least.")
    return number


def _lines(flag: str, given: str) -> tuple[int, int]:
    """12:40, 12-40, 12: (to the end), :40 (from the start) or 12 (that line)."""
    first, separator, last = given.replace("-", ":").partition(":")
    try:
        start = int(first) if first.strip() else 1
        end = int(last) if last.strip() else (_TO_THE_END if separator else start)
    except ValueError:
        start = end = 0
    if start < 1 or end < start or not given.strip(":- "):
        raise UsageError(f"{flag} cannot be {given!r}.", "Lines are counted from 1.", f"Write {flag} 12:40, 12: or 12.")
    return start, end


def _verb(name: str, rest: list[str]) -> Verb:
    if name == "help":  # `kb help search` is `kb search --help`
        topic = _verb(rest[0], []) if rest and not rest[0].startswith("-") else HELP_VERB
        rest[:] = ["--help"]
        return topic
    verb = verbs.find_verb(name)
    if verb is not None:
        return verb
    meant = next((verb.name for verb in verbs.VERBS if name.lower() in (verb.name, *verb.synonyms)), None)
    meant = meant or closest(name, [verb.name for verb in verbs.VERBS])
    raise UsageError(
        f"There is no verb {name!r}.",
        f"Did you mean `kb {meant}`?" if meant else "",
        "`kb help` lists them all." if meant else f"To search for it: kb search {name}. `kb help` lists the verbs.",
    )


def _unknown_option(flag: str, known: Mapping[str, Option], verb: Verb | None) -> UsageError:
    name = f"kb {verb.name}" if verb else "kb"
    advertised = [option.flag for option in known.values()]
    wanted = "--" + flag.lstrip("-")
    near = wanted if wanted in known else closest(wanted, advertised)
    others = (other for other in verbs.VERBS if other is not verb)
    elsewhere = [other.name for other in others if any(option.flag == wanted for option in other.options)]
    why = f"Did you mean {near}?" if near else ""
    if not near and elsewhere:
        why = f"That is an option of `kb {elsewhere[0]}`" + (", and goes after the verb." if verb is None else ".")
    after = " Words that begin with a dash go after --." if verb and verb.words else ""
    return UsageError(f"{name} has no option {flag}.", why, f"`{name} --help` shows what there is.{after}")


def _dash_hint(token: str, known: Mapping[str, Option]) -> list[str]:
    if token.startswith("-") and "-" + token in known:
        return [f"{token} was taken as a word; the option is written -{token}."]
    return []


def _check_words(verb: Verb, words: list[str]) -> None:
    if len(words) < verb.least:
        example = f"For instance: {verb.examples[0][0]}" if verb.examples else f"`kb {verb.name} --help` says more."
        missing = verb.words.split()[len(words)].rstrip("…")
        raise UsageError(f"{missing} is missing.", f"It is written kb {verb.name} {verb.words}", example)
    if verb.most is not None and len(words) > verb.most:
        raise UsageError(
            f"kb {verb.name} does not take {words[verb.most]!r}.",
            f"It is written kb {verb.name} {verb.words}".rstrip(),
            f"`kb {verb.name} --help` shows what there is.",
        )


def closest(given: str, among: Iterable[str]) -> str | None:
    """The nearest of some names, if one is near enough to be what was meant."""
    from difflib import get_close_matches

    near = get_close_matches(given.lower(), list(among), n=1, cutoff=0.6)
    return near[0] if near else None
