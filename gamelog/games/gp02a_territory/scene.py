"""Views of a position for people: a picture, and words."""

from __future__ import annotations

from collections.abc import Iterator
from string import ascii_lowercase, digits
from typing import Any

import msgspec

from gamelog.game import BoardLayout, Caption, Cell, Mark, Piece, Scene, cached_by_identity, rim
from gamelog.games.gp02a_territory.chips import hand
from gamelog.games.gp02a_territory.events import Chips
from gamelog.games.gp02a_territory.scoring import Points, groups, leaders, points
from gamelog.games.gp02a_territory.state import CHIPS, COLOURS, EMPTY, Setup, State
from gamelog.games.gp02a_territory.tables import block_points, group_points

_HAND_HIGH = 1.6
"""The height of the boxes for hands, in which six chips form two rows."""


@cached_by_identity
def ground(setup: Setup) -> BoardLayout:
    """Return the layout: the territory area, the chronology to its right, the hands and the bag below."""
    board = setup.board
    cells = [
        Cell(
            name,
            column + 0.5,
            row + 0.5,
            kind="gray" if _is_grey(setup, at) else "white",
            zone=f"block {board.block[at]}",
        )
        for at, (name, (column, row)) in enumerate(zip(board.names, board.places, strict=True))
    ]
    squares = [
        (name.rstrip(digits), name.lstrip(ascii_lowercase), cell)
        for name, cell in zip(board.names, cells, strict=True)
    ]
    width, height = (1 + max(places) for places in zip(*board.places, strict=True))
    columns = board.chronology_columns
    for number in range(setup.chronology):
        row, column = divmod(number, columns)
        cells.append(
            Cell(
                _day(number),
                width + 1.5 + column,
                row + 0.5,
                kind="chronology",
                label=str(number + 1),
                zone="chronology",
            )
        )
    bottom = max(height, -(-setup.chronology // columns)) + 0.3 + _HAND_HIGH / 2
    full = width + 1 + columns
    share = full / len(setup.seats)
    for number, seat in enumerate(setup.seats):
        cells.append(
            Cell(
                _hand(seat),
                (number + 0.5) * share,
                bottom,
                "tray",
                "hand",
                "hand",
                w=share - 0.2,
                h=_HAND_HIGH,
                seat=seat,
            )
        )
    cells.append(
        Cell("bag", full / 2, bottom + 0.9 + _HAND_HIGH / 2, "tray", "bag", "bag", w=full - 0.2, h=1.2)
    )
    unowned = [name for name in CHIPS if name not in setup.seats]
    return BoardLayout(
        tuple(cells),
        remark=board.remark,
        words=rim(squares, cells),
        legend=tuple((name[0].upper(), f"chip: {name}") for name in unowned),
        colours=tuple((name[0].upper(), name) for name in unowned),
    )


def _is_grey(setup: Setup, at: int) -> bool:
    return at >= setup.board.spans[setup.board.block[at] - 1][1]


def _day(number: int) -> str:
    return f"chronology {number + 1}"


def _hand(seat: str) -> str:
    return f"hand {seat}"


def scene(state: State, seat: str | None = None) -> Scene:  # noqa: ARG001 - all seats see the same
    """Return the picture: chips on fields, on the chronology and in hands, and the contents of the bag."""
    setup = state.setup
    board, seats = setup.board, setup.seats
    pieces = [
        _chip(setup, name, chip)
        for name, chip in zip(board.names, state.fields, strict=True)
        if chip != EMPTY
    ]
    pieces += [_chip(setup, _day(number), chip) for number, chip in enumerate(state.chronology)]
    for number, who in enumerate(seats):
        for chip, count in enumerate(hand(state, number)):
            pieces += [_chip(setup, _hand(who), chip)] * count
    for name, count in zip(CHIPS, state.bag, strict=True):
        if count:
            owner = name if name in seats else None
            pieces.append(
                Piece("bag", "token", owner, str(count) if owner else f"{name[0].upper()} ×{count}")
            )
    chosen = 0 if state.outcome else state.block
    marks = [
        Mark(name, "zone") for name, block in zip(board.names, board.block, strict=True) if block == chosen
    ]
    marks += [*_block_marks(state), *_group_marks(state)]
    captions = [
        Caption("round", str(state.round)),
        Caption("chronology", f"{len(state.chronology)} of {setup.chronology}"),
    ]
    if state.rolled:
        captions.append(Caption("chips to draw", str(state.rolled)))
    scored = points(state)
    for number, who in enumerate(seats):
        captions += _captions(state, number, who, scored[setup.colours[number]])
    return Scene(ground(setup), tuple(pieces), marks=tuple(marks), captions=tuple(captions))


def _block_marks(state: State) -> Iterator[Mark]:
    """Yield outlines around each block in the colours of the seats with the most chips in it (GP-20)."""
    setup = state.setup
    for block, (first, _, end) in enumerate(setup.board.spans, 1):
        ahead = leaders(state, block)
        for colour in ahead:
            if CHIPS[colour] in setup.seats and block_points(len(ahead)):
                text = f"{_points(block_points(len(ahead)))} · block {block}"
                yield from (Mark(name, "group", text, CHIPS[colour]) for name in setup.board.names[first:end])


def _group_marks(state: State) -> Iterator[Mark]:
    """Yield outlines around the groups of each seat that score (GP-19)."""
    setup, across = state.setup, state.setup.options.groups_cross_blocks
    board = setup.board
    for colour in setup.colours:
        for group in groups(board, state.fields, colour, across):
            if group_points(len(group)):
                text = f"{_points(group_points(len(group)))} · {len(group)} chips · {board.names[min(group)]}"
                yield from (Mark(board.names[at], "group", text, CHIPS[colour]) for at in group)


def _points(count: int) -> str:
    return f"{count} point" if count == 1 else f"{count} points"


def _captions(state: State, number: int, seat: str, mine: Points) -> Iterator[Caption]:
    """Yield the captions of a seat: its turn card, and its points by source."""
    main = " · main" if number == state.main and state.phase != "deal_cards" else ""
    yield Caption("turn card", f"{state.cards[number] or '–'}{main}", seat)
    yield Caption("chronology", str(mine.chronology), seat)
    yield Caption("groups", str(mine.groups), seat)
    yield Caption("blocks", str(mine.blocks), seat)


def _chip(setup: Setup, at: str, chip: int) -> Piece:
    """Return a chip on a cell. A chip that belongs to no seat shows the letter of its colour."""
    name = CHIPS[chip]
    return Piece(at, "disc", name) if name in setup.seats else Piece(at, "disc", None, name[0].upper())


def describe(state: State) -> dict[str, Any]:
    """Return the whole position in words.

    ``"fields": {"a1": "blue", …}`` leaves out free fields; ``"hands": {"red": {"blue": 2}}`` leaves out
    colours without chips. ``main`` is the Main Player and ``on_turn`` the seat that acts or acted last, both
    None before the deal. ``block`` is the chosen block, ``moves`` the number of chips of the movement, and
    ``purple`` is whether the purple chip was used in this turn.
    """
    setup = state.setup
    seats, dealt = setup.seats, state.phase != "deal_cards"
    return {
        "phase": state.phase,
        "round": state.round,
        "main": seats[state.main] if dealt else None,
        "on_turn": seats[state.actor] if dealt else None,
        "cards": {seat: card for seat, card in zip(seats, state.cards, strict=True) if card},
        "hands": {seat: _by_name(hand(state, number)) for number, seat in enumerate(seats)},
        "bag": _by_name(state.bag),
        "chronology": [CHIPS[chip] for chip in state.chronology],
        "fields": {
            name: COLOURS[chip]
            for name, chip in zip(setup.board.names, state.fields, strict=True)
            if chip != EMPTY
        },
        "rolled": state.rolled,
        "one": state.one,
        "block": state.block or None,
        "moves": state.moves,
        "purple": state.purple,
        "outcome": msgspec.to_builtins(state.outcome),
    }


def _by_name(counts: bytes | tuple[int, ...]) -> dict[str, int]:
    named: dict[str, int] = msgspec.to_builtins(Chips(*counts))
    return named
