"""Positions of Dice in words, for scenarios and tests."""

from __future__ import annotations

from typing import Any, Literal

import msgspec
from msgspec import Struct

from gamelog.games.dice_flags.army import MEN, NUMBER, SOLDIERS
from gamelog.games.dice_flags.state import CARRIED, PRISON, RESERVE, Phase, State, base_at
from gamelog.games.dice_flags.turns import army_to_move
from gamelog.play.contract.outcome import Outcome

Man = tuple[str, str]
"""A seat and one of its soldiers."""


class Given(Struct, frozen=True, forbid_unknown_fields=True):
    """The words of `gamelog.games.dice_flags.scene.describe`, with shorter forms.

    Soldiers that are not named are where ``rest`` says: in the prison of the next seat, or at their
    places in the formation. Flags that are not named lie at home. ``first`` and ``turn`` may be
    left out where ``army_to_move`` says enough, ``roll`` where all its dice are left.
    """

    soldiers: dict[str, dict[str, str]] = {}
    rest: Literal["prison", "formation"] = "prison"
    flags: dict[str, str | Man] = {}
    phase: Phase = "act"
    round: int | None = None
    turn: int = 0
    on_turn: str | None = None
    first: str | None = None
    roll: tuple[int, ...] | None = None
    dice: tuple[int, ...] = ()
    walker: tuple[str, ...] = ()
    trail: tuple[str, ...] = ()
    moved: tuple[str, ...] = ()
    again: int = 0
    quiet_since: int = 0
    attack: tuple[str, ...] = ()
    picker: tuple[str, ...] = ()
    rolling: tuple[str, ...] = ()
    surrendered: tuple[str, ...] = ()
    outcome: Outcome | None = None


def arrange(start: State, words: dict[str, Any]) -> State:
    """Return the position that `words` describe, on the board and for the seats of `start`. Raises ValueError."""
    given = msgspec.convert(words, Given)
    setup = start.setup
    board, seats = setup.board, setup.seats
    prisons = {board.bases[home].prison.name: PRISON + army for army, home in enumerate(setup.homes)}
    known = {**board.index, **prisons, "reserve": RESERVE}

    def number(man: tuple[str, ...]) -> int:
        return seats.index(man[0]) * MEN + NUMBER[man[1]]

    places = bytearray()
    for army, seat in enumerate(seats):
        prison = bytes([PRISON + (army + 1) % len(seats)]) * MEN
        formation = board.bases[setup.homes[army]].formation
        rest = prison if given.rest == "prison" else formation
        named = given.soldiers.get(seat, {})
        if not set(named) <= set(SOLDIERS):
            raise ValueError(f"an army has no soldiers {set(named) - set(SOLDIERS)}")
        places += bytes(
            known[named[soldier]] if soldier in named else rest[k] for k, soldier in enumerate(SOLDIERS)
        )
    homes = {base.seat: at for at, base in enumerate(board.bases)}
    flags = bytearray(start.flags)
    for flag, at in given.flags.items():
        which = setup.flags.index(homes[flag])
        flags[which] = base_at(board, board.index[at]) if isinstance(at, str) else CARRIED + number(at)
    turn = given.turn
    first = given.first or seats[(seats.index(given.on_turn or seats[0]) - turn) % len(seats)]
    state = State(
        setup=setup,
        phase=given.phase,
        turn=turn,
        first=0 if given.phase == "start_roll" else seats.index(first),
        places=bytes(places),
        flags=bytes(flags),
        quiet_since=given.quiet_since,
        roll=given.dice if given.roll is None else given.roll,
        dice=given.dice,
        walker=number(given.walker) if given.walker else -1,
        trail=bytes(board.index[name] for name in given.trail),
        moved=sum(1 << NUMBER[name] for name in given.moved),
        again=given.again,
        attack=(number(given.attack[:2]), bytes(board.index[name] for name in given.attack[2:]))
        if given.attack
        else None,
        picker=number(given.picker) if given.picker else -1,
        rolling=tuple(seats.index(seat) for seat in given.rolling),
        surrendered=tuple(seats.index(seat) for seat in given.surrendered),
        outcome=given.outcome,
    )
    if given.on_turn is not None and seats[army_to_move(state)] != given.on_turn:
        raise ValueError(f"it is {seats[army_to_move(state)]}'s turn then, not {given.on_turn}'s")
    return state
