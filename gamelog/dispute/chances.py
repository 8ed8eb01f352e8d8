"""Exact odds of rolls and contests, for any game.

The dice and draws come from `ChanceDue`. The odds of a contest come from the effects of the game, and do
not depend on the dice that were rolled.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import prod
from typing import Any

import msgspec
from msgspec import Struct

from gamelog.chance.draws import Dice, Draw, Results, results_problem
from gamelog.chance.outcomes import probability, results_in_order, throw_counts
from gamelog.play.contract.effects import Contest
from gamelog.play.contract.game import AnyGame
from gamelog.record.envelope import Event


class Likelihood(Struct, frozen=True):
    """Probability of a roll or draw, as fractions such as ``5/36``.

    Attributes:
        exactly: Probability of these results. The order within one roll or draw does not count, except if a
            bag is drawn until it is empty.
        at_least: Probability of this sum or a larger one, if the event is one roll of several dice.
    """

    exactly: str
    at_least: str | None = None


class ContestOdds(Struct, frozen=True):
    """Odds of a contest, before its dice are rolled.

    Attributes:
        against: Seat of the defender, or None if there is none.
        odds: Probability that ``by`` wins.
        exact: The odds as a fraction.
    """

    by: str
    against: str | None
    odds: float
    exact: str | None = None


def likelihood(game: AnyGame, before: Any, event: Event) -> Likelihood | None:
    """Return the likelihood of the results in `event`, due in state `before`, or None if it is unknown."""
    due = game.pending(before).chance
    results = results_of(game, before, event) if due else None
    if due is None or results is None or results_problem(due.draws, results):
        return None
    exactly = prod(
        (probability(draw, result) for draw, result in zip(due.draws, results, strict=True)),
        start=Fraction(1),
    )
    at_least = None
    if len(due.draws) == 1 and isinstance(due.draws[0], Dice) and due.draws[0].count > 1:
        counts = throw_counts(due.draws[0].count, due.draws[0].sides)
        at_least = str(Fraction(sum(counts[sum(map(int, results[0])) :]), sum(counts)))
    return Likelihood(str(exactly), at_least)


def contest_odds(game: AnyGame, before: Any) -> ContestOdds | None:
    """Return the odds of the contest whose dice are due in state `before`, or None if there is no contest."""
    due = game.pending(before).chance
    if due is None or not all(isinstance(draw, Dice) for draw in due.draws):
        return None
    contest = next(
        filter(None, (_contest_of(game, before, results) for results in _decisive_rolls(due.draws))), None
    )
    if contest is None:
        return None
    throws = prod(draw.sides**draw.count for draw in due.draws if isinstance(draw, Dice))
    exact = Fraction(round(contest.odds * throws), throws)
    return ContestOdds(
        contest.by, contest.against, contest.odds, str(exact) if float(exact) == contest.odds else None
    )


def _decisive_rolls(draws: tuple[Draw, ...]) -> Iterator[Results]:
    """Yield rolls, one of which decides any contest, even if ties are rolled again.

    They are all ones, then the highest faces for each side.
    """
    dice = [draw for draw in draws if isinstance(draw, Dice)]
    for high in (None, *range(len(dice))):
        yield tuple(
            (draw.sides if position == high else 1,) * draw.count for position, draw in enumerate(dice)
        )


def _contest_of(game: AnyGame, before: Any, results: Results) -> Contest | None:
    """Return the contest that these results decide, or None."""
    event = game.chance(before, results)
    if game.check(before, event) is not None:
        return None
    effects = game.effects(before, event, game.apply(before, event))
    return next((effect for effect in effects if isinstance(effect, Contest)), None)


def results_of(game: AnyGame, before: Any, event: Event) -> Results | None:
    """Return the results from which `Game.chance` makes `event`, or None if a short search finds none."""
    due = game.pending(before).chance
    if due is None or due.do != type(event).__struct_config__.tag:
        return None
    return _dice_results(game, before, event, due.draws) or next(
        (
            results
            for results in results_in_order(due.draws)
            if _members(game.chance(before, results)) == _members(event)
        ),
        None,
    )


def _dice_results(game: AnyGame, before: Any, event: Event, draws: tuple[Draw, ...]) -> Results | None:
    """Return the results of dice in `event`, or None.

    An event made from unique numbers shows the member of the event in which the game stores each die.
    """
    if not all(isinstance(draw, Dice) for draw in draws):
        return None
    marks = iter(range(1000, 1000 + sum(draw.count for draw in draws)))
    probe = tuple(tuple(next(marks) for _ in range(draw.count)) for draw in draws)
    places = {mark: path for path, mark in _leaves(_members(game.chance(before, probe)))}
    values_by_path = dict(_leaves(_members(event)))
    try:
        return tuple(tuple(values_by_path[places[mark]] for mark in throw) for throw in probe)
    except KeyError:
        return None


def _leaves(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], Any]]:
    """Yield the path and value of each leaf in nested plain data."""
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


def _members(event: Event) -> dict[str, Any]:
    names = [name for name in event.__struct_fields__ if name not in Event.__struct_fields__]
    members: dict[str, Any] = msgspec.to_builtins({name: getattr(event, name) for name in names})
    return members
