"""Reads a tool's arguments the way models write them, and tells what it could not use.

A schema tells a model the names; models still send `q`, "10", "a, b" or null. Everything whose
meaning is plain is taken. What cannot be used is said in the reply: an argument that is dropped
in silence looks to the model like a filter that worked.
"""

from __future__ import annotations

import re
from functools import lru_cache

from scrubjay.errors import UsageError
from scrubjay.types import Notice
from scrubjay.types.base import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    Values = dict[str, Any]

_TYPES = {"text": "string", "date": "string", "whole": "integer", "real": "number", "object": "object"}
_ABSENT = ("null", "none", "undefined")  # what a model writes when it means nothing


class Parameter(NamedTuple):
    """One argument. `also` are other names for it; a `hidden` one is understood, not advertised."""

    name: str
    kind: str  # text, date, whole, real, list, object
    help: str
    also: tuple[str, ...] = ()
    required: bool = False
    default: Any = None
    choices: tuple[str, ...] = ()
    least: float | None = None
    most: float | None = None
    hidden: bool = False


def schema(parameters: Sequence[Parameter]) -> dict[str, Any]:
    """The JSON Schema that clients see: the advertised names and their plain types only."""
    shown = [parameter for parameter in parameters if not parameter.hidden]
    made: dict[str, Any] = {"type": "object", "properties": {one.name: _property(one) for one in shown}}
    required = [parameter.name for parameter in shown if parameter.required]
    return {**made, "required": required} if required else made


def _property(parameter: Parameter) -> dict[str, Any]:
    made: dict[str, Any] = {"description": parameter.help}
    if parameter.kind == "list":
        items: dict[str, Any] = {"type": "string"}
        if parameter.choices:
            items["enum"] = list(parameter.choices)
        made.update(type="array", items=items)
    else:
        made["type"] = _TYPES[parameter.kind]
        if parameter.choices:
            made["enum"] = list(parameter.choices)
    for key, value in (("minimum", parameter.least), ("maximum", parameter.most), ("default", parameter.default)):
        if value is not None:
            made[key] = value
    return made


def read(tool: str, parameters: Sequence[Parameter], given: Mapping[str, Any]) -> tuple[Values, list[Notice]]:
    """The values by their own names, with defaults; and what was left out or changed."""
    names = {spelling: one for one in parameters for spelling in (*map(_plain, one.also), _plain(one.name))}
    taken: dict[str, tuple[str, Any]] = {}
    notices: list[Notice] = []
    for spelling, value in sorted(given.items(), key=lambda item: _rank(item[0], names)):
        parameter = names.get(_plain(spelling))
        if parameter is None:
            notices.append(_unknown(tool, spelling, parameters))
        elif parameter.name in taken:
            first, kept = taken[parameter.name]
            if value is not None and value != kept:
                reason = f"{spelling} and {first} are the same argument; {first} was used."
                notices.append(Notice("arguments", reason, f"Give {parameter.name} once."))
        elif not _is_absent(parameter, value):
            taken[parameter.name] = spelling, value
    values: Values = {}
    for parameter in parameters:
        if parameter.name in taken:
            values[parameter.name] = _converted(tool, parameter, taken[parameter.name][1], notices)
        elif parameter.required:
            raise _missing(tool, parameter, given)
        else:
            values[parameter.name] = parameter.default
    return values, notices


def is_count(value: Any) -> bool:
    """Whether a value is meant as a number of things: 5, 5.0, "5"."""
    if isinstance(value, bool) or value is None:
        return False
    return isinstance(value, int | float) or (
        isinstance(value, str) and re.fullmatch(r"\s*\d{1,4}\s*", value) is not None
    )


@lru_cache(2048)
def _plain(name: str) -> str:
    """maxResults, max-results and MAX_RESULTS are one name."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).replace("-", "_").replace(" ", "_").lower()


def _rank(spelling: str, names: Mapping[str, Parameter]) -> int:
    """An argument's own name goes before its other names."""
    parameter = names.get(_plain(spelling))
    return 0 if parameter is not None and parameter.name == spelling else 1


