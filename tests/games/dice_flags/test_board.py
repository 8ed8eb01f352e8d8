"""The boards of the game, and the requirements on a board."""

from __future__ import annotations

import copy
import json
from collections import Counter
from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from gamelog.games.dice_flags.board import BUNKER, CLOCKWISE, FLAG, GRID, ROAD, Board, read_board
from gamelog.games.dice_flags.distances import distances_of
from gamelog.games.dice_flags.state import Options, start
from tests.games.dice_flags.games import GAME, board, play

SIZES = [("df181", 181, 280, 149, 28, 32), ("df221", 221, 348, 81 + 100, 36, 38)]


@pytest.mark.parametrize(("name", "spaces", "edges", "grid", "roads", "steps"), SIZES)
def test_sizes(name: str, spaces: int, edges: int, grid: int, roads: int, steps: int) -> None:
    ground = board(name)
    assert ground.name == name
    assert len(ground.names) == spaces
    assert sum(map(len, ground.neighbours)) == 2 * edges
    kinds = Counter(ground.kinds)
    assert (kinds[GRID], kinds[ROAD] + kinds[BUNKER], kinds[BUNKER], kinds[FLAG]) == (grid, roads, 8, 4)
    flags = [base.flag for base in ground.bases]
    assert {distances_of(ground).steps(a)[b] for a in flags for b in flags if a != b} == {steps}
    assert max(distances_of(ground).steps(0)) < 255, "every space can be reached"


@pytest.mark.parametrize("name", ["df181", "df221"])
def test_bases(name: str) -> None:
    ground = board(name)
    assert tuple(base.seat for base in ground.bases) == CLOCKWISE
    for base in ground.bases:
        letter = base.seat[0].upper()
        looks = Counter(ground.looks[at] for at in base.field)
        assert looks == {"light": 13, "dark": 12}
        assert set(base.formation) == {at for at in base.field if ground.looks[at] == "dark"}
        assert ground.names[base.post] == f"{letter}.e3"
        assert sorted(ground.names[at] for at in base.beside) == [
            f"{letter}.d3",
            f"{letter}.e2",
            f"{letter}.e4",
        ]
        assert [ground.names[at] for at in ground.neighbours[base.flag]] == [
            f"{letter}.f{2 if name == 'df181' else 3}"
        ]
        assert base.prison.name == f"{letter}.prison" not in ground.index
    bunkers = {at for at, kind in enumerate(ground.kinds) if kind == BUNKER}
    numbers = (2, 4) if name == "df181" else (2, 5)
    assert {ground.names[at] for at in bunkers} == {
        f"{letter}.r{number}" for letter in "NESW" for number in numbers
    }


def turn_board(ground: Board) -> list[int]:
    """Return for each space the space in its place after a quarter turn of the board."""
    index = {place: at for at, place in enumerate(ground.places)}
    return [index[-y, x] for x, y in ground.places]


@pytest.mark.parametrize("name", ["df181", "df221"])
def test_a_quarter_turn_changes_nothing(name: str) -> None:
    ground = board(name)
    image = turn_board(ground)
    assert sorted(image) == list(range(len(image)))
    for at, there in enumerate(image):
        assert ground.looks[at] == ground.looks[there]
        assert sorted(image[near] for near in ground.neighbours[at]) == list(ground.neighbours[there])
    for number, base in enumerate(ground.bases):
        following = ground.bases[(number + 1) % 4]
        assert (image[base.flag], image[base.post]) == (following.flag, following.post)
        assert bytes(image[at] for at in base.formation) == following.formation
        assert (-base.prison.y, base.prison.x) == (following.prison.x, following.prison.y)
        assert (base.prison.h, base.prison.w) == (following.prison.w, following.prison.h)


def test_spaces_that_touch_are_next_to_each_other_in_the_picture() -> None:
    """Squares that share a side are neighbours, and no other squares are."""
    for name in GAME.boards:
        ground = board(name)
        for at, (x, y) in enumerate(ground.places):
            beside = {there for there, (u, v) in enumerate(ground.places) if abs(x - u) + abs(y - v) == 1}
            assert beside == set(ground.neighbours[at]), ground.names[at]


def test_prisons_cover_no_space() -> None:
    for name in GAME.boards:
        ground = board(name)
        for base in ground.bases:
            box = base.prison
            for x, y in ground.places:
                assert abs(x - box.x) > (box.w + 1) / 2 or abs(y - box.y) > (box.h + 1) / 2


