"""The boards that come with the game, and board files that are refused."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from gamelog.games.slicewars import GAME
from gamelog.games.slicewars.board import Board, is_connected, read_board
from gamelog.games.slicewars.land import count_valid
from tests.games.slicewars.games import play


def board(name: str) -> Board:
    return read_board(GAME.boards[name]())


def neighbours(on: Board, name: str) -> str:
    return " ".join(on.names[at] for at in on.neighbours[on.index[name]])


def test_hex50_has_the_numbers_of_the_printed_board() -> None:
    hex50 = board("hex50")
    assert len(hex50.names) == 50
    assert sum(map(len, hex50.neighbours)) == 2 * 121
    assert Counter(map(len, hex50.neighbours)) == {2: 4, 3: 6, 4: 8, 5: 8, 6: 24}
    assert is_connected(hex50)


@pytest.mark.parametrize(
    ("name", "touches"),
    [
        ("A1", "A2 B1"),
        ("B1", "A1 A2 B2 C1 C2"),
        ("C3", "B2 B3 C2 C4 D2 D3"),
        ("D5", "C5 C6 D4 E5 E6"),
        ("E1", "D1 E2 F1"),
        ("E4", "D3 D4 E3 E5 F3 F4"),
        ("I6", "H5 I5"),
    ],
)
def test_hex50_neighbours(name: str, touches: str) -> None:
    assert neighbours(board("hex50"), name) == touches


@pytest.mark.parametrize(
    ("name", "touches"), [("A1", "A2 B1"), ("B1", "A1 A2 B2 C1 C2"), ("B6", "A6 B5 C6"), ("F6", "E6 F5")]
)
def test_hex36_neighbours(name: str, touches: str) -> None:
    hex36 = board("hex36")
    assert (len(hex36.names), neighbours(hex36, name)) == (36, touches)
    assert is_connected(hex36)


@pytest.mark.parametrize("name", ["hex50", "hex36"])
def test_territories_touch_in_the_rules_if_they_touch_in_the_picture(name: str) -> None:
    on = board(name)
    for a, (ax, ay) in enumerate(on.places):
        close = [
            b for b, (bx, by) in enumerate(on.places) if a != b and (ax - bx) ** 2 + (ay - by) ** 2 < 0.8
        ]
        assert tuple(close) == on.neighbours[a]


@pytest.mark.parametrize(
    ("players", "removed", "each"), [(2, 0, 25), (3, 2, 16), (4, 2, 12), (5, 0, 10), (6, 2, 8)]
)
def test_shares_of_hex50(players: int, removed: int, each: int) -> None:
    game = play(0, players)
    assert game.states[0].setup.removals == removed
    begun = next(state for state in game.states if state.round)
    assert count_valid(begun) == 50 - removed == players * each
    for seat in range(players):
        assert begun.owners.count(seat) == each
        assert (
            sum(count for owner, count in zip(begun.owners, begun.dice, strict=True) if owner == seat)
            == 2 * each
        )


def test_any_map_can_be_a_board() -> None:
    ring: dict[str, Any] = {
        "name": "ring",
        "territories": {"n": [1, 0], "e": [2, 1], "s": [1, 2], "w": [0, 1]},
        "edges": [["n", "e"], ["e", "s"], ["s", "w"], ["w", "n"]],
        "shape": "disc",
    }
    assert neighbours(read_board(ring), "n") == "e w"


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"edges": [["A", "C"]]}, '"C", which is not one of the territories'),
        ({"edges": [["A", "A"]]}, "joins a territory to itself"),
        ({"edges": [["A", "B"], ["B", "A"]]}, "is listed twice"),
        ({"edges": [["A"]]}, "length 2"),
        ({"territories": {"A": [0, 0]}}, "length >= 2"),
        ({"territories": {"A": [0, 0], "": [1, 0]}}, "length >= 1"),
        ({"territories": {"A": [0, 0], "B": "here"}}, "array"),
        ({"shape": "octagon"}, "octagon"),
        ({"colour": "red"}, "colour"),
    ],
)
def test_a_bad_board_file_is_refused_in_one_sentence(change: dict[str, Any], complaint: str) -> None:
    islet = {"name": "islet", "territories": {"A": [0, 0], "B": [1, 0]}, "edges": [["A", "B"]]}
    read_board(islet)
    with pytest.raises(ValueError, match=complaint.replace("(", "\\(")):
        read_board(islet | change)


def test_a_board_without_a_name_is_refused() -> None:
    with pytest.raises(ValueError, match="name"):
        read_board({"territories": {"A": [0, 0], "B": [1, 0]}, "edges": []})
