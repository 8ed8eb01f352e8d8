"""The time that each seat has used, from the record's stamps and the arbiter's corrections."""

from __future__ import annotations

from msgspec import Struct

from gamelog.play.fold.common_events import Ruling
from gamelog.play.fold.fold import Fold
from gamelog.record.envelope import TABLE, Event


class SeatTimes(Struct, frozen=True):
    """The time that each seat has used.

    Attributes:
        by_seat: By seat, the time up to each event, in ms: the play before its own events.
        corrections: The time that rulings have added or removed, by event and seat.
    """

    by_seat: dict[str, list[int]]
    corrections: dict[int, dict[str, int]]


def seat_times(fold: Fold) -> SeatTimes:
    """Return the time that each seat has used up to each event of `fold`, without pauses."""
    clocks = [0, *fold.play_times()]
    used = {seat: [0] for seat in fold.header.seat_ids}
    corrections: dict[int, dict[str, int]] = {}
    ruled = _TimeCorrections(fold)
    for event in fold.events:
        n = event.n
        to = fold.takebacks[n] if n in fold.slips else None
        added_time = ruled.added_time(event, used) if ruled.has_clock_rulings else {}
        for seat, line in used.items():
            before = line[-1] if to is None else line[to]
            spent = clocks[n] - clocks[n - 1] if seat == event.by and to is None else 0
            line.append(max(0, before + spent + added_time.get(seat, 0)))
        if added_time:
            corrections[n] = added_time
    return SeatTimes(used, corrections)


def used_times(fold: Fold) -> dict[str, int]:
    """Return the milliseconds that each seat has used up to the last event."""
    return {seat: line[-1] for seat, line in seat_times(fold).by_seat.items()}


class _TimeCorrections:
    """The time that rulings add to seats, event by event."""

    def __init__(self, fold: Fold) -> None:
        self.fold = fold
        self.has_clock_rulings = any(ruling.kind == "clock" for ruling in fold.rulings.by_number.values())
        self._readings: dict[int, dict[str, int]] = {}
        self._added_times: dict[int, dict[str, int]] = {}

    def added_time(self, event: Event, used: dict[str, list[int]]) -> dict[str, int]:
        """Return the time that `event` adds to the times `used` so far, by seat. Most events add none."""
        n, added_ms = event.n, dict[str, int]()
        if n in self.fold.slips:
            return self._after_slip(self.fold.takebacks[n], used)
        if not isinstance(event, Ruling):
            return added_ms
        if event.about in self._readings and event.kind != "stands":
            added_ms = self._remove_ruling(event.about)
        if event.kind == "clock":
            self._readings[n] = {seat: ms for seat, ms in (event.clock or {}).items() if seat != TABLE}
            self._added_times[n] = {
                seat: ms - used[seat][-1] - added_ms.get(seat, 0) for seat, ms in self._readings[n].items()
            }
            added_ms = {
                seat: added_ms.get(seat, 0) + self._added_times[n].get(seat, 0)
                for seat in {**added_ms, **self._added_times[n]}
            }
        return {seat: ms for seat, ms in added_ms.items() if ms}

    def _remove_ruling(self, ruling: int) -> dict[str, int]:
        """Return the time that goes with `ruling`, for seats that no later ruling has set."""
        del self._readings[ruling]
        later = {seat for n, seats in self._readings.items() if n > ruling for seat in seats}
        return {seat: -ms for seat, ms in self._added_times.pop(ruling).items() if seat not in later}

    def _after_slip(self, to: int, used: dict[str, list[int]]) -> dict[str, int]:
        """Return the time that a slip back to event `to` removes. No seat gets more than was ruled since."""
        self._added_times.update({n: {} for n in self._readings if n > to})
        over = {
            seat: min(
                (line[to], *(seats[seat] for n, seats in self._readings.items() if n > to and seat in seats))
            )
            - line[to]
            for seat, line in used.items()
        }
        return {seat: ms for seat, ms in over.items() if ms}
