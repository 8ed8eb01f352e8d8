"""Workers for batches of records: this process, a pool of processes, or an executor of the caller."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from concurrent.futures import BrokenExecutor, Executor, Future
from functools import partial
from typing import TYPE_CHECKING, Generic, TypeVar

from msgspec import Struct

from gamelog.archive.sources.items import Item
from gamelog.archive.workers.process_pool import check_processes_start, start_pool, terminate
from gamelog.errors import ArchiveError
from gamelog.play.contract.registry import has_foreign_game

if TYPE_CHECKING:
    from pebble import ProcessPool

_T = TypeVar("_T")
_Batch = tuple[Item, ...]
_Task = Callable[[_Batch], _T]
LossResult = Callable[[Item, Exception], _T]
"""A function that returns the result for a record whose judge ran out of time (`TimeoutError`) or memory
(`MemoryError`), or died.
"""

RECORDS, BYTES = 100, 8 << 20
"""Largest number of records, and of their bytes, in a batch."""

_MIN_BATCHES_PER_WORKER = 4
"""Smallest number of batches for each worker, so that all workers finish at about the same time."""

_WAITING_BATCHES_PER_WORKER = 2
"""Number of batches that wait for each worker, so that no worker is idle and memory stays limited."""

MIN_PARALLEL_RECORDS = 200
"""Number of records from which several processes are faster than one, in spite of their start."""

_SECONDS_PER_MB = 10.0
"""Additional seconds for each megabyte of a record, about two hundred times what the built-in games need."""


class RecordLimits(Struct, frozen=True):
    """Limits for one record: seconds, to which time for its size is added, and bytes of memory."""

    timeout: float = 60.0
    memory: int = 4 << 30

    def time(self, batch: Sequence[Item]) -> float:
        """Return the time limit for `batch` in seconds, which is the limit for one record of that size."""
        return self.timeout + _SECONDS_PER_MB * sum(item.weight or item.size for item in batch) / 1e6


class EqualLimits(RecordLimits, frozen=True):
    """Limits with the same time for each record, whatever its size: for games of bots and for analyses."""

    def time(self, batch: Sequence[Item]) -> float:
        """Return the time limit for `batch` in seconds."""
        return self.timeout * len(batch)


class NoWorkersLeft(Exception):
    """The error that all workers of an executor are gone."""


def divide(items: Collection[Item], jobs: int) -> Iterator[_Batch]:
    """Yield `items` in batches, in the same order.

    With several jobs, there are enough batches for all workers. With one job, there are as few as possible,
    because each pack is opened once for each batch.
    """
    most = min(RECORDS, -(-len(items) // (_MIN_BATCHES_PER_WORKER * jobs))) if jobs > 1 else RECORDS
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


def count_cores() -> int:
    """Return the number of processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class Workers:
    """Workers for several rounds of `work`, used as a context.

    With one job and no executor, this process does all the work, unless it has to keep limits on the code of
    games that are not part of Gamelog. That code runs in a process that can be ended. The processes of a pool
    may import the main module (see `start_pool`), so a script must do its work under
    ``if __name__ == "__main__"``.
    """

    def __init__(
        self,
        jobs: int | None = 1,
        executor: Executor | None = None,
        limits: RecordLimits | None = None,
        limited: bool | None = None,
    ) -> None:
        """Set up the workers, without starting processes yet.

        Args:
            jobs: The number of processes. None: 1 for less than `MIN_PARALLEL_RECORDS` items in the first
                round, otherwise one for each core. With an executor, the number of its workers, if the
                executor has no attribute ``jobs``.
            executor: An executor that does the work instead of a pool.
            limits: Limits for each record. A pool has the default limits if none are given.
            limited: Whether games need limits. By default, if a game is installed that is not part of
                Gamelog, whose own games need time and memory in proportion to the record.
        """
        self._given_jobs = jobs
        self.jobs = jobs or 1
        self._executor = executor
        self._is_unlimited = executor is None and (
            limits is None or not (has_foreign_game() if limited is None else limited)
        )
        self._limits = limits or RecordLimits()
        self._pool: ProcessPool | None = None

    def __enter__(self) -> Workers:
        return self

    def __exit__(self, *error: object) -> None:
        self._stop()

    def _stop(self) -> None:
        if self._pool is not None:
            terminate(self._pool)
            self._pool = None

    def map_items(
        self, task: Callable[[_Batch], Iterable[_T]], loss_result: LossResult[_T], items: Collection[Item]
    ) -> Iterator[_T]:
        """Run `task`, which returns a result for each item of a batch. Yield all results in their order."""
        if self._works_alone(items):
            yield from task(tuple(items))
        else:
            for results in self.work(
                partial(_list, task), lambda item, error: [loss_result(item, error)], items
            ):
                yield from results

    def _works_alone(self, items: Collection[Item]) -> bool:
        """Return whether this process does all the work."""
        if self._given_jobs is None:
            self._given_jobs = self.jobs = count_cores() if len(items) >= MIN_PARALLEL_RECORDS else 1
        return self._is_unlimited and self.jobs == 1

    def work(self, task: _Task[_T], loss_result: LossResult[_T], items: Collection[Item]) -> Iterator[_T]:
        """Run `task` for `items`, batch by batch, and yield the results in the order of the batches.

        The task may only raise `MemoryError`. A batch that fails is tried again record by record, and
        `loss_result` gives the result for a record that fails alone.

        Raises:
            ArchiveError: No process can be started.
        """
        alone = self._works_alone(items)
        round = _Round(task, loss_result, divide(items, self.jobs))
        if self._executor is not None:
            yield from self._run_on_executor(round, self._executor)
        elif alone or (self._is_unlimited and round.has_one_batch()):
            while part := round.take():
                yield from _run_here(task, loss_result, part)
        else:
            yield from self._run_in_pool(round)

    def _run_on_executor(self, round: _Round[_T], executor: Executor) -> Iterator[_T]:
        """Run a round on the executor. Batches that it cannot finish are run in processes of this machine."""
        waiting: deque[tuple[_Batch, Future[_T]]] = deque()
        while True:
            while len(waiting) < _WAITING_BATCHES_PER_WORKER * getattr(executor, "jobs", self.jobs) and (
                part := round.take()
            ):  # workers may have joined
                waiting.append((part, executor.submit(round.task, part)))
            if not waiting:
                return
            part, future = waiting[0]
            try:
                result = future.result()
            except NoWorkersLeft:
                round.put_back([part for part, _ in waiting])
                self._executor, self.jobs = None, count_cores()
                yield from self._run_in_pool(round)
                return
            except ArchiveError:  # the executor asks to end the run
                raise
            except Exception:  # the executor lost its worker, or gave the batch up
                waiting.popleft()
                yield from self._run_in_pool(_Round(round.task, round.lost_items, [part]))
            else:
                waiting.popleft()
                yield result

    def _run_in_pool(self, round: _Round[_T]) -> Iterator[_T]:
        """Run a round in processes of this machine. Processes that die or exceed their time are replaced."""
        waiting: deque[tuple[_Batch, Future[_T]]] = deque()
        proven = False  # whether a result has come back, so processes can be started
        while True:
            while len(waiting) < _WAITING_BATCHES_PER_WORKER * self.jobs and (part := round.take()):
                waiting.append((part, self._schedule(round.task, part)))
            if not waiting:
                return
            part, future = waiting.popleft()
            try:
                result = future.result()
            except BrokenExecutor as error:
                self._stop()
                if not proven:
                    check_processes_start()
                unfinished = [batch for batch, _ in waiting]
                waiting.clear()
                if len(part) == 1 and not proven:  # it has broken the second pool
                    yield round.lost_items(part[0], error)
                else:
                    unfinished = [*zip(part, strict=True), *unfinished]
                round.put_back(unfinished)
                proven = False
            except Exception as error:
                proven = True
                if len(part) == 1:
                    yield self._confirm_loss(round, part, error)
                else:
                    waiting.extendleft(
                        (item, self._schedule(round.task, item))
                        for item in reversed([*zip(part, strict=True)])
                    )
            else:
                proven = True
                yield result

    def _confirm_loss(self, round: _Round[_T], part: _Batch, error: Exception) -> _T:
        """Return the result of a record whose process is reported to have died.

        If a process finishes one record and dies over the next, the pool may report the first. So the record
        gets a process of its own before it is blamed.
        """
        from pebble import ProcessExpired

        if isinstance(error, ProcessExpired):
            alone = start_pool(1, self._limits.memory)
            try:
                return alone.schedule(round.task, args=[part], timeout=self._limits.time(part)).result()
            except Exception as again:
                error = again
            finally:
                terminate(alone)
        return round.lost_items(part[0], error)

    def _schedule(self, task: _Task[_T], part: _Batch) -> Future[_T]:
        """Return the future result of `task` on one part in the pool, which is started if necessary."""
        if self._pool is None:
            self._pool = start_pool(
                min(self.jobs, count_cores()) if self._executor else self.jobs, self._limits.memory
            )
        try:
            return self._pool.schedule(task, args=[part], timeout=self._limits.time(part))
        except RuntimeError as error:  # the pool has broken since
            broken: Future[_T] = Future()
            broken.set_exception(BrokenExecutor(str(error)))
            return broken


