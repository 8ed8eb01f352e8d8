"""A pool of processes on this machine, which end with the process that started them."""

from __future__ import annotations

import sys
from multiprocessing import get_context
from multiprocessing.context import SpawnContext
from multiprocessing.process import BaseProcess
from threading import Thread
from typing import TYPE_CHECKING, Any, ClassVar

from gamelog.errors import ArchiveError
from gamelog.processes import end_with_parent, has_one_thread
from gamelog.signals import accept_signals, signals_deferred

if TYPE_CHECKING:
    from pebble import ProcessPool


def start_pool(jobs: int, memory: int) -> ProcessPool:
    """Return a pool of `jobs` processes, each with at most `memory` bytes.

    The processes ignore interrupts and end with the process that started them. On Linux they are forks, if
    this process has one thread. Otherwise they are started fresh and import the main module.
    """
    from pebble import ProcessPool

    return ProcessPool(jobs, initializer=_initialize, initargs=[memory], context=_Context())


def terminate(pool: ProcessPool) -> None:
    """End the processes of a pool at once."""
    pool.stop()
    pool.join()


def check_processes_start() -> None:
    """Raise `ArchiveError` if no process can be started, so that no record is blamed for it."""
    executor = start_pool(1, 4 << 30)
    try:
        executor.schedule(int).result()
    except Exception:
        text = 'No process could be started. In a script, put the work under: if __name__ == "__main__":'
        raise ArchiveError(text) from None
    finally:
        terminate(executor)


if sys.platform != "win32":
    from multiprocessing.context import ForkProcess

    class _Fork(ForkProcess):
        """A fork that defers signals, so that none is lost while the process starts."""

        def start(self) -> None:
            with signals_deferred():
                super().start()


def _process(*args: Any, **kwargs: Any) -> BaseProcess:
    """Return an unstarted process: a fork if possible, because a fresh process has to import modules."""
    if sys.platform != "win32" and has_one_thread():
        return _Fork(*args, **kwargs)
    return get_context("spawn").Process(*args, **kwargs)


class _Context(SpawnContext):
    """A context whose processes are forks if possible."""

    Process: ClassVar[Any] = staticmethod(_process)


def _initialize(memory: int) -> None:
    accept_signals()
    sys.stdout = sys.stderr  # keep the output of a game's code out of the answer
    _limit_memory(memory)
    Thread(target=end_with_parent, daemon=True).start()


def _limit_memory(memory: int) -> None:
    """Limit this process to `memory` bytes of addresses, if the system supports it (not Windows)."""
    try:
        import resource

        _, hard = resource.getrlimit(resource.RLIMIT_AS)
        resource.setrlimit(
            resource.RLIMIT_AS, (memory if hard == resource.RLIM_INFINITY else min(memory, hard), hard)
        )
    except (ImportError, AttributeError, ValueError, OSError):  # not supported, or a stricter limit is set
        return
