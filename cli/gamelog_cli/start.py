"""The program `gamelog`: an interrupt while the modules of the program load ends it without a traceback."""

from __future__ import annotations

import signal
import sys

PROGRAM = (sys.executable, "-c", f"from {__name__} import run; run()")
"""Program that runs a command in a process of its own. The arguments of the command follow."""


def run() -> None:
    """Load the command line and run it."""
    try:
        from gamelog_cli import app
    except KeyboardInterrupt:
        sys.exit(128 + signal.SIGINT)
    app.main()
