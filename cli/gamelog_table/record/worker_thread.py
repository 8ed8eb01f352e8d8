"""Work on a thread with a time limit, because the code of games may not end.

A thread cannot be ended from outside. But an exception can be raised in it, which stops code in Python: a
rule that loops, a list without an end. Writing to the disk is finished first. Code in C that never returns is
not stopped.
"""

from __future__ import annotations

import asyncio
import ctypes
import sys
from collections.abc import Callable
from threading import Lock, get_ident
from time import sleep
from typing import TypeVar

import anyio.to_thread

from gamelog.errors import Stopped
from gamelog.message import Message
from gamelog.record import record_file
from gamelog_table.net.denied import Denied

_T = TypeVar("_T")

WORK_SECONDS = 10.0
"""The time limit of one question or one event, in seconds."""

OPEN_SECONDS = 60.0
"""The time limit of reading and judging a record, in seconds."""

GAME_TOO_SLOW = "table.endless"
"""The code of the answer when work was stopped."""

_RETRY_SECONDS = 0.5
"""Interval between attempts to stop the work."""

_SETTLE_SECONDS = 0.05
"""Time in which the exception surely arrives."""


class _Overdue(Stopped):
    """The exception that is raised in a thread whose work takes too long."""


class _StoppableWork:
    """One piece of work on a thread, and the timer that stops it."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._thread: int | None = None
        self.timer: asyncio.TimerHandle | None = None
        self._stopped = False

    def run(self, work: Callable[[], _T]) -> _T:
        """Return the result of `work`.

        Raises:
            _Overdue: The work takes too long.
        """
        self._thread = get_ident()
        try:
            return work()
        finally:
            with self._lock:
                self._thread = None
            if self._stopped:
                # The exception rises here at the latest, and not in the thread's next work.
                sleep(_SETTLE_SECONDS)

    def stop(self) -> None:
        """Stop the work unless it is done. Try again later if it writes to the disk or has not stopped."""
        with self._lock:
            if self._thread is None:
                return
            if not _is_writing(self._thread):
                self._stopped = True
                ctypes.pythonapi.PyThreadState_SetAsyncExc(
                    ctypes.c_ulong(self._thread), ctypes.py_object(_Overdue)
                )
            self.timer = asyncio.get_running_loop().call_later(_RETRY_SECONDS, self.stop)


def _is_writing(thread: int) -> bool:
    """Return whether `thread` runs code of `record_file`."""
    frame = sys._current_frames().get(thread)
    while frame is not None:
        if frame.f_code.co_filename == record_file.__file__:
            return True
        frame = frame.f_back
    return False


async def run_with_limit(work: Callable[[], _T], seconds: float | None = None) -> _T:
    """Return the result of `work` on a thread.

    Raises:
        Denied: The work took longer than `seconds`, by default `WORK_SECONDS`, and was stopped.
    """
    seconds = WORK_SECONDS if seconds is None else seconds
    watch = _StoppableWork()
    watch.timer = asyncio.get_running_loop().call_later(seconds, watch.stop)
    try:
        return await anyio.to_thread.run_sync(watch.run, work)
    except _Overdue:
        text = Message.of(
            "The code of this game was stopped after {=seconds} seconds. Nothing was recorded. "
            "Report this to the author of the game.",
            seconds=f"{seconds:g}",
        )
        raise Denied(GAME_TOO_SLOW, text) from None
    finally:
        watch.timer.cancel()
