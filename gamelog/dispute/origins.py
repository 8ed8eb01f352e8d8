"""Origins of the events of a merged record, as its header names them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

from gamelog.record.envelope import Header, Parent

Run = tuple[int, int, int]
"""A run of events that a merged record shares with a parent: first number here, first number there, length.
"""


def runs(numbers: Iterable[tuple[int, int]]) -> tuple[Run, ...]:
    """Return pairs of numbers in the record and its parent as runs."""
    result: list[Run] = []
    for here, in_parent in numbers:
        begin, first, length = result[-1] if result else (0, 0, 0)
        if result and (here, in_parent) == (begin + length, first + length):
            result[-1] = begin, first, length + 1
        else:
            result.append((here, in_parent, 1))
    return tuple(result)


def in_order(events: Sequence[Run]) -> bool:
    """Return whether no run begins before the last one ends."""
    return all(one[0] + one[2] <= two[0] for one, two in pairwise(events))


def last_shared(parent: Parent) -> int:
    """Return the number of the record's last event that is shared with `parent`, according to the header."""
    runs = parent.events if parent.merged else ()
    return max((here + length - 1 for here, _, length in runs), default=parent.n)


def first_without_origin(header: Header) -> int | None:
    """Return the number of the first event that no parent has, before the end of the last run, or None.

    A branch of a merged record contains lines of this record. So a parent with the same lines counts as a run
    that begins with the first event.
    """
    lines = ((1, 1, parent.n) for parent in header.parents if not parent.merged and not parent.events)
    end = 1
    for here, _, length in sorted((*lines, *(run for parent in header.parents for run in parent.events))):
        if here > end:
            return end
        end = max(end, here + length)
    return None


def origin_of(header: Header, n: int) -> tuple[tuple[Parent, int], ...]:
    """Return the parents that have event `n` of a record merged by choice, with its number in each parent."""
    return tuple(
        (parent, n - here + in_parent)
        for parent in header.parents
        for here, in_parent, length in parent.events
        if here <= n < here + length
    )
