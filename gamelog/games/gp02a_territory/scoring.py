"""Points for the chronology, for groups and for blocks."""

from __future__ import annotations

from functools import lru_cache

from msgspec import Struct

from gamelog.games.gp02a_territory.board import Board
from gamelog.games.gp02a_territory.state import COLOURS, State
from gamelog.games.gp02a_territory.tables import TABLES, block_points, group_points
from gamelog.games.kit.graph import components

_EVERYBODY = tuple(range(len(COLOURS)))


class Points(Struct, frozen=True):
    """The points of one colour, by source."""

    chronology: int
    groups: int
    blocks: int

    @property
    def total(self) -> int:
        """The sum of the points."""
        return self.chronology + self.groups + self.blocks


_COLOUR_MASKS = [bytes(int(chip == colour) for chip in range(256)) for colour in range(len(COLOURS))]
"""For each colour, the table for `bytes.translate` that turns its chips into 1 and all else into 0."""


def groups(board: Board, fields: bytes, colour: int, across: bool = True) -> list[list[int]]:
    """Return the groups of connected chips of a colour (GP-19, GP-A3).

    Args:
        board: The board.
        fields: The chip on each field, one byte each.
        colour: The number of the colour.
        across: Whether chips on both sides of a border between blocks are connected.

    Returns:
        The fields of each group.
    """
    return _groups(board, fields.translate(_COLOUR_MASKS[colour]), across)


@lru_cache(4096)
def _groups(board: Board, chips: bytes, across: bool) -> list[list[int]]:
    """Return the groups of `chips`. The cache helps because an event changes the chips of one colour only."""
    return components(board.neighbours if across else board.neighbours_in_block, chips, 1)


@lru_cache(4096)
def _worth(board: Board, chips: bytes, across: bool) -> int:
    return sum([group_points(len(group)) for group in _groups(board, chips, across)])


def leaders(state: State, block: int) -> tuple[int, ...]:
    """Return the colours with the most chips in `block`, none if it is empty (GP-20, GP-A21, GP-A22)."""
    setup = state.setup
    first, _, end = setup.board.spans[block - 1]
    return _leaders(state.fields[first:end], _EVERYBODY if setup.options.dummy_blocks else setup.colours)


@lru_cache(4096)
def _leaders(chips: bytes, taking_part: tuple[int, ...]) -> tuple[int, ...]:
    count = chips.count
    most = max(map(count, taking_part))
    return tuple([colour for colour in taking_part if count(colour) == most]) if most else ()


def points_on_fields(state: State) -> tuple[tuple[int, int], ...]:
    """Return the points of each of the four colours from groups and from blocks, as the fields are now."""
    setup = state.setup
    options = setup.options
    taking_part = _EVERYBODY if options.dummy_blocks else setup.colours
    return _points_on_fields(setup.board, state.fields, options.groups_cross_blocks, taking_part)


@lru_cache(4096)
def _points_on_fields(
    board: Board, fields: bytes, across: bool, taking_part: tuple[int, ...]
) -> tuple[tuple[int, int], ...]:
    """Return the points of each colour for its groups and for the blocks that it leads."""
    blocks = [0] * len(COLOURS)
    for first, _, end in board.spans:
        ahead = _leaders(fields[first:end], taking_part)
        for colour in ahead:
            blocks[colour] += block_points(len(ahead))
    return tuple(
        [
            (_worth(board, fields.translate(_COLOUR_MASKS[colour]), across), blocks[colour])
            for colour in _EVERYBODY
        ]
    )


def points(state: State) -> tuple[Points, ...]:
    """Return the points of each of the four colours in this position, the dummy colour included."""
    chronology = state.chronology
    return tuple(
        Points(chronology.count(colour) * TABLES.chronology, of_groups, of_blocks)
        for colour, (of_groups, of_blocks) in enumerate(points_on_fields(state))
    )


def score(state: State) -> dict[str, int]:
    """Return the points of each seat in this position."""
    setup, count, each = state.setup, state.chronology.count, TABLES.chronology
    on_fields = points_on_fields(state)
    points: dict[str, int] = {}
    for seat, colour in zip(setup.seats, setup.colours, strict=True):
        of_groups, of_blocks = on_fields[colour]
        points[seat] = count(colour) * each + of_groups + of_blocks
    return points
