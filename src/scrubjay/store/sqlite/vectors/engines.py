"""Who compares vectors: the engines, which of them can run here, and which one `auto` takes.

`auto` takes the first that works and says nothing, as all give the same ids; an engine that was
asked for by name is used or refused with the cure, never silently replaced.
"""

from __future__ import annotations

from scrubjay.errors import MissingExtra, UsageError
from scrubjay.store.sqlite.vectors import rows
from scrubjay.types import Check, Notice
from scrubjay.types.base import TYPE_CHECKING

if TYPE_CHECKING:
    from array import array
    from typing import Any, Protocol

    import apsw

    class Engine(Protocol):
        """One way to compare. `unit` has length one; `allowed` ascends; equal scores go by number."""

        @property
        def name(self) -> str: ...

        def nearest(
            self, model: int, unit: array[float], limit: int, allowed: array[int] | None
        ) -> list[tuple[int, float]]: ...

        def rows_of(self, model: int, numbers: array[int]) -> tuple[Any, Any]: ...
        def follow(self, model: int) -> None: ...
        def close(self) -> None: ...


ENGINES = ("auto", "numpy", "sqlite-vec", "python")


def choose(wanted: str, connection: apsw.Connection, base: str | None, notices: list[Notice]) -> Engine:
    """The engine asked for, or for `auto` the fastest that works here."""
    if wanted not in ENGINES:
        raise UsageError(
            f"There is no vector engine {wanted!r}.",
            "",
            f"Choose one of {', '.join(ENGINES)}: kb config set vector.engine auto",
        )
    if wanted in ("auto", "numpy") and (wanted == "numpy" or rows.numpy_or_none() is not None):
        return _numpy(connection, base, notices)
    if wanted == "sqlite-vec":
        return _sqlite_vec(connection, notices)
    if wanted == "auto":
        try:
            return _sqlite_vec(connection, notices)
        except MissingExtra as error:
            remedy = "pip install numpy"
            notices.append(Notice("vector", f"vectors are compared in plain Python, slowly. {error.why}", remedy))
    from scrubjay.store.sqlite.vectors.exact_python import PythonEngine

    return PythonEngine(connection, notices)


def _numpy(connection: apsw.Connection, base: str | None, notices: list[Notice]) -> Engine:
    if rows.numpy_or_none() is None:
        raise MissingExtra(
            "The numpy engine cannot be used.",
            "numpy is not installed.",
            "pip install numpy, or: kb config set vector.engine auto",
        )
    from scrubjay.store.sqlite.vectors.exact_numpy import NumpyEngine

    return NumpyEngine(connection, base, notices)


def _sqlite_vec(connection: apsw.Connection, notices: list[Notice]) -> Engine:
    from scrubjay.store.sqlite.vectors.vec0 import Vec0Engine

    return Vec0Engine(connection, notices)


def available() -> list[Check]:
    """One line an engine for `kb doctor`, tried out and not only looked for."""
    return [_numpy_check(), _kernel_check(), _sqlite_vec_check(), Check("vector engine python", True, "always there")]


def _numpy_check() -> Check:
    np = rows.numpy_or_none()
    if np is None:
        return Check("vector engine numpy", None, "numpy is not installed", "pip install numpy")
    return Check("vector engine numpy", True, f"numpy {np.__version__}")


def _kernel_check() -> Check:
    name = "int8 scan (numkong)"
    if rows.numpy_or_none() is None:
        return Check(name, None, "needs numpy", "pip install numpy numkong")
    from importlib.util import find_spec

    from scrubjay.store.sqlite.vectors.kernel import simd_kernel

    if simd_kernel() is not None:
        return Check(name, True, "SIMD kernels, tried and correct")
    if find_spec("numkong") is None:
        return Check(name, None, "numkong is not installed; scans read float32", "pip install numkong")
    return Check(
        name, False, "numkong does not load or multiplies wrongly; scans read float32", "pip install -U numkong"
    )


def _sqlite_vec_check() -> Check:
    import apsw

    from scrubjay.store.sqlite.vectors.vec0 import load_extension

    connection = apsw.Connection(":memory:")
    try:
        load_extension(connection)
        version = connection.execute("SELECT vec_version()").get
    except MissingExtra as error:
        return Check("vector engine sqlite-vec", None, error.why, "pip install sqlite-vec")
    finally:
        connection.close()
    return Check("vector engine sqlite-vec", True, f"sqlite-vec {version}")
