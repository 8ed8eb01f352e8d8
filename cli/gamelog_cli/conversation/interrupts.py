"""Ctrl-C while nobody is asked anything: what is being written is written whole, and told,
before it counts.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

LEAVES = 2
"""As many of them in a row leave: the first clears what was typed, as at a prompt."""


class Interrupts:
    """Counts how often Ctrl-C was pressed between two prompts."""

    def __init__(self) -> None:
        self.pressed = 0

    @contextmanager
    def held(self) -> Iterator[None]:
        """Count Ctrl-C instead of raising, where this thread is the one that is interrupted."""
        with _handled(self._count):
            yield

    def _count(self, _number: int, _frame: object) -> None:
        self.pressed += 1


@contextmanager
def raised() -> Iterator[None]:
    """Let Ctrl-C raise `KeyboardInterrupt` meanwhile, though it is held."""
    with _handled(signal.default_int_handler):
        yield


@contextmanager
def _handled(handler: Callable[[int, Any], None]) -> Iterator[None]:
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
