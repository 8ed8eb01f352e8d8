"""Ctrl-C between prompts: an event that is being recorded is recorded and printed first."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

PRESSES_TO_LEAVE = 2
"""Number of presses that end the conversation: the first press clears the line, as at a prompt."""


class Interrupts:
    """Counter of presses of Ctrl-C between two prompts."""

    def __init__(self) -> None:
        self.pressed = 0

    @contextmanager
    def count_presses(self) -> Iterator[None]:
        """Count presses of Ctrl-C instead of raising `KeyboardInterrupt`, in the main thread."""
        with _handle(self._count):
            yield

    def _count(self, _number: int, _frame: object) -> None:
        self.pressed += 1


@contextmanager
def raise_interrupts() -> Iterator[None]:
    """Let Ctrl-C raise `KeyboardInterrupt` inside `Interrupts.count_presses`."""
    with _handle(signal.default_int_handler):
        yield


@contextmanager
def _handle(handler: Callable[[int, Any], None]) -> Iterator[None]:
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
