"""What is due: whose decision, which dice, or the end; and why what comes instead is refused."""

from __future__ import annotations

from gamelog.chance.draws import Dice
from gamelog.games.zone_control.events import Challenge, EndTurn, Event, Step, TimeUp
from gamelog.games.zone_control.state import State
from gamelog.games.zone_control.zones import count_inside, holder
from gamelog.play.game import Alarm, Owed, Pending, Violation
from gamelog.record.envelope import TABLE

FINAL_DICE = 6
"""Dice of each player in the final roll (ZC-28)."""

DUE = {
    "start_roll": ("ZC-3", "everybody's dice for the right to begin"),
    "move_roll": ("ZC-4", "the roll of the movement dice"),
    "act": ("ZC-5", "a step, a challenge or the end of the turn"),
    "challenge_roll": ("ZC-A27", "the dice of the challenge"),
    "occupy": ("ZC-21", "the winner's move into the zone"),
    "final_roll": ("ZC-28", "the final roll of those who are tied"),
}
"""For each phase the rule that says what is due, and the same in words."""

ENDED_BY = {"zones": "ZC-26", "pieces": "ZC-27", "roll_off": "ZC-28", "distance": "ZC-A18"}
"""For each reason of an outcome the rule that decided the game."""


def pending(state: State) -> Pending:
    """Who may act, or the dice that are owed, or the outcome; and when the clock runs out.

    Between a challenge and its dice no alarm goes off: the roll comes first.
    """
    phase, seats = state.phase, state.setup.seats
    if state.outcome is not None:
        return Pending(outcome=state.outcome)
    if phase == "act":
        return Pending(by=(seats[state.actor],), alarm=_alarm(state))
    if phase == "move_roll":
        dice = (Dice(state.setup.options.movement_dice, 6, seats[state.actor]),)
        return Pending(chance=Owed(phase, seats[state.actor], dice), alarm=_alarm(state))
    if state.siege is not None:
        zone, attackers = state.siege.zone, state.siege.attackers
        attacker = seats[state.squares[attackers[0]]]
        if phase == "occupy":
            return Pending(by=(attacker,), alarm=_alarm(state))
        defence = Dice(count_inside(state, zone), 6, seats[holder(state, zone)])
        return Pending(chance=Owed(phase, attacker, (defence, Dice(len(attackers), 6, attacker))))
    count = 1 if phase == "start_roll" else FINAL_DICE
    return Pending(chance=Owed(phase, TABLE, tuple(Dice(count, 6, seats[seat]) for seat in state.rolling)))


def _alarm(state: State) -> Alarm | None:
    return None if state.deadline is None or state.called else Alarm(state.deadline, TimeUp(0, 0, TABLE))


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
        return Violation("ZC-A22", "the clock has run out; what is due is the call of time")
    return None


def not_due(state: State) -> Violation:
    """Why an event of another phase is illegal: by the rule that says what is due."""
    if state.outcome is not None:
        return Violation(ENDED_BY[state.outcome.reason], "the game is over")
    rule, due = DUE[state.phase]
    return Violation("ZC-A22" if state.called and state.phase != "final_roll" else rule, f"what is due is {due}")


def not_on_turn(state: State, event: Event) -> Violation:
    """Why an event of a seat that is not on turn is illegal."""
    return Violation("ZC-1", f"it is {state.setup.seats[state.actor]}'s turn, not {event.by}'s")
