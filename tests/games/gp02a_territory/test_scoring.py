"""The tables of points, and the points of positions against a simple count."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from gamelog.games.gp02a_territory import GAME
from gamelog.games.gp02a_territory.board import Board
from gamelog.games.gp02a_territory.effects import Drew, effects
from gamelog.games.gp02a_territory.events import Chips, Draw
from gamelog.games.gp02a_territory.scoring import points
from gamelog.games.gp02a_territory.state import COLOURS, EMPTY, Options, State, start
from gamelog.games.gp02a_territory.tables import TABLES, block_points, group_points
from tests.games.gp02a_territory.arrange import arrange
from tests.shares import examples


def begin_game(players: int = 4, **options: Any) -> State:
    return start(Options(**options), GAME.read_board(GAME.boards["gp72+28"]()), GAME.seats[players])


def test_the_number_of_chips_is_101() -> None:
    assert TABLES.chips == {"blue": 25, "red": 25, "green": 25, "yellow": 25, "purple": 1}


@pytest.mark.parametrize(
    ("size", "worth"),
    [(0, 0), (1, 0), (2, 1), (4, 1), (5, 3), (7, 3), (8, 6), (10, 6), (11, 10), (14, 10), (15, 16), (25, 16)],
)
def test_bands(size: int, worth: int) -> None:
    assert group_points(size) == worth


@pytest.mark.parametrize(("leaders", "each"), [(1, 3), (2, 1), (3, 1), (4, 0)])
def test_shares(leaders: int, each: int) -> None:
    assert block_points(leaders) == each


@pytest.mark.parametrize(
    ("fields", "blocks"),
    [
        ({"a1 b2": "blue", "b1 a2": "red", "c2 b4": "green"}, [1, 1, 1, 0]),
        ({"a1": "blue", "b1": "red", "c1": "green", "a2": "yellow"}, [0, 0, 0, 0]),
        ({"a1 b2": "blue", "b1 a2": "red", "c2": "green"}, [1, 1, 0, 0]),
        ({"a1 b2": "blue", "b1": "red"}, [3, 0, 0, 0]),
        ({}, [0, 0, 0, 0]),
    ],
)
def test_majorities_of_one_block(fields: dict[str, str], blocks: list[int]) -> None:
    assert [one.blocks for one in points(arrange(begin_game(), {"fields": fields}))] == blocks


def plain_groups(board: Board, places: list[int], across: bool) -> list[int]:
    """Return the sizes of the groups of `places`, by merging groups that touch."""
    found: list[set[int]] = []
    for at in places:
        near = {to for to in board.neighbours[at] if across or board.block[to] == board.block[at]}
        touching = [group for group in found if group & near]
        found = [group for group in found if group not in touching] + [set().union({at}, *touching)]
    return [len(group) for group in found]


@settings(max_examples=examples(150), deadline=None)
@given(
    st.lists(st.sampled_from([0, 1, 2, 3, EMPTY]), min_size=72, max_size=72),
    st.booleans(),
    st.booleans(),
    st.sampled_from([3, 4]),
)
def test_points_agree_with_a_simple_count(chips: list[int], across: bool, dummy: bool, players: int) -> None:
    state = begin_game(players, groups_cross_blocks=across, dummy_blocks=dummy)
    board = state.setup.board
    scored = points(
        replace(state, fields=bytes(chips), chronology=bytes(chips[:28]).replace(bytes([EMPTY]), b""))
    )
    ladder = {
        **dict.fromkeys(range(2, 5), 1),
        **dict.fromkeys(range(5, 8), 3),
        **dict.fromkeys(range(8, 11), 6),
    }
    ladder |= {**dict.fromkeys(range(11, 15), 10), **dict.fromkeys(range(15, 73), 16)}
    awarded = 0
    for colour in range(4):
        places = [at for at, chip in enumerate(chips) if chip == colour]
        assert scored[colour].groups == sum(
            ladder.get(size, 0) for size in plain_groups(board, places, across)
        )
        assert scored[colour].chronology == chips[:28].count(colour)
        assert (
            scored[colour].total == scored[colour].groups + scored[colour].chronology + scored[colour].blocks
        )
    for block in range(1, 7):
        inside = [chip for chip, its in zip(chips, board.block, strict=True) if its == block]
        counts = [inside.count(colour) for colour in range(4 if dummy or players == 4 else 3)]
        ahead = counts.count(max(counts)) if any(counts) else 0
        awarded += {0: 0, 1: 3, 2: 2, 3: 3, 4: 0}[ahead]
    assert sum(one.blocks for one in scored) == awarded


def test_yellow_takes_part_but_does_not_win() -> None:
    state = arrange(begin_game(3), {"chronology": {"yellow": 20, "red": 3}})
    assert points(state)[COLOURS.index("yellow")].total == 20
    assert GAME.score(state) == {"blue": 0, "red": 3, "green": 0}


def test_the_expected_draw_is_the_exact_mean_over_all_draws() -> None:
    """Three of six chips are drawn; two of the six are blue."""
    words = {"phase": "draw", "rolled": 3, "main": "blue", "on_turn": "blue"}
    lying = {"a? b? c?": "blue", "d? e? f?": "red", "g? h? i?": "green", "i8 i7": "yellow"}
    counts = {"green": 2, "yellow": 23, "red": 1}
    state = arrange(begin_game(), words | {"fields": lying | {"a1": "free"}, "chronology": counts})
    kinds = [chip for chip, count in enumerate(state.bag) for _ in range(count)]
    draws = list(combinations(kinds, 3))
    mean = Fraction(sum(draw.count(0) for draw in draws), len(draws))
    event = Draw(0, 0, "blue", Chips(blue=2, green=1))
    (drew,) = (
        effect for effect in effects(state, event, GAME.apply(state, event)) if isinstance(effect, Drew)
    )
    assert kinds.count(0) == 2 and mean.denominator > 1
    assert drew.own == 2
    assert drew.expected == pytest.approx(float(mean))
