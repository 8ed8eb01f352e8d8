"""Memory and time for what is tried: a game that lists whatever a number out of its range allows must not
take the machine with it, and one that never comes back must not keep who tests it waiting.
"""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

import pytest

from gamelog.errors import Stopped

MORE = 1 << 30
"""Bytes that a position may take besides what the process has already."""

CHECK_SECONDS = 600.0
"""Seconds that one check may take, all that it plays included."""


_OutOfTime: type[BaseException] = type("OutOfTime", (Stopped, pytest.fail.Exception), {})
"""The failure of a check that takes too long, whatever it is at."""


@contextmanager
def in_time(seconds: float = CHECK_SECONDS) -> Iterator[None]:
    """What takes longer than `seconds` within it fails where it is, however many exceptions it catches.

    Nothing is timed where the system has no alarm (Windows), outside the main thread, beside somebody else's
    alarm, and inside one call into C.
    """
    alarm = getattr(signal, "SIGALRM", None)
    if (
        alarm is None
        or threading.current_thread() is not threading.main_thread()
        or signal.getsignal(alarm) is not signal.SIG_DFL
    ):
        yield
        return

    def stop(_number: int, frame: FrameType | None) -> None:
        where = f" in {frame.f_code.co_qualname}" if frame else ""
        raise _OutOfTime(f"this check has not come to its end in {seconds:g} s; it was stopped{where}")

    signal.signal(alarm, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(alarm, signal.SIG_DFL)


@contextmanager
def bounded() -> Iterator[None]:
    """Within it the process gets `MORE` memory at most, and what asks for more raises MemoryError.

    Only Linux tells a process what it has, so that elsewhere nothing is bounded. A narrower limit that stands
    already stays.
    """
    if sys.platform != "linux":
        yield
        return
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    pages = int(Path("/proc/self/statm").read_text("ascii").split()[0])
    wanted = pages * resource.getpagesize() + MORE
    limits = [limit for limit in (soft, hard) if limit != resource.RLIM_INFINITY]
    resource.setrlimit(resource.RLIMIT_AS, (min([wanted, *limits]), hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))
