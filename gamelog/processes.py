"""The threads of this process, and its end with the process that started it."""

from __future__ import annotations

import os
from multiprocessing import parent_process


def has_one_thread() -> bool:
    """Return whether this process has no other thread, whose locks would stay closed in a fork."""
    try:
        return len(os.listdir("/proc/self/task")) == 1
    except OSError:  # only Linux has this folder
        return False


def end_with_parent() -> None:
    """End this process when its parent ends."""
    parent = parent_process()
    if parent:
        parent.join()
        os._exit(1)
