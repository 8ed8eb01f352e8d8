"""Who judges the batches: this process, a pool of processes, or any executor one hands in."""

from __future__ import annotations

import signal
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context

from gamelog.archive.judging import Item, Judged, judge, killed

RECORDS, BYTES = 100, 8 << 20
"""A batch is full at so many records or so many bytes of them, whichever comes first."""

AHEAD = 2
"""Batches that wait for each worker, so that none is idle and memory stays bounded."""


def batches(items: Iterable[Item]) -> Iterator[tuple[Item, ...]]:
    """`items` in batches, in order."""
    batch: list[Item] = []
    weight = 0
    for item in items:
        batch.append(item)
        weight += item.weight or item.size
        if len(batch) >= RECORDS or weight >= BYTES:
            yield tuple(batch)
            batch, weight = [], 0
    if batch:
        yield tuple(batch)


def work(items: Sequence[Item], jobs: int = 1, executor: Executor | None = None) -> Iterator[Judged]:
    """Judge `items` and give what comes of each batch, in order.

    With `jobs` 1 and no `executor` everything happens in this process. Otherwise a record that
    ends its worker's process is found and comes back with a finding; `jobs` is how many batches
    are under way at once.
    """
    parts = list(batches(items))
    if executor is not None:
        yield from _spread(parts, executor, AHEAD * jobs)
    elif jobs == 1 or len(parts) == 1:
        yield from map(judge, parts)
    else:
        yield from _pooled(parts, min(jobs, len(parts)))


def _spread(parts: Iterable[tuple[Item, ...]], executor: Executor, window: int) -> Iterator[Judged]:
    """On somebody's executor. A batch that it cannot finish, which is no fault of the worker function's, is judged here."""
    waiting: deque[tuple[tuple[Item, ...], Future[Judged]]] = deque()
    for part in parts:
        waiting.append((part, executor.submit(judge, part)))
        if len(waiting) >= window:
            yield from _finished(*waiting.popleft())
    while waiting:
        yield from _finished(*waiting.popleft())


def _finished(part: tuple[Item, ...], future: Future[Judged]) -> Iterator[Judged]:
    try:
        judged = future.result()
    except Exception:  # the executor lost its worker; judge itself raises nothing
        yield from _alone(part)
    else:
        yield judged


def pool(jobs: int) -> ProcessPoolExecutor:
    """A pool of fresh processes, which leave an interrupt to the process that started them."""
    return ProcessPoolExecutor(jobs, mp_context=get_context("spawn"), initializer=_deaf)


def _deaf() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _pooled(parts: list[tuple[Item, ...]], jobs: int) -> Iterator[Judged]:
    """On a pool; when it breaks, the batches that were under way are judged by themselves and the rest on a new pool."""
    rest = deque(parts)
    while rest:
        executor = pool(jobs)
        waiting: deque[tuple[tuple[Item, ...], Future[Judged]]] = deque()
        try:
            while rest or waiting:
                while rest and len(waiting) < AHEAD * jobs:
                    waiting.append((rest[0], executor.submit(judge, rest[0])))
                    rest.popleft()
                judged = waiting[0][1].result()
                waiting.popleft()
                yield judged
        except BrokenProcessPool:
            executor.shutdown()
            for part, future in waiting:
                yield from [future.result()] if _survived(future) else _alone(part)
        finally:
            executor.shutdown(cancel_futures=True)


def _survived(future: Future[Judged]) -> bool:
    return future.done() and not future.cancelled() and future.exception() is None


def _alone(part: tuple[Item, ...]) -> Iterator[Judged]:
    """A suspect batch in a process of its own, halved until the record that ends it stands alone."""
    try:
        with pool(1) as executor:
            judged = executor.submit(judge, part).result()
    except BrokenProcessPool:
        if len(part) == 1:
            yield killed(part[0])
            return
        half = len(part) // 2
        yield from _alone(part[:half])
        yield from _alone(part[half:])
    else:
        yield judged
