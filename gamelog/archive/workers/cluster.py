"""Workers on a Dask cluster, whose machines have the same files under the same paths."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future
from contextlib import contextmanager
from importlib import import_module
from threading import Thread, Timer, get_ident
from time import monotonic, sleep
from typing import Any

from gamelog.archive.sources.items import Item
from gamelog.archive.workers.batch_workers import NoWorkersLeft, RecordLimits
from gamelog.archive.workers.judge_versions import judge_versions
from gamelog.errors import ArchiveError, MissingExtra, Stopped

_MAX_RETRIES = 2
"""Number of times that the cluster repeats a batch whose worker was lost, before this machine judges it."""

NO_WORKERS_SECONDS = 5.0
"""Seconds without any worker after which this machine takes over. A nanny restarts a worker in about 2 s."""

CHECK_SECONDS = 1.0
"""Seconds between two checks of the workers."""

_Report = Callable[[str], None]
"""A function that gets sentences on changes of the cluster."""


def _report_nothing(_text: str) -> None:
    pass


@contextmanager
def cluster(
    scheduler: str,
    *,
    timeout: float = 10,
    limits: RecordLimits | None = None,
    fallback: bool = True,
    say: _Report = _report_nothing,
) -> Iterator[tuple[Executor, int]]:
    """Open an executor for `index` and `verdicts` on a Dask cluster, and yield it with its number of workers.

    For example::

        with cluster("tcp://10.0.0.1:8786") as (executor, jobs):
            index(paths, archive, executor=executor, jobs=jobs)

    Workers can join later. A worker that joins with other software than this process gets no work.

    Args:
        scheduler: The address of the scheduler.
        timeout: Seconds to wait for the scheduler.
        limits: Limits for a batch.
        fallback: Whether this machine continues, on all cores, when all workers are lost. Otherwise the work
            ends with `ArchiveError`.
        say: A function that gets sentences on changes of the cluster.

    Raises:
        MissingExtra: Dask is not installed.
        ArchiveError: The scheduler does not answer, it has no workers, or a worker has other software.
    """
    try:
        distributed = import_module("distributed")
    except ImportError:
        raise MissingExtra("A cluster", "cluster") from None
    with _connect(distributed, scheduler, timeout) as client:
        if not client.nthreads():
            raise ArchiveError(
                f"The scheduler at {scheduler} has no workers. To start one, run: dask worker {scheduler}"
            )
        executor = _ClusterExecutor(client, limits or RecordLimits(), fallback)
        workers = executor.workers()
        if executor.other_workers:
            raise ArchiveError(
                f"{_other_software(min(executor.other_workers))}. Install the same versions on both machines."
            )
        executor.say = say
        yield executor, len(workers)


def _other_software(worker: str) -> str:
    return f"The worker {worker} has another version of Gamelog, or other games, than this machine"


def _connect(distributed: Any, scheduler: str, seconds: float) -> Any:
    """Return a client of `scheduler`.

    Raises:
        ArchiveError: The scheduler has not answered after about `seconds`.
    """
    client: Future[Any] = Future()

    def connect() -> None:
        try:
            client.set_result(distributed.Client(scheduler, timeout=seconds))
        except BaseException as error:  # errors of all types, because the address may have no scheduler
            client.set_exception(error)

    Thread(target=connect, daemon=True).start()
    try:
        return client.result(seconds)
    except TimeoutError:
        raise ArchiveError(
            f"No scheduler answers at {scheduler} within {seconds:g} s. Check the address and the port."
        ) from None
    except Exception as error:
        reason = " ".join(str(error).split())[:200].rstrip(".") or type(error).__name__
        raise ArchiveError(f"No scheduler answers at {scheduler}: {reason}.") from None


class _ClusterExecutor(Executor):
    """An executor on the workers of a cluster that have the same software as this machine.

    Attributes:
        say: A function that gets sentences on changes of the cluster.
        jobs: The number of these workers.
        last_seen: The last time at which there were workers, on the clock of `monotonic`.
    """

    def __init__(self, client: Any, limits: RecordLimits, fallback: bool) -> None:
        self._client = client
        self._limits = limits
        self._fallback = fallback
        self.say: _Report = _report_nothing
        self._known_workers: dict[str, bool] = {}
        self._has_warned = False
        self.jobs = 1
        self.last_seen = monotonic()

    @property
    def other_workers(self) -> list[str]:
        """Workers with other software."""
        return [worker for worker, has_our_software in self._known_workers.items() if not has_our_software]

    def workers(self) -> list[str]:
        """Return the present workers that have this machine's software, after a check of new workers."""
        try:
            present = [*self._client.nthreads()] if self._client.status == "running" else []
            joined = [worker for worker in present if worker not in self._known_workers]
            for worker, versions in (
                self._client.run(judge_versions, workers=joined, on_error="return").items() if joined else ()
            ):
                self._known_workers[worker] = versions == judge_versions()
        except Exception:  # the scheduler is gone, which Dask reports by errors of many types
            return []
        for worker in joined:
            if not self._known_workers.get(worker, True):
                self.say(f"{_other_software(worker)}. It gets no work.")
        our_workers = [worker for worker in present if self._known_workers.get(worker)]
        self.jobs = max(1, len(our_workers))
        return our_workers

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        return _ClusterFuture(self, lambda workers: self._send(workers, fn, args, kwargs))

    def _send(self, workers: list[str], fn: Any, args: Any, kwargs: Any) -> Any:
        seconds = self._limits.time([item for item in args[0] if isinstance(item, Item)])
        return self._client.submit(
            _run_with_limit, seconds, fn, *args, pure=False, retries=_MAX_RETRIES, workers=workers, **kwargs
        )

    def present_workers(self) -> list[str]:
        """Return the present workers.

        Raises:
            NoWorkersLeft: There were no workers for some seconds, and this machine continues the work.
            ArchiveError: There were no workers for some seconds, and the run ends.
        """
        workers = self.workers()
        if workers:
            self.last_seen, self._has_warned = monotonic(), False
            return workers
        if not self._has_warned:
            self._has_warned = True
            consequence = "this machine continues the work" if self._fallback else "the run ends"
            self.say(
                f"All workers of the cluster are gone. If none comes back within {NO_WORKERS_SECONDS:g} s, "
                f"{consequence}."
            )
        if monotonic() - self.last_seen > NO_WORKERS_SECONDS:
            if not self._fallback:
                raise ArchiveError(
                    "All workers of the cluster are gone. Start workers and run this command again. The "
                    "archive keeps the records that were committed."
                )
            raise NoWorkersLeft
        return []


