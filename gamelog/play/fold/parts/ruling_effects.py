"""Effects of the rulings in force: points, clocks, the main line, and the end of the game."""

from __future__ import annotations

from msgspec import structs

from gamelog.play.contract.outcome import Outcome
from gamelog.play.fold.parts.closed_stretches import ClosedStretches
from gamelog.play.fold.parts.copying import FoldPart
from gamelog.play.fold.session import ClockCorrection


class RulingEffects(FoldPart):
    """The effects of the rulings in force, by ruling.

    Attributes:
        penalties: The points.
        clocks: The clock corrections.
    """

    def __init__(self) -> None:
        self.penalties: dict[int, dict[str, int]] = {}
        self.clocks: dict[int, ClockCorrection] = {}
        self._closed_stretches = ClosedStretches()
        self._results: dict[int, Outcome | None] = {}
        self._repeated_ends: dict[int, list[int]] = {}

    def closed_by(self, to: int) -> int | None:
        """Return the ruling that took back event `to`, or None.

        Only another ruling can restore such an event.
        """
        return self._closed_stretches.closing_ruling(to)

    def set_points(self, n: int, points: dict[str, int]) -> None:
        """Store the points that ruling `n` gives to seats."""
        self.penalties[n] = points

    def set_clocks(self, n: int, correction: ClockCorrection) -> None:
        """Store the clocks that ruling `n` sets."""
        self.clocks[n] = correction

    def take_clocks(self, n: int) -> ClockCorrection | None:
        """Remove and return the clocks of ruling `n` that no later ruling has set again."""
        removed = self.clocks.pop(n, None)
        if removed is None:
            return None
        later = {
            owner for number, correction in self.clocks.items() if number > n for owner in correction.readings
        }
        readings = {owner: ms for owner, ms in removed.readings.items() if owner not in later}
        return structs.replace(removed, readings=readings)

    def corrected_clock(self, owner: str, reading: int, to: int) -> int:
        """Return a clock that goes back to its `reading` after event `to`, for a seat or for the table.

        The result is at most what the arbiter has set the clock to since.
        """
        since = [
            correction.readings[owner]
            for n, correction in self.clocks.items()
            if n > to and owner in correction.readings
        ]
        return min((reading, *since))

    def end(self, n: int, result: Outcome) -> None:
        """Store that ruling `n` ends the game."""
        self._results[n] = result

    def take_back(self, n: int, to: int) -> None:
        """Store that ruling `n` takes the game back to event `to`."""
        self._closed_stretches.add(n, to)
        self._results[n] = None

    def reopen_game(self, n: int) -> None:
        """Store that event `n`, a takeback by the arbiter without a ruling, reopens the game."""
        self._results[n] = None

    def remove(self, n: int) -> tuple[dict[str, int], tuple[int, ...]]:
        """Remove the effect of ruling `n`. Return its points and the events with which it ended the game.

        Its clocks stay, because they need `take_clocks`.
        """
        points, ends = self.penalties.pop(n, {}), tuple[int, ...]()
        if n in self._results:
            if self._results.pop(n):
                ends = (n, *self._repeated_ends.pop(n, ()))
            else:
                self._closed_stretches.withdraw(n)
        return points, ends

    def last_moving_ruling(self) -> tuple[int, Outcome | None]:
        """Return the last ruling in force that moves the game, and its result.

        The number is 0 if there is none. The result is None unless the ruling ends the game.
        """
        return next(reversed(self._results.items()), (0, None))

    def ends_by(self, n: int) -> tuple[int, ...]:
        """Return the events with which ruling `n` ended the game.

        They are the ruling itself and the events that restored its end.
        """
        return (n, *self._repeated_ends.get(n, ()))

    def end_again(self, n: int, last_number: int) -> None:
        """Store that ruling `n` ends the game again with event `last_number`."""
        self._repeated_ends.setdefault(n, []).append(last_number)
