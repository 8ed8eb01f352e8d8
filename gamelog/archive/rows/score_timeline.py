"""The points of the seats along the main line: the leader, the deficits, and the moments of change."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import compress, count
from operator import add, attrgetter, is_not, ne, sub
from typing import Any

from gamelog.archive.rows.columns import Columns
from gamelog.play.fold.fold import Fold
from gamelog.play.visibility.viewer import observe_as, running_viewer


def _scorer(fold: Fold) -> Callable[[Any], dict[str, int]]:
    """Return the function that counts the points of a state.

    In an unfinished game with hidden information, it counts only what all seats see.
    """
    game, viewer = fold.game, running_viewer(fold)
    if not viewer.seats:
        return game.score
    return lambda state: game.score(observe_as(game, state, viewer))


class ScoreTimeline:
    """The points at the start and after each event of a main line that changed them, with penalties.

    A game without points has some only if an arbiter gives penalties.
    """

    def __init__(self, fold: Fold, line: Sequence[int]) -> None:
        """Count the points along `line`.

        Raises:
            KeyError: The game gives no points to a seat.
        """
        self.seats = fold.header.seat_ids if fold.game.has_points or fold.rulings.effects.penalties else ()
        self._numbers: list[int] = []
        self._points: list[tuple[int, ...]] = []
        self._leader_scores: list[int] = []
        self._leaders: list[str | None] = []
        self._follow(fold, line)

    def _follow(self, fold: Fold, line: Sequence[int]) -> None:
        """Collect the points of the seats after each event of `line` that changes them.

        The points include the penalties up to that event. The leader is None if seats share the highest
        points.
        """
        score, seats = _scorer(fold), self.seats
        states = [fold.states[0], *map(fold.states.__getitem__, line)]
        penalties = fold.rulings.effects.penalties
        extra = Counter[str]()
        last: tuple[int, ...] = ()
        for position in _possible_changes(
            states,
            fold.game.scored,
            [position for position, n in enumerate(line, 1) if n in penalties] if penalties else [],
        ):
            n = line[position - 1] if position else 0
            points = (
                tuple(map(score(states[position]).__getitem__, seats))
                if fold.game.has_points
                else (0,) * len(seats)
            )
            if penalties:
                extra.update(penalties.get(n, {}))
                points = tuple(map(add, points, map(extra.__getitem__, seats)))
            if points != last:
                most = max(points)
                self._numbers.append(n)
                self._points.append(points)
                self._leader_scores.append(most)
                self._leaders.append(seats[points.index(most)] if points.count(most) == 1 else None)
                last = points

    def columns(self) -> Columns:
        """Return the columns of the table scores without ``id``: the changes, seat by seat."""
        columns: dict[str, list[Any]] = {
            name: [] for name in ("n", "seat", "score", "leader_score", "leader")
        }
        for seat, points in zip(self.seats, zip(*self._points, strict=True), strict=True):
            changed = [True, *map(ne, points[1:], points)]
            for name, values in (
                ("n", self._numbers),
                ("score", points),
                ("leader_score", self._leader_scores),
                ("leader", self._leaders),
            ):
                columns[name] += compress(values, changed)
            columns["seat"] += [seat] * changed.count(True)
        return columns

    def final_points(self) -> dict[str, int]:
        """Return the final points of each seat."""
        return dict(zip(self.seats, self._points[-1], strict=True)) if self.seats else {}

    def overtakes(self) -> dict[str, int]:
        """Return the number of times that each seat took the lead from another seat."""
        times = dict.fromkeys(self.seats, 0)
        ahead = None
        for leader in self._leaders:
            if leader and leader != ahead:
                times[leader] += ahead is not None
                ahead = leader
        return times

    def leader_after(self, n: float) -> str | None:
        """Return the seat that alone has the most points after event `n`, or None."""
        return self._leaders[bisect_right(self._numbers, n) - 1] if self.seats else None

    def max_deficits(self) -> dict[str, tuple[int, int]]:
        """Return each seat's largest distance to the highest score, and the first event with it."""
        deficits = {}
        for seat, points in zip(self.seats, zip(*self._points, strict=True), strict=True):
            gaps = list(map(sub, self._leader_scores, points))
            worst = max(gaps)
            deficits[seat] = worst, self._numbers[gaps.index(worst)]
        return deficits


def _possible_changes(states: list[Any], watched: tuple[str, ...], others: list[int]) -> list[int]:
    """Return the positions in `states` at which points may change.

    These are 0, the positions at which a watched member changes, and `others`.
    """
    moments = {0, *others}
    for members in [list(map(attrgetter(name), states)) for name in watched] or [states]:
        moments.update(compress(count(1), map(is_not, members[1:], members)))
    return sorted(moments)
