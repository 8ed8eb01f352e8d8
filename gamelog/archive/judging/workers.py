"""Who does the work on batches of records: this process, a pool of processes,
or any executor one hands in.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import BrokenExecutor, Executor, Future
from functools import partial
from typing import TYPE_CHECKING, Generic, TypeVar

from msgspec import Struct

from gamelog.archive.judging.processes import check_processes_start, pool, terminate
from gamelog.archive.sources.items import Item
from gamelog.errors import ArchiveError
from gamelog.play.contract.registry import foreign

if TYPE_CHECKING:
    from pebble import ProcessPool

_T = TypeVar("_T")
_Batch = tuple[Item, ...]
_Task = Callable[[_Batch], _T]
Lost = Callable[[Item, Exception], _T]
"""Says what comes of a record whose judge ran out of time or memory (`TimeoutError`, `MemoryError`) or died
over it.
"""

RECORDS, BYTES = 100, 8 << 20
"""A batch is full at so many records or so many bytes of them, whichever comes first."""

SHARES = 4
"""Each worker gets so many batches at least, so that all come to their end together."""

AHEAD = 2
"""Batches that wait for each worker, so that none is idle and memory stays bounded."""

PARALLEL_FROM = 200
"""From so many records on, processes that share the work are worth their start."""

SECONDS_A_MB = 10.0
"""What judging a megabyte of a record may take besides: some two hundred times what the built-in games take.
"""


class Bounds(Struct, frozen=True):
    """What one record may cost: seconds, besides those its size asks for,
    and bytes of memory of the process that judges it.
    """

    timeout: float = 60.0
    memory: int = 4 << 30

    def time(self, batch: Sequence[Item]) -> float:
        """Seconds after which judging `batch` is given up:
        as for one record of that size, for most take milliseconds.
        """
        return self.timeout + SECONDS_A_MB * sum(item.weight or item.size for item in batch) / 1e6


class NobodyLeft(Exception):
    """All of an executor's workers are gone; nothing is to be expected of it any more."""


