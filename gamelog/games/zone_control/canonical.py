"""What has no order by the rules, put in order: so two score sheets of one game say the same."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from gamelog.games.zone_control.events import Challenge, ChallengeRoll, Event, FinalRoll, MoveRoll, Occupy, StartRoll


def canonical(event: Event) -> Event:
    """`event` with dice that are added up, attacking pieces and rolling seats sorted, and who moves in where paired in order.

    The pieces of a seat are alike, so it matters which squares they leave and enter, not which of them enters which (ZC-21).
    """
    sort = SORTS.get(type(event))
    return event if sort is None else sort(event)


def _start_roll(event: StartRoll) -> Event:
    return replace(event, rolls=dict(sorted(event.rolls.items())))


def _move_roll(event: MoveRoll) -> Event:
    return replace(event, dice=tuple(sorted(event.dice)))


def _challenge(event: Challenge) -> Event:
    return replace(event, attackers=tuple(sorted(event.attackers)))


def _challenge_roll(event: ChallengeRoll) -> Event:
    return replace(event, defence=tuple(sorted(event.defence)), attack=tuple(sorted(event.attack)))


def _occupy(event: Occupy) -> Event:
    squares = event.placement
    return replace(event, placement=dict(zip(sorted(squares), sorted(squares.values()), strict=True)))


def _final_roll(event: FinalRoll) -> Event:
    return replace(event, rolls={seat: tuple(sorted(dice)) for seat, dice in sorted(event.rolls.items())})


SORTS: dict[type[Event], Callable[[Any], Event]] = {
    StartRoll: _start_roll,
    MoveRoll: _move_roll,
    Challenge: _challenge,
    ChallengeRoll: _challenge_roll,
    Occupy: _occupy,
    FinalRoll: _final_roll,
}
"""How an event of each kind is put in order; the others have nothing without an order."""
