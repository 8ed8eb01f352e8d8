"""What happens: the state after an event.

Of an illegal event that was played all the same, `apply` does what a hand on the table did and
leaves the turn where it was: a die lies where it was put, an attack across the board is fought.
`CannotApply` is raised for what no hand could do, or what the position has no room for: no such
territory, a seventh die, dice nobody owes, dice on ownerless land.

Types are told apart by ``type(event) is``, the most frequent first: ``isinstance`` and ``match`` cost a
call each on struct classes. Events are final, so type checkers still name a forgotten one.
"""

from __future__ import annotations

from typing import assert_never

from msgspec.structs import replace

from gamelog.chance.draws import Results
from gamelog.errors import CannotApply
from gamelog.games.slicewars.events import (
    Add,
    Attack,
    Battle,
    Chance,
    ClaimLand,
    Event,
    Pass,
    Place,
    RemovalRoll,
    Remove,
    StartRoll,
)
from gamelog.games.slicewars.land import can_attack, count_valid, has_room, living
from gamelog.games.slicewars.state import CAPACITY, FREE, OWNERLESS, OWNERLESS_DICE, VOID, Phase, State
from gamelog.games.slicewars.turns import turns
from gamelog.games.slicewars.victory import by_guard, victory
from gamelog.play.contract.game import Outcome, Violation, who
from gamelog.record.envelope import TABLE

BYTE = tuple(bytes([value]) for value in range(OWNERLESS + 1))
"""Owners and numbers of dice as they stand in a state."""

ROUNDS = ("place", "attack")
"""The phases of a turn in which no dice are owed."""


def apply(state: State, event: Event) -> State:
    """The state after `event`. Raises `CannotApply`.

    Nothing is checked beyond what that needs.
    """
    if type(event) is Place:
        return _place(state, event)
    if type(event) is Attack:
        return _attack(state, event)
    if type(event) is Battle:
        return _battle(state, event)
    if type(event) is Add:
        return _add(state, event)
    if type(event) is ClaimLand:
        return _claim(state, event)
    if type(event) is Pass:
        return _pass(state, event)
    if type(event) is Remove:
        return _remove(state, event)
    if type(event) is RemovalRoll or type(event) is StartRoll:
        return _roll(state, event)
    assert_never(event)


def chance(state: State, results: Results) -> Chance:
    """The chance event that is owed, with these results. A seat that threw no single die is left out of a roll."""
    seats = state.setup.seats
    if state.attack is not None:
        attack, defence = (tuple(map(int, faces)) for faces in results)
        return Battle(0, 0, seats[state.owners[state.attack[0]]], attack, defence)
    rolls = {seats[seat]: int(faces[0]) for seat, faces in zip(state.rolling, results, strict=True) if len(faces) == 1}
    return RemovalRoll(0, 0, TABLE, rolls) if state.phase == "removal_roll" else StartRoll(0, 0, TABLE, rolls)


def retire(state: State, seat: str) -> State | Violation:
    """`seat` gives up: its land becomes ownerless (SW-A26). Not before the first round, nor while dice are owed.

    The last player on the map leaves nobody to play on, and has won.
    """
    setup = state.setup
    if state.phase not in ROUNDS:
        return Violation("SW-A26", "one resigns during the rounds, and not between an attack and its dice")
    number = setup.seats.index(seat)
    if number not in state.owners:
        return Violation("SW-A22", f"{who(seat)} is out of the game already")
    if living(state) == [number]:
        return _over(state, Outcome((seat,), "all"))
    owners = state.owners.replace(BYTE[number], BYTE[OWNERLESS])
    dice = bytes(OWNERLESS_DICE if owner == OWNERLESS else count for owner, count in zip(owners, state.dice, strict=True))
    after = replace(state, owners=owners, dice=dice)
    rest = living(after)
    outcome = Outcome((setup.seats[rest[0]],), "all") if len(rest) == 1 else victory(after)
    if outcome is not None:
        return _over(after, outcome)
    return _next(after) if number == state.actor else after


def _roll(state: State, event: RemovalRoll | StartRoll) -> State:
    if state.phase != event.__struct_config__.tag:
        raise CannotApply("Nobody owes these dice.")
    seats = state.setup.seats
    faces = {seat: event.rolls[seats[seat]] for seat in state.rolling if seats[seat] in event.rolls}
    if not faces:
        raise CannotApply("None of those who owe a die has rolled one.")
    highest = [seat for seat, face in faces.items() if face == max(faces.values())]
    if len(highest) > 1:
        return replace(state, rolling=tuple(highest))
    if type(event) is RemovalRoll:
        return replace(state, phase="remove", actor=highest[0], rolling=())
    return replace(state, phase="claim", actor=highest[0], first=highest[0], rolling=())


def _remove(state: State, event: Remove) -> State:
    setup = state.setup
    gone = {setup.board.index.get(name, -1) for name in event.at}
    if state.phase != "remove" or -1 in gone or len(state.owners) - len(gone) < len(setup.seats):
        raise CannotApply(f"{' '.join(event.at) or 'Nothing'} cannot be taken out.")
    owner, count = (OWNERLESS, OWNERLESS_DICE) if setup.options.removed == "ownerless" else (VOID, 0)
    owners, dice = bytearray(state.owners), bytearray(state.dice)
    for at in gone:
        owners[at], dice[at] = owner, count
    rolling = tuple(range(len(setup.seats)))
    return replace(state, phase="start_roll", actor=0, owners=bytes(owners), dice=bytes(dice), rolling=rolling)


