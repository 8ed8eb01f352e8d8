"""The board that comes with the game, boards of other shapes, and board files that are refused."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

import pytest

from gamelog.games.zone_control import GAME
from gamelog.games.zone_control.board import SIDES, read_board
from gamelog.games.zone_control.events import Step
from gamelog.play.contract.seats import legal_for
from tests.games.zone_control.games import begin_game, board, play

PICTURE = """
. . . . . . . . N N N N N . . . . . . . .
. . . . . . . N N N N N N N . . . . . . .
. . . . . . N N N N N N N N N . . . . . .
. . . . . N N N N N N N N N N N . . . . .
. . . . # - - - - - - - # - - - - . . . .
. . . W - 1 1 1 - 2 2 2 - 3 3 3 - E . . .
. . W W - 1 1 1 - 2 2 2 - 3 3 3 - E E . .
. W W W - 1 1 1 - 2 2 2 - 3 3 3 - E E E .
W W W W - - - - # - - - - - - - # E E E E
W W W W - 4 4 4 - 5 5 5 - 6 6 6 - E E E E
W W W W - 4 4 4 - 5 5 5 - 6 6 6 - E E E E
W W W W - 4 4 4 - 5 5 5 - 6 6 6 - E E E E
W W W W # - - - - - - - # - - - - E E E E
. W W W - 7 7 7 - 8 8 8 - 9 9 9 - E E E .
. . W W - 7 7 7 - 8 8 8 - 9 9 9 - E E . .
. . . W - 7 7 7 - 8 8 8 - 9 9 9 - E . . .
. . . . - - - - # - - - - - - - # . . . .
. . . . . S S S S S S S S S S S . . . . .
. . . . . . S S S S S S S S S . . . . . .
. . . . . . . S S S S S S S . . . . . . .
. . . . . . . . S S S S S . . . . . . . .
"""
"""A drawing of the board by hand: `-` is a corridor, `#` a blocked crossing, `.` is empty."""


def read_drawing() -> dict[tuple[float, float], str]:
    """Return the characters of the drawing by column and row, counted from 0."""
    rows = PICTURE.strip().splitlines()
    return {(x, y): mark for y, row in enumerate(rows) for x, mark in enumerate(row.split()) if mark != "."}


def called(x: float, y: float) -> str:
    return f"{chr(ord('a') + int(x))}{int(y) + 1}"


def test_the_board_file_agrees_with_the_drawing() -> None:
    data, picture = GAME.boards["zc289"](), read_drawing()
    assert {name: tuple(at) for name, at in data["squares"].items()} == {
        called(*at): at for at, mark in picture.items() if mark != "#"
    }
    assert data["blocked"] == {called(*at): list(at) for at, mark in picture.items() if mark == "#"}
    for zone, squares in data["zones"].items():
        assert set(squares) == {called(*at) for at, mark in picture.items() if mark == zone}
    for side, squares in data["start"].items():
        assert set(squares) == {called(*at) for at, mark in picture.items() if mark == side[0].upper()}
    squares = [at for at, mark in picture.items() if mark != "#"]
    edges = {
        frozenset((called(x, y), called(*to)))
        for x, y in squares
        for to in ((x + 1, y), (x, y + 1))
        if to in squares
    }
    assert {frozenset(edge) for edge in data["edges"]} == edges


def test_it_has_the_numbers_that_the_rules_give() -> None:
    on, data = board(), GAME.boards["zc289"]()
    assert len(on.names) == 289
    assert on.zones_from == 80, "corridor squares"
    assert (on.homes_from, len(on.zones), on.zones[on.middle]) == (161, 9, "5")
    assert len(on.blocked) == 8
    assert sum(map(len, on.neighbours)) == 2 * 524
    assert {len(ring) for ring in on.rings} == {14}
    assert {side: len(squares) for side, squares in data["start"].items()} == dict.fromkeys(SIDES, 32)
    assert "reconstruction" in on.remark and "ours" in on.remark


def test_corridor_squares_are_in_one_two_or_four_rings() -> None:
    on = board()
    rings = Counter(at for ring in on.rings for at in ring)
    assert Counter(rings.values()) == {1: 38, 2: 40, 4: 2}
    assert set(rings) == set(range(on.zones_from))
    four = {
        on.names[at]: [on.zones[zone] for zone, ring in enumerate(on.rings) if at in ring]
        for at in rings
        if rings[at] == 4
    }
    assert four == {"m9": ["2", "3", "5", "6"], "i13": ["4", "5", "7", "8"]}


def test_a_ring_is_the_squares_around_a_zone() -> None:
    on = board()
    for zone, ring in enumerate(on.rings):
        inside = {on.places[at] for at, of in enumerate(on.zone_of) if of == zone}
        near = {(x + dx, y + dy) for x, y in inside for dx in (-1, 0, 1) for dy in (-1, 0, 1)} - inside
        assert {on.places[at] for at in ring} == near - set(on.blocked.values())


def test_pieces_return_to_the_farthest_place_first_and_from_the_left() -> None:
    order = GAME.boards["zc289"]()["return_order"]
    assert {side: " ".join(squares[:7]) for side, squares in order.items()} == {
        "north": "m1 l1 k1 j1 i1 n2 m2",
        "east": "u13 u12 u11 u10 u9 t14 t13",
        "south": "i21 j21 k21 l21 m21 h20 i20",
        "west": "a9 a10 a11 a12 a13 b8 b9",
    }
    places = GAME.boards["zc289"]()["squares"]
    depths = {"north": (1, 1), "east": (0, -1), "south": (1, -1), "west": (0, 1)}
    for side, (axis, sign) in depths.items():
        rows = [sign * places[square][axis] for square in order[side]]
        assert rows == sorted(rows)
        assert sorted(Counter(rows).values()) == [5, 7, 9, 11]


def walk(src: set[int]) -> dict[int, int]:
    """Return the steps from `src` to each square, over corridors and zones."""
    on, steps = board(), dict.fromkeys(src, 0)
    ahead = list(src)
    for here in ahead:
        for there in on.neighbours[here]:
            if there not in steps and there < on.homes_from:
                steps[there] = steps[here] + 1
                ahead.append(there)
    return steps


@pytest.mark.parametrize("seat", range(4))
def test_every_side_is_as_far_from_the_zones(seat: int) -> None:
    on = board()
    steps = walk({at for at, home in enumerate(on.home_of) if home == seat})
    near = [min(steps[at] for at, of in enumerate(on.zone_of) if of == zone) for zone in range(9)]
    assert sorted(near) == [2, 2, 2, 6, 6, 6, 10, 10, 10]
    assert near[on.middle] == 6
    assert set(range(on.homes_from)) < set(steps), "the playing grid is connected"


SWAPPED = {
    "both diagonals": {"north": "south", "south": "north", "east": "west", "west": "east"},
    "main diagonal": {"north": "west", "west": "north", "east": "south", "south": "east"},
    "other diagonal": {"north": "east", "east": "north", "south": "west", "west": "south"},
}


def turn_place(place: tuple[float, float], how: str) -> tuple[float, float]:
    x, y = place
    images = {
        "both diagonals": (20 - x, 20 - y),
        "main diagonal": (y, x),
        "other diagonal": (20 - y, 20 - x),
        "quarter": (20 - y, x),
    }
    return images[how]


@pytest.mark.parametrize("how", SWAPPED)
def test_the_board_is_its_own_mirror_image(how: str) -> None:
    picture, letters = read_drawing(), {a[0].upper(): b[0].upper() for a, b in SWAPPED[how].items()}
    image = {turn_place(at, how): mark for at, mark in picture.items()}
    assert set(image) == set(picture)
    zones: dict[str, set[str]] = {}
    for at, mark in image.items():
        if mark in "123456789":
            zones.setdefault(mark, set()).add(picture[at])
        else:
            assert letters.get(mark, mark) == picture[at]
    assert all(len(images) == 1 for images in zones.values())
    assert zones["5"] == {"5"}


def test_a_quarter_turn_changes_the_board() -> None:
    picture = read_drawing()
    blocked = {at for at, mark in picture.items() if mark == "#"}
    assert {turn_place(at, "quarter") for at in blocked} & blocked == set()


@pytest.mark.parametrize(
    ("seat", "steps"),
    [
        ("north", "f4-f5 g4-g5 h4-h5 i4-i5 j4-j5 k4-k5 l4-l5 n4-n5 o4-o5 p4-p5"),
        ("east", "r6-q6 r7-q7 r8-q8 r10-q10 r11-q11 r12-q12 r13-q13 r14-q14 r15-q15 r16-q16"),
        ("south", "f18-f17 g18-g17 h18-h17 j18-j17 k18-k17 l18-l17 m18-m17 n18-n17 o18-o17 p18-p17"),
        ("west", "d6-e6 d7-e7 d8-e8 d9-e9 d10-e10 d11-e11 d12-e12 d14-e14 d15-e15 d16-e16"),
    ],
)
def test_every_side_begins_with_ten_steps(seat: str, steps: str) -> None:
    rolls = {side: 6 if side == seat else 1 for side in SIDES}
    state = GAME.apply(begin_game(), GAME.chance(begin_game(), tuple((rolls[side],) for side in SIDES)))
    state = GAME.apply(state, GAME.chance(state, ((3, 4),)))
    legal = legal_for(GAME, state, None)
    assert legal.complete
    moves = {f"{event.src}-{event.dst}" for event in legal.events if isinstance(event, Step)}
    assert moves == set(steps.split())
    assert len(legal.events) == 11


def with_rings(size: int) -> dict[str, Any]:
    """Return the board without blocked crossings, with rings of all 16 squares or of the 12 at the sides."""
    data: dict[str, Any] = GAME.boards["zc289"]()
    data |= {"name": f"rings-{size}", "squares": {**data["squares"], **data["blocked"]}, "blocked": {}}
    at = {tuple(place): name for name, place in data["squares"].items()}
    for zone, squares in data["zones"].items():
        inside = {tuple(data["squares"][name]) for name in squares}
        near = {
            (x + dx, y + dy)
            for x, y in inside
            for dx in (-1, 0, 1)
            for dy in (-1, 0, 1)
            if size == 16 or not dx * dy
        }
        data["rings"][zone] = [at[place] for place in sorted(near - inside)]
    data["edges"] = [
        [name, at[to]] for (x, y), name in at.items() for to in ((x + 1, y), (x, y + 1)) if to in at
    ]
    return data


@pytest.mark.parametrize("size", [12, 16])
def test_a_board_file_may_have_rings_of_other_sizes(size: int) -> None:
    data = with_rings(size)
    assert {len(ring) for ring in read_board(data).rings} == {size}
    game = play(1, layout=data, turn_limit=60)
    assert game.header.board == data
    assert any(event.__class__.__name__ == "Challenge" for event in game.events)
    assert GAME.pending(game.states[-1]).outcome


ZONE = ["f6", "g6", "h6", "f7", "g7", "h7", "f8", "g8"]


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"zones": {"1": ZONE}}, "zone 1 must have 9 squares, not 8"),
        ({"zones": {"1": [*ZONE, "z1"]}}, 'zone 1 names "z1", which is not one of the squares'),
        ({"zones": {"1": [*ZONE, "k6"]}}, "k6 is in zone 1 and in zone 2"),
        ({"zones": {"1": [*ZONE, "f6"]}}, "f6 is in zone 1 and in zone 1"),
        ({"zones": {"10": [*ZONE, "h8"]}}, "f6 is in zone 1 and in zone 10"),
        ({"middle": "10"}, 'the middle zone "10" is not one of the zones'),
        ({"start": {"centre": []}}, "start must name exactly north, east, south, west"),
        ({"start": {"north": ["k1"]}}, "the starting grid of north must have 32 squares, not 1"),
        ({"return_order": {"up": []}}, "return_order must name"),
        (
            {"return_order": {"north": ["k1"] * 32}},
            "the return order of north must list each square of its starting grid once",
        ),
        ({"rings": {"10": ["f5"]}}, "rings must name exactly 1, 2, 3, 4, 5, 6, 7, 8, 9"),
        ({"rings": {"1": []}}, "the ring of zone 1 must list at least one square"),
        ({"rings": {"1": ["f5", "f5"]}}, "and each square only once"),
        ({"rings": {"1": ["z1"]}}, 'the ring of zone 1 names "z1"'),
        ({"rings": {"1": ["k6"]}}, "k6 cannot be in the ring of zone 1, because it is in zone 2"),
        (
            {"rings": {"1": ["f4"]}},
            "f4 cannot be in the ring of zone 1, because it is in the starting grid of north",
        ),
        ({"edges": [["f5", "z1"]]}, 'the edge f5-z1 names "z1"'),
        ({"edges": [["f5", "f5"]]}, "joins a square to itself"),
        ({"edges": [["f5", "f6"], ["f6", "f5"]]}, "is listed twice"),
        ({"blocked": {"k6": [0, 0]}}, "k6 cannot be both a square and blocked"),
        ({"squares": {"k6": "here"}}, "array"),
        ({"zones": {}, "colour": "red"}, "colour"),
    ],
)
def test_a_bad_board_file_is_refused_in_one_sentence(change: dict[str, Any], complaint: str) -> None:
    data = GAME.boards["zc289"]()
    for name, value in change.items():
        data[name] = {**data[name], **value} if isinstance(value, dict) else value
    with pytest.raises(ValueError, match=re.escape(complaint)):
        read_board(data)


def test_a_board_without_zones_is_refused() -> None:
    data = GAME.boards["zc289"]() | {"zones": {}, "rings": {}}
    with pytest.raises(ValueError, match="length >= 1"):
        read_board(data)
