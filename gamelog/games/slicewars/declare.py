"""Positions that are declared because moves were not written down."""

from __future__ import annotations

from typing import Any, Literal

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from gamelog.game import Message, Outcome
from gamelog.games.slicewars.land import can_attack, has_room
from gamelog.games.slicewars.state import CAPACITY, FREE, OWNERLESS, OWNERLESS_DICE, VOID, State
from gamelog.games.slicewars.victory import victory


class Declared(Struct, frozen=True):
    """What of `gamelog.games.slicewars.scene.describe` can be declared, while no dice are owed."""

    on_turn: str
    phase: Literal["claim", "add", "place", "attack"]
    round: int
    first: str
    hand: int = 0
    territories: dict[str, tuple[str, int]] = {}


def declare(now: State, words: dict[str, Any]) -> State:
    """The position that `words` describe, over if it is decided; what they do not name is as in `now`.

    Raises ValueError, KeyError for a territory there is not, or `msgspec.ValidationError`.
    """
    given = msgspec.convert(words, Declared)
    setup = now.setup
    owner_of = {seat: number for number, seat in enumerate(setup.seats)} | {
        "ownerless": OWNERLESS,
        "free": FREE,
        "void": VOID,
    }
    room = {OWNERLESS: (OWNERLESS_DICE,), FREE: (0,), VOID: (0,)}
    owners, dice = bytearray(now.owners), bytearray(now.dice)
    for name, (owner, count) in given.territories.items():
        number = owner_of[owner]
        if count not in room.get(number, range(1, CAPACITY + 1)):
            raise ValueError(
                Message.of("{n} dice cannot lie on {=at}, which is {=owner}'s", n=count, at=name, owner=owner)
            )
        owners[setup.board.index[name]], dice[setup.board.index[name]] = number, count
    state = State(
        setup,
        given.phase,
        given.round,
        owner_of[given.on_turn],
        bytes(owners),
        bytes(dice),
        given.hand,
        owner_of[given.first],
    )
    problem = _check_position(state)
    if problem:
        raise ValueError(problem)
    outcome = _decided(state)
    return state if outcome is None else replace(state, phase="over", hand=0, outcome=outcome)


def _decided(state: State) -> Outcome | None:
    """How the game has ended in a position of the rounds, if it has.

    With ``check=actor`` a full majority is asked for after the actor's own dice and battles alone: a turn may
    begin with one.
    """
    if not state.round:
        return None
    return victory(state if state.setup.options.check == "all" else replace(state, actor=-1))


def _check_position(state: State) -> Message | None:
    phase, actor = state.phase, state.actor
    setting_up = phase in ("claim", "add")
    if max(actor, state.first) >= len(state.setup.seats):
        return Message.of("a seat has to be on_turn, and first")
    if not (state.round == 0 if setting_up else 1 <= state.round <= state.setup.options.max_rounds):
        return Message.of("the phase {phase} does not belong to round {n}", phase=phase, n=state.round)
    if (FREE in state.owners) != (phase == "claim"):
        return Message.of("land is free while it is claimed, and only then")
    if not (0 < state.hand <= len(state.owners) * CAPACITY if phase in ("add", "place") else state.hand == 0):
        return Message.of("nobody holds {n} dice in the phase {phase}", n=state.hand, phase=phase)
    if phase in ("add", "place") and not has_room(state, actor):
        return Message.of("the player to move has no room for another die")
    if phase == "attack" and not can_attack(state, actor):
        return Message.of("the player to move has no attack; declare the turn of the next")
    return None
