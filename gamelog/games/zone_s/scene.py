"""The scene of a position: tiles, pieces with their letters, reserves and captures next to the board."""

from __future__ import annotations

from typing import Any

import msgspec

from gamelog.game import BoardLayout, Caption, Cell, Mark, Piece, Scene, cached_by_identity
from gamelog.games.zone_s.abilities import count_homes_held
from gamelog.games.zone_s.board import SIDES
from gamelog.games.zone_s.roster import TERRAINS
from gamelog.games.zone_s.screen import hides_half, is_up, observe
from gamelog.games.zone_s.state import BASE, HIDDEN, Setup, State, bag, captured_count, captured_value
from gamelog.games.zone_s.victory import destroyed_side

HAND = "hand"
"""The cell of the tile that is drawn and not yet placed."""

_STAGES = {"base": "bases", "draw": "tiles", "tile": "tiles", "deploy": "first pieces", "coin": "coin"}
"""By phase: the part of the set-up that is being placed."""


@cached_by_identity
def ground(setup: Setup) -> BoardLayout:
    """Return the layout: slots, the Dominion's half at the bottom, boxes for reserves and captures."""
    board, roster = setup.board, setup.roster
    cells = []
    for at, name in enumerate(board.names):
        if name:
            row, column = divmod(at, board.columns)
            half = SIDES[board.halves[at]]
            cells.append(Cell(name, column + 0.5, board.rows - row + 0.5, "square", "slot", name, half))
    wide = board.columns / 2
    for side, seat, y in zip(SIDES, setup.seats, (board.rows + 1.6, 0.4), strict=True):
        for what, x in (("reserve", wide / 2), ("captures", wide * 1.5)):
            cells.append(Cell(f"{side} {what}", x, y, "tray", what, what, w=wide - 0.1, seat=seat))
    x, y = _place_of_hand(setup)
    cells.append(Cell(HAND, x, y, "tray", HAND, "tile drawn", w=0.94, h=0.94))
    remark = " ".join(text for text in (board.remark, roster.remark) if text)
    return BoardLayout(
        tuple(cells),
        remark=remark,
        legend=tuple((kind.id, kind.name) for kind in roster.kinds[1:]),
        icons=tuple((kind.id, kind.icon) for kind in roster.kinds[1:] if kind.icon),
    )


def _place_of_hand(setup: Setup) -> tuple[float, float]:
    """Return the place of the drawn tile: the lower right corner, or beside the board if a slot is there."""
    board = setup.board
    if board.names[board.columns - 1]:
        return board.columns + 0.8, board.rows / 2 + 1
    return board.columns - 0.5, board.rows + 0.5


def scene(state: State, seat: str | None = None) -> Scene:
    """Return the position as `seat` sees it, or the whole position if no seat is given."""
    state = observe(state, seat)
    setup, sides = state.setup, state.setup.roster.sides
    names, seats, kinds = setup.board.names, setup.seats, setup.roster.kinds
    pieces: list[Piece] = []
    fills: list[tuple[str, str]] = []
    for at, name in enumerate(names):
        terrain, code = state.terrain[at], state.pieces[at]
        if terrain == BASE:
            side = state.bases.index(at)
            fills.append((name, seats[side]))
            taken = side == destroyed_side(state)
            pieces.append(Piece(f"{seats[1 - side]} captures" if taken else name, "flag", seats[side]))
        elif terrain == HIDDEN:
            pieces.append(Piece(name, "tile", hidden=True))
        elif 0 < terrain <= len(TERRAINS):
            pieces.append(Piece(name, "tile", text=TERRAINS[terrain - 1]))
        if code:
            pieces.append(Piece(name, "token", seats[sides[code]], kinds[code].id))
    for side, own in enumerate(setup.roster.own):
        hidden = is_up(state) and hides_half(state, side)
        for code in own:
            waiting = Piece(
                f"{seats[side]} reserve", "token", seats[side], "" if hidden else kinds[code].id, hidden
            )
            lost = Piece(f"{seats[1 - side]} captures", "token", seats[side], kinds[code].id)
            pieces += [waiting] * state.reserve[code] + [lost] * captured_count(state, code)
    if state.hand:
        hidden = state.hand == HIDDEN
        pieces.append(Piece(HAND, "tile", text="" if hidden else TERRAINS[state.hand - 1], hidden=hidden))
    return Scene(ground(setup), tuple(pieces), tuple(fills), _marks(state), tuple(_captions(state)))


def _marks(state: State) -> tuple[Mark, ...]:
    """Return an outline around each base and its home tiles, in the colour of their owner."""
    board, seats = state.setup.board, state.setup.seats
    return tuple(
        Mark(board.names[at], "group", "home", seat)
        for seat, base in zip(seats, state.bases, strict=True)
        if base >= 0
        for at in (base, *board.neighbours[base])
    )


def _captions(state: State) -> list[Caption]:
    """Return the stage of the set-up, or the actions, captures and enemy home tiles of the sides."""
    seats = state.setup.seats
    if is_up(state):
        left = sum(count for _, count in bag(state))
        captions = [Caption("setting up", _STAGES[state.phase])]
        if not any(hides_half(state, side) for side in (0, 1)):
            captions.append(Caption("tiles in the bag", str(left)))
        return captions
    captions = [Caption("actions", str(state.actions))]
    for side, seat in enumerate(seats):
        captions.append(Caption("captured", str(captured_value(state, side)), seat))
        captions.append(Caption("enemy home tiles held", str(count_homes_held(state, side)), seat))
    return captions


def describe(state: State) -> dict[str, Any]:
    """Return the whole position in words: ``"pieces": {"d3": "SP", …}, "terrain": {"a1": "fields", …}``.

    ``reserve``: by seat, the letters of its pieces in reserve and their numbers.
    ``captures``: by seat, the letters and numbers of the pieces that it has captured, and ``base`` once it
    has destroyed the enemy's base (ZS-25).
    ``on_turn``: the seat to act, None for the coin.
    ``earlier``: the positions since the last capture or summons, each as ``"SP d3, WA c4"``.
    """
    setup, kinds = state.setup, state.setup.roster.kinds
    names, seats = setup.board.names, setup.seats
    words: dict[int, str] = dict(enumerate(TERRAINS, 1)) | {HIDDEN: "hidden"}
    reserve: dict[str, dict[str, int]] = {}
    captures: dict[str, dict[str, int]] = {}
    for side, own in enumerate(setup.roster.own):
        reserve[seats[side]] = {kinds[code].id: state.reserve[code] for code in own if state.reserve[code]}
        captures[seats[1 - side]] = {
            kinds[code].id: taken for code in own if (taken := captured_count(state, code))
        }
        if side == destroyed_side(state):
            captures[seats[1 - side]]["base"] = 1
    return {
        "phase": state.phase,
        "on_turn": None if state.phase == "coin" else seats[state.actor],
        "bases": {seat: names[base] for seat, base in zip(seats, state.bases, strict=True) if base >= 0},
        "terrain": {names[at]: words[what] for at, what in enumerate(state.terrain) if what in words},
        "pieces": {names[at]: kinds[code].id for at, code in enumerate(state.pieces) if code},
        "reserve": reserve,
        "captures": captures,
        "hand": words.get(state.hand),
        "actions": state.actions,
        "earlier": [
            ", ".join(f"{kinds[code].id} {names[at]}" for at, code in enumerate(pieces) if code)
            for pieces in state.history
        ],
        "outcome": msgspec.to_builtins(state.outcome),
    }
