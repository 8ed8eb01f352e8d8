"""The state after an event.

`apply` also carries out an illegal event that was played anyway, as it happened on the table. A die stays
where the player put it, an attack across the board is fought, and the turn does not change. Each function
raises `CannotApply` for events that are impossible at a table: an unknown territory, a seventh die, dice that
are not due, or dice on ownerless land.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from gamelog.game import TABLE, CannotApply, Outcome, Results, Violation, forbids
from gamelog.games.kit.cells import BYTE, put
from gamelog.games.kit.roll_off import highest_rollers
from gamelog.games.slicewars import events as ev
from gamelog.games.slicewars.events import Chance, Event
from gamelog.games.slicewars.land import can_attack, count_valid, has_room, living_seats
from gamelog.games.slicewars.state import CAPACITY, FREE, OWNERLESS, OWNERLESS_DICE, VOID, Phase, State
from gamelog.games.slicewars.turns import turns
from gamelog.games.slicewars.victory import by_guard, victory

_DICELESS_PHASES = ("place", "attack")
"""The phases of a turn in which no dice are owed."""


def apply(state: State, event: Event) -> State:
    """Return the state after `event`, legal or not.

    Raises:
        CannotApply: The event is impossible at a table.
    """
    return APPLY[type(event)](state, event)


def chance(state: State, results: Results) -> Chance:
    """Return the chance event that is due, with these results, without seats that did not roll one die."""
    seats = state.setup.seats
    if state.attack is not None:
        attack, defence = results
        seat = seats[state.owners[state.attack[0]]]
        return ev.Battle(0, 0, seat, tuple(map(int, attack)), tuple(map(int, defence)))
    rolls = {
        seats[seat]: int(faces[0])
        for seat, faces in zip(state.rolling, results, strict=True)
        if len(faces) == 1
    }
    if state.phase == "removal_roll":
        return ev.RemovalRoll(0, 0, TABLE, rolls)
    return ev.StartRoll(0, 0, TABLE, rolls)


def retire(state: State, seat: str) -> State | Violation:
    """Return the state after `seat` resigns: its land becomes ownerless (SW-A26).

    Resigning is refused before the rounds and while a roll is due. The last player on the map wins by
    resigning, because no rival is left.
    """
    setup = state.setup
    if state.phase not in _DICELESS_PHASES:
        return forbids(
            "SW-A26", "a player can resign only during the rounds, and not between an attack and its dice"
        )
    number = setup.seats.index(seat)
    if number not in state.owners:
        return forbids("SW-A22", "{@by} is already out of the game", by=seat)
    if living_seats(state) == [number]:
        return _end_game(state, Outcome((seat,), "all"))
    owners = state.owners.replace(BYTE[number], BYTE[OWNERLESS])
    dice = bytes(
        OWNERLESS_DICE if owner == OWNERLESS else count
        for owner, count in zip(owners, state.dice, strict=True)
    )
    after = replace(state, owners=owners, dice=dice)
    rest = living_seats(after)
    outcome = Outcome((setup.seats[rest[0]],), "all") if len(rest) == 1 else victory(after)
    if outcome is not None:
        return _end_game(after, outcome)
    return _next_turn(after) if number == state.actor else after


def _removal_roll(state: State, event: ev.RemovalRoll) -> State:
    rolled = _roll(state, event)
    return rolled if rolled.rolling else replace(rolled, phase="remove")


def _remove(state: State, event: ev.Remove) -> State:
    """Return the state after territories were removed, or made ownerless by the option ``removed``."""
    setup = state.setup
    gone = {setup.board.index.get(name, -1) for name in event.at}
    if state.phase != "remove" or -1 in gone or len(state.owners) - len(gone) < len(setup.seats):
        raise CannotApply(f"These territories cannot be removed: {' '.join(event.at) or 'none'}.")
    owner, count = (OWNERLESS, OWNERLESS_DICE) if setup.options.removed == "ownerless" else (VOID, 0)
    owners, dice = bytearray(state.owners), bytearray(state.dice)
    for at in gone:
        owners[at], dice[at] = owner, count
    rolling = tuple(range(len(setup.seats)))
    return replace(
        state, phase="start_roll", actor=0, owners=bytes(owners), dice=bytes(dice), rolling=rolling
    )


def _start_roll(state: State, event: ev.StartRoll) -> State:
    rolled = _roll(state, event)
    return rolled if rolled.rolling else replace(rolled, phase="claim", first=rolled.actor)


def _claim(state: State, event: ev.ClaimLand) -> State:
    """Return the state after a claim. After the last free territory, each seat gets dice to add."""
    setup, owners, dice, players = state.setup, state.owners, state.dice, len(state.setup.seats)
    at = setup.board.index.get(event.at)
    if at is None or owners[at] != FREE or state.phase != "claim" or event.by not in setup.seats:
        raise CannotApply(f"{event.at} cannot be claimed by {event.by}.")
    seat = setup.seats.index(event.by)
    actor = (seat + 1) % players if seat == state.actor else state.actor
    after = replace(state, actor=actor, owners=put(owners, at, seat), dice=put(dice, at, dice[at] + 1))
    if FREE in after.owners:
        return after
    return replace(after, phase="add", actor=state.first, hand=count_valid(after) // players)


def _add(state: State, event: ev.Add) -> State:
    setup, dice = state.setup, state.dice
    at = setup.board.index.get(event.at)
    if at is None or state.phase != "add" or state.owners[at] >= OWNERLESS or dice[at] >= CAPACITY:
        raise CannotApply(f"No die can be added on {event.at}.")
    after = replace(state, dice=put(dice, at, dice[at] + 1))
    return _next_to_add(after) if event.by == setup.seats[state.actor] else after


def _place(state: State, event: ev.Place) -> State:
    """Return the state after a die was placed, which may end the turn or the game (SW-19, SW-20)."""
    setup, owners, dice, hand = state.setup, state.owners, state.dice, state.hand
    at = setup.board.index.get(event.at)
    if at is None or state.phase not in _DICELESS_PHASES or owners[at] >= OWNERLESS or dice[at] >= CAPACITY:
        raise CannotApply(f"No die can be placed on {event.at}.")
    if hand and event.by == setup.seats[state.actor]:
        hand -= 1
    count = dice[at] + 1
    after = replace(state, dice=dice[:at] + BYTE[count] + dice[at + 1 :], hand=hand)
    if count < CAPACITY:
        if hand and owners[at] == state.actor:
            return after  # the usual case, decided quickly: this territory still has room
    elif not has_room(after, owners[at]):  # only land that is full now can decide by SW-19 or SW-20
        outcome = victory(after)
        if outcome is not None:
            return _end_game(after, outcome)
    return _end_turn_if_done(after)


def _attack(state: State, event: ev.Attack) -> State:
    """Return the state in which the attack waits for its battle."""
    setup, owners, dice = state.setup, state.owners, state.dice
    src, dst = setup.board.index.get(event.src), setup.board.index.get(event.dst)
    if src is None or dst is None or state.phase not in _DICELESS_PHASES:
        raise CannotApply(f"{event.src} cannot attack {event.dst} now.")
    if owners[src] >= OWNERLESS or event.by != setup.seats[owners[src]]:
        raise CannotApply(f"{event.src} does not belong to {event.by}.")
    if owners[src] == owners[dst] or owners[dst] == VOID:
        raise CannotApply(f"{event.dst} has no defender.")
    if dice[src] < 2:
        raise CannotApply(f"{event.src} has no die that can move in.")
    return replace(state, phase="battle", attack=(src, dst))


def _battle(state: State, event: ev.Battle) -> State:
    """Return the state after a battle, which may end the turn or the game."""
    if state.attack is None:
        raise CannotApply("There is no attack to roll for.")
    (src, dst), owners, dice = state.attack, state.owners, bytearray(state.dice)
    loser, won = owners[dst], sum(event.attack) > sum(event.defence)
    if won:
        owners = put(owners, dst, owners[src])
        dice[dst] = dice[src] - 1
    dice[src] = 1
    phase: Phase = "place" if state.hand else "attack"  # dice are in hand only if the attack came too early
    after = State(state.setup, phase, state.round, state.actor, owners, bytes(dice), state.hand, state.first)
    if won and _may_end_game(after, loser):
        outcome = victory(after)
        if outcome is not None:
            return _end_game(after, outcome)
    return _end_turn_if_done(after)


def _pass(state: State, event: ev.Pass) -> State:
    if state.phase not in _DICELESS_PHASES or event.by != state.setup.seats[state.actor]:
        raise CannotApply(f"{event.by} has no turn to end.")
    return _next_turn(state)


APPLY: dict[type[Event], Callable[[State, Any], State]] = {
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
"""The function that applies each kind of event."""


def _roll(state: State, event: ev.RemovalRoll | ev.StartRoll) -> State:
    """Return the state after a roll: the highest seat acts, or the tied seats roll again."""
    if state.phase != event.__struct_config__.tag:
        raise CannotApply("This roll is not due.")
    best, *tied = highest_rollers(state.rolling, state.setup.seats, event.rolls)
    return replace(state, rolling=(best, *tied)) if tied else replace(state, actor=best, rolling=())


def _next_to_add(state: State) -> State:
    """Return the next player's turn to add, or the first turn of round 1 when all dice are added."""
    actor, hand = state.actor, state.hand
    while True:
        actor = (actor + 1) % len(state.setup.seats)
        hand -= actor == state.first
        if not hand:
            return _end_turn_if_done(replace(state, phase="attack", round=1, actor=actor, hand=0))
        if has_room(state, actor):  # without room only if somebody claimed out of turn
            return replace(state, actor=actor, hand=hand)


def _may_end_game(state: State, loser: int) -> bool:
    """Return whether a conquest from `loser` can have ended the game.

    It can if it took the last ownerless land, the loser's last land, or the loser's last land that was not
    full. It never fills the conqueror's land, because one die stays behind.
    """
    return OWNERLESS not in state.owners if loser == OWNERLESS else not has_room(state, loser)


def _end_turn_if_done(state: State) -> State:
    """Return `state`, or the start of the next turn with a decision if this turn has no decision left."""
    if state.hand:
        if has_room(state, state.actor):
            return state
        state = replace(state, hand=0)
    if not can_attack(state, state.actor):
        return _next_turn(state)
    return state if state.phase == "attack" else replace(state, phase="attack")


def _next_turn(state: State) -> State:
    """Return the start of the next turn that has a decision."""
    *_, (turn, _income) = turns(state, state.actor, state.round)
    return _end_game(state, by_guard(state)) if turn.round > state.setup.options.max_rounds else turn


def _end_game(state: State, outcome: Outcome) -> State:
    """Return `state` as the end of the game."""
    return replace(state, phase="over", hand=0, outcome=outcome)
