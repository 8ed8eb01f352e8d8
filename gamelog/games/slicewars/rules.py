"""The judge: finds the rule that forbids an event, by the ids in RULES.md.

An event must first fit the phase and come from the player to move; then its own rule is checked. A refusal
for the phase names the rule that asks for the next event (`gamelog.games.slicewars.due`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gamelog.game import Violation, forbids
from gamelog.games.kit.dice import face_violation
from gamelog.games.kit.phases import unknown_place
from gamelog.games.kit.roll_off import roller_violation
from gamelog.games.slicewars import events as ev
from gamelog.games.slicewars.board import is_connected
from gamelog.games.slicewars.due import not_due, turn_refusal
from gamelog.games.slicewars.events import Event
from gamelog.games.slicewars.state import CAPACITY, FREE, OWNERLESS, OWNERLESS_DICE, VOID, State


def check(state: State, event: Event) -> Violation | None:
    """Return a violation, or None if the rules allow `event` in `state`."""
    return CHECKS[type(event)](state, event)


def _removal_roll(state: State, event: ev.RemovalRoll) -> Violation | None:
    return _roll(state, event, "SW-1") if state.phase == "removal_roll" else not_due(state)


def _remove(state: State, event: ev.Remove) -> Violation | None:
    """Return the violation of a removal of territories (SW-1, SW-A2, SW-A3), or None."""
    if state.phase != "remove":
        return not_due(state)
    setup = state.setup
    if event.by != setup.seats[state.actor]:
        return forbids(
            "SW-1",
            "{@highest} rolled highest and must remove the territories, not {@by}",
            highest=setup.seats[state.actor],
            by=event.by,
        )
    for name in event.at:
        if name not in setup.board.index:
            return unknown_place("SW-1", "territory", name)
    if len(event.at) != setup.removals or len(set(event.at)) != setup.removals:
        rule = "SW-A2" if setup.options.extra_ownerless else "SW-1"
        if not event.at:
            return forbids(
                rule, "{n} different territories must be removed, but none was named", n=setup.removals
            )
        return forbids(
            rule, "{n} different territories must be removed, not {=found}", n=setup.removals, found=event.at
        )
    if setup.options.keep_connected and not is_connected(
        setup.board, {setup.board.index[name] for name in event.at}
    ):
        return forbids(
            "SW-A3", "without {at}, the other territories would not be connected", at=" ".join(event.at)
        )
    return None


def _start_roll(state: State, event: ev.StartRoll) -> Violation | None:
    return _roll(state, event, "SW-2") if state.phase == "start_roll" else not_due(state)


def _claim(state: State, event: ev.ClaimLand) -> Violation | None:
    if state.phase != "claim" or event.by != state.setup.seats[state.actor]:
        return turn_refusal(state, event, "claim")
    at = state.setup.board.index.get(event.at)
    if at is None:
        return unknown_place("SW-3", "territory", event.at)
    if state.owners[at] != FREE:
        return forbids("SW-3", "{at} is not free", at=event.at)
    return None


def _add(state: State, event: ev.Add) -> Violation | None:
    """Return the violation of an added die in the set-up (SW-4, SW-A6), or None."""
    if state.phase != "add" or event.by != state.setup.seats[state.actor]:
        return turn_refusal(state, event, "add")
    at = state.setup.board.index.get(event.at)
    if at is None:
        return unknown_place("SW-4", "territory", event.at)
    if state.owners[at] != state.actor:
        return forbids("SW-4", "{at} does not belong to {@by}", at=event.at, by=event.by)
    if state.dice[at] >= CAPACITY:
        return forbids("SW-A6", "{at} already holds {n} dice", at=event.at, n=CAPACITY)
    return None


_NO_NEW_DICE = forbids("SW-5", "the first round brings no new dice")
_NO_HAND = forbids("SW-7", "the player has already placed all dice that they received")


def _place(state: State, event: ev.Place) -> Violation | None:
    """Return the violation of the placement of a die (SW-7, SW-A25), or None."""
    if state.phase == "attack":
        return _NO_NEW_DICE if state.round == 1 else _NO_HAND
    if state.phase != "place" or event.by != state.setup.seats[state.actor]:
        return turn_refusal(state, event, "place")
    at = state.setup.board.index.get(event.at)
    if at is None:
        return unknown_place("SW-7", "territory", event.at)
    owner = state.owners[at]
    if owner != state.actor:
        return forbids(
            "SW-A25" if owner == OWNERLESS else "SW-7",
            "{at} does not belong to {@by}",
            at=event.at,
            by=event.by,
        )
    if state.dice[at] >= CAPACITY:
        return forbids("SW-7", "{at} already holds {n} dice", at=event.at, n=CAPACITY)
    return None


def _attack(state: State, event: ev.Attack) -> Violation | None:
    """Return the violation of an attack (SW-11, SW-17, SW-A1), or None."""
    if state.phase != "attack" or event.by != state.setup.seats[state.actor]:
        return turn_refusal(state, event, "attack")
    setup, owners, actor = state.setup, state.owners, state.actor
    board = setup.board
    src, dst = board.index.get(event.src), board.index.get(event.dst)
    if src is None:
        return unknown_place("SW-11", "territory", event.src)
    if dst is None:
        return unknown_place("SW-11", "territory", event.dst)
    if owners[src] != actor:
        return forbids("SW-11", "{at} does not belong to {@by}", at=event.src, by=event.by)
    if owners[dst] == actor:
        return forbids("SW-11", "{at} already belongs to {@by}", at=event.dst, by=event.by)
    if dst not in board.neighbours[src]:
        return forbids("SW-11", "{src} does not touch {dst}", src=event.src, dst=event.dst)
    if state.dice[src] < 2:
        return forbids("SW-17", "{src} has only one die, and an attack needs at least two", src=event.src)
    if owners[dst] == VOID:
        return forbids("SW-A1", "{at} is off the map", at=event.dst)
    return None


def _battle(state: State, event: ev.Battle) -> Violation | None:
    """Return the violation of the dice of a battle (SW-12, SW-13, SW-A8), or None."""
    if state.attack is None:
        return not_due(state)
    src, dst = state.attack
    attacker = state.setup.seats[state.owners[src]]
    if event.by != attacker:
        return forbids(
            "SW-12",
            "the attacker {@attacker} must record the battle, not {@by}",
            attacker=attacker,
            by=event.by,
        )
    attack, defence = event.attack, event.defence
    if len(attack) != state.dice[src]:
        return forbids(
            "SW-A8",
            "an attack uses all {n} dice of the territory, not {found}",
            n=state.dice[src],
            found=len(attack),
        )
    if len(defence) != state.dice[dst]:
        if state.owners[dst] == OWNERLESS:
            return forbids(
                "SW-13",
                "ownerless land defends with {n} dice, not with {found}",
                n=OWNERLESS_DICE,
                found=len(defence),
            )
        return forbids(
            "SW-12", "the defence rolls {n} {n:die|dice}, not {found}", n=state.dice[dst], found=len(defence)
        )
    return face_violation("SW-12", attack + defence)


def _pass(state: State, event: ev.Pass) -> Violation | None:
    if state.phase == "place" and event.by == state.setup.seats[state.actor]:
        return forbids("SW-A24", "{@by} must still place {n} {n:die|dice}", by=event.by, n=state.hand)
    return turn_refusal(state, event, "attack")


CHECKS: dict[type[Event], Callable[[State, Any], Violation | None]] = {
    ev.RemovalRoll: _removal_roll,
    ev.Remove: _remove,
    ev.StartRoll: _start_roll,
    ev.ClaimLand: _claim,
    ev.Add: _add,
    ev.Place: _place,
    ev.Attack: _attack,
    ev.Battle: _battle,
    ev.Pass: _pass,
}
"""The function that judges each kind of event."""


def _roll(state: State, event: ev.RemovalRoll | ev.StartRoll, rule: str) -> Violation | None:
    """Return a violation, or None if exactly the seats that must roll have rolled one die each."""
    seats = state.setup.seats
    owe = [seats[seat] for seat in state.rolling]
    problem = roller_violation(rule, event, event.rolls, owe, "SW-A4" if len(owe) < len(seats) else rule)
    return problem or face_violation(rule, event.rolls.values())
