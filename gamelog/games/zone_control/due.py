"""What is due, and why what comes instead is refused."""

from __future__ import annotations

from gamelog.game import Violation, many, who
from gamelog.games.zone_control.events import Challenge, EndTurn, Event, Step
from gamelog.games.zone_control.state import State

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


def left(state: State) -> str:
    """How many steps the turn has left, in words."""
    return f"{many(state.points, 'step')} left" if state.phase == "act" else ""


def in_turn(state: State, event: Step | Challenge | EndTurn) -> Violation | None:
    """What a decision in a turn must keep to, whatever it is."""
    if state.phase != "act":
        return not_due(state)
    if event.by != state.setup.seats[state.actor]:
        return not_on_turn(state, event)
    return late(state, event)


def late(state: State, event: Event) -> Violation | None:
    """What is decided or rolled after the clock has run out comes too late."""
    if state.deadline is not None and event.t >= state.deadline:
        return Violation("ZC-A22", "the clock has run out; the call of time is due")
    return None


def not_due(state: State) -> Violation:
    """Why an event of another phase is illegal: by the rule that says what is due."""
    if state.outcome is not None:
        return Violation(ENDED_BY[state.outcome.reason], "the game is over")
    rule, due = DUE[state.phase]
    return Violation("ZC-A22" if state.called and state.phase != "final_roll" else rule, due)


def not_on_turn(state: State, event: Event) -> Violation:
    """Why an event of a seat that is not on turn is illegal."""
    return Violation("ZC-1", f"it is {who(state.setup.seats[state.actor])}'s turn, not {who(event.by)}'s")