def _is_absent(parameter: Parameter, value: Any) -> bool:
    if value is None:
        return True
    if parameter.required and parameter.kind != "list":
        return False
    return isinstance(value, str) and (not value.strip() or value.strip().lower() in _ABSENT)


def _converted(tool: str, parameter: Parameter, value: Any, notices: list[Notice]) -> Any:
    if parameter.kind == "list":
        converted: Any = _list(value)
    elif parameter.kind in ("whole", "real"):
        converted = _within(parameter, _number(tool, parameter, value), notices)
    elif parameter.kind == "object":
        converted = _object(tool, parameter, value)
    else:
        converted = _text(tool, parameter, value)
        if parameter.choices:
            converted = converted.strip().lower()
    return converted


def _list(value: Any) -> tuple[str, ...]:
    if isinstance(value, str):
        if value.lstrip().startswith("["):
            import json

            try:
                return _list(json.loads(value))
            except ValueError:
                pass
        return tuple(part.strip() for part in value.split(",") if part.strip())
    parts = value if isinstance(value, list | tuple) else [value]
    return tuple(str(part).strip() for part in parts if part is not None and str(part).strip())


def _number(tool: str, parameter: Parameter, value: Any) -> int | float:
    whole = parameter.kind == "whole"
    try:
        if isinstance(value, bool):
            raise ValueError
        number = float(value)
        if number != number or abs(number) == float("inf") or (whole and number != int(number)):
            raise ValueError
    except (TypeError, ValueError):
        expected = "a whole number" if whole else "a number"
        raise _wrong(tool, parameter, value, expected) from None
    return int(number) if whole else number


def _within(parameter: Parameter, number: int | float, notices: list[Notice]) -> int | float:
    """What is too large is cut with a notice; what is too small is the base's to refuse."""
    if parameter.most is None or number <= parameter.most or parameter.kind == "real":
        return number
    most = int(parameter.most)
    notices.append(Notice("arguments", f"{parameter.name} is {most} at most; {number} was asked.", "Use the cursor."))
    return most


def _object(tool: str, parameter: Parameter, value: Any) -> dict[str, Any]:
    if isinstance(value, str):
        import json

        try:
            value = json.loads(value)
        except ValueError:
            raise _wrong(tool, parameter, value, "an object") from None
    if not isinstance(value, dict):
        raise _wrong(tool, parameter, value, "an object")
    return {str(key): part for key, part in value.items()}


def _text(tool: str, parameter: Parameter, value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, list) and all(isinstance(part, str | int | float) for part in value):
        return " ".join(map(str, value))
    if isinstance(value, int | float) and not isinstance(value, bool):
        return str(value)
    raise _wrong(tool, parameter, value, "a text")


def _wrong(tool: str, parameter: Parameter, value: Any, expected: str) -> UsageError:
    shown = repr(value) if len(repr(value)) <= 60 else repr(value)[:60] + "…"
    return UsageError(f"{parameter.name} of {tool} cannot be {shown}.", f"It takes {expected}.", parameter.help)


def _missing(tool: str, parameter: Parameter, given: Mapping[str, Any]) -> UsageError:
    told = f"It was given: {', '.join(sorted(given))}." if given else "It was given no arguments."
    return UsageError(f"{tool} needs {parameter.name}.", told, f"{parameter.name}: {parameter.help}")


def _unknown(tool: str, spelling: str, parameters: Sequence[Parameter]) -> Notice:
    from difflib import get_close_matches

    known = [parameter.name for parameter in parameters if not parameter.hidden]
    near = get_close_matches(_plain(spelling), known, n=1, cutoff=0.6)
    cure = f"Did you mean {near[0]}?" if near else f"It takes {', '.join(known)}." if known else "It takes none."
    return Notice("arguments", f"{tool} has no argument {spelling!r}; it was ignored.", cure)
