"""What keeps a start of `kb` cheap: `NamedTuple` without `typing`, modules imported when used.

A search by words has to answer in three times the time of an empty Python process;
`typing` alone costs a third of that budget and `dataclasses` (which imports `inspect`)
nearly all of it (docs/adr/0001-start-up.md). The type checker sees `typing.NamedTuple`.
"""

from __future__ import annotations

from collections import namedtuple

TYPE_CHECKING = False  # the name is known to type checkers; `typing` need not be imported

if TYPE_CHECKING:
    from typing import NamedTuple
else:

    class _NamedTupleMeta(type):
        def __new__(mcs, name, bases, namespace):
            fields = namespace.get("__annotations__", {})
            if not fields:  # NamedTuple itself
                return super().__new__(mcs, name, bases, namespace)
            defaults = [namespace[field] for field in fields if field in namespace]
            base = namedtuple(name, list(fields), defaults=defaults, module=namespace["__module__"])
            for key, value in namespace.items():
                if key not in fields and key not in ("__module__", "__qualname__"):
                    setattr(base, key, value)
            return base

    class NamedTuple(metaclass=_NamedTupleMeta):
        """See `typing.NamedTuple`."""


class Later:
    """A module that is imported when something of it is first used."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, attribute: str) -> object:
        from importlib import import_module

        return getattr(import_module(self._name), attribute)


__all__ = ["TYPE_CHECKING", "Later", "NamedTuple"]
