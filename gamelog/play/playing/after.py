"""The states that can follow the chance that is due, with exact probabilities."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from fractions import Fraction
from itertools import product
from math import prod
from typing import Any, NamedTuple

import msgspec
from msgspec import structs

from gamelog.chance.draws import Results
from gamelog.chance.outcomes import MAX_OUTCOMES, Outcomes, outcomes
from gamelog.play.contract.game import AnyGame
from gamelog.play.playing.playout import Position

MAX_BRANCHES = 2_000
"""Maximum number of results of a roll, if many rolls are analysed."""


class Branch(NamedTuple):
    """A state that can follow the chance that is due.

    Attributes:
        probability: The exact probability of this state.
        results: Results of the draws that lead to this state.
        after: The position after the chance event.
    """

    probability: Fraction
    results: Results
    after: Position


def after(
    game: AnyGame, before: Position, t: int | None = None, most: int = MAX_OUTCOMES
) -> tuple[Branch, ...] | None:
    """Return the distinct states that can follow the chance due in `before`, with their probabilities.

    The probabilities add up to 1. Equal states are one branch.

    Args:
        game: The game.
        before: A position in which chance is due.
        t: The time of the chance event. By default, two seconds later.
        most: The largest number of results that are tried.

    Returns:
        The branches, or None if no chance is due or more than `most` results differ.
    """
    state = before.state
    listed = possible_results(game, state, most)
    if listed is None:
        return None
    n, t = before.n + 1, before.t + 2_000 if t is None else t
    found: dict[Hashable, tuple[Any, Results]] = {}
    ways: dict[Hashable, Fraction | int] = {}
    results, total = listed
    for result, weight in results:
        next_state = game.apply(state, structs.replace(game.chance(state, result), n=n, t=t))
        key = state_key(next_state)
        if key in found:
            ways[key] += weight
        else:
            found[key], ways[key] = (next_state, result), weight
    return tuple(
        Branch(Fraction(ways[key]) / total, result, Position(next_state, t, n, before.chances + 1))
        for key, (next_state, result) in found.items()
    )


def possible_results(
    game: AnyGame, state: Any, most: int = MAX_OUTCOMES
) -> tuple[Iterator[tuple[Results, Fraction | int]], int] | None:
    """Return the results of the chance due in `state` that can differ, each with its weight, and their sum.

    The game's `classes` come first; otherwise the results follow from the draws. It is None if no chance is
    due, or if there are more than `most` results.
    """
    due = game.pending(state).chance
    if due is None:
        return None
    classes = game.classes(state)
    if classes is not None:
        return iter(classes), 1
    lists = [outcomes(draw, most) for draw in due.draws]
    kept: list[Outcomes] = [one for one in lists if one is not None]
    if len(kept) < len(lists) or prod(len(one.ways) for one in kept) > most:
        return None
    combined = (
        (tuple([result for result, _ in combination]), prod([ways for _, ways in combination]))
        for combination in product(*(one.ways for one in kept))
    )
    return combined, prod(one.total for one in kept)


def state_key(state: Any) -> Hashable:
    """Return a value that is equal for equal states of one game: all members but ``setup``."""
    members = tuple([getattr(state, name) for name in state.__struct_fields__ if name != "setup"])
    try:
        hash(members)
    except TypeError:
        return msgspec.msgpack.encode(members, order="deterministic")
    return members
