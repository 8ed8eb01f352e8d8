"""What is due: who may act, which dice are owed, and why anything else is not."""

from __future__ import annotations

from gamelog.game import TABLE, ChanceDue, Dice, Event, Message, Pending, Timeout, Violation, forbids
from gamelog.games.kit import phases
from gamelog.games.zone_control import events as ev
from gamelog.games.zone_control.state import State
from gamelog.games.zone_control.zones import count_inside, holder

DUE = {
    "start_roll": ("ZC-3", "everybody's dice for the right to begin are due"),
    "move_roll": ("ZC-4", "the roll of the movement dice is due"),
    "act": ("ZC-5", "a step, a challenge or the end of the turn is due"),
    "challenge_roll": ("ZC-A27", "the dice of the challenge are due"),
    "occupy": ("ZC-21", "the winner's move into the zone is due"),
    "final_roll": ("ZC-28", "the final roll of those who are tied is due"),
}
"""For each phase the rule that says what is due, and the same in words."""

ENDED_BY = {"zones": "ZC-26", "pieces": "ZC-27", "roll_off": "ZC-28", "distance": "ZC-A18"}
"""For each reason of an outcome the rule that decided the game."""


FINAL_DICE = 6
"""Dice of each player in the final roll (ZC-28)."""


def pending(state: State) -> Pending:
    """Who may act, or the dice that are owed, or the outcome; and when the clock runs out.

    Between a challenge and its dice no time runs out: the roll comes first.
    """
    phase, seats = state.phase, state.setup.seats
    if state.outcome is not None:
        return Pending(outcome=state.outcome)
    if phase == "act":
        return Pending(by=(seats[state.actor],), timeout=_timeout(state))
    if phase == "move_roll":
        dice = (Dice(state.setup.options.movement_dice, 6, seats[state.actor]),)
        return Pending(chance=ChanceDue(phase, seats[state.actor], dice), timeout=_timeout(state))
    if state.siege is not None:
        zone, attackers = state.siege.zone, state.siege.attackers
        attacker = seats[state.squares[attackers[0]]]
        if phase == "occupy":
            return Pending(by=(attacker,), timeout=_timeout(state))
        defence = Dice(count_inside(state, zone), 6, seats[holder(state, zone)])
        return Pending(chance=ChanceDue(phase, attacker, (defence, Dice(len(attackers), 6, attacker))))
    count = 1 if phase == "start_roll" else FINAL_DICE
    return Pending(
        chance=ChanceDue(phase, TABLE, tuple(Dice(count, 6, seats[seat]) for seat in state.rolling))
    )


def _timeout(state: State) -> Timeout | None:
    return None if state.deadline is None or state.called else Timeout(state.deadline, ev.TimeUp(0, 0, TABLE))


def left(state: State) -> str | Message:
    """Return how many steps are left in the turn."""
    return Message.of("{n} {n:step|steps} left", n=state.points) if state.phase == "act" else ""


def late(state: State, event: Event, phase: str) -> Violation | None:
    """Why an event of `phase` cannot come now, or not from `event`'s seat, or not any more by the clock."""
    if state.phase != phase:
        return not_due(state)
    if event.by != state.setup.seats[state.actor]:
        return not_on_turn(state, event)
    return out_of_time(state, event)


def out_of_time(state: State, event: Event) -> Violation | None:
    """What is decided or rolled after the clock has run out comes too late."""
    if state.deadline is not None and event.t >= state.deadline:
        return forbids("ZC-A22", "the clock has run out; the call of time is due")
    return None


def not_due(state: State) -> Violation:
    """Why an event of another phase is illegal: by what is due, or as only what was begun is played on."""
    problem = phases.not_due(DUE, state.phase, ENDED_BY, state.outcome)
    ending = state.called and state.phase not in ("final_roll", "over")
    return Violation("ZC-A22", problem.text, problem.args) if ending else problem


def not_on_turn(state: State, event: Event) -> Violation:
    """Why an event of a seat is illegal while it is not its turn."""
    return phases.not_on_turn("ZC-1", state.setup.seats[state.actor], event)
