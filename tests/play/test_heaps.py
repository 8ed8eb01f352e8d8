"""Records full of one thing: twice as many of it are twice the work and twice the memory, whatever it is.

Work is counted in calls, Python's and the interpreter's own, so nothing here depends on the machine. How
long it takes is told by ``python -m tests.bench.rulings``.
"""

from __future__ import annotations

import sys
import tracemalloc
from collections.abc import Callable
from types import FrameType
from typing import Any

import pytest

from gamelog.record.record_file import compose
from tests.bench.rulings import KINDS, events, folded, header

MANY = 500
TWICE = 2.3
"""How much more may be needed for twice as many: what grows with n log n needs 2.2 times here, what grows with n squared 4."""


def calls(work: Callable[[], Any]) -> int:
    """How many calls `work` makes."""
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


def held(work: Callable[[], Any]) -> int:
    """The most memory, in bytes, that `work` holds at a time."""
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
    folded(few)
    for what in (calls, held):
        once, twice = what(lambda: folded(few)), what(lambda: folded(many))
        assert twice <= TWICE * once, f"{what.__name__}: {once} for {MANY}, {twice} for {2 * MANY}"
