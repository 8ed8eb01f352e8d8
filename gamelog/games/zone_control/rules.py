"""The judge: finds the rule that forbids an event, by the ids in RULES.md.

An event must first fit the phase, come from the player to move and be in time; then its own rule is checked.
A refusal for the phase names the rule that asks for the next event (`gamelog.games.zone_control.due`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gamelog.game import TABLE, Violation, forbids
from gamelog.games.kit.dice import face_violation
from gamelog.games.kit.phases import unknown_place
from gamelog.games.kit.roll_off import roller_violation
from gamelog.games.zone_control import events as ev
from gamelog.games.zone_control.board import NONE, SQUARES_PER_ZONE
from gamelog.games.zone_control.due import (
    FINAL_DICE_PER_PLAYER,
    not_due,
    out_of_time,
    out_of_turn,
    turn_refusal,
)
from gamelog.games.zone_control.events import Event
from gamelog.games.zone_control.state import EMPTY, MINUTE, State
from gamelog.games.zone_control.zones import (
    MAX_DICE_ADVANTAGE,
    can_challenge,
    count_inside,
    holder,
    pieces_around,
)

ENTERABLE_OWNERS = tuple(bytes([seat, EMPTY]) for seat in range(EMPTY))
"""For each seat, the values of squares in a zone that it may enter."""

_ROLLED = forbids("ZC-4", "the movement dice of this turn have already been rolled")


def check(state: State, event: Event) -> Violation | None:
    """Return a violation, or None if the rules allow `event` in `state`. ``event.t`` is in ms of play."""
    return CHECKS[type(event)](state, event)


def _start_roll(state: State, event: ev.StartRoll) -> Violation | None:
    if state.phase != "start_roll":
        return not_due(state)
    seats = state.setup.seats
    owe = [seats[seat] for seat in state.rolling]
    problem = roller_violation("ZC-3", event, event.rolls, owe, "ZC-A1" if len(owe) < len(seats) else "ZC-3")
    return problem or face_violation("ZC-3", event.rolls.values())


def _move_roll(state: State, event: ev.MoveRoll) -> Violation | None:
    """Return the violation of a movement roll (ZC-4, ZC-A2, or out of time), or None."""
    if state.phase != "move_roll":
        return _ROLLED if state.phase == "act" else not_due(state)
    if event.by != state.setup.seats[state.actor]:
        return out_of_turn(state, event)
    owed = state.setup.options.movement_dice
    if len(event.dice) != owed:
        return forbids(
            "ZC-A2", "{n} movement {n:die|dice} must be rolled, not {found}", n=owed, found=len(event.dice)
        )
    return face_violation("ZC-4", event.dice) or out_of_time(state, event)


def _step(state: State, event: ev.Step) -> Violation | None:
    """Return the violation of a step (ZC-5, ZC-6, ZC-7, ZC-9, ZC-10), or None."""
    setup, actor = state.setup, state.actor
    if (
        state.phase != "act"
        or event.by != setup.seats[actor]
        or (state.deadline is not None and event.t >= state.deadline)
    ):
        return turn_refusal(state, event, "act")
    board, squares = setup.board, state.squares
    src, dst = board.index.get(event.src), board.index.get(event.dst)
    if src is None or dst is None:
        return unknown_place("ZC-6", "square", event.src if src is None else event.dst)
    if squares[src] != actor:
        return forbids("ZC-5", "{@by} has no piece on {at}", by=event.by, at=event.src)
    if state.points < 1:
        return forbids("ZC-5", "this turn has no steps left")
    if dst not in board.neighbours[src]:
        return forbids("ZC-6", "{dst} is not next to {src}", dst=event.dst, src=event.src)
    zone = board.zone_of[dst]
    if zone != NONE:
        lo = board.zones_from + SQUARES_PER_ZONE * zone
        others = squares[lo : lo + SQUARES_PER_ZONE].translate(None, ENTERABLE_OWNERS[actor])
        if others:
            return forbids(
                "ZC-10",
                "no step can end in zone {at}, because {@seat} has pieces there",
                at=board.zones[zone],
                seat=setup.seats[others[0]],
            )
    elif board.home_of[dst] not in (NONE, actor):
        return forbids(
            "ZC-9",
            "only {@seat} can enter {at}, a square of their starting grid",
            at=event.dst,
            seat=setup.seats[board.home_of[dst]],
        )
    if squares[dst] != EMPTY:
        return forbids("ZC-7", "{at} already has a piece", at=event.dst)
    return None


def _challenge(state: State, event: ev.Challenge) -> Violation | None:
    """Return the violation of a challenge of a zone, or None.

    Its rules are ZC-14, ZC-15, ZC-18, ZC-A11, ZC-A12, ZC-A14 and ZC-A28.
    """
    if state.phase == "move_roll":
        return forbids("ZC-A11", "the player to move must roll the movement dice before a challenge")
    if refused := turn_refusal(state, event, "act"):
        return refused
    setup, actor = state.setup, state.actor
    board, attackers = setup.board, event.attackers
    zone = board.zone_index.get(event.at)
    if zone is None:
        return unknown_place("ZC-15", "zone", event.at)
    if not count_inside(state, zone):
        return forbids("ZC-15", "zone {at} is free, so a piece can enter it without a challenge", at=event.at)
    held = holder(state, zone)
    if held == EMPTY:
        return forbids(
            "ZC-A28", "zone {at} has pieces of several players, so no player controls it", at=event.at
        )
    if held == actor:
        return forbids("ZC-15", "{@by} already controls zone {at}", by=event.by, at=event.at)
    if not can_challenge(state, zone):
        return forbids("ZC-A12", "zone {at} has already been challenged in this turn", at=event.at)
    if not attackers:
        return forbids("ZC-15", "a challenge needs a piece around zone {at}", at=event.at)
    for name in attackers:
        at = board.index.get(name)
        if at is None:
            return unknown_place("ZC-14", "square", name)
        if at not in board.rings[zone]:
            return forbids("ZC-14", "{src} is not one of the squares around zone {at}", src=name, at=event.at)
        if state.squares[at] != actor:
            return forbids("ZC-15", "{@by} has no piece on {at}", by=event.by, at=name)
    if len(set(attackers)) != len(attackers):
        return forbids("ZC-18", "each piece attacks with only one die")
    most = count_inside(state, zone) + MAX_DICE_ADVANTAGE
    if len(attackers) > most:
        return forbids(
            "ZC-18",
            "against {n} {n:piece|pieces} in zone {at}, at most {most} may attack, not {found}",
            n=most - MAX_DICE_ADVANTAGE,
            at=event.at,
            most=most,
            found=len(attackers),
        )
    if setup.options.attack_size == "full":
        full = min(most, len(pieces_around(state, zone, actor)))
        if len(attackers) != full:
            return forbids(
                "ZC-A14", "{n} {n:piece|pieces} must attack, not {found}", n=full, found=len(attackers)
            )
    return None


def _challenge_roll(state: State, event: ev.ChallengeRoll) -> Violation | None:
    """Return the violation of the dice of a challenge (ZC-17, ZC-19), or None."""
    siege = state.siege
    if siege is None or state.phase != "challenge_roll":
        return not_due(state)
    attacker = state.setup.seats[state.squares[siege.attackers[0]]]
    if event.by != attacker:
        return forbids(
            "ZC-19",
            "the attacker {@attacker} must record the dice, not {@by}",
            attacker=attacker,
            by=event.by,
        )
    inside = count_inside(state, siege.zone)
    if len(event.defence) > inside:
        return forbids(
            "ZC-17",
            "only {n} {n:piece defends|pieces defend} the zone, not {found}",
            n=inside,
            found=len(event.defence),
        )
    if len(event.defence) < inside:
        return forbids(
            "ZC-19",
            "{n} {n:piece defends|pieces defend} the zone, not {found}",
            n=inside,
            found=len(event.defence),
        )
    if len(event.attack) != len(siege.attackers):
        return forbids(
            "ZC-19",
            "{n} {n:piece attacks|pieces attack}, so {n} {n:die|dice} must be rolled, not {found}",
            n=len(siege.attackers),
            found=len(event.attack),
        )
    return face_violation("ZC-19", event.defence + event.attack)


def _occupy(state: State, event: ev.Occupy) -> Violation | None:
    """Return the violation of the winner's move into a zone (ZC-8, ZC-21, ZC-A17), or None."""
    siege = state.siege
    if siege is None or state.phase != "occupy":
        return not_due(state)
    setup = state.setup
    board, options = setup.board, setup.options
    winner = setup.seats[state.squares[siege.attackers[0]]]
    if event.by != winner:
        return forbids(
            "ZC-21", "{@winner} won the challenge and must move in, not {@by}", winner=winner, by=event.by
        )
    if event.at != board.zones[siege.zone]:
        return forbids(
            "ZC-21", "the zone that was won is {won}, not {at}", won=board.zones[siege.zone], at=event.at
        )
    for src, dst in event.placement.items():
        if board.index.get(src) not in siege.attackers:
            return forbids("ZC-21", "the piece on {src} did not attack, so it cannot move in", src=src)
        at = board.index.get(dst)
        if at is None or board.zone_of[at] != siege.zone:
            return forbids("ZC-21", "{dst} is not in zone {at}", dst=dst, at=event.at)
    count, fit = len(event.placement), min(len(siege.attackers), SQUARES_PER_ZONE)
    if len(set(event.placement.values())) != count:
        return forbids("ZC-8", "a square can hold only one piece")
    if options.move_in == "all_fit" and count != fit:
        return forbids("ZC-A17", "all pieces that fit must move in: {n}, not {found}", n=fit, found=count)
    if not 1 <= count <= fit:
        return forbids(
            "ZC-A17",
            "at least one piece must move in, and at most {n}; you chose {found}",
            n=fit,
            found=count,
        )
    return None


