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
    Timeout,
    Violation,
    contest_classes,
    forbids,
    highest_rolls,
)
from gamelog.games.kit import phases
from gamelog.games.zone_control import events as ev
from gamelog.games.zone_control.state import State
from gamelog.games.zone_control.zones import count_inside, holder

DUE = {
    "start_roll": ("ZC-3", "the players must first roll to decide who begins"),
    "move_roll": ("ZC-4", "the player to move must roll the movement dice"),
    "act": ("ZC-5", "the player to move must take a step, challenge a zone or end the turn"),
    "challenge_roll": ("ZC-A27", "the dice of the challenge must be recorded first"),
    "occupy": ("ZC-21", "the winner of the challenge must move into the zone first"),
    "final_roll": ("ZC-28", "the tied players must make the final roll"),
}
"""The next event of each phase: the rule that asks for it, and the words of a refusal."""

ENDED_BY = {"zones": "ZC-26", "pieces": "ZC-27", "roll_off": "ZC-28", "distance": "ZC-A18"}
"""The rule that decides the game, for each reason of an outcome."""


FINAL_DICE_PER_PLAYER = 6
"""The number of dice of each player in the final roll (ZC-28)."""


def pending(state: State) -> Pending:
    """Return the seats that may act, the roll that is due, or the outcome, and when the clock runs out.

    Between a challenge and its dice the clock has no effect: the roll comes first.
    """
    phase, seats = state.phase, state.setup.seats
    if state.outcome is not None:
        return Pending(outcome=state.outcome)
    if phase == "act":
        return Pending(by=(seats[state.actor],), timeout=_timeout(state))
    if phase == "move_roll":
        dice = (Dice(state.setup.options.movement_dice, 6, seats[state.actor], summed=True),)
        return Pending(chance=ChanceDue(phase, seats[state.actor], dice), timeout=_timeout(state))
    if state.siege is not None:
        zone, attackers = state.siege.zone, state.siege.attackers
        attacker = seats[state.squares[attackers[0]]]
        if phase == "occupy":
            return Pending(by=(attacker,), timeout=_timeout(state))
        defence = Dice(count_inside(state, zone), 6, seats[holder(state, zone)], summed=True)
        attack = Dice(len(attackers), 6, attacker, summed=True)
        return Pending(chance=ChanceDue(phase, attacker, (defence, attack)))
    count = 1 if phase == "start_roll" else FINAL_DICE_PER_PLAYER
    return Pending(
        chance=ChanceDue(
            phase, TABLE, tuple(Dice(count, 6, seats[seat], summed=True) for seat in state.rolling)
        )
    )


def classes(state: State) -> tuple[tuple[Results, Fraction], ...] | None:
    """Return one roll for each result: who wins the challenge, or which seats roll highest."""
    if state.phase == "move_roll":
        return None
    if state.siege is not None:
        attack, defence = len(state.siege.attackers), count_inside(state, state.siege.zone)
        return tuple(
            ((second, first), chance) for (first, second), chance in contest_classes(attack, defence)
        )
    return highest_rolls(len(state.rolling), 1 if state.phase == "start_roll" else FINAL_DICE_PER_PLAYER)


def _timeout(state: State) -> Timeout | None:
    """Return the call of time that comes when the clock runs out, or None without a clock."""
    return None if state.deadline is None or state.called else Timeout(state.deadline, ev.TimeUp(0, 0, TABLE))


def remaining_text(state: State) -> str | Message:
    """Return the number of steps that are left in the turn, in words."""
    return Message.of("{n} {n:step|steps} left", n=state.points) if state.phase == "act" else ""


def turn_refusal(state: State, event: Event, phase: str) -> Violation | None:
    """Return why `event`, an event of `phase`, is too early or too late, or from the wrong seat."""
    if state.phase != phase:
        return not_due(state)
    if event.by != state.setup.seats[state.actor]:
        return out_of_turn(state, event)
    return out_of_time(state, event)


def out_of_time(state: State, event: Event) -> Violation | None:
    """Return a violation, or None if the clock has not run out at the time of `event`."""
    if state.deadline is not None and event.t >= state.deadline:
        return forbids("ZC-A22", "the clock has run out, and the table must call time first")
    return None


def not_due(state: State) -> Violation:
    """Return the violation of an event that belongs to another phase.

    After the call of time, the rule is ZC-A22: only an open challenge is finished.
    """
    problem = phases.not_due(DUE, state.phase, ENDED_BY, state.outcome)
    ending = state.called and state.phase not in ("final_roll", "over")
    return Violation("ZC-A22", problem.text, problem.args) if ending else problem


def out_of_turn(state: State, event: Event) -> Violation:
    """Return the violation of an event from a seat that is not to move."""
    return phases.out_of_turn("ZC-1", state.setup.seats[state.actor], event)
