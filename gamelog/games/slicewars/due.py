"""The next event: who may act, which roll is due, and the refusals of any other event."""

from __future__ import annotations

from fractions import Fraction

from gamelog.game import (
    TABLE,
    ChanceDue,
    Dice,
    Event,
    Message,
    Pending,
    Results,
    Violation,
    contest_classes,
    forbids,
    highest_rolls,
)
from gamelog.games.kit import phases
from gamelog.games.slicewars.state import OWNERLESS, State

DUE = {
    "removal_roll": ("SW-1", "the players must first roll to decide who removes territories"),
    "remove": ("SW-1", "the player who rolled highest must first remove territories"),
    "start_roll": ("SW-2", "the players must first roll to decide who begins"),
    "claim": ("SW-3", "the player to move must claim a free territory"),
    "add": ("SW-4", "the player to move must add a die to one of their own territories"),
    "place": ("SW-7", "the player to move must place a die that they received"),
    "attack": ("SW-9", "the player to move must attack or pass"),
    "battle": ("SW-12", "the dice of the battle must be recorded first"),
}
"""The next event of each phase: the rule that asks for it, and the words of a refusal."""

_IN_THE_FIRST_ROUND = {**DUE, "attack": ("SW-5", DUE["attack"][1])}

ENDED_BY = {"all": "SW-18", "majority_full": "SW-19", "all_full": "SW-20", "guard": "SW-A21"}
"""The rule that decides the game, for each reason of an outcome."""


def pending(state: State) -> Pending:
    """Return the seats that may act, the roll that is due, or the outcome."""
    if state.outcome is not None:
        return Pending(outcome=state.outcome)
    seats = state.setup.seats
    if state.attack is not None:
        src, dst = state.attack
        attacker, defender = state.owners[src], state.owners[dst]
        against = None if defender == OWNERLESS else seats[defender]
        dice = (
            Dice(state.dice[src], 6, seats[attacker], summed=True),
            Dice(state.dice[dst], 6, against, summed=True),
        )
        return Pending(chance=ChanceDue("battle", seats[attacker], dice))
    if state.rolling:
        return Pending(
            chance=ChanceDue(state.phase, TABLE, tuple(Dice(1, 6, seats[seat]) for seat in state.rolling))
        )
    return Pending(by=(seats[state.actor],))


def classes(state: State) -> tuple[tuple[Results, Fraction], ...]:
    """Return one roll for each result: who wins the battle, or which seats roll highest."""
    if state.attack is None:
        return highest_rolls(len(state.rolling))
    src, dst = state.attack
    return contest_classes(state.dice[src], state.dice[dst])


def remaining_text(state: State) -> str | Message:
    """Return the number of dice that are still to place, in words."""
    if state.phase not in ("add", "place"):
        return ""
    return Message.of("{n} {n:die|dice} left to place", n=state.hand)


def turn_refusal(state: State, event: Event, phase: str) -> Violation | None:
    """Return why `event`, an event of `phase`, is too early or too late, or from the wrong seat."""
    if state.phase != phase:
        return not_due(state)
    return None if event.by == state.setup.seats[state.actor] else out_of_turn(state, event)


def not_due(state: State) -> Violation:
    """Return the violation of an event that belongs to another phase."""
    return phases.not_due(
        _IN_THE_FIRST_ROUND if state.round == 1 else DUE, state.phase, ENDED_BY, state.outcome
    )


def out_of_turn(state: State, event: Event) -> Violation:
    """Return the violation of an event from a seat that is not to move."""
    seats = state.setup.seats
    if state.round and event.by in seats and seats.index(event.by) not in state.owners:
        return forbids("SW-A22", "{@by} is out of the game", by=event.by)
    return phases.out_of_turn("SW-A7" if state.round else DUE[state.phase][0], seats[state.actor], event)
