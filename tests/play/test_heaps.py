"""Records full of one kind of event: twice as many take at most twice the work and twice the memory.

Work is counted in calls, of Python's functions and of the interpreter's own, so the result does not depend on
the machine. ``python -m tests.bench.rulings`` prints the times.
"""

from __future__ import annotations

import sys
import tracemalloc
from collections.abc import Callable
from types import FrameType
from typing import Any

import pytest

from gamelog.record.record_file import compose
from tests.bench.rulings import KINDS, events, fold_bytes, header

MANY = 500
TWICE = 2.3
"""Largest ratio for twice as many events. Here n log n needs 2.2 times as much, n squared 4 times."""


def count_calls(work: Callable[[], Any]) -> int:
    """Return the number of calls that `work` makes."""
    count = 0

    def counted(_frame: FrameType, event: str, _arg: Any) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(counted)
    try:
        work()
    finally:
        sys.setprofile(before)
    return count


def peak_memory(work: Callable[[], Any]) -> int:
    """Return the most memory in bytes that `work` uses at a time."""
    tracemalloc.start()
    try:
        work()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.grid
@pytest.mark.parametrize("kind", KINDS)
def test_twice_as_many_are_twice_the_work(kind: str) -> None:
    few, many = (compose(header(), events(KINDS[kind], n))[0] for n in (MANY, 2 * MANY))
    fold_bytes(few)
    for what in (count_calls, peak_memory):
        once, twice = what(lambda: fold_bytes(few)), what(lambda: fold_bytes(many))
        assert twice <= TWICE * once, f"{what.__name__}: {once} for {MANY}, {twice} for {2 * MANY}"
