"""Origins of the events of a merged record, as its header names them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

from gamelog.record.envelope import Header, Parent

Run = tuple[int, int, int]
"""Events that a merged record and its parent both have: the first number here and there, and the length."""


def runs(numbers: Iterable[tuple[int, int]]) -> tuple[Run, ...]:
    """Return pairs of numbers, here and there, as runs."""
    found: list[Run] = []
    for here, there in numbers:
        begin, first, length = found[-1] if found else (0, 0, 0)
        if found and (here, there) == (begin + length, first + length):
            found[-1] = begin, first, length + 1
        else:
            found.append((here, there, 1))
    return tuple(found)


def in_order(events: Sequence[Run]) -> bool:
    """Return whether no run begins before the last one ends."""
    return all(one[0] + one[2] <= two[0] for one, two in pairwise(events))


def last_shared(parent: Parent) -> int:
    """Return the number here of the last event that is shared with `parent`, as far as the header says it."""
    runs = parent.events if parent.merged else ()
    return max((here + length - 1 for here, _, length in runs), default=parent.n)


def first_without_origin(header: Header) -> int | None:
    """Return the number of the first event before the end of the last run that no parent has, or None.

    A branch of a merged record has the lines of that record, so its parent of the same lines counts as a run
    from the first event on.
    """
    lines = ((1, 1, parent.n) for parent in header.parents if not parent.merged and not parent.events)
    end = 1
    for here, _, length in sorted((*lines, *(run for parent in header.parents for run in parent.events))):
        if here > end:
            return end
        end = max(end, here + length)
    return None


def origin_of(header: Header, n: int) -> tuple[tuple[Parent, int], ...]:
    """Return the parents that have event `n` of a record merged by choice, each with its number there."""
    return tuple(
        (parent, n - here + there)
        for parent in header.parents
        for here, there, length in parent.events
        if here <= n < here + length
    )
