"""The turning points of a game: swings of points, lasting changes of the lead, threats, ends of players."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import pairwise
from types import MappingProxyType

from msgspec import Struct

from gamelog.message import Message
from gamelog.play.view.step import StepView

_MAX_TURNING_POINTS = 5
"""Maximum number of turning points."""

NO_MEASURED: Mapping[int, Message] = MappingProxyType({})
"""No measured turning points."""

_LEAD_DIVISOR = 20
"""A change of the lead counts if it lasts for the 20th part of the game."""


class TurningPoint(Struct, frozen=True):
    """A turning point of a game.

    Attributes:
        n: Number of the event.
        message: The change in words.
    """

    n: int
    message: Message


class TurningPoints:
    """A collector of turning points from the steps of a view. It knows only what the view shows."""

    def __init__(self, seats: tuple[str, ...]) -> None:
        self._now = dict.fromkeys(seats, 0)
        self._scores: list[dict[str, int]] = []
        self._ends: dict[int, Message] = {}
        self._threats: dict[int, Message] = {}
        self._turns: set[int] = set()

    def push(self, step: StepView) -> None:
        """Add a step. The first is step 0, the start."""
        if step.score:
            self._now = self._now | step.score
        self._scores.append(self._now)
        for fact in step.facts:
            if fact.tag == "out":
                self._ends[step.n] = Message.of("{@seat} is out of the game.", seat=fact.members["seat"])
            elif fact.tag == "threat":
                self._threats[step.n] = Message.of("{@seat} threatens to win.", seat=fact.members["seat"])
            elif fact.tag == "turn_over":
                self._turns.add(step.n)
            elif fact.tag == "@resign":
                self._ends[step.n] = Message.of("{@by} resigns.", by=fact.members["by"])

    def find(
        self, counted: Iterable[int], measured: Mapping[int, Message] = NO_MEASURED
    ) -> list[TurningPoint]:
        """Return the turning points among the events `counted`, in the order of the events.

        There are at most five: those that an analysis has `measured`, ends of players, the last threats, the
        changes of the lead that lasted longest, then the largest swings.
        """
        line = [n for n in sorted(counted) if 0 < n < len(self._scores)]
        if not line:
            return []
        points = {n: measured[n] for n in line if n in measured}
        threats, ends = ([n for n in line if n in found] for found in (self._threats, self._ends))
        for n in [*threats[-3:], *ends[:2]]:
            if len(points) < _MAX_TURNING_POINTS:
                points.setdefault(n, self._ends.get(n) or self._threats[n])
        leads = self._leads(line)
        swings = self._swings(line)
        for n in [*list(leads)[:3], *swings]:
            if len(points) < _MAX_TURNING_POINTS:
                points.setdefault(n, self._message(n, leads.get(n), swings.get(n)))
        return [TurningPoint(n, points[n]) for n in sorted(points)]

    def _message(self, n: int, leader: str | None, swing: tuple[str, int] | None) -> Message:
        """Return the change of event `n` in words: the new leader, the change of a seat's points, or both."""
        scores = self._scores[n]
        if leader is None and swing is not None:
            seat, change = swing
            text = (
                "{@seat} gains {points} in one turn and has {total}."
                if change > 0
                else "{@seat} loses {points} in one turn and has {total}."
            )
            return Message.of(text, seat=seat, points=abs(change), total=scores[seat])
        assert leader is not None
        lead = {"points": scores[leader], "second": self._second_highest(n, leader)}
        if swing is None:
            return Message.of("{@seat} takes the lead, {points} to {second}.", seat=leader, **lead)
        seat, change = swing
        if seat == leader and change > 0:
            text = "{@seat} gains {gain} in one turn and takes the lead, {points} to {second}."
            return Message.of(text, seat=seat, gain=change, **lead)
        text = (
            "{@seat} gains {change} in one turn, and {@leader} takes the lead, {points} to {second}."
            if change > 0
            else "{@seat} loses {change} in one turn, and {@leader} takes the lead, {points} to {second}."
        )
        return Message.of(text, seat=seat, change=abs(change), leader=leader, **lead)

    def _leads(self, line: list[int]) -> dict[int, str]:
        """Return the new leaders that lasted, by event, the longest first, without the first lead."""
        changes: list[tuple[int, str]] = []
        for n in line:
            leader = _leader(self._scores[n])
            if leader and (not changes or changes[-1][1] != leader):
                changes.append((n, leader))
        lasted = [
            (end - n, n, seat)
            for (n, seat), (end, _) in pairwise([*changes[1:], (line[-1] + 1, "")])
            if (end - n) * _LEAD_DIVISOR >= len(line)
        ]
        return {n: seat for _, n, seat in sorted(lasted, key=lambda change: (-change[0], change[1]))}

    def _second_highest(self, n: int, leader: str) -> int:
        return max(points for seat, points in self._scores[n].items() if seat != leader)

    def _swings(self, line: list[int]) -> dict[int, tuple[str, int]]:
        """Return the seats whose points changed by two or more in a turn, by event, the largest change first.

        A turn is shown by its last event that changed these points. Everything before the first end of a turn
        is left out, because it can be the set-up of all seats. In a game without turns, each event is a turn.
        """
        swings: list[tuple[int, int, str]] = []
        scores_before, changed = dict[str, int](), dict[str, int]()
        for index, n in enumerate(line):
            before, now = self._scores[line[index - 1] if index else 0], self._scores[n]
            if now is not before:
                changed |= {seat: n for seat in now if now[seat] != before[seat]}
            if n in self._turns or not self._turns or n == line[-1]:
                if scores_before:
                    swings += [(now[seat] - scores_before[seat], changed[seat], seat) for seat in changed]
                scores_before, changed = now, {}
        swings.sort(key=lambda swing: (-abs(swing[0]), swing[1]))
        swings_by_event: dict[int, tuple[str, int]] = {}
        for change, n, seat in swings:
            if abs(change) > 1:
                swings_by_event.setdefault(n, (seat, change))
        return swings_by_event


def _leader(score: Mapping[str, int]) -> str | None:
    """Return the seat with the most points, or None if several seats have them or there is one seat."""
    if len(score) < 2:
        return None
    best = max(score.values())
    leaders = [seat for seat, points in score.items() if points == best]
    return leaders[0] if len(leaders) == 1 else None
