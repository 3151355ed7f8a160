"""`python -m scrubjay` is `kb`."""

from __future__ import annotations

import sys

from scrubjay.cli.main import run

if __name__ == "__main__":
    sys.exit(run())
