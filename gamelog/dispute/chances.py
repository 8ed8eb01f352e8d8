"""Odds of rolls and contests, exact, for any game.

Nothing here knows a game: what is drawn stands in `ChanceDue`, and the odds of a contest are those which
the game's own effects give, whatever the dice then show.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from math import comb, factorial, prod
from typing import Any

import msgspec
from msgspec import Struct

from gamelog.chance.draws import Dice, Draw, Results, Weighted, kinds_of, results_problem
from gamelog.play.contract.effects import Contest
from gamelog.play.contract.game import AnyGame
from gamelog.play.contract.odds import ways
from gamelog.record.envelope import Event

_MAX_WAYS = 20_000
"""Ways to draw that are looked through for the one that was."""


class Likelihood(Struct, frozen=True):
    """Probability of a roll or draw.

    ``exactly`` is the probability of these results, in any order within a throw or a handful; of a bag
    drawn to its end, in this order. ``at_least`` is that of their sum or a larger one, where one throw of
    several dice was all. Fractions are written ``5/36``.
    """

    exactly: str
    at_least: str | None = None


class ContestOdds(Struct, frozen=True):
    """Odds of a contest for `by` before its dice fell. ``exact`` is ``odds`` as a fraction, if known."""

    by: str
    against: str | None
    odds: float
    exact: str | None = None


def likelihood(game: AnyGame, before: Any, event: Event) -> Likelihood | None:
    """Return how likely the results in `event` were, which chance owed in `before`; None if unknown."""
    owed = game.pending(before).chance
    drawn = results_of(game, before, event) if owed else None
    if owed is None or drawn is None or results_problem(owed.draws, drawn):
        return None
    exactly = prod(
        (_probability(draw, result) for draw, result in zip(owed.draws, drawn, strict=True)),
        start=Fraction(1),
    )
    at_least = None
    if len(owed.draws) == 1 and isinstance(owed.draws[0], Dice) and owed.draws[0].count > 1:
        counts = ways(owed.draws[0].count, owed.draws[0].sides)
        at_least = str(Fraction(sum(counts[sum(map(int, drawn[0])) :]), sum(counts)))
    return Likelihood(str(exactly), at_least)


def contest_odds(game: AnyGame, before: Any) -> ContestOdds | None:
    """The odds of the contest whose dice the state `before` owes; None where none is due."""
    owed = game.pending(before).chance
    if owed is None or not all(isinstance(draw, Dice) for draw in owed.draws):
        return None
    contest = next(filter(None, (_contest(game, before, results) for results in _uneven(owed.draws))), None)
    if contest is None:
        return None
    throws = prod(draw.sides**draw.count for draw in owed.draws if isinstance(draw, Dice))
    exact = Fraction(round(contest.odds * throws), throws)
    return ContestOdds(
        contest.by, contest.against, contest.odds, str(exact) if float(exact) == contest.odds else None
    )


def _uneven(draws: tuple[Draw, ...]) -> Iterator[Results]:
    """Throws of which one settles a contest even if ties go again: all ones, then each side's dice high."""
    dice = [draw for draw in draws if isinstance(draw, Dice)]
    for high in (None, *range(len(dice))):
        yield tuple((draw.sides if at == high else 1,) * draw.count for at, draw in enumerate(dice))


def _contest(game: AnyGame, before: Any, results: Results) -> Contest | None:
    """The contest that these results would settle."""
    event = game.chance(before, results)
    if game.check(before, event) is not None:
        return None
    effects = game.effects(before, event, game.apply(before, event))
    return next((effect for effect in effects if isinstance(effect, Contest)), None)


def results_of(game: AnyGame, before: Any, event: Event) -> Results | None:
    """The results from which `Game.chance` makes `event`; None where that is not to be found out quickly."""
    owed = game.pending(before).chance
    if owed is None or owed.do != type(event).__struct_config__.tag:
        return None
    return _faces(game, before, event, owed.draws) or next(
        (
            results
            for results in _ways(owed.draws)
            if _members(game.chance(before, results)) == _members(event)
        ),
        None,
    )


def _faces(game: AnyGame, before: Any, event: Event, draws: tuple[Draw, ...]) -> Results | None:
    """Results of dice: marked faces show where the game writes which die."""
    if not all(isinstance(draw, Dice) for draw in draws):
        return None
    marks = iter(range(1000, 1000 + sum(draw.count for draw in draws)))
    probe = tuple(tuple(next(marks) for _ in range(draw.count)) for draw in draws)
    places = {mark: path for path, mark in _leaves(_members(game.chance(before, probe)))}
    found = dict(_leaves(_members(event)))
    try:
        return tuple(tuple(found[places[mark]] for mark in throw) for throw in probe)
    except KeyError:
        return None


def _leaves(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], Any]]:
    inner = (
        value.items()
        if isinstance(value, dict)
        else enumerate(value)
        if isinstance(value, list | tuple)
        else ()
    )
    if not isinstance(value, dict | list | tuple):
        yield path, value
    for name, item in inner:
        yield from _leaves(item, (*path, name))


def _ways(draws: tuple[Draw, ...]) -> Iterator[Results]:
    """The ways to draw, in every order; none where they are many."""
    choices: list[list[int | str]] = [
        [*range(1, draw.sides + 1)] if isinstance(draw, Dice) else [*kinds_of(draw)]
        for draw in draws
        for _ in range(draw.count)
    ]
    if prod(map(len, choices)) > _MAX_WAYS:
        return
    for flat in product(*choices):
        rest = iter(flat)
        yield tuple(tuple(next(rest) for _ in range(draw.count)) for draw in draws)


def _members(event: Event) -> dict[str, Any]:
    kept = [name for name in event.__struct_fields__ if name not in Event.__struct_fields__]
    members: dict[str, Any] = msgspec.to_builtins({name: getattr(event, name) for name in kept})
    return members


def _probability(draw: Draw, result: tuple[int | str, ...]) -> Fraction:
    seen = Counter(result)
    if isinstance(draw, Dice):
        orders = factorial(draw.count) // prod(map(factorial, seen.values()))
        return Fraction(orders, draw.sides**draw.count)
    kinds = kinds_of(draw)
    total = sum(kinds.values())
    if isinstance(draw, Weighted):
        orders = factorial(draw.count) // prod(map(factorial, seen.values()))
        return orders * prod(
            (Fraction(kinds[str(name)], total) ** count for name, count in seen.items()), start=Fraction(1)
        )
    if draw.count == total:
        return Fraction(prod(map(factorial, kinds.values())), factorial(total))
    return Fraction(
        prod(comb(kinds.get(str(name), 0), count) for name, count in seen.items()), comb(total, draw.count)
    )
