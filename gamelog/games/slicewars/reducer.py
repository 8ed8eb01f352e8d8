"""What happens: the state after an event.

Of an illegal event that was played all the same, `apply` does what a hand on the table did and
leaves the turn where it was: a die lies where it was put, an attack across the board is fought.
`CannotApply` is raised for what no hand could do, or what the position has no room for: no such
territory, a seventh die, dice nobody owes, dice on ownerless land.
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
from gamelog.play.game import Outcome, Violation
from gamelog.record.envelope import TABLE

BYTE = tuple(bytes([value]) for value in range(OWNERLESS + 1))


def apply(state: State, event: Event) -> State:
    """The state after `event`. Raises `CannotApply`; nothing is checked beyond what that needs."""
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
    """`seat` gives up: its land becomes ownerless (SW-A26). Not before the first round, nor while dice are owed."""
    setup, phase = state.setup, state.phase
    if phase not in ("place", "attack"):
        return Violation("SW-A26", "one resigns during the rounds, and not between an attack and its dice")
    number = setup.seats.index(seat)
    if number not in state.owners:
        return Violation("SW-A22", f"{seat} is out of the game already")
    owners = state.owners.replace(BYTE[number], BYTE[OWNERLESS])
    dice = bytes(OWNERLESS_DICE if owner == OWNERLESS else count for owner, count in zip(owners, state.dice, strict=True))
    after = replace(state, owners=owners, dice=dice)
    rest = living(after)
    outcome = Outcome((setup.seats[rest[0]],), "all") if len(rest) == 1 else victory(after)
    if outcome is not None:
        return _over(after, outcome)
    return _next(after) if number == state.actor else after


def _place(state: State, event: Place) -> State:
    at = _standing(state, event.at)
    setup, owners, count, hand = state.setup, state.owners, state.dice[at], state.hand
    if count >= CAPACITY:
        raise CannotApply(f"There is no room for a seventh die on {event.at}.")
    if hand and event.by == setup.seats[state.actor]:
        hand -= 1
    dice = state.dice[:at] + BYTE[count + 1] + state.dice[at + 1 :]
    after = State(setup, state.phase, state.round, state.actor, owners, dice, hand, state.first)
    if count < CAPACITY - 1:
        if hand and owners[at] == state.actor:
            return after  # the quick way for most dice: there is room left where this one lies
    elif not has_room(after, owners[at]):  # else neither SW-19 nor SW-20 can be new
        outcome = victory(after)
        if outcome is not None:
            return _over(after, outcome)
    return _rest(after)


def _attack(state: State, event: Attack) -> State:
    src, dst = _standing(state, event.src), _number(state, event.dst)
    setup, owners, dice = state.setup, state.owners, state.dice
    if event.by != setup.seats[owners[src]]:
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
    phase: Phase = "place" if hand else "attack"
    after = State(setup, phase, state.round, state.actor, owners, bytes(dice), hand, state.first)
    if won and (OWNERLESS not in owners if loser == OWNERLESS else not has_room(after, loser)):
        # nothing is left to take, or the loser has lost all its land, or all that was not full
        outcome = victory(after)
        if outcome is not None:
            return _over(after, outcome)
    return _rest(after)


def _pass(state: State, event: Pass) -> State:
    if state.phase not in ("place", "attack") or event.by != state.setup.seats[state.actor]:
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
    *_, (turn, _income) = turns(state)
    return _over(state, by_guard(state)) if turn.round > state.setup.options.max_rounds else turn


def _over(state: State, outcome: Outcome) -> State:
    return replace(state, phase="over", hand=0, outcome=outcome)


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
    if isinstance(event, RemovalRoll):
        return replace(state, phase="remove", actor=highest[0], rolling=())
    return replace(state, phase="claim", actor=highest[0], first=highest[0], rolling=())


def _remove(state: State, event: Remove) -> State:
    gone = {_number(state, name) for name in event.at}
    if state.phase != "remove" or len(state.owners) - len(gone) < len(state.setup.seats):
        raise CannotApply("Territories are taken out before the claim, and some must be left for everybody.")
    ownerless = state.setup.options.removed == "ownerless"
    owners, dice = bytearray(state.owners), bytearray(state.dice)
    for at in gone:
        owners[at] = OWNERLESS if ownerless else VOID
        dice[at] = OWNERLESS_DICE if ownerless else 0
    rolling = tuple(range(len(state.setup.seats)))
    return replace(state, phase="start_roll", actor=0, owners=bytes(owners), dice=bytes(dice), rolling=rolling)


def _claim(state: State, event: ClaimLand) -> State:
    at = _number(state, event.at)
    setup, owners, players = state.setup, state.owners, len(state.setup.seats)
    if state.phase != "claim" or owners[at] != FREE or event.by not in setup.seats:
        raise CannotApply(f"{event.at} cannot be claimed by {event.by}.")
    seat = setup.seats.index(event.by)
    owners = owners[:at] + BYTE[seat] + owners[at + 1 :]
    dice = state.dice[:at] + BYTE[1] + state.dice[at + 1 :]
    actor = (seat + 1) % players if seat == state.actor else state.actor
    after = State(setup, "claim", 0, actor, owners, dice, 0, state.first)
    if FREE in owners:
        return after
    return replace(after, phase="add", actor=state.first, hand=count_valid(after) // players)


def _add(state: State, event: Add) -> State:
    at = _number(state, event.at)
    setup, owners, first, count = state.setup, state.owners, state.first, state.dice[at]
    if state.phase != "add" or owners[at] >= OWNERLESS or count >= CAPACITY:
        raise CannotApply(f"No die can be added on {event.at}.")
    dice = state.dice[:at] + BYTE[count + 1] + state.dice[at + 1 :]
    actor, hand = state.actor, state.hand
    after = State(setup, "add", 0, actor, owners, dice, hand, first)
    if event.by == setup.seats[actor]:
        actor, hand = _next_to_add(after)
    if hand:
        return State(setup, "add", 0, actor, owners, dice, hand, first)
    return _rest(State(setup, "attack", 1, first, owners, dice, 0, first))


def _next_to_add(state: State) -> tuple[int, int]:
    """Whose turn it is to add, and how many dice he has left to add; none when all have added theirs."""
    actor, hand = state.actor, state.hand
    while True:
        actor = (actor + 1) % len(state.setup.seats)
        hand -= actor == state.first
        if not hand or has_room(state, actor):  # without room only after a claim out of turn
            return actor, hand


def _number(state: State, name: str) -> int:
    """The number of the territory `name`."""
    at = state.setup.board.index.get(name)
    if at is None:
        raise CannotApply(f'The board has no territory "{name}".')
    return at


def _standing(state: State, name: str) -> int:
    """The number of the territory `name`, which a seat owns, while rounds are played and no dice are owed."""
    at = _number(state, name)
    if state.phase not in ("place", "attack"):
        raise CannotApply("This is done during the rounds, and not between an attack and its dice.")
    if state.owners[at] >= OWNERLESS:
        raise CannotApply(f"{name} has no owner.")
    return at
