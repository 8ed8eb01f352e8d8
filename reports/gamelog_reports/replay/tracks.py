"""What changes during a game, key by key: the pieces of a cell, the points of a seat.

Written so that a page can jump to any event: every change says which key took on which value.
Cells are keys by their number, or by their place among those that the event names: what changes is
mostly there. The page's `timeline.js` is the counterpart.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Any

from gamelog_reports.packed import INTEGER, compact_integers, zigzag

MAX_CELLS_NAMED = 8
"""Keys below this are places among the cells that an event names, other cells have their number after it."""

Change = tuple[int, Any, Any]
"""A key, a hashable that stands for its new value, and the value as plain data."""


class Track:
    """What changes during a game, key by key: in event `n`, `key` takes on `value`.

    Keys that only ever hold whole numbers from 0 (or the digits of such) are written as the
    difference to the number before, others as the place of the value in a table.
    """

    def __init__(self) -> None:
        self._counts: list[int] = []
        self._keys: list[int] = []
        self._values: list[int] = []
        self._known: dict[Any, int] = {}
        self._table: list[Any] = []
        self._now: dict[int, int] = {}

    def step(self, n: int, changes: Iterable[Change]) -> None:
        """What event `n` changes, 0 at first, without what keys have already; without change, left out."""
        count = 0
        for key, token, value in changes:
            at = self._known.get(token)
            if at is None:
                at = self._known[token] = len(self._table)
                self._table.append(value)
            if self._now.get(key) != at:
                self._now[key] = at
                self._keys.append(key)
                self._values.append(at)
                count += 1
        if count:
            self._counts += [0] * (n - len(self._counts))
            self._counts.append(count)

    def plain(self, events: int, near: Sequence[Sequence[int]] | None = None) -> dict[str, Any]:
        """The changes as plain data: how many in each of `events`, their keys and values, which keys count.

        ``near``, for tracks whose keys are cells: by event, at most `MAX_CELLS_NAMED` cells that it names.
        """
        whole = [_whole(value) for value in self._table]
        counting = set(self._keys) - {
            key for key, at in zip(self._keys, self._values, strict=True) if whole[at] is None
        }
        kept: dict[int, int] = {}
        before: dict[int, int] = {}
        values: list[int] = []
        for key, at in zip(self._keys, self._values, strict=True):
            number = whole[at]
            if key in counting and number is not None:
                difference = number - before.get(key, 0)
                before[key] = number
                values.append(zigzag(difference))
            else:
                values.append(kept.setdefault(at, len(kept)))
        return {
            "counts": compact_integers(self._counts + [0] * (events - len(self._counts))),
            "keys": compact_integers(self._keys if near is None else self._placed(near)),
            "values": compact_integers(values),
            "counting": compact_integers(sorted(counting)),
            "table": [self._table[at] for at in kept],
        }

    def _placed(self, near: Sequence[Sequence[int]]) -> Iterable[int]:
        keys = iter(self._keys)
        for count, cells in zip(self._counts, near, strict=False):  # nothing changes after the last count
            for key in islice(keys, count):
                yield cells.index(key) if key in cells else MAX_CELLS_NAMED + key


def _whole(value: Any) -> int | None:
    """A whole number from 0, or None for whatever else `value` is."""
    if isinstance(value, str):
        return int(value) if INTEGER.match(value) else None
    return value if isinstance(value, int) and value >= 0 else None
