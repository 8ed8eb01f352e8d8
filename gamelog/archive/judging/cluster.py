"""Judging on a cluster: the same worker, on machines that see the same files under the same paths."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future
from contextlib import contextmanager
from importlib import import_module
from threading import Thread, Timer, get_ident
from time import monotonic, sleep
from typing import Any

from gamelog.archive.judging.judge_versions import versions
from gamelog.archive.judging.workers import Bounds, NobodyLeft
from gamelog.archive.sources.items import Item
from gamelog.errors import ArchiveError, MissingExtra, Stopped

RETRIES = 2
"""How often the cluster starts a batch again whose worker was lost, before it is judged here."""

NO_WORKERS_SECONDS = 5.0
"""Seconds without any worker after which the work goes on here; a nanny starts a worker again in about two.
"""

PULSE = 1.0
"""Seconds between two looks at who is still there."""

_Say = Callable[[str], None]
"""Is told, in sentences, what becomes of the cluster meanwhile."""


def _say_nothing(_text: str) -> None:
    pass


@contextmanager
def cluster(
    scheduler: str,
    *,
    timeout: float = 10,
    bounds: Bounds | None = None,
    fallback: bool = True,
    say: _Say = _say_nothing,
) -> Iterator[tuple[Executor, int]]:
    """An executor for `index` and `verdicts` on the Dask cluster of `scheduler`, and its number of workers.

    ``with cluster("tcp://10.0.0.1:8786") as (executor, jobs): index(paths, archive, executor=executor,
    jobs=jobs)``. A batch takes no longer than `bounds` allow. Workers that join later are asked as the first
    are, and get nothing to do if they have other software. When all are lost, `say` is told, and the work
    goes on here on all cores, or, without `fallback`, ends with `ArchiveError`. Raises `MissingExtra`, and
    `ArchiveError` when no scheduler answers within `timeout` seconds, no worker is there, or one has other
    software than this process.
    """
    try:
        distributed = import_module("distributed")
    except ImportError:
        raise MissingExtra("A cluster", "cluster") from None
    with _reached(distributed, scheduler, timeout) as client:
        if not client.nthreads():
            raise ArchiveError(
                f"The scheduler at {scheduler} has no workers; start some with: dask worker {scheduler}"
            )
        lent = _Lent(client, bounds or Bounds(), fallback)
        workers = lent.workers()
        if lent.strangers:
            raise ArchiveError(f"{_strange(min(lent.strangers))}; install the same on both.")
        lent.say = say
        yield lent, len(workers)


def _strange(worker: str) -> str:
    return f"The worker {worker} has another Gamelog, or other games, than this machine"


def _reached(distributed: Any, scheduler: str, seconds: float) -> Any:
    """A client of `scheduler`. Raises `ArchiveError`, whatever answers, within `seconds` and a little."""
    found: Future[Any] = Future()

    def reach() -> None:
        try:
            found.set_result(distributed.Client(scheduler, timeout=seconds))
        except BaseException as error:  # of every kind: what answers may be no scheduler at all
            found.set_exception(error)

    Thread(target=reach, daemon=True).start()
    try:
        return found.result(seconds)
    except TimeoutError:
        raise ArchiveError(
            f"No scheduler answers at {scheduler} within {seconds:g} s; is it the scheduler's port?"
        ) from None
    except Exception as error:
        said = " ".join(str(error).split())[:200].rstrip(".") or type(error).__name__
        raise ArchiveError(f"No scheduler answers at {scheduler}: {said}.") from None


class _Lent(Executor):
    """A cluster's workers that have this machine's software: ``jobs`` of them; ``seen`` is when there were
    some, on the clock of `monotonic`.
    """

    def __init__(self, client: Any, bounds: Bounds, fallback: bool) -> None:
        self._client = client
        self._bounds = bounds
        self._fallback = fallback
        self.say: _Say = _say_nothing
        self._known: dict[str, bool] = {}
        self._alarmed = False
        self.jobs = 1
        self.seen = monotonic()

    @property
    def strangers(self) -> list[str]:
        return [worker for worker, ours in self._known.items() if not ours]

    def workers(self) -> list[str]:
        """Those who are there and have this machine's software. Who has joined is asked."""
        try:
            there = [*self._client.nthreads()] if self._client.status == "running" else []
            joined = [worker for worker in there if worker not in self._known]
            for worker, theirs in (
                self._client.run(versions, workers=joined, on_error="return").items() if joined else ()
            ):
                self._known[worker] = theirs == versions()
        except Exception:  # of many kinds: the scheduler is gone
            return []
        for worker in joined:
            if not self._known.get(worker, True):
                self.say(f"{_strange(worker)}; it gets nothing to do.")
        ours = [worker for worker in there if self._known.get(worker)]
        self.jobs = max(1, len(ours))
        return ours

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        return _Due(self, lambda workers: self._send(workers, fn, args, kwargs))

    def _send(self, workers: list[str], fn: Any, args: Any, kwargs: Any) -> Any:
        seconds = self._bounds.time([item for item in args[0] if isinstance(item, Item)])
        return self._client.submit(
            _timed, seconds, fn, *args, pure=False, retries=RETRIES, workers=workers, **kwargs
        )

    def pulse(self) -> list[str]:
        """Who is there. Raises `NobodyLeft` when nobody was for longer than one waits, or `ArchiveError`."""
        workers = self.workers()
        if workers:
            self.seen, self._alarmed = monotonic(), False
            return workers
        if not self._alarmed:
            self._alarmed = True
            then = "the work goes on here" if self._fallback else "the run ends"
            self.say(
                f"All workers of the cluster are gone; if none comes back within {NO_WORKERS_SECONDS:g} s, "
                f"{then}."
            )
        if monotonic() - self.seen > NO_WORKERS_SECONDS:
            if not self._fallback:
                raise ArchiveError(
                    "All workers of the cluster are gone; start some and run this again, what was "
                    "committed is kept."
                )
            raise NobodyLeft
        return []


