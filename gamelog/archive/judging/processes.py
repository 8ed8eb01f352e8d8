"""A pool of processes of this machine, which end with the process that started them."""

from __future__ import annotations

import os
import sys
from multiprocessing import get_context, parent_process
from multiprocessing.context import SpawnContext
from multiprocessing.process import BaseProcess
from threading import Thread
from typing import TYPE_CHECKING, Any, ClassVar

from gamelog.errors import ArchiveError
from gamelog.signals import accept_signals, signals_deferred

if TYPE_CHECKING:
    from pebble import ProcessPool


def pool(jobs: int, memory: int) -> ProcessPool:
    """A pool of `jobs` processes of `memory` bytes each, which leave an interrupt to the process that started
    them, and end with it.

    They are forks of a process without other threads, on Linux; else they are fresh ones, which import the
    main module, as everywhere in Python.
    """
    from pebble import ProcessPool

    return ProcessPool(jobs, initializer=_attend, initargs=[memory], context=_Context())


def terminate(pool: ProcessPool) -> None:
    """End the processes of a pool, whatever they are at."""
    pool.stop()
    pool.join()


def check_processes_start() -> None:
    """Raise `ArchiveError` if a process can do nothing at all, which is not a fault of any record's."""
    executor = pool(1, 4 << 30)
    try:
        executor.schedule(int).result()
    except Exception:
        text = (
            "No process could be started; a script that asks for some does its work under: if __name__ "
            '== "__main__":'
        )
        raise ArchiveError(text) from None
    finally:
        terminate(executor)


if sys.platform != "win32":
    from multiprocessing.context import ForkProcess

    class _Fork(ForkProcess):
        """A fork in the middle of which no signal is lost."""

        def start(self) -> None:
            with signals_deferred():
                super().start()


def _process(*args: Any, **kwargs: Any) -> BaseProcess:
    """A process that is not started yet. A fresh one takes a third of a second to import what a fork has."""
    if sys.platform != "win32" and _one_thread():
        return _Fork(*args, **kwargs)
    return get_context("spawn").Process(*args, **kwargs)


class _Context(SpawnContext):
    Process: ClassVar[Any] = staticmethod(_process)


def _one_thread() -> bool:
    """Whether there is no other thread here, which might hold a lock that nobody would open in a fork."""
    try:
        return len(os.listdir("/proc/self/task")) == 1
    except OSError:  # only Linux says so
        return False


def _attend(memory: int) -> None:
    accept_signals()
    sys.stdout = sys.stderr  # what somebody's game prints does not belong into an answer
    _limit_memory(memory)
    Thread(target=_follow, daemon=True).start()


def _limit_memory(memory: int) -> None:
    """Let this process have `memory` bytes of addresses and no more, where the system can (not Windows)."""
    try:
        import resource

        _, hard = resource.getrlimit(resource.RLIMIT_AS)
        resource.setrlimit(
            resource.RLIMIT_AS, (memory if hard == resource.RLIM_INFINITY else min(memory, hard), hard)
        )
    except (ImportError, AttributeError, ValueError, OSError):  # there is none, or somebody has set another
        return


def _follow() -> None:
    parent = parent_process()
    if parent:
        parent.join()
        os._exit(1)
