"""Starting processes without losing a signal: what its handler raises in the middle of a fork is lost."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager

_ENDING = (signal.SIGINT, signal.SIGTERM)
"""What asks a process to end."""


@contextmanager
def undisturbed() -> Iterator[None]:
    """Let signals that ask this thread to end wait, where the system can (not Windows).

    Processes and threads that are started meanwhile begin so: those processes call `disturbable`.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    held = signal.pthread_sigmask(signal.SIG_BLOCK, _ENDING)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, held)


def disturbable() -> None:
    """Take signals in this process that was started `undisturbed`, those that came meanwhile first."""
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, _ENDING)
