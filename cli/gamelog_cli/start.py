"""The program `gamelog`: an interrupt while the modules of the program load ends it without a traceback."""

from __future__ import annotations

import sys

_INTERRUPTED = 130
"""Status for an interrupt, as a shell gives it: 128 and the number of the signal."""


def run() -> None:
    """Load the command line and run it."""
    try:
        from gamelog_cli import app
    except KeyboardInterrupt:
        sys.exit(_INTERRUPTED)
    app.main()
