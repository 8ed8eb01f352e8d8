"""What is due: who may act, which dice are owed, and why anything else is not."""

from __future__ import annotations

from gamelog.game import TABLE, ChanceDue, Dice, Event, Message, Pending, Violation, forbids
from gamelog.games.kit import phases
from gamelog.games.slicewars.state import OWNERLESS, State

DUE = {
    "removal_roll": ("SW-1", "everybody's dice for the right to remove territories are due"),
    "remove": ("SW-1", "the removal of territories is due"),
    "start_roll": ("SW-2", "everybody's dice for the right to begin are due"),
    "claim": ("SW-3", "the claim of a free territory is due"),
    "add": ("SW-4", "a further die on an own territory is due"),
    "place": ("SW-7", "the placing of a die received is due"),
    "attack": ("SW-9", "an attack or a pass is due"),
    "battle": ("SW-12", "the battle dice are due"),
}
"""For each phase the rule that says what is due, and the same in words."""

IN_THE_FIRST_ROUND = {**DUE, "attack": ("SW-5", DUE["attack"][1])}

ENDED_BY = {"all": "SW-18", "majority_full": "SW-19", "all_full": "SW-20", "guard": "SW-A21"}
"""For each reason of an outcome the rule that decided the game."""


def pending(state: State) -> Pending:
    """Who may act, or the dice that are owed, or the outcome."""
    if state.outcome is not None:
        return Pending(outcome=state.outcome)
    seats = state.setup.seats
    if state.attack is not None:
        src, dst = state.attack
        attacker, defender = state.owners[src], state.owners[dst]
        against = None if defender == OWNERLESS else seats[defender]
        dice = (Dice(state.dice[src], 6, seats[attacker]), Dice(state.dice[dst], 6, against))
        return Pending(chance=ChanceDue("battle", seats[attacker], dice))
    if state.rolling:
        return Pending(
            chance=ChanceDue(state.phase, TABLE, tuple(Dice(1, 6, seats[seat]) for seat in state.rolling))
        )
    return Pending(by=(seats[state.actor],))


def left(state: State) -> str | Message:
    """Return how many dice the player still has to place."""
    if state.phase not in ("add", "place"):
        return ""
    return Message.of("{n} {n:die|dice} left to place", n=state.hand)


def late(state: State, event: Event, phase: str) -> Violation | None:
    """Why an event of `phase` cannot come now, or not from `event`'s seat."""
    if state.phase != phase:
        return not_due(state)
    return None if event.by == state.setup.seats[state.actor] else not_on_turn(state, event)


def not_due(state: State) -> Violation:
    """Why an event of another phase is illegal: by the rule that says what is due."""
    return phases.not_due(
        IN_THE_FIRST_ROUND if state.round == 1 else DUE, state.phase, ENDED_BY, state.outcome
    )


def not_on_turn(state: State, event: Event) -> Violation:
    """Why an event of a seat is illegal while it is not its turn."""
    seats = state.setup.seats
    if state.round and event.by in seats and seats.index(event.by) not in state.owners:
        return forbids("SW-A22", "{@by} is out of the game", by=event.by)
    return phases.not_on_turn("SW-A7" if state.round else DUE[state.phase][0], seats[state.actor], event)