def _end_turn(state: State, event: ev.EndTurn) -> Violation | None:
    return turn_refusal(state, event, "act")


def _time_up(state: State, event: ev.TimeUp) -> Violation | None:
    """Return the violation if time cannot be called now (ZC-25, ZC-A21, ZC-A22), or None."""
    if state.outcome is not None or state.phase == "final_roll":
        return not_due(state)
    if state.setup.options.clock_minutes is None:
        return forbids("ZC-A21", "this game has no clock")
    if state.deadline is None:
        return forbids("ZC-A21", "the clock starts only with the first movement roll")
    if state.called:
        return forbids("ZC-A22", "time has already been called")
    if event.t < state.deadline:
        left = -(-(state.deadline - event.t) // 1000)
        return forbids(
            "ZC-25",
            "the clock has not run out: {minutes}:{seconds} is left",
            minutes=left * 1000 // MINUTE,
            seconds=f"{left % 60:02}",
        )
    if event.by != TABLE:
        return forbids("ZC-A21", "the table must call time, not {@by}", by=event.by)
    return None


def _final_roll(state: State, event: ev.FinalRoll) -> Violation | None:
    """Return the violation of a final roll between tied players (ZC-28, ZC-A18), or None."""
    if state.phase != "final_roll":
        return not_due(state)
    owe = [state.setup.seats[seat] for seat in state.rolling]
    problem = roller_violation("ZC-28", event, event.rolls, owe, "ZC-A18" if state.rerolls else "ZC-28")
    if problem:
        return problem
    for seat, dice in event.rolls.items():
        if len(dice) != FINAL_DICE_PER_PLAYER:
            return forbids(
                "ZC-28",
                "{@seat} must roll {n} dice, not {found}",
                seat=seat,
                n=FINAL_DICE_PER_PLAYER,
                found=len(dice),
            )
        impossible = face_violation("ZC-28", dice)
        if impossible:
            return impossible
    return None


CHECKS: dict[type[Event], Callable[[State, Any], Violation | None]] = {
    ev.StartRoll: _start_roll,
    ev.MoveRoll: _move_roll,
    ev.Step: _step,
    ev.Challenge: _challenge,
    ev.ChallengeRoll: _challenge_roll,
    ev.Occupy: _occupy,
    ev.EndTurn: _end_turn,
    ev.TimeUp: _time_up,
    ev.FinalRoll: _final_roll,
}
"""The function that judges each kind of event."""
