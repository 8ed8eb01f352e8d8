"""Limits of memory and time for the checks.

A number out of range can make a game list far too many events. The limit of memory protects the computer, and
the limit of time stops a function that never returns.
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

EXTRA_MEMORY = 1 << 30
"""Bytes of memory that a position may use in addition to the present memory of the process."""

_CHECK_SECONDS = 600.0
"""Maximum duration of one check, including the games that it plays."""


_OutOfTime: type[BaseException] = type("OutOfTime", (Stopped, pytest.fail.Exception), {})
"""The failure of a check that takes too long."""


@contextmanager
def time_limit(seconds: float = _CHECK_SECONDS) -> Iterator[None]:
    """Fail in the body of the context if it takes longer than `seconds`, even if the code catches exceptions.

    The limit does not work on systems without alarms (Windows), outside the main thread, if another alarm is
    set, or during one call into C.
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
        raise _OutOfTime(f"this check did not end in {seconds:g} s, so it was stopped{where}")

    signal.signal(alarm, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(alarm, signal.SIG_DFL)


@contextmanager
def memory_limit() -> Iterator[None]:
    """Limit the process to `EXTRA_MEMORY` additional memory. More raises MemoryError.

    The limit works only on Linux, where a process can find out how much memory it uses. A lower limit that
    already exists stays.
    """
    if sys.platform != "linux":
        yield
        return
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    pages = int(Path("/proc/self/statm").read_text("ascii").split()[0])
    wanted = pages * resource.getpagesize() + EXTRA_MEMORY
    limits = [limit for limit in (soft, hard) if limit != resource.RLIM_INFINITY]
    resource.setrlimit(resource.RLIMIT_AS, (min([wanted, *limits]), hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))
