"""The main line of play: which events stand once takebacks have cut others out.

A takeback in force is a jump: what stands after event `n` is what stood before the last jump up to
`n`, where that jump leads to, and everything behind the jump. Between two jumps lies a *stretch*,
which goes on from an event of an earlier one, so the stretches are a tree that only grows. A record
may be full of takebacks, so nothing here but `numbers` and `stretches` walks through all of them.

A jump may *fall*: the ruling that made it is no longer in force. What went on from where it led falls
with it, and whoever goes back to a fallen stretch comes out before the jump that has fallen.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Iterator, Mapping


class Mainline:
    """The jumps of a record, each with the event on which the line goes on.

    ``discontinuities`` are the events that nobody could carry out and the positions declared, all of them,
    standing or not; ends of the game other than by play are told by `end` and `withdraw`.
    """

    def __init__(self) -> None:
        self.jumps: dict[int, int] = {}
        self.discontinuities: list[int] = []
        self._ends: list[int] = []
        self._before: dict[int, int] = {}
        self._withdrawn: dict[int, int] = {}
        self._beside: list[int] = []
        self._marked: dict[int, tuple[int, int, int]] = {}
        self._begins: list[int] = [0]
        self._parent: list[int] = [0]
        self._depth: list[int] = [0]
        self._leap: list[int] = [0]
        self._onward: dict[int, list[int]] = {}
        self._fallen: dict[int, int] = {}

    def jump(self, n: int, to: int, *, played: bool = False) -> None:
        """Event `n`, the latest, makes the line go on from `to`; if `played`, it falls with its own line."""
        self._marked[n] = self._last(self._ends, 0, to), self.last_discontinuity(to), self.played_to(to)
        self.jumps[n] = to
        parent = self._stretch(to)
        leap = self._leap[parent]
        even = self._depth[parent] - self._depth[leap] == self._depth[leap] - self._depth[self._leap[leap]]
        for beneath in {parent, self._stretch(n - 1)} if played else {parent}:
            self._onward.setdefault(beneath, []).append(len(self._begins))
        self._begins.append(n)
        self._parent.append(parent)
        self._depth.append(self._depth[parent] + 1)
        self._leap.append(self._leap[leap] if even else parent)

    def hang(self, n: int, on: int) -> None:
        """The jump of event `n` falls when that of event `on` does."""
        self._onward.setdefault(self._stretch(on), []).append(self._stretch(n))

    def fall(self, n: int) -> None:
        """The jump of event `n` is not one any more. Who jumps into a fallen stretch later: that holds."""
        due = [self._stretch(n)]
        while due:
            at = due.pop()
            self._fallen.setdefault(at, n - 1)
            due += self._onward.pop(at, ())

    def landing(self, n: int) -> int:
        """Where the line goes on whose last event was `n`: after `n`, or before what has fallen under it."""
        passed = []
        at = self._stretch(n)
        while at in self._fallen:
            passed.append(at)
            n = self._fallen[at]
            at = self._stretch(n)
        self._fallen.update(dict.fromkeys(passed, n))
        return n

    def last_jump(self, n: int) -> int:
        """The last jump up to event `n`, or 0."""
        return self._begins[self._stretch(n)]

    def end(self, n: int) -> None:
        """Event `n`, the latest, ends the game."""
        self._before[n] = self._last(self._ends, 0, n)
        self._ends.append(n)

    def withdraw(self, n: int) -> None:
        """The end by event `n`, if it is one, is not one any more."""
        if n in self._before:
            self._withdrawn[n] = self._before[n]

    def last_end(self, n: int) -> int:
        """The last end, not withdrawn, that stands after event `n`, or 0."""
        passed = []
        end = self._last(self._ends, 0, n)
        while end in self._withdrawn:
            passed.append(end)
            end = self._withdrawn[end]
        self._withdrawn.update(dict.fromkeys(passed, end))
        return end

    def leave_out(self, n: int) -> None:
        """Event `n`, the latest, is not one of play."""
        self._beside.append(n)

    def played_to(self, n: int) -> int:
        """How many events of play stand after event `n`, dice among them."""
        jump = self.last_jump(n)
        before = self._marked[jump][2] if jump else 0
        return before + n - jump - bisect_right(self._beside, n) + bisect_right(self._beside, jump)

    def last_discontinuity(self, n: int) -> int:
        """The last of ``discontinuities`` that stands after event `n`, or 0."""
        return self._last(self.discontinuities, 1, n)

    def _last(self, numbers: list[int], which: int, n: int) -> int:
        jump = self._begins[self._stretch(n)]
        at = bisect_right(numbers, n)
        if at and numbers[at - 1] >= jump:
            return numbers[at - 1]
        return self._marked[jump][which] if jump else 0

    def _stretch(self, n: int) -> int:
        """Which stretch event `n` is in."""
        return bisect_right(self._begins, n) - 1

    def stands(self, number: int, n: int) -> bool:
        """Whether event `number`, which may be a takeback in force, stands after event `n`."""
        at = self._stretch(n)
        while self._begins[at] > number:
            leap = self._leap[at]
            if self._begins[leap] > number:
                at = leap
            else:
                n = self.jumps[self._begins[at]]
                at = self._parent[at]
        return number <= n

    def numbers(self, n: int) -> list[int]:
        """The numbers of the events that stand after event `n`, takebacks left out."""
        numbers: list[int] = []
        for stretch in self.stretches(n):
            numbers += stretch
        numbers.reverse()
        return numbers

    def stretches(self, n: int) -> Iterator[range]:
        """The same, the last first, in ranges."""
        while jump := self._begins[self._stretch(n)]:
            yield range(n, jump, -1)
            n = self.jumps[jump]
        yield range(n, 0, -1)


def corrections(jumps: Mapping[int, int], slips: Collection[int], n: int) -> Iterator[range]:
    """Yield the stretches of events up to `n` that `slips` took out; `jumps` are the takebacks in force.

    A takeback undoes what was played; a slip says that it never was. Both may be within a stretch that
    another takeback or slip has cut out: what a slip cut out was never played, takebacks included; what a
    takeback cut out was played, except what a slip had taken out of it before.
    """
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
