"""Who does the work on batches of records: this process, a pool of processes, or any executor one hands in."""

from __future__ import annotations

import os
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context, parent_process
from threading import Thread
from typing import TypeVar

from gamelog.archive.sources import Item
from gamelog.errors import ArchiveError

T = TypeVar("T")
Batch = tuple[Item, ...]
Task = Callable[[Batch], T]
Lost = Callable[[Item], T]

RECORDS, BYTES = 100, 8 << 20
"""A batch is full at so many records or so many bytes of them, whichever comes first."""

AHEAD = 2
"""Batches that wait for each worker, so that none is idle and memory stays bounded."""


def batches(items: Sequence[Item], jobs: int) -> Iterator[Batch]:
    """`items` in batches, in order, of which no worker goes without."""
    most = min(RECORDS, -(-len(items) // jobs))
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


def work(task: Task[T], lost: Lost[T], items: Sequence[Item], jobs: int = 1, executor: Executor | None = None) -> Iterator[T]:
    """Do `task` with `items`, batch by batch, and give what comes of each, in order. The task must raise nothing.

    With `jobs` 1 and no `executor` everything happens in this process. Otherwise a record that
    ends its worker's process is found, and `lost` says what comes of it; `jobs` is how many
    workers are kept busy. The processes of a pool import the main module, as everywhere in Python:
    a script that asks for them does its work under ``if __name__ == "__main__"``. Raises
    `ArchiveError` when none of them comes to life.
    """
    parts = list(batches(items, jobs))
    if executor is not None:
        yield from _spread(task, lost, parts, executor, AHEAD * jobs)
    elif jobs == 1 or len(parts) == 1:
        yield from map(task, parts)
    else:
        yield from _pooled(task, lost, parts, min(jobs, len(parts)))


def _spread(task: Task[T], lost: Lost[T], parts: Iterable[Batch], executor: Executor, window: int) -> Iterator[T]:
    """On somebody's executor. A batch that it cannot finish, which is no fault of the task's, is done here."""
    waiting: deque[tuple[Batch, Future[T]]] = deque()
    for part in parts:
        waiting.append((part, executor.submit(task, part)))
        if len(waiting) >= window:
            yield from _finished(task, lost, *waiting.popleft())
    while waiting:
        yield from _finished(task, lost, *waiting.popleft())


def _finished(task: Task[T], lost: Lost[T], part: Batch, future: Future[T]) -> Iterator[T]:
    try:
        done = future.result()
    except Exception:  # the executor lost its worker
        yield from _alone(task, lost, part)
    else:
        yield done


def pool(jobs: int) -> ProcessPoolExecutor:
    """A pool of fresh processes, which leave an interrupt to the process that started them, and end with it."""
    return ProcessPoolExecutor(jobs, mp_context=get_context("spawn"), initializer=_attend)


def _attend() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_follow, daemon=True).start()


def _follow() -> None:
    parent = parent_process()
    if parent:
        parent.join()
        os._exit(1)


def _pooled(task: Task[T], lost: Lost[T], parts: list[Batch], jobs: int) -> Iterator[T]:
    """On a pool; when it breaks, the batches that were under way are done by themselves and the rest on a new pool."""
    rest = deque(parts)
    proven = False
    while rest:
        executor = pool(jobs)
        waiting: deque[tuple[Batch, Future[T]]] = deque()
        try:
            while rest or waiting:
                while rest and len(waiting) < AHEAD * jobs:
                    waiting.append((rest[0], executor.submit(task, rest[0])))
                    rest.popleft()
                done = waiting[0][1].result()
                waiting.popleft()
                proven = True
                yield done
        except BrokenProcessPool:
            executor.shutdown()
            if not proven:
                _prove()
            for part, future in waiting:
                yield from [future.result()] if _survived(future) else _alone(task, lost, part)
        finally:
            executor.shutdown(cancel_futures=True)


def _prove() -> None:
    """Raise `ArchiveError` if a process can do nothing at all, which is no fault of any record's."""
    try:
        with pool(1) as executor:
            executor.submit(int).result()
    except BrokenProcessPool:
        text = 'No process could be started; a script that asks for some does its work under: if __name__ == "__main__":'
        raise ArchiveError(text) from None


def _survived(future: Future[T]) -> bool:
    return future.done() and not future.cancelled() and future.exception() is None


def _alone(task: Task[T], lost: Lost[T], part: Batch) -> Iterator[T]:
    """A suspect batch in a process of its own, halved until the record that ends it stands alone."""
    try:
        with pool(1) as executor:
            done = executor.submit(task, part).result()
    except BrokenProcessPool:
        if len(part) == 1:
            yield lost(part[0])
            return
        half = len(part) // 2
        yield from _alone(task, lost, part[:half])
        yield from _alone(task, lost, part[half:])
    else:
        yield done
