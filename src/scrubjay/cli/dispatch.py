"""Runs one command line: parse, call the verb, and turn whatever happens into an exit code.

0 also when nothing is found, 1 on failure, 2 on wrong use, 130 after Ctrl-C. A person never sees
a traceback unless they ask for it with --debug, and `| head` ends a run quietly.
"""

from __future__ import annotations

import gc
import os
import sys

from scrubjay.cli.call import Call
from scrubjay.cli.parse import HELP_VERB, Parsed, parse
from scrubjay.cli.terminal import Console
from scrubjay.errors import ScrubjayError
from scrubjay.types.base import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


def run_line() -> int:
    """One run with the arguments and streams of this process."""
    console = Console(sys.stdout, sys.stderr, _environment)
    code = main(sys.argv[1:], console)
    try:
        console.out.flush()
        console.err.flush()
    except OSError as error:
        # The reader has gone, or the disk is full: the interpreter must not stumble over it again.
        _drop_output()
        return code if isinstance(error, BrokenPipeError) else 1
    return code


def main(arguments: Sequence[str], console: Console) -> int:
    """One run with the given streams; never raises."""
    parsed: Parsed | None = None
    try:
        parsed = parse(arguments)
        code = _dispatch(parsed, console)
        console.out.flush()
        return code
    except BrokenPipeError:
        _drop_output()
        return 0
    except KeyboardInterrupt:
        stopped = parsed.verb.stopped if parsed and parsed.verb else ""
        console.err.line(f"Stopped. {stopped}".rstrip())
        return 130
    except Exception as error:
        known = error if isinstance(error, ScrubjayError) else _unexpected(error)
        _tell(console, known)
        if "--debug" in arguments:
            import traceback

            console.err.write(traceback.format_exc())
        return known.exit_code


def _unexpected(error: Exception) -> ScrubjayError:
    if isinstance(error, OSError) and error.strerror:
        about = f" {error.filename}" if error.filename else ""
        return ScrubjayError(f"The system refused{about}: {error.strerror}.", cure="--debug shows where.")
    told = " ".join(str(error).split())
    return ScrubjayError(
        f"Something unexpected happened: {type(error).__name__}{': ' + told if told else ''}",
        cure="Run again with --debug for the details.",
    )


def _dispatch(parsed: Parsed, console: Console) -> int:
    verb, values = parsed.verb, parsed.values
    if values["help"] or verb is None or verb is HELP_VERB:
        from scrubjay.cli import help

        if values["version"]:
            console.out.line(help.version())
        else:
            help.show(verb if verb is not HELP_VERB else None, console.out)
        return 0
    if not verb.brief:
        gc.enable()
    for hint in parsed.hints:
        console.hint(hint)
    module_name, _, function = verb.run.partition(":")
    module = __import__(f"scrubjay.cli.{module_name}", fromlist=[function])
    code: int = getattr(module, function)(Call(verb, parsed.words, values, console))
    return code


def _tell(console: Console, error: ScrubjayError) -> None:
    screen = console.err
    screen.line(f"{screen.paint('bad', 'kb:')} {error.what}")
    for more in (error.why, error.cure):
        if more:
            screen.paragraph(more, 4)


def _environment(name: str) -> str:
    from scrubjay import config

    return config.load().environment(name)


def _drop_output() -> None:
    """Point the standard output at nothing, so that the last flush at exit has nothing to fail on."""
    from contextlib import suppress

    with suppress(OSError, ValueError, AttributeError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
