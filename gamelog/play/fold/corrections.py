"""Slips of the pen: events that were never played, because a takeback calls them written by mistake.

A takeback undoes what was played; a slip says that it never was. Both may lie within a stretch that
another takeback or slip has cut out: what a slip cut out was never played, takebacks included; what
a takeback cut out was played, but for what a slip had taken out of it before.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Iterator, Mapping


def corrections(jumps: Mapping[int, int], slips: Collection[int], n: int) -> Iterator[range]:
    """The stretches of events up to `n` that `slips` have taken out. `jumps` are all takebacks in force."""
    order = [*jumps]
    due = [(n, 0)]
    while due:
        end, low = due.pop()
        while end > low:
            at = bisect_right(order, end)
            if not at or order[at - 1] <= low:
                break
            jump = order[at - 1]
            to = max(jumps[jump], low)
            if jump in slips:
                yield range(to + 1, jump)
            else:
                due.append((jump - 1, to))
            end = jumps[jump]
