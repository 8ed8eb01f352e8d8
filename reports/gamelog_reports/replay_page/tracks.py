"""Tracks: the changes of values during a game by key, such as the pieces of a cell or the points of a seat.

Each change has the key and its new value, so that a page can jump to any event. A cell's key is its number,
or its place among the cells that the event names, because most changes are there. The page's `timeline.js` is
the counterpart.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Any

from gamelog_reports.packed import INTEGER, compact_integers, zigzag

MAX_CELLS_NAMED = 8
"""The number of cells that an event can name. Keys below it are places among them, and other cells follow."""

Change = tuple[int, Any, Any]
"""A key, a hashable that stands for its new value, and the value as plain data."""


class Track:
    """The changes of some keys during a game: in event `n`, `key` takes on `value`.

    If all values of a key are whole numbers from 0 or their digits, differences between them are written.
    Other values are written as places in a table.
    """

    def __init__(self) -> None:
        self._counts: list[int] = []
        self._keys: list[int] = []
        self._values: list[int] = []
        self._known: dict[Any, int] = {}
        self._table: list[Any] = []
        self._now: dict[int, int] = {}

    def step(self, n: int, changes: Iterable[Change]) -> None:
        """Add the changes of event `n`, or 0 for the start. Values that keys have already are left out."""
        count = 0
        for key, token, value in changes:
            index = self._known.get(token)
            if index is None:
                index = self._known[token] = len(self._table)
                self._table.append(value)
            if self._now.get(key) != index:
                self._now[key] = index
                self._keys.append(key)
                self._values.append(index)
                count += 1
        if count:
            self._counts += [0] * (n - len(self._counts))
            self._counts.append(count)

    def plain(self, events: int, cells_by_event: Sequence[Sequence[int]] | None = None) -> dict[str, Any]:
        """Return the changes as plain data: their number in each of `events`, their keys and their values.

        The member ``counting`` has the keys whose values are numbers. If keys are cells,
        `cells_by_event` has at most `MAX_CELLS_NAMED` cells that each event names.
        """
        integers = [_whole_number(value) for value in self._table]
        counting = set(self._keys) - {
            key for key, index in zip(self._keys, self._values, strict=True) if integers[index] is None
        }
        positions: dict[int, int] = {}
        previous: dict[int, int] = {}
        values: list[int] = []
        for key, index in zip(self._keys, self._values, strict=True):
            number = integers[index]
            if key in counting and number is not None:
                difference = number - previous.get(key, 0)
                previous[key] = number
                values.append(zigzag(difference))
            else:
                values.append(positions.setdefault(index, len(positions)))
        return {
            "counts": compact_integers(self._counts + [0] * (events - len(self._counts))),
            "keys": compact_integers(
                self._keys if cells_by_event is None else self._keys_near(cells_by_event)
            ),
            "values": compact_integers(values),
            "counting": compact_integers(sorted(counting)),
            "table": [self._table[index] for index in positions],
        }

    def _keys_near(self, cells_by_event: Sequence[Sequence[int]]) -> Iterable[int]:
        keys = iter(self._keys)
        for count, cells in zip(self._counts, cells_by_event, strict=False):  # no changes follow
            for key in islice(keys, count):
                yield cells.index(key) if key in cells else MAX_CELLS_NAMED + key


def _whole_number(value: Any) -> int | None:
    """Return `value` as a whole number from 0, or None if it is something else."""
    if isinstance(value, str):
        return int(value) if INTEGER.match(value) else None
    return value if isinstance(value, int) and value >= 0 else None
