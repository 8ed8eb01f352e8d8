"""The course of play: which events stand once takebacks have cut others out.

A takeback in force is a jump: what stands after event `n` is what stood before the last jump up to
`n`, where that jump leads to, and everything behind the jump. A record may be full of takebacks, so
that nothing here walks through all of it but `line`.
"""

from __future__ import annotations

from bisect import bisect_right


class Course:
    """The jumps of a record, each with the event on which the line goes on.

    ``ends`` are the events that ended the game other than by play, ``breaks`` those that nobody could
    carry out and the positions declared, all of them, standing or not.
    """

    def __init__(self) -> None:
        self.jumps: dict[int, int] = {}
        self.ends: list[int] = []
        self.breaks: list[int] = []
        self._order: list[int] = []
        self._marked: dict[int, tuple[int, int]] = {}

    def jump(self, n: int, to: int) -> None:
        """Event `n`, the latest, makes the line go on from event `to`."""
        self._marked[n] = self.last_end(to), self.last_break(to)
        self.jumps[n] = to
        self._order.append(n)

    def last_end(self, n: int) -> int:
        """The last of ``ends`` that stands after event `n`, or 0."""
        return self._last(self.ends, 0, n)

    def last_break(self, n: int) -> int:
        """The last of ``breaks`` that stands after event `n`, or 0."""
        return self._last(self.breaks, 1, n)

    def _last(self, numbers: list[int], which: int, n: int) -> int:
        jump = self._jump_before(n)
        at = bisect_right(numbers, n)
        if at and numbers[at - 1] > jump:
            return numbers[at - 1]
        return self._marked[jump][which] if jump else 0

    def _jump_before(self, n: int) -> int:
        """The last jump up to event `n`, or 0."""
        at = bisect_right(self._order, n)
        return self._order[at - 1] if at else 0

    def stands(self, number: int, n: int) -> bool:
        """Whether event `number`, which may be a takeback in force, stands after event `n`."""
        while jump := self._jump_before(n):
            if number >= jump:
                break
            n = self.jumps[jump]
        return number <= n

    def line(self, n: int) -> list[int]:
        """The numbers of the events that stand after event `n`, takebacks left out."""
        numbers: list[int] = []
        while jump := self._jump_before(n):
            numbers += range(n, jump, -1)
            n = self.jumps[jump]
        numbers += range(n, 0, -1)
        numbers.reverse()
        return numbers