def batches(items: Sequence[Item], jobs: int) -> Iterator[_Batch]:
    """`items` in batches, in order, of which no worker goes without;
    as few as may be for one alone, who opens each pack once.
    """
    most = min(RECORDS, -(-len(items) // (SHARES * jobs))) if jobs > 1 else RECORDS
    batch: list[Item] = []
    weight = 0
    for item in items:
        batch.append(item)
        weight += item.weight or item.size
        if len(batch) >= most or weight >= BYTES:
            yield tuple(batch)
            batch, weight = [], 0
    if batch:
        yield tuple(batch)


def cores() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class Workers:
    """Workers for several rounds of `work`, used as a context.

    `jobs` None is 1 for less than `PARALLEL_FROM` items in the first round, else as many as there are cores.
    With `jobs` 1 and no `executor` everything happens in this process, unless there are `bounds` and
    `bounded` games, which are not Gamelog's own: their code may do anything, so a process that can be ended
    runs it. (Gamelog's own judge in a time and a memory that grow with the record.) Otherwise `jobs`
    processes of a pool share the work, within `bounds` or the usual ones, or the executor does, and `jobs` is
    how many workers it keeps busy, unless a member ``jobs`` of its own says so. The processes of a pool may
    import the main module (see `pool`): a script that asks for them does its work under ``if __name__ ==
    "__main__"``.
    """

    def __init__(
        self,
        jobs: int | None = 1,
        executor: Executor | None = None,
        bounds: Bounds | None = None,
        bounded: bool | None = None,
    ) -> None:
        self._asked = jobs
        self.jobs = jobs or 1
        self._executor = executor
        self._unbounded = executor is None and (
            bounds is None or not (foreign() if bounded is None else bounded)
        )
        self._bounds = bounds or Bounds()
        self._pool: ProcessPool | None = None

    def __enter__(self) -> Workers:
        return self

    def __exit__(self, *error: object) -> None:
        self._stop()

    def _stop(self) -> None:
        if self._pool is not None:
            terminate(self._pool)
            self._pool = None

    def each(
        self, task: Callable[[_Batch], Iterable[_T]], lost: Lost[_T], items: Sequence[Item]
    ) -> Iterator[_T]:
        """Do `task`, which gives what comes of each item of a batch, with `items`, and give all of that, in
        order.
        """
        if self._alone(items):
            yield from task(tuple(items))
        else:
            for some in self.work(partial(_all, task), lambda item, error: [lost(item, error)], items):
                yield from some

    def _alone(self, items: Sequence[Item]) -> bool:
        """Whether this process does everything."""
        if self._asked is None:
            self._asked = self.jobs = cores() if len(items) >= PARALLEL_FROM else 1
        return self._unbounded and self.jobs == 1

    def work(self, task: _Task[_T], lost: Lost[_T], items: Sequence[Item]) -> Iterator[_T]:
        """Do `task` with `items`, batch by batch, and give what comes of each, in order. The task must raise
        nothing but `MemoryError`.

        A batch that fails is done again record by record, and `lost` says what comes of the one that cannot
        be done. Raises `ArchiveError` when no process comes to life.
        """
        alone = self._alone(items)
        parts = deque(batches(items, self.jobs))
        if self._executor is not None:
            yield from self._lent(_Round(task, lost, parts), self._executor)
        elif alone or (self._unbounded and len(parts) == 1):
            for part in parts:
                yield from _here(task, lost, part)
        else:
            yield from self._pooled(_Round(task, lost, parts))

    def _lent(self, round: _Round[_T], executor: Executor) -> Iterator[_T]:
        """On somebody's executor; what it cannot finish, which is not a fault of the task's,
        processes of this machine do.
        """
        waiting: deque[tuple[_Batch, Future[_T]]] = deque()
        while round.parts or waiting:
            while round.parts and len(waiting) < AHEAD * getattr(
                executor, "jobs", self.jobs
            ):  # workers may have joined
                part = round.parts.popleft()
                waiting.append((part, executor.submit(round.task, part)))
            part, future = waiting[0]
            try:
                done = future.result()
            except NobodyLeft:
                round.parts.extendleft(part for part, _ in reversed(waiting))
                self._executor, self.jobs = None, cores()
                yield from self._pooled(round)
                return
            except ArchiveError:  # it says itself that the work is to end
                raise
            except Exception:  # the executor lost its worker, or gave the batch up
                waiting.popleft()
                yield from self._pooled(_Round(round.task, round.lost, deque([part])))
            else:
                waiting.popleft()
                yield done

    def _pooled(self, round: _Round[_T]) -> Iterator[_T]:
        """On processes of this machine. Those that a batch ends or that take too long over it are
        replaced.
        """
        waiting: deque[tuple[_Batch, Future[_T]]] = deque()
        proven = False  # something has come back, so processes can be started
        while round.parts or waiting:
            while round.parts and len(waiting) < AHEAD * self.jobs:
                part = round.parts.popleft()
                waiting.append((part, self._schedule(round.task, part)))
            part, future = waiting.popleft()
            try:
                done = future.result()
            except BrokenExecutor as error:
                self._stop()
                if not proven:
                    check_processes_start()
                rest = [one for one, _ in waiting]
                waiting.clear()
                if len(part) == 1 and not proven:  # it has broken the second pool
                    yield round.lost(part[0], error)
                else:
                    rest = [*zip(part, strict=True), *rest]
                round.parts.extendleft(reversed(rest))
                proven = False
            except Exception as error:
                proven = True
                if len(part) == 1:
                    yield self._sure(round, part, error)
                else:
                    waiting.extendleft(
                        (item, self._schedule(round.task, item))
                        for item in reversed([*zip(part, strict=True)])
                    )
            else:
                proven = True
                yield done

    def _sure(self, round: _Round[_T], part: _Batch, error: Exception) -> _T:
        """What comes of a record over which a process is said to have died.

        A process that has just answered for one record and dies over the next may be taken to have died over
        the first: the record gets a process of its own before it is blamed.
        """
        from pebble import ProcessExpired

        if isinstance(error, ProcessExpired):
            alone = pool(1, self._bounds.memory)
            try:
                return alone.schedule(round.task, args=[part], timeout=self._bounds.time(part)).result()
            except Exception as again:
                error = again
            finally:
                terminate(alone)
        return round.lost(part[0], error)

    def _schedule(self, task: _Task[_T], part: _Batch) -> Future[_T]:
        if self._pool is None:
            self._pool = pool(min(self.jobs, cores()) if self._executor else self.jobs, self._bounds.memory)
        try:
            return self._pool.schedule(task, args=[part], timeout=self._bounds.time(part))
        except RuntimeError as error:  # the pool has broken since
            lost: Future[_T] = Future()
            lost.set_exception(BrokenExecutor(str(error)))
            return lost


class _Round(Generic[_T]):
    """What is to be done, and what is left of it."""

    def __init__(self, task: _Task[_T], lost: Lost[_T], parts: deque[_Batch]) -> None:
        self.task = task
        self.lost = lost
        self.parts = parts


def _all(task: Callable[[_Batch], Iterable[_T]], batch: _Batch) -> list[_T]:
    return list(task(batch))


def _here(task: _Task[_T], lost: Lost[_T], part: _Batch) -> Iterator[_T]:
    try:
        yield task(part)
    except MemoryError as error:
        if len(part) == 1:
            yield lost(part[0], error)
            return
        for item in part:
            yield from _here(task, lost, (item,))