def test_the_boards_say_that_they_are_reconstructed() -> None:
    for name in GAME.boards:
        assert "our reconstruction" in board(name).remark


def spoil(change: Callable[[dict[str, Any]], object]) -> dict[str, Any]:
    data = copy.deepcopy(GAME.boards["df181"]())
    change(data)
    return data


def rename(data: dict[str, Any], old: str, new: str) -> None:
    text = json.dumps(data).replace(f'"{old}"', f'"{new}"')
    data.clear()
    data.update(json.loads(text))


WRONG: list[tuple[str, Callable[[dict[str, Any]], object]]] = [
    ("which is not one of the spaces", lambda data: data["edges"].append(["N.r1", "N.r9"])),
    ("joins a space to itself", lambda data: data["edges"].append(["N.r1", "N.r1"])),
    ("is listed twice", lambda data: data["edges"].append(["N.r2", "N.r1"])),
    ("no path leads from", lambda data: data["edges"].remove(["N.f1", "N.f2"])),
    ("the bases must be north, east, south, west", lambda data: data["bases"].pop("west")),
    ("which is not one of the spaces", lambda data: data["bases"]["east"].update(flag="E.flags")),
    (
        "is a space and cannot also be a prison",
        lambda data: data["bases"]["east"]["prison"].update(name="E.e2"),
    ),
    ("cannot be a flag square", lambda data: data["bases"]["east"].update(flag="E.f2")),
    ("must touch exactly one space", lambda data: data["edges"].append(["E.flag", "M.a1"])),
    ("next to three dark squares", lambda data: data["bases"]["east"].update(post="E.e2")),
    ("next to three dark squares, not 4", lambda data: data["bases"]["east"].update(post="E.c3")),
    ("different squares of a grid", lambda data: data["bases"]["east"]["field"].append("E.r1")),
    ("different squares of a grid", lambda data: data["bases"]["east"]["field"].append("E.a1")),
    ("must place P1", lambda data: data["bases"]["east"]["formation"].pop("H2")),
    (
        "on different squares of their small field",
        lambda data: data["bases"]["east"]["formation"].update(H2="M.a1"),
    ),
    (
        "on different squares of their small field",
        lambda data: data["bases"]["east"]["formation"].update(H2="E.b1"),
    ),
    ("belongs to two bases", lambda data: data["bases"]["east"]["field"].append("N.a1")),
    ("belongs to no base", lambda data: data["spaces"].update({"M.a1": [-3, -3, "flag"]})),
    ("a prison of its own", lambda data: data["bases"]["east"]["prison"].update(name="W.prison")),
    (
        "at most 240 spaces",
        lambda data: data["spaces"].update({f"X{at}": [at, 99, "road"] for at in range(60)}),
    ),
    ("Invalid enum value", lambda data: data["spaces"].update({"M.a1": [-3, -3, "swamp"]})),
    ("unknown field", lambda data: data.update(colour="green")),
    ("missing required field", lambda data: data.pop("edges")),
]


@pytest.mark.parametrize(
    ("reason", "change"), WRONG, ids=[f"{at} {reason}" for at, (reason, _) in enumerate(WRONG)]
)
def test_other_data_is_refused_in_one_sentence(
    reason: str, change: Callable[[dict[str, Any]], object]
) -> None:
    with pytest.raises((ValueError, msgspec.ValidationError), match=reason) as caught:
        read_board(spoil(change))
    assert "\n" not in str(caught.value)


def test_any_board_that_fits_can_be_played_on() -> None:
    """A club plays on its own board: other names, a bridge across the main area, one more bunker."""

    def change(data: dict[str, Any]) -> None:
        rename(data, "M.d4", "Well")
        data["name"] = "club"
        data["spaces"]["Bridge"] = [0, 0.5, "road"]
        data["spaces"]["N.r1"][2] = "bunker"
        data["edges"] += [["M.a1", "Bridge"], ["Bridge", "M.g7"]]

    data = spoil(change)
    ground = read_board(data)
    assert ground.key != board().key
    state = start(Options(), ground, ("north", "south"))
    assert state.setup.board.names.index("Well") == board().index["M.d4"]
    from gamelog.play.recording.series import simulate_game

    header, events = simulate_game(GAME, "club", 0, players=2, board=data, options={"max_rounds": 12})
    assert header.board == data
    assert len(events) > 50
    assert len(play(0, 2, max_rounds=12).events) > 50
