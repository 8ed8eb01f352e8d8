"""Stretches of a record that rulings have closed: only another ruling leads back to them.

A ruling in event ``r`` that takes the game back to event ``to`` closes the events between them. A later
ruling that goes to an event before ``r`` replaces it there: it closes more, or it leads into the stretch. So
a stretch is in force if all later rulings in force go to ``r`` or a later event. Only the last ruling that
goes to before an event can have closed that event. Both are found in a segment tree of minimums over the
rulings in order, in time that grows with the logarithm of their number.
"""

from __future__ import annotations

from gamelog.play.fold.parts.copying import FoldPart

_AFTER_ALL_EVENTS = 1 << 60
"""Target of a ruling that is no longer in force: after every event."""


class ClosedStretches(FoldPart):
    """The takebacks by rulings in the order of the record, including withdrawn ones."""

    def __init__(self) -> None:
        self._rulings: list[int] = []
        self._place: dict[int, int] = {}
        self._size = 1
        self._least = [_AFTER_ALL_EVENTS] * 2

    def add(self, ruling: int, to: int) -> None:
        """Add event `ruling`, the latest, which takes the game back to event `to`."""
        index = len(self._rulings)
        if index == self._size:
            self._double_size()
        self._rulings.append(ruling)
        self._place[ruling] = index
        self._set_target(index, to)

    def withdraw(self, ruling: int) -> None:
        """Withdraw the takeback of event `ruling`."""
        self._set_target(self._place[ruling], _AFTER_ALL_EVENTS)

    def closing_ruling(self, event: int) -> int | None:
        """Return the ruling that has closed `event`, or None."""
        least = self._least
        if least[1] >= event:
            return None
        node = 1
        while node < self._size:
            node = 2 * node + (least[2 * node + 1] < event)
        ruling = self._rulings[node - self._size]
        if ruling <= event:
            return None
        while node > 1:
            if node % 2 == 0 and least[node + 1] < ruling:
                return None
            node //= 2
        return ruling

    def _set_target(self, index: int, to: int) -> None:
        least, node = self._least, index + self._size
        least[node] = to
        while node > 1:
            node //= 2
            least[node] = min(least[2 * node], least[2 * node + 1])

    def _double_size(self) -> None:
        leaves = self._least[self._size :] + [_AFTER_ALL_EVENTS] * self._size
        self._size *= 2
        self._least = least = [_AFTER_ALL_EVENTS] * self._size + leaves
        for node in range(self._size - 1, 0, -1):
            least[node] = min(least[2 * node], least[2 * node + 1])
