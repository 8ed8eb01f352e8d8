"""The board that comes with the game, its symmetries, and board files that are refused."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from gamelog.games.gp02a_territory import GAME
from gamelog.games.gp02a_territory.board import Board, read_board

GREY = [
    row[0] + number
    for row in ("a258", "b36", "c147", "d258", "e36", "f147", "g258", "h36", "i147")
    for number in row[1:]
]
ISLET: dict[str, Any] = {
    "name": "islet",
    "blocks": ["11 2", "11 2"],
    "fields": [".g .", "g. g"],
    "chronology": 8,
}


@pytest.fixture(scope="module", name="board")
def standard() -> Board:
    return read_board(GAME.boards["gp72+28"]())


def grey(board: Board) -> list[str]:
    return [
        name
        for first_grey, end in ((span[1], span[2]) for span in board.spans)
        for name in board.names[first_grey:end]
    ]


def neighbours(board: Board, name: str) -> str:
    return " ".join(sorted(board.names[at] for at in board.neighbours[board.index[name]]))


def test_seventy_two_fields_in_six_blocks_of_eight_white_and_four_grey(board: Board) -> None:
    assert len(board.names) == len(set(board.names)) == 72
    assert [(end - first, end - greys) for first, greys, end in board.spans] == [(12, 4)] * 6
    assert sorted(grey(board)) == GREY
    assert board.chronology == 28
    assert 72 + 28 == 100


def test_a_field_is_grey_by_its_row_and_column(board: Board) -> None:
    assert {
        name
        for name, (column, row) in zip(board.names, board.places, strict=True)
        if (row + 2 * column) % 3 == 1
    } == set(GREY)


def test_blocks_are_three_columns_by_four_rows(board: Board) -> None:
    assert all(
        board.block[at] == 1 + column // 3 + 3 * (row // 4) for at, (column, row) in enumerate(board.places)
    )


def test_127_edges_of_which_25_cross_borders_and_no_two_grey_fields_touch(board: Board) -> None:
    edges = {frozenset((at, near)) for at, all_near in enumerate(board.neighbours) for near in all_near}
    assert len(edges) == 127 and sum(map(len, board.neighbours)) == 2 * 127
    assert sum(len({board.block[at] for at in edge}) == 2 for edge in edges) == 25
    greys = {board.index[name] for name in GREY}
    assert not [edge for edge in edges if edge <= greys]
    assert Counter(map(len, board.neighbours)) == {2: 4, 3: 26, 4: 42}


@pytest.mark.parametrize(
    ("name", "near"),
    [("a1", "a2 b1"), ("c4", "b4 c3 c5 d4"), ("i8", "h8 i7"), ("e5", "d5 e4 e6 f5"), ("i3", "h3 i2 i4")],
)
def test_fields_touch_by_their_sides(board: Board, name: str, near: str) -> None:
    assert neighbours(board, name) == near


def test_the_pattern_is_the_same_after_a_half_turn(board: Board) -> None:
    at = dict(zip(board.places, board.names, strict=True))
    turned = {
        name: at[8 - column, 7 - row] for name, (column, row) in zip(board.names, board.places, strict=True)
    }
    assert {turned[name] for name in GREY} == set(GREY)
    for name, other in turned.items():
        assert board.block[board.index[name]] + board.block[board.index[other]] == 7


def test_any_drawing_can_be_a_board() -> None:
    islet = read_board(ISLET)
    assert islet.names == ("a1", "b2", "b1", "a2", "d1", "d2")
    assert islet.spans == ((0, 2, 4), (4, 5, 6))
    assert (neighbours(islet, "b1"), neighbours(islet, "d1")) == ("a1 b2", "d2")


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"blocks": ["11 2"]}, "same number of rows"),
        ({"blocks": ["11 2", "11 22"]}, "same number of rows"),
        ({"blocks": ["11 2", "1x 2"]}, 'not "x"'),
        ({"fields": [".g .", "gG g"]}, 'not "G"'),
        ({"fields": [".g..", "g. g"]}, "c1 is a field in only one"),
        ({"blocks": ["11 3", "11 3"]}, "block 2 has no fields"),
        ({"blocks": ["    ", "    "], "fields": ["    ", "    "]}, "block 1 has no fields"),
        ({"blocks": [], "fields": []}, "length >= 1"),
        ({"chronology": 0}, ">= 1"),
        ({"chronology_columns": 0}, ">= 1"),
        ({"colour": "red"}, "colour"),
    ],
)
def test_a_bad_board_file_is_refused_in_one_sentence(change: dict[str, Any], complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        read_board(ISLET | change)