class _ClusterFuture(Future[Any]):
    """The result of a batch on the cluster. The batch is sent again if all its workers are gone."""

    def __init__(self, executor: _ClusterExecutor, send: Callable[[list[str]], Any]) -> None:
        super().__init__()
        self._executor = executor
        self._send = send
        self._workers: list[str] = []
        self._theirs: Any = None
        self._send_again()

    def _send_again(self) -> None:
        try:
            self._workers = self._executor.workers()
            self._theirs = self._send(self._workers) if self._workers else None
        except Exception:  # the scheduler is gone, which Dask reports by errors of many types
            self._theirs = None

    def result(self, timeout: float | None = None) -> Any:
        """Return the result, after waiting as long as there are workers.

        Raises:
            NoWorkersLeft: There were no workers for some seconds, and this machine continues the work.
            ArchiveError: There were no workers for some seconds, and the run ends.
            BatchGivenUp: The batch exceeded its time limit.
            TimeoutError: There was no result within `timeout` seconds.
            Exception: The batch raised this error.
        """
        until = None if timeout is None else monotonic() + timeout
        while True:
            try:
                if self._theirs is not None:
                    answer = self._theirs.result(timeout=CHECK_SECONDS)
                    if isinstance(answer, OutOfTime):
                        raise BatchGivenUp
                    return answer
                sleep(CHECK_SECONDS / 4)
            except TimeoutError:
                pass
            if until is not None and monotonic() > until:
                raise TimeoutError
            present = self._executor.present_workers()
            if present and not set(present).intersection(self._workers):
                self._send_again()


class OutOfTime(Stopped):
    """The error that is raised in a worker's thread whose batch exceeds its time."""


class BatchGivenUp(Exception):
    """The error if a batch exceeds its time limit on the cluster. Judge its records elsewhere, one by one."""


def _run_with_limit(seconds: float, task: Any, *args: Any, **kwargs: Any) -> Any:
    """Return the result of `task` or, after `seconds`, the error `OutOfTime`, which frees the worker."""
    thread = ctypes.c_ulong(get_ident())
    timer = Timer(
        seconds, lambda: ctypes.pythonapi.PyThreadState_SetAsyncExc(thread, ctypes.py_object(OutOfTime))
    )
    timer.daemon = True
    timer.start()
    try:
        return task(*args, **kwargs)
    except OutOfTime as error:
        return error  # Dask would repeat a batch that raises an error
    finally:
        timer.cancel()
