"""The roll for the first turn: all players roll, the highest begins, tied players roll again."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeVar

from gamelog.game import TABLE, CannotApply, Effect, Event, Rolled, Violation, forbids

SeatT = TypeVar("SeatT")


class Begins(Effect, frozen=True, tag="begins"):
    """`seat` rolled highest and begins."""

    seat: str


class Tied(Effect, frozen=True, tag="tied"):
    """`seats` are tied and roll again."""

    seats: tuple[str, ...]


def roller_violation(
    rule: str, event: Event, rolls: Iterable[str], owe: Sequence[str], rule_of_rolls: str
) -> Violation | None:
    """Return why `event` cannot be the roll of all players, or None.

    Args:
        rule: The rule that is violated if the table is not the author.
        event: The roll. Its faces are not checked.
        rolls: The seats that have a roll in the event.
        owe: The seats that must roll.
        rule_of_rolls: The rule that is violated unless each seat in `owe`, and no other seat, has a roll.
    """
    if event.by != TABLE:
        return forbids(rule, "the table must record the dice of all players, not {@by}", by=event.by)
    if set(rolls) != set(owe):
        return forbids(rule_of_rolls, "{@seats} must roll, not {@found}", seats=list(owe), found=list(rolls))
    return None


def highest_rollers(
    rolling: Iterable[int], seats: Sequence[str], rolls: Mapping[str, int]
) -> tuple[int, ...]:
    """Return the numbers of the seats that rolled highest.

    Raises:
        CannotApply: No seat rolled.
    """
    rolled = {seat: rolls[seats[seat]] for seat in rolling if seats[seat] in rolls}
    if not rolled:
        raise CannotApply("No player who must roll has rolled.")
    return leaders(rolled)


def leaders(values: Mapping[SeatT, Any]) -> tuple[SeatT, ...]:
    """Return the seats with the highest value, several if they are equal."""
    best = max(values.values())
    return tuple(seat for seat, value in values.items() if value == best)


def roll_effects(rolls: Mapping[str, int]) -> tuple[Rolled, ...]:
    """Return the die of each player as an effect."""
    return tuple(Rolled(seat, (face,)) for seat, face in rolls.items())
