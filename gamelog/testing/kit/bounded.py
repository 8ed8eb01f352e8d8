"""Memory for what is tried: a game that lists whatever a number out of its range allows must not take the
machine with it.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

MORE = 1 << 30
"""Bytes that a position may take besides what the process has already."""


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
