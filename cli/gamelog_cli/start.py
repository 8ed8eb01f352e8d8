"""The program `gamelog`: an interrupt while the modules of the program load ends it without a traceback."""

from __future__ import annotations

import sys

PROGRAM = (sys.executable, "-c", f"from {__name__} import run; run()")
"""Program that runs a command in a process of its own. The arguments of the command follow."""

_INTERRUPTED = 130
"""Status for an interrupt, as a shell gives it: 128 and the number of the signal."""


def run() -> None:
    """Load the command line and run it."""
    try:
        from gamelog_cli import app
    except KeyboardInterrupt:
        sys.exit(_INTERRUPTED)
    app.main()