class _Due(Future[Any]):
    """The result of a batch that the cluster works on; sent again when those it was sent to have gone."""

    def __init__(self, lent: _Lent, send: Callable[[list[str]], Any]) -> None:
        super().__init__()
        self._lent = lent
        self._send = send
        self._workers: list[str] = []
        self._theirs: Any = None
        self._try()

    def _try(self) -> None:
        try:
            self._workers = self._lent.workers()
            self._theirs = self._send(self._workers) if self._workers else None
        except Exception:  # of many kinds: the scheduler is gone
            self._theirs = None

    def result(self, timeout: float | None = None) -> Any:
        """It, waited for as long as there are workers.
        Raises `NobodyLeft` when there are none, and what the batch raised.
        """
        until = None if timeout is None else monotonic() + timeout
        while True:
            try:
                if self._theirs is not None:
                    done = self._theirs.result(timeout=PULSE)
                    if isinstance(done, OutOfTime):
                        raise BatchGivenUp
                    return done
                sleep(PULSE / 4)
            except TimeoutError:
                pass
            if until is not None and monotonic() > until:
                raise TimeoutError
            there = self._lent.pulse()
            if there and not set(there).intersection(self._workers):
                self._try()


class OutOfTime(Stopped):
    """Raised in a thread whose batch takes too long."""


class BatchGivenUp(Exception):
    """A batch took longer than it may; record by record it is done elsewhere."""


def _timed(seconds: float, task: Any, *args: Any, **kwargs: Any) -> Any:
    """On a worker: what `task` gives, or `OutOfTime` after `seconds`, so that the worker is free again."""
    thread = ctypes.c_ulong(get_ident())
    timer = Timer(
        seconds, lambda: ctypes.pythonapi.PyThreadState_SetAsyncExc(thread, ctypes.py_object(OutOfTime))
    )
    timer.daemon = True
    timer.start()
    try:
        return task(*args, **kwargs)
    except OutOfTime as error:
        return error  # raising it would have the batch tried again elsewhere
    finally:
        timer.cancel()
