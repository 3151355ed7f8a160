"""The `kb` command. Nothing is imported before Ctrl-C is watched for.

The entry point imports this module, so all else is imported inside: a person who stops a run
while it starts must not be answered with a traceback. The collector of cycles rests during the
start and the end, where it finds nothing: that saves a search by words an eighth of its time.
"""

from __future__ import annotations

import gc
import sys


def run() -> int:
    """Runs the command line of this process and returns its exit code."""
    gc.disable()  # until the verb is known; see Verb.brief
    try:
        from scrubjay.cli.dispatch import run_line

        return run_line()
    except KeyboardInterrupt:
        if sys.stderr is not None:
            sys.stderr.write("Stopped.\n")
        return 130
    finally:
        gc.freeze()  # what is left goes with the process; looking through it again is for nothing
        gc.enable()