class _Round(Generic[_T]):
    """A task and the batches for which it still has to run."""

    def __init__(self, task: _Task[_T], lost: LossResult[_T], parts: Iterable[_Batch]) -> None:
        self.task = task
        self.lost_items = lost
        self._parts = iter(parts)
        self._returned: deque[_Batch] = deque()

    def take(self) -> _Batch | None:
        """Return the next batch, or None after the last one."""
        return self._returned.popleft() if self._returned else next(self._parts, None)

    def put_back(self, batches: Iterable[_Batch]) -> None:
        """Return batches that were taken. They are the next ones, in their order."""
        self._returned.extendleft(reversed([*batches]))

    def has_one_batch(self) -> bool:
        """Return whether one batch is left."""
        first_two = [batch for batch in (self.take(), self.take()) if batch]
        self.put_back(first_two)
        return len(first_two) == 1


def _list(task: Callable[[_Batch], Iterable[_T]], batch: _Batch) -> list[_T]:
    return list(task(batch))


def _run_here(task: _Task[_T], loss_result: LossResult[_T], part: _Batch) -> Iterator[_T]:
    try:
        yield task(part)
    except MemoryError as error:
        if len(part) == 1:
            yield loss_result(part[0], error)
            return
        for item in part:
            yield from _run_here(task, loss_result, (item,))