def _claim(state: State, event: ClaimLand) -> State:
    setup, owners, players = state.setup, state.owners, len(state.setup.seats)
    at = setup.board.index.get(event.at)
    if at is None or owners[at] != FREE or state.phase != "claim" or event.by not in setup.seats:
        raise CannotApply(f"{event.at} cannot be claimed by {event.by}.")
    seat = setup.seats.index(event.by)
    actor = (seat + 1) % players if seat == state.actor else state.actor
    owners = owners[:at] + BYTE[seat] + owners[at + 1 :]
    after = State(setup, "claim", 0, actor, owners, _one_more(state.dice, at), 0, state.first)
    if FREE in owners:
        return after
    return replace(after, phase="add", actor=state.first, hand=count_valid(after) // players)


def _add(state: State, event: Add) -> State:
    setup, owners = state.setup, state.owners
    at = setup.board.index.get(event.at)
    if at is None or state.phase != "add" or owners[at] >= OWNERLESS or state.dice[at] >= CAPACITY:
        raise CannotApply(f"No die can be added on {event.at}.")
    after = State(setup, "add", 0, state.actor, owners, _one_more(state.dice, at), state.hand, state.first)
    return _next_to_add(after) if event.by == setup.seats[state.actor] else after


def _next_to_add(state: State) -> State:
    """The next player's turn to add, or the first turn of the first round when all have added theirs."""
    setup, owners, dice, first = state.setup, state.owners, state.dice, state.first
    actor, hand = state.actor, state.hand
    while True:
        actor = (actor + 1) % len(setup.seats)
        hand -= actor == first
        if not hand:
            return _rest(State(setup, "attack", 1, first, owners, dice, 0, first))
        if has_room(state, actor):  # it has none only after claims out of turn
            return State(setup, "add", 0, actor, owners, dice, hand, first)


def _place(state: State, event: Place) -> State:
    setup, owners, hand = state.setup, state.owners, state.hand
    at = setup.board.index.get(event.at)
    if at is None or state.phase not in ROUNDS or owners[at] >= OWNERLESS or state.dice[at] >= CAPACITY:
        raise CannotApply(f"No die can be placed on {event.at}.")
    if hand and event.by == setup.seats[state.actor]:
        hand -= 1
    dice = _one_more(state.dice, at)
    after = State(setup, state.phase, state.round, state.actor, owners, dice, hand, state.first)
    if dice[at] < CAPACITY:
        if hand and owners[at] == state.actor:
            return after  # most dice: there is room left where this one lies
    elif not has_room(after, owners[at]):  # else neither SW-19 nor SW-20 can be new
        outcome = victory(after)
        if outcome is not None:
            return _over(after, outcome)
    return _rest(after)


def _attack(state: State, event: Attack) -> State:
    setup, owners, dice = state.setup, state.owners, state.dice
    src, dst = setup.board.index.get(event.src), setup.board.index.get(event.dst)
    if src is None or dst is None or state.phase not in ROUNDS:
        raise CannotApply(f"{event.src} cannot attack {event.dst} now.")
    if owners[src] >= OWNERLESS or event.by != setup.seats[owners[src]]:
        raise CannotApply(f"{event.src} is not {event.by}'s land.")
    if owners[src] == owners[dst] or owners[dst] == VOID:
        raise CannotApply(f"There is nobody to fight on {event.dst}.")
    if dice[src] < 2:
        raise CannotApply(f"{event.src} has no die that could move on.")
    return State(setup, "battle", state.round, state.actor, owners, dice, state.hand, state.first, (), (src, dst))


def _battle(state: State, event: Battle) -> State:
    if state.attack is None:
        raise CannotApply("There is no attack to roll for.")
    (src, dst), setup, owners, hand = state.attack, state.setup, state.owners, state.hand
    loser = owners[dst]
    won = sum(event.attack) > sum(event.defence)
    dice = bytearray(state.dice)
    if won:
        owners = owners[:dst] + BYTE[owners[src]] + owners[dst + 1 :]
        dice[dst] = dice[src] - 1
    dice[src] = 1
    phase: Phase = "place" if hand else "attack"  # a hand is left only when the attack came too early
    after = State(setup, phase, state.round, state.actor, owners, bytes(dice), hand, state.first)
    if won and _decisive(after, loser):
        outcome = victory(after)
        if outcome is not None:
            return _over(after, outcome)
    return _rest(after)


def _decisive(state: State, loser: int) -> bool:
    """Whether a conquest from `loser` can have ended the game.

    It has taken the last ownerless land, or the loser's last, or the loser's last that was not
    full; the conqueror's own land is not full, for one die stays behind.
    """
    return OWNERLESS not in state.owners if loser == OWNERLESS else not has_room(state, loser)


def _pass(state: State, event: Pass) -> State:
    if state.phase not in ROUNDS or event.by != state.setup.seats[state.actor]:
        raise CannotApply(f"{event.by} has no turn to end.")
    return _next(state)


def _rest(state: State) -> State:
    """`state` if something is left to do in the turn, else the start of the next one in which there is."""
    if state.hand:
        if has_room(state, state.actor):
            return state
        state = replace(state, hand=0)
    if not can_attack(state, state.actor):
        return _next(state)
    return state if state.phase == "attack" else replace(state, phase="attack")


def _next(state: State) -> State:
    """The start of the next turn in which there is something to do."""
    *_, (turn, _income) = turns(state, state.actor, state.round)
    return _over(state, by_guard(state)) if turn.round > state.setup.options.max_rounds else turn


def _over(state: State, outcome: Outcome) -> State:
    return replace(state, phase="over", hand=0, outcome=outcome)


def _one_more(dice: bytes, at: int) -> bytes:
    """`dice` with one die more on `at`."""
    return dice[:at] + BYTE[dice[at] + 1] + dice[at + 1 :]
