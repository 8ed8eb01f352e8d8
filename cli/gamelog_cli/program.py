"""The command line as a program that another process can start."""

from __future__ import annotations

import sys

PROGRAM = (sys.executable, "-c", "from gamelog_cli.start import run; run()")
"""Program that runs a command in a process of its own. The arguments of the command follow."""
