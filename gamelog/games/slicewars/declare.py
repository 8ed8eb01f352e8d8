"""Declared positions, for records in which moves are missing."""

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
    """The members of `gamelog.games.slicewars.scene.describe` that can be declared. No roll may be due."""

    on_turn: str
    phase: Literal["claim", "add", "place", "attack"]
    round: int
    first: str
    hand: int = 0
    territories: dict[str, tuple[str, int]] = {}


def declare(now: State, words: dict[str, Any]) -> State:
    """Return the position that `words` describe. Territories that they do not name stay as in `now`.

    If the position is decided, the game is over.

    Raises:
        ValueError: The position is impossible.
        KeyError: The board has no such territory.
        msgspec.ValidationError: A member is missing or has a wrong type.
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
                Message.of(
                    "{=at} cannot hold {n} dice if its owner is {=owner}", n=count, at=name, owner=owner
                )
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
    problem = _position_problem(state)
    if problem:
        raise ValueError(problem)
    outcome = _declared_outcome(state)
    return state if outcome is None else replace(state, phase="over", hand=0, outcome=outcome)


def _declared_outcome(state: State) -> Outcome | None:
    """Return the outcome if a position of the rounds is decided, else None.

    With ``check=actor``, a full majority counts only after a die or a battle of the player to move, so a
    turn may begin with one.
    """
    if not state.round:
        return None
    return victory(state if state.setup.options.check == "all" else replace(state, actor=-1))


def _position_problem(state: State) -> Message | None:
    """Return the reason why `state` is impossible, or None."""
    phase, actor = state.phase, state.actor
    setting_up = phase in ("claim", "add")
    if max(actor, state.first) >= len(state.setup.seats):
        return Message.of("the player to move and the player who began must each have a seat")
    if not (state.round == 0 if setting_up else 1 <= state.round <= state.setup.options.max_rounds):
        return Message.of("the phase {phase} does not occur in round {n}", phase=phase, n=state.round)
    if (FREE in state.owners) != (phase == "claim"):
        return Message.of(
            "while the players claim territories, some must be free, and later none can be free"
        )
    if not (0 < state.hand <= len(state.owners) * CAPACITY if phase in ("add", "place") else state.hand == 0):
        return Message.of(
            "in the phase {phase}, the player to move cannot hold {n} dice", n=state.hand, phase=phase
        )
    if phase in ("add", "place") and not has_room(state, actor):
        return Message.of("the player to move has no room for another die")
    if phase == "attack" and not can_attack(state, actor):
        return Message.of("the player to move has no attack; declare the next player's turn")
    return None
