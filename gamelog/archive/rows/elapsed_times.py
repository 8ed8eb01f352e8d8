"""The time of play that each event of a record took, with the corrections of the arbiter."""

from __future__ import annotations

from collections.abc import Collection
from operator import sub

from gamelog.play.fold.fold import Fold
from gamelog.play.fold.seat_times import seat_times


def elapsed_times(fold: Fold, corrected: Collection[int]) -> list[int]:
    """Return the time of play that each event took, in ms. The sum is the time of play.

    Slips, and events that were `corrected` as slips, took no time. If the arbiter takes time from a seat, its
    last events lose it. If the arbiter gives time to a seat, its next event gets it.
    """
    times = fold.play_times()
    elapsed = list(map(sub, times, [0, *times]))
    for n in (*corrected, *fold.slips):
        elapsed[n - 1] = 0
    if any(ruling.kind == "clock" for ruling in fold.rulings.by_number.values()):
        for n in fold.slips.difference(corrected):
            elapsed[n - 1] = fold.play_time_at(n) - fold.play_time_at(fold.takebacks[n])
        _Corrector(fold, elapsed, frozenset(corrected)).run()
    return elapsed


class _Corrector:
    """Rulings on the clock, applied to the times of events: time moves from earlier to later events."""

    def __init__(self, fold: Fold, elapsed: list[int], corrected: frozenset[int]) -> None:
        self._fold = fold
        self._elapsed_times = elapsed
        self._corrected_events = corrected
        self._timed_rows: list[int] = []
        self._timed_rows_by_seat: dict[str, list[int]] = {seat: [] for seat in fold.header.seat_ids}
        self._due_times: dict[str, tuple[int, int]] = {}

    def run(self) -> None:
        """Correct the times."""
        elapsed, corrections = self._elapsed_times, seat_times(self._fold).corrections
        for event in self._fold.events:
            index, n = event.n - 1, event.n
            if n in self._corrected_events:
                continue
            if n in corrections or elapsed[index] < 0:
                self._apply_ruling(index, corrections.get(n, {}))
            elif event.by in self._due_times and type(event) in self._fold.game.events:
                ruling, ms = self._due_times.pop(event.by)
                elapsed[index] += ms
                elapsed[ruling] -= ms
                self._take_missing_time(ruling)
            if elapsed[index] > 0:
                self._timed_rows.append(index)
                if event.by in self._timed_rows_by_seat:
                    self._timed_rows_by_seat[event.by].append(index)

    def _apply_ruling(self, index: int, changes: dict[str, int]) -> None:
        """Apply the `changes` of the seats' times that the event at `index` makes."""
        for seat, ms in changes.items():
            if ms < 0:
                self._elapsed_times[index] += self._take_time(self._timed_rows_by_seat[seat], -ms)
            else:
                self._due_times[seat] = (index, ms)
        self._take_missing_time(index)

    def _take_missing_time(self, index: int) -> None:
        """Take the missing time of the event at `index`, if its time is negative, from the events before."""
        if self._elapsed_times[index] < 0:
            self._elapsed_times[index] += self._take_time(self._timed_rows, -self._elapsed_times[index])

    def _take_time(self, rows: list[int], ms: int) -> int:
        """Take up to `ms` from the last of `rows`, and return the time that was taken."""
        remaining_ms = ms
        while rows and remaining_ms:
            part = max(0, min(remaining_ms, self._elapsed_times[rows[-1]]))
            self._elapsed_times[rows[-1]] -= part
            remaining_ms -= part
            if remaining_ms:
                rows.pop()
        return ms - remaining_ms
