"""Signals that are deferred while processes start: what a handler raises during a fork is lost."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager

_END_SIGNALS = (signal.SIGINT, signal.SIGTERM)
"""Signals that ask a process to end."""


@contextmanager
def signals_deferred() -> Iterator[None]:
    """Defer the signals that ask this thread to end, if the system can (not Windows).

    Processes and threads that start meanwhile defer them too. Such a process calls `accept_signals`.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    old_mask = signal.pthread_sigmask(signal.SIG_BLOCK, _END_SIGNALS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, old_mask)


def accept_signals() -> None:
    """Accept deferred signals in a process that started under `signals_deferred`, earlier signals first."""
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, _END_SIGNALS)
