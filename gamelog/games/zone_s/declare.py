"""Declared positions, for games whose moves were not recorded."""

from __future__ import annotations

from typing import Any, Literal

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from gamelog.game import Message
from gamelog.games.zone_s.roster import NUMBERS, TERRAINS, Terrain
from gamelog.games.zone_s.state import BASE, NOWHERE, OPEN, WALL, State
from gamelog.games.zone_s.victory import by_value, guard


class Declared(Struct, frozen=True):
    """The members of `gamelog.games.zone_s.scene.describe` that a declaration can give.

    The position is after the coin and before an action.
    """

    on_turn: str
    phase: Literal["play"] = "play"
    actions: int = 0
    bases: dict[str, str] | None = None
    terrain: dict[str, Terrain] | None = None
    pieces: dict[str, str] | None = None
    reserve: dict[str, dict[str, int]] | None = None
    earlier: tuple[str, ...] = ()


def declare(now: State, words: dict[str, Any]) -> State:
    """Return the position that `words` describe. Members that are missing are taken from `now`.

    Pieces that are neither on the board nor in reserve are captured. Without ``earlier`` positions,
    repetitions count from this position. If a guard ends the game here, the position is over.

    Raises:
        ValueError: The position is impossible.
        KeyError: `words` name a place or piece that does not exist.
        msgspec.ValidationError: `words` have the wrong members or types.
    """
    given = msgspec.convert({"actions": now.actions} | words, Declared)
    setup = now.setup
    board, roster, seats, kinds = setup.board, setup.roster, setup.seats, setup.roster.kinds
    bases = now.bases
    if given.bases is not None:
        west, east = (board.index[given.bases[seat]] if seat in given.bases else NOWHERE for seat in seats)
        bases = (west, east)
    ground = bytearray(WALL if what == WALL else OPEN for what in now.terrain)
    named = {at: NUMBERS[what] for name, what in (given.terrain or {}).items() for at in [board.index[name]]}
    kept = (
        {at: what for at, what in enumerate(now.terrain) if OPEN < what <= len(TERRAINS)}
        if given.terrain is None
        else named
    )
    for at, what in (kept | dict.fromkeys(bases, BASE)).items():
        ground[at] = what
    pieces = now.pieces if given.pieces is None else _pieces(now, given.pieces)
    history = tuple(
        _pieces(now, dict(_kind_at(piece) for piece in text.split(", ") if piece)) for text in given.earlier
    )
    reserve = bytearray(now.reserve)
    for side, seat in enumerate(seats):
        if given.reserve is not None and seat in given.reserve:
            for code in roster.own[side]:
                reserve[code] = given.reserve[seat].get(kinds[code].id, 0)
    state = State(
        setup,
        "play",
        seats.index(given.on_turn),
        bytes(ground),
        pieces,
        bytes(reserve),
        bases,
        actions=given.actions,
        history=history,
    )
    problem = _position_problem(state)
    if problem:
        raise ValueError(problem)
    reason = guard(state)
    return state if reason is None else replace(state, phase="over", outcome=by_value(state, reason))


def _pieces(now: State, kinds: dict[str, str]) -> bytes:
    pieces = bytearray(now.setup.board.size)
    for name, kind in kinds.items():
        pieces[now.setup.board.index[name]] = now.setup.roster.codes[kind]
    return bytes(pieces)


def _kind_at(text: str) -> tuple[str, str]:
    kind, _, at = text.partition(" ")
    return at, kind


def _position_problem(state: State) -> Message | None:
    """Return the reason why no game can have this position, or None."""
    setup, kinds = state.setup, state.setup.roster.kinds
    for side, base in enumerate(state.bases):
        if base < 0 or setup.board.halves[base] != side:
            return Message.of("the base of {seat} must be in its own half", seat=setup.seats[side])
    if OPEN in state.terrain:
        return Message.of(
            "{at} has neither a base nor a tile", at=setup.board.names[state.terrain.index(OPEN)]
        )
    for number, terrain in enumerate(TERRAINS, 1):
        if state.terrain.count(number) > setup.options.tile_counts.get(terrain, 0):
            return Message.of("there are more {terrain} tiles than this game has", terrain=terrain)
    for at, code in enumerate(state.pieces):
        if code and state.terrain[at] in (BASE, WALL, kinds[code].restricted):
            return Message.of("{kind} cannot be on {at}", kind=kinds[code].id, at=setup.board.names[at])
    for code, kind in enumerate(kinds):
        if code and state.reserve[code] + state.pieces.count(code) > kind.count:
            return Message.of("there are more pieces of the kind {kind} than the roster has", kind=kind.id)
    if not len(state.history) <= state.actions < setup.options.max_actions:
        return Message.of(
            "the number of actions cannot be {n}: it must be at least {low}, the number of earlier "
            "positions, and less than the limit of {most}",
            n=state.actions,
            low=len(state.history),
            most=setup.options.max_actions,
        )
    return None
