"""The board of the game with its exact numbers, and data that is not a board."""

from __future__ import annotations

from typing import Any

import pytest

from gamelog.games.zone_s import GAME
from gamelog.games.zone_s.board import DIAGONAL, NO_SLOT, ORTHOGONAL, Board, read_board
from tests.games.zone_s.games import NARROW

HOMES = """
     4 5 5 5 4
   4 7 8 8 8 7 4
   5 8 8 8 8 8 5
   5 8 8 8 8 8 5
   4 7 8 8 8 7 4
     4 5 5 5 4
"""
"""The number of home tiles of a base on each slot of zs38, the top row first."""


@pytest.fixture(scope="module")
def board() -> Board:
    return read_board(GAME.boards["zs38"]())


def test_slots_and_halves(board: Board) -> None:
    assert len(board.index) == 38
    assert (board.halves.count(0), board.halves.count(1), board.halves.count(NO_SLOT)) == (19, 19, 4)
    assert {name for name, at in board.index.items() if board.halves[at] == 0} == {
        name for name in board.index if name[1] in "123"
    }
    assert not {"a1", "g1", "a6", "g6"} & set(board.index)


def test_adjacencies(board: Board) -> None:
    pairs = [(a, b) for a, near in enumerate(board.neighbours) for b in near if a < b]
    assert all(a in board.neighbours[b] for a, b in pairs)
    courses = [board.courses[a * board.size + b] for a, b in pairs]
    assert (courses.count(ORTHOGONAL), courses.count(DIAGONAL)) == (63, 56)


def test_home_tiles_of_a_base(board: Board) -> None:
    order = sorted(board.index, key=lambda name: (-int(name[1]), name))
    assert [len(board.neighbours[board.index[name]]) for name in order] == [
        int(digit) for digit in HOMES.split()
    ]


def test_bases_near_the_screen(board: Board) -> None:
    mine = [at for at, half in enumerate(board.halves) if half == 0]
    theirs = [at for at, half in enumerate(board.halves) if half == 1]
    pairs = [(a, b) for a in mine for b in theirs]
    sharing = [pair for pair in pairs if set(board.neighbours[pair[0]]) & set(board.neighbours[pair[1]])]
    touching = [(a, b) for a, b in pairs if b in board.neighbours[a]]
    assert (len(pairs), len(sharing), len(touching)) == (361, 87, 19)  # 24.1 % and 5.3 %


def test_lines(board: Board) -> None:
    names, index = board.names, board.index
    assert {names[ray[-1]] for ray in board.rays[3][index["d3"]]} == {
        "d1",
        "d6",
        "a3",
        "g3",
        "b5",
        "f5",
        "b1",
        "f1",
    }
    for course in (ORTHOGONAL, DIAGONAL):
        for src, rays in enumerate(board.rays[course]):
            for ray in rays:
                step = ray[0] - src
                assert ray == tuple(range(src + step, ray[-1] + step, step))
                assert all(board.courses[src * board.size + dst] == course for dst in ray)
                assert all(board.steps[src * board.size + dst] == step for dst in ray)
    assert sum(map(bool, board.courses)) == sum(len(ray) for rays in board.rays[3] for ray in rays)


def test_left_and_right_are_mirror_images(board: Board) -> None:
    image = [
        board.index.get(f"{'gfedcba'['abcdefg'.index(name[0])]}{name[1]}") if name else None
        for name in board.names
    ]
    for at, near in enumerate(board.neighbours):
        if near:
            there = image[at]
            assert there is not None and {image[other] for other in near} == set(board.neighbours[there])


def test_distance(board: Board) -> None:
    at = board.index
    assert [board.distance(at["d1"], at[name]) for name in ("d1", "c2", "d6", "g2", "a5")] == [0, 1, 5, 3, 4]


def test_a_board_with_a_hole_has_no_line_across_it() -> None:
    board = read_board(NARROW)
    at = board.index
    assert "c2" not in at
    assert not board.courses[at["b2"] * board.size + at["d2"]]
    assert not board.courses[at["b1"] * board.size + at["d3"]]
    assert board.courses[at["b1"] * board.size + at["d1"]] == ORTHOGONAL
    assert board.courses[at["a2"] * board.size + at["b2"]] == ORTHOGONAL


@pytest.mark.parametrize(
    ("rows", "why"),
    [
        (["ss", "dd", "d"], "the same length"),
        (["sss", "ddd", "ddd"], "slots, not 6 and 3"),
        (["s-s", "ddd"], "slots, not 3 and 2"),
        (["s-s-s", "d-d-d"], "a1 has fewer than two neighbours"),
    ],
)
def test_other_data_is_not_a_board(rows: list[str], why: str) -> None:
    with pytest.raises(ValueError, match=why):
        read_board({"name": "bad", "rows": rows})


@pytest.mark.parametrize(
    "data",
    [
        {},
        {"name": "x"},
        {"name": "x", "rows": []},
        {"name": "x", "rows": ["sxs", "ddd"]},
        {"name": "x", "rows": [["s"], "d"]},
        {"name": "", "rows": ["sss", "ddd"]},
        {"name": "x", "rows": ["sss", "ddd"], "tiles": 3},
        {"name": "x", "rows": ["s" * 27, "d" * 27]},
    ],
)
def test_other_data_is_not_a_board_file(data: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r".+"):
        read_board(data)
