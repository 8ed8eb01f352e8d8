"""Work on a thread that may not last for ever: the code of games is other people's.

A thread cannot be ended from outside. But an exception can be put into it, which stops whatever is written in
Python: a rule that loops, a list that never ends. What writes to the disk is let finish first. Code in C that
never comes back is not stopped.
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
from gamelog.record import log
from gamelog_table.answers import Denied

_T = TypeVar("_T")

WORK_SECONDS = 10.0
"""Seconds that one question may take, or one event."""

OPEN_SECONDS = 60.0
"""Seconds in which a record has to be read and judged when it is opened."""

ENDLESS = "table.endless"
"""Code of the answer about work that was stopped."""

_AGAIN_SECONDS = 0.5
_SETTLING_SECONDS = 0.05


class _Overdue(Stopped):
    """Put into a thread whose work takes too long."""


class _Watch:
    """Lets one piece of work go on until `stop` is called."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._thread: int | None = None
        self.handle: asyncio.TimerHandle | None = None
        self._stopped = False

    def run(self, work: Callable[[], _T]) -> _T:
        """What `work` gives. Raises `_Overdue`."""
        self._thread = get_ident()
        try:
            return work()
        finally:
            with self._lock:
                self._thread = None
            if self._stopped:
                sleep(
                    _SETTLING_SECONDS
                )  # what was put in comes up here at the latest, and not at the thread's next work

    def stop(self) -> None:
        """Stop the work, unless it is done; again a little later where it writes to the disk or has not
        stopped.
        """
        with self._lock:
            if self._thread is None:
                return
            if not _writes(self._thread):
                self._stopped = True
                ctypes.pythonapi.PyThreadState_SetAsyncExc(
                    ctypes.c_ulong(self._thread), ctypes.py_object(_Overdue)
                )
            self.handle = asyncio.get_running_loop().call_later(_AGAIN_SECONDS, self.stop)


def _writes(thread: int) -> bool:
    frame = sys._current_frames().get(thread)
    while frame is not None:
        if frame.f_code.co_filename == log.__file__:
            return True
        frame = frame.f_back
    return False


async def run_bounded(work: Callable[[], _T], seconds: float | None = None) -> _T:
    """What `work` gives, done on a thread. Raises `Denied` where it takes longer than `seconds`,
    or else `WORK_SECONDS`, and is stopped.
    """
    seconds = WORK_SECONDS if seconds is None else seconds
    watch = _Watch()
    watch.handle = asyncio.get_running_loop().call_later(seconds, watch.stop)
    try:
        return await anyio.to_thread.run_sync(watch.run, work)
    except _Overdue:
        text = Message.of(
            "The code of this game was stopped after {=seconds} seconds. Nothing was recorded. "
            "Report this to the author of the game.",
            seconds=f"{seconds:g}",
        )
        raise Denied(ENDLESS, text) from None
    finally:
        watch.handle.cancel()
