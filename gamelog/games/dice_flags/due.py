"""The next events: the seat to act, the dice that are due, and the refusal of other events."""

from __future__ import annotations

from fractions import Fraction

from gamelog.game import (
    TABLE,
    ChanceDue,
    Dice,
    Message,
    Pending,
    Results,
    Violation,
    forbids,
    highest_rolls,
)
from gamelog.games.dice_flags.army import DICE, MEN
from gamelog.games.dice_flags.battle import sides
from gamelog.games.dice_flags.events import Event
from gamelog.games.dice_flags.state import PRISON, RESERVE, State
from gamelog.games.dice_flags.turns import army_to_move
from gamelog.games.kit import phases

DUE = {
    "start_roll": ("DF-2", "the generals must roll one die each next, to see who begins"),
    "deploy": ("DF-A1", "a soldier must be placed on the small field next"),
    "orders": ("DF-A41", "the general must first choose to rescue a soldier or to roll the dice"),
    "roll": ("DF-3", "the two dice must be rolled next"),
    "act": ("DF-3", "the rolled dice must be used next"),
    "tao": ("DF-15", "the soldiers must be moved for the Tao next"),
}
"""By phase: the rule that names the next event, and a sentence for it."""

ENDED_BY = {"flags": "DF-26", "rounds": "DF-A38", "quiet": "DF-A38", "surrender": "DF-A43"}
"""By reason of an outcome: the rule that ended the game."""


def pending(state: State) -> Pending:
    """Return the seat to act, the dice that are due, or the outcome."""
    if state.outcome is not None:
        return Pending(outcome=state.outcome)
    seats = state.setup.seats
    if state.attack is not None:
        fight = sides(state.setup.board, state.places, *state.attack)
        rolling = [soldier for side in fight for soldier in side if DICE[soldier]]
        draws = tuple(Dice(DICE[soldier], 6, seats[soldier // MEN], summed=True) for soldier in rolling)
        return Pending(chance=ChanceDue("battle", seats[state.attack[0] // MEN], draws))
    if state.picker >= 0:
        return Pending(by=(seats[state.picker // MEN],))
    if state.phase == "start_roll":
        return Pending(
            chance=ChanceDue("start_roll", TABLE, tuple(Dice(1, 6, seats[army]) for army in state.rolling))
        )
    seat = seats[army_to_move(state)]
    if state.phase == "roll":
        return Pending(chance=ChanceDue("roll", seat, (Dice(2, 6, seat),)))
    return Pending(by=(seat,))


def classes(state: State) -> tuple[tuple[Results, Fraction], ...] | None:
    """Return one roll for each set of seats that roll highest, or None for other rolls."""
    return highest_rolls(len(state.rolling)) if state.phase == "start_roll" else None


def remaining_text(state: State) -> str | Message:
    """Return the dice of the roll that are left, or the number of soldiers left to move or to place."""
    if state.phase == "act":
        return Message.of("dice left: {=dice}", dice=", ".join(map(str, state.dice)))
    army = army_to_move(state)
    places = state.places[army * MEN : army * MEN + MEN]
    if state.phase == "tao":
        men = sum(at < PRISON and not state.moved >> number & 1 for number, at in enumerate(places))
        return Message.of("{n} {n:soldier has|soldiers have} not moved", n=men)
    if state.phase == "deploy":
        men = places.count(RESERVE)
        return Message.of("{n} {n:soldier|soldiers} left to place", n=men)
    return ""


def turn_refusal(state: State, event: Event, phase: str) -> Violation | None:
    """Return why `event`, an event of `phase`, is too early or too late, or from the wrong seat."""
    if state.phase != phase or is_unresolved(state):
        return not_due(state)
    return None if event.by == state.setup.seats[army_to_move(state)] else out_of_turn(state, event)


def out_of_turn(state: State, event: Event) -> Violation:
    """Return why an event of an army out of turn is illegal."""
    seats = state.setup.seats
    if event.by in seats and seats.index(event.by) in state.surrendered:
        return forbids("DF-A43", "{@by} has resigned", by=event.by)
    return phases.out_of_turn("DF-1", seats[army_to_move(state)], event)


def is_unresolved(state: State) -> bool:
    """Return whether a battle or a choice of flags must be finished first."""
    return state.attack is not None or state.picker >= 0


def not_due(state: State) -> Violation:
    """Return why an event of another phase is illegal: the rule that names the next event."""
    if state.attack is not None:
        return forbids("DF-9", "the battle dice must be rolled next")
    if state.picker >= 0:
        return forbids("DF-A16", "a flag must be chosen next")
    return phases.not_due(DUE, state.phase, ENDED_BY, state.outcome)
