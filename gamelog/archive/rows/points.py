"""The seats' points along the line of play: who led, who was behind, and when that changed."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import compress, count
from operator import add, attrgetter, is_not, ne, sub
from typing import Any

from gamelog.archive.rows.columns import Columns
from gamelog.play.fold.fold import Fold
from gamelog.play.telling.seeing import observed


def _score(fold: Fold) -> Callable[[Any], dict[str, int]]:
    """Return what counts the points of a state: while players hide something, those that all can count."""
    game, seats = fold.game, fold.header.seat_ids
    if not game.hides or fold.outcome is not None:
        return game.score
    return lambda state: game.score(observed(game, state, seats))


class Points:
    """The points at the start and after each event of `line` that changed them, penalties included.

    A game without points has none unless an arbiter gives some. Raises `KeyError` when the game's points
    leave a seat out.
    """

    def __init__(self, fold: Fold, line: Sequence[int]) -> None:
        self.seats = fold.header.seat_ids if fold.game.has_points or fold.rulings.penalties else ()
        self._numbers: list[int] = []
        self._points: list[tuple[int, ...]] = []
        self._leader_scores: list[int] = []
        self._leaders: list[str | None] = []
        self._follow(fold, line)

    def _follow(self, fold: Fold, line: Sequence[int]) -> None:
        score, seats = _score(fold), self.seats
        states = [fold.states[0], *map(fold.states.__getitem__, line)]
        penalties = fold.rulings.penalties
        extra = Counter[str]()
        last: tuple[int, ...] = ()
        for at in _moments(
            states,
            fold.game.scored,
            [at for at, n in enumerate(line, 1) if n in penalties] if penalties else [],
        ):
            n = line[at - 1] if at else 0
            points = (
                tuple(map(score(states[at]).__getitem__, seats))
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
        """What changed, seat by seat, without the record's id."""
        told: dict[str, list[Any]] = {name: [] for name in ("n", "seat", "score", "leader_score", "leader")}
        for seat, points in zip(self.seats, zip(*self._points, strict=True), strict=True):
            changed = [True, *map(ne, points[1:], points)]
            for name, values in (
                ("n", self._numbers),
                ("score", points),
                ("leader_score", self._leader_scores),
                ("leader", self._leaders),
            ):
                told[name] += compress(values, changed)
            told["seat"] += [seat] * changed.count(True)
        return told

    def at_the_end(self) -> dict[str, int]:
        """The points of each seat."""
        return dict(zip(self.seats, self._points[-1], strict=True)) if self.seats else {}

    def overtakes(self) -> dict[str, int]:
        """How often each seat came to have more points than all others after another seat had them."""
        times = dict.fromkeys(self.seats, 0)
        ahead = None
        for leader in self._leaders:
            if leader and leader != ahead:
                times[leader] += ahead is not None
                ahead = leader
        return times

    def leader_after(self, n: float) -> str | None:
        """The seat that alone has the most points after event `n`."""
        return self._leaders[bisect_right(self._numbers, n) - 1] if self.seats else None

    def max_deficits(self) -> dict[str, tuple[int, int]]:
        """How many points each seat was behind the most that any had, at its worst,
        and the event after which it was so first.
        """
        found = {}
        for seat, own in zip(self.seats, zip(*self._points, strict=True), strict=True):
            gaps = list(map(sub, self._leader_scores, own))
            worst = max(gaps)
            found[seat] = worst, self._numbers[gaps.index(worst)]
        return found


def _moments(states: list[Any], watched: tuple[str, ...], others: list[int]) -> list[int]:
    """The places in `states` where points may be others than one place before:
    0, where a watched member is another, `others`.
    """
    moments = {0, *others}
    for members in [list(map(attrgetter(name), states)) for name in watched] or [states]:
        moments.update(compress(count(1), map(is_not, members[1:], members)))
    return sorted(moments)
