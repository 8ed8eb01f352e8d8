"""The main line: the events that count after takebacks.

A takeback in force is a jump. The line after event `n` consists of the line at the target of the last jump up
to `n`, and of everything after the jump. Between two jumps is a *stretch*. It continues from an event of an
earlier stretch, so the stretches form a tree that only grows. Each stretch also has a skip link to an earlier
ancestor (a skew-binary jump pointer), so that `stands` takes few steps. A record may have many takebacks, so
only `numbers` and `stretches` walk through all of them.

A jump may *fall*: the ruling that made it is no longer in force. Everything that continued from its target
falls too, and a line that returns to a fallen stretch continues before the fallen jump.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Iterator, Mapping

from gamelog.play.fold.parts.copying import FoldPart


class MainLine(FoldPart):
    """The jumps of a record, each with the event from which the line continues.

    `add_end` and `remove_end` record ends of the game other than by play.

    Attributes:
        discontinuities: All events that could not be carried out and all declared positions, on the line or
            not.
    """

    def __init__(self) -> None:
        """Start with one stretch that begins at event 0, and without jumps."""
        self.jumps: dict[int, int] = {}
        self.discontinuities: list[int] = []
        self._ends: list[int] = []
        self._end_before: dict[int, int] = {}
        self._withdrawn: dict[int, int] = {}
        self._non_play: list[int] = []
        self._state_at_jump: dict[int, tuple[int, int, int]] = {}
        self._begins: list[int] = [0]
        self._parent: list[int] = [0]
        self._depth: list[int] = [0]
        self._skip_link: list[int] = [0]
        self._dependents: dict[int, list[int]] = {}
        self._continuations: dict[int, int] = {}

    def add_jump(self, n: int, to: int, *, played: bool = False) -> None:
        """Add jump `n`, the latest event, to event `to`. If `played`, it falls with its own line."""
        self._state_at_jump[n] = (
            self._last(self._ends, 0, to),
            self.last_discontinuity(to),
            self.count_play(to),
        )
        self.jumps[n] = to
        parent = self._stretch_of(to)
        skip = self._skip_link[parent]
        is_even = (
            self._depth[parent] - self._depth[skip] == self._depth[skip] - self._depth[self._skip_link[skip]]
        )
        for beneath in {parent, self._stretch_of(n - 1)} if played else {parent}:
            self._dependents.setdefault(beneath, []).append(len(self._begins))
        self._begins.append(n)
        self._parent.append(parent)
        self._depth.append(self._depth[parent] + 1)
        self._skip_link.append(self._skip_link[skip] if is_even else parent)

    def add_dependency(self, n: int, on: int) -> None:
        """Make jump `n` depend on jump `on`: if jump `on` falls, jump `n` falls too."""
        self._dependents.setdefault(self._stretch_of(on), []).append(self._stretch_of(n))

    def remove_jump(self, n: int) -> None:
        """Remove the jump of event `n`. A later jump into a fallen stretch stays."""
        due = [self._stretch_of(n)]
        while due:
            index = due.pop()
            self._continuations.setdefault(index, n - 1)
            due += self._dependents.pop(index, ())

    def continuation(self, n: int) -> int:
        """Return the event after which a line that ended with `n` continues.

        It is `n`, or the event before the jump that has fallen.
        """
        passed = []
        index = self._stretch_of(n)
        while index in self._continuations:
            passed.append(index)
            n = self._continuations[index]
            index = self._stretch_of(n)
        self._continuations.update(dict.fromkeys(passed, n))
        return n

    def last_jump(self, n: int) -> int:
        """Return the last jump up to event `n`, or 0."""
        return self._begins[self._stretch_of(n)]

    def add_end(self, n: int) -> None:
        """Add event `n`, the latest, as an end of the game."""
        self._end_before[n] = self._last(self._ends, 0, n)
        self._ends.append(n)

    def remove_end(self, n: int) -> None:
        """Remove the end by event `n`, if it is one."""
        if n in self._end_before:
            self._withdrawn[n] = self._end_before[n]

    def last_end(self, n: int) -> int:
        """Return the last end on the line after event `n`, withdrawn ones excluded, or 0."""
        passed = []
        end = self._last(self._ends, 0, n)
        while end in self._withdrawn:
            passed.append(end)
            end = self._withdrawn[end]
        self._withdrawn.update(dict.fromkeys(passed, end))
        return end

    def add_non_play(self, n: int) -> None:
        """Mark event `n`, the latest, as not part of play."""
        self._non_play.append(n)

    def count_play(self, n: int) -> int:
        """Return the number of events of play on the line after event `n`, dice included."""
        jump = self.last_jump(n)
        before = self._state_at_jump[jump][2] if jump else 0
        return before + n - jump - bisect_right(self._non_play, n) + bisect_right(self._non_play, jump)

    def last_discontinuity(self, n: int) -> int:
        """Return the last of ``discontinuities`` on the line after event `n`, or 0."""
        return self._last(self.discontinuities, 1, n)

    def _last(self, numbers: list[int], which: int, n: int) -> int:
        jump = self._begins[self._stretch_of(n)]
        index = bisect_right(numbers, n)
        if index and numbers[index - 1] >= jump:
            return numbers[index - 1]
        return self._state_at_jump[jump][which] if jump else 0

    def _stretch_of(self, n: int) -> int:
        """Return the index of the stretch with event `n`."""
        return bisect_right(self._begins, n) - 1

    def stands(self, number: int, n: int) -> bool:
        """Return whether event `number`, which may be a takeback in force, is on the line after event `n`."""
        index = self._stretch_of(n)
        while self._begins[index] > number:
            skip = self._skip_link[index]
            if self._begins[skip] > number:
                index = skip
            else:
                n = self.jumps[self._begins[index]]
                index = self._parent[index]
        return number <= n

    def numbers(self, n: int) -> list[int]:
        """Return the numbers of the events on the line after event `n`, without takebacks."""
        numbers: list[int] = []
        for stretch in self.stretches(n):
            numbers += stretch
        numbers.reverse()
        return numbers

    def stretches(self, n: int) -> Iterator[range]:
        """Yield the numbers of the events on the line after event `n` in ranges, the last first."""
        while jump := self._begins[self._stretch_of(n)]:
            yield range(n, jump, -1)
            n = self.jumps[jump]
        yield range(n, 0, -1)


def removed_ranges(jumps: Mapping[int, int], slips: Collection[int], n: int) -> Iterator[range]:
    """Yield the ranges of events up to `n` that `slips` removed. `jumps` are the takebacks in force.

    A takeback undoes events that were played; a slip says that they never were. Both may be inside a range
    that another takeback or slip has removed. Everything that a slip removed was never played, takebacks
    included. Everything that a takeback removed was played, except what a slip had removed from it before.
    """
    order = [*jumps]
    due = [(n, 0)]
    while due:
        end, low = due.pop()
        while end > low:
            index = bisect_right(order, end)
            if not index or order[index - 1] <= low:
                break
            jump = order[index - 1]
            to = max(jumps[jump], low)
            if jump in slips:
                yield range(to + 1, jump)
            else:
                due.append((jump - 1, to))
            end = jumps[jump]
