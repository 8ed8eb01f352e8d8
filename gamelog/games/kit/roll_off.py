"""Everybody rolls, the highest begins, those tied roll again; and who stands highest in anything else."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeVar

from gamelog.game import TABLE, CannotApply, Effect, Event, Rolled, Violation, forbids

SeatT = TypeVar("SeatT")


class Begins(Effect, frozen=True, tag="begins"):
    """`seat` rolled highest and begins."""

    seat: str


class Tied(Effect, frozen=True, tag="tied"):
    """`seats` rolled the same and roll again."""

    seats: tuple[str, ...]


def check_roller(
    rule: str, event: Event, rolls: Iterable[str], owe: Sequence[str], rule_of_rolls: str
) -> Violation | None:
    """Why `event` cannot be everybody's dice: not the table's, against `rule`, or not theirs who `owe`."""
    if event.by != TABLE:
        return forbids(rule, "everybody's dice are recorded by table, not by {@by}", by=event.by)
    if set(rolls) != set(owe):
        return forbids(
            rule_of_rolls, "those who roll are {@seats}, not {@found}", seats=list(owe), found=list(rolls)
        )
    return None


def highest(rolling: Iterable[int], seats: Sequence[str], rolls: Mapping[str, int]) -> tuple[int, ...]:
    """Those of the seats `rolling`, by number, who rolled highest. Raises `CannotApply` if none rolled."""
    rolled = {seat: rolls[seats[seat]] for seat in rolling if seats[seat] in rolls}
    if not rolled:
        raise CannotApply("None of those who owe dice has rolled.")
    return leaders(rolled)


def leaders(standing: Mapping[SeatT, Any]) -> tuple[SeatT, ...]:
    """Those with the best standing, several if they are equal."""
    best = max(standing.values())
    return tuple(seat for seat, place in standing.items() if place == best)


def thrown(rolls: Mapping[str, int]) -> tuple[Rolled, ...]:
    """Everybody's die as an effect."""
    return tuple(Rolled(seat, (face,)) for seat, face in rolls.items())
