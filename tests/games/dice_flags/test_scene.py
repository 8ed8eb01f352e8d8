"""The scene of a position and the sentences of events."""

from __future__ import annotations

from typing import Any

import pytest

from gamelog.games.dice_flags.army import MEN
from gamelog.games.dice_flags.events import Battle, Move, Roll
from gamelog.games.dice_flags.state import RESERVE, Options, State
from gamelog.play.contract.scene import Caption, Mark, Piece
from gamelog.play.rendering.ascii_board import ascii_board, initials, plain_lines
from gamelog.play.rendering.sentences import sentence
from tests.games.dice_flags.games import GAME, board, play, position


def test_soldiers_are_on_their_spaces_prisoners_in_prisons_flags_with_their_carriers() -> None:
    state = position(
        on_turn="north",
        dice=(2, 5),
        soldiers={
            "north": {"P1": "M.d4", "F1": "N.r2", "M1": "N.r2", "H2": "S.prison"},
            "south": {"F2": "S.b5"},
        },
        flags={"south": ("north", "F1")},
    )
    pieces = GAME.scene(state, None).pieces
    assert {
        Piece("M.d4", "pawn", "north", "P1", id="north P1"),
        Piece("N.r2", "disc", "north", "F1", id="north F1"),
    } <= set(pieces)
    assert Piece("N.r2", "diamond", "north", "M1", id="north M1") in pieces
    assert Piece("S.prison", "die", "north", "H2", id="north H2") in pieces
    flags = {piece.id: (piece.at, piece.seat) for piece in pieces if piece.kind == "flag"}
    assert flags == {"flag of north": ("N.flag", "north"), "flag of south": ("N.r2", "south")}
    assert len(pieces) == 24 + 2


def test_flags_without_an_army_and_soldiers_in_reserve() -> None:
    state = position(
        options=Options(extra_flags=True, free_deployment=True), soldiers={"north": {"P1": "reserve"}}
    )
    pieces = GAME.scene(state, None).pieces
    assert Piece("E.flag", "flag", None, "E", id="flag of east") in pieces
    assert Piece("north reserve", "pawn", "north", "P1", id="north P1") in pieces


def test_captions_show_the_numbers_that_decide() -> None:
    soldiers = {"north": {"P1": "M.d4"}, "south": {"F2": "S.b5", "P1": "S.b1"}}
    state = position(
        on_turn="south", dice=(2, 5), turn=7, soldiers=soldiers, flags={"north": ("south", "F2")}
    )
    assert GAME.scene(state, None).captions == (
        Caption("round", "4"),
        Caption("dice to use", "2 5", "south", dice=True),
        Caption("flags at home", "0", "north"),
        Caption("prisoners", "10", "north"),
        Caption("free soldiers", "1", "north"),
        Caption("flags at home", "1", "south"),
        Caption("flags carried", "1", "south"),
        Caption("prisoners", "11", "south"),
        Caption("free soldiers", "2", "south"),
    )
    assert GAME.score(state) == {"north": 10, "south": 200 + 40 + 11}
    assert GAME.scene(position(phase="start_roll", rolling=["north", "south"]), None).captions[0] == Caption(
        "round", "set-up"
    )


def test_an_attack_with_due_dice_is_marked() -> None:
    state = position(
        on_turn="north",
        soldiers={"north": {"P1": "M.d4"}, "south": {"H1": "M.d3"}},
        attack=("north", "P1", "M.d3"),
    )
    assert GAME.scene(state, None).marks == (Mark("M.d4", "from"), Mark("M.d3", "to"))


def test_flag_squares_and_prisons_have_their_armies_colours() -> None:
    fills = GAME.scene(position(3), None).fills
    assert set(fills) == {
        (f"{seat[0].upper()}.{part}", seat) for seat in GAME.seats[3] for part in ("flag", "prison")
    }


def test_the_layout() -> None:
    for name in GAME.boards:
        ground = GAME.scene(position(name=name), None).ground
        assert "our reconstruction" in ground.remark
        kinds = {cell.id: cell.kind for cell in ground.cells}
        assert (kinds["N.r2"], kinds["N.r1"], kinds["N.flag"], kinds["N.e3"], kinds["N.e4"]) == (
            "bunker",
            "road",
            "flag",
            "light",
            "dark",
        )
        assert [cell.id for cell in ground.cells if cell.shape == "tray"] == [
            "N.prison",
            "E.prison",
            "S.prison",
            "W.prison",
        ]
        assert {cell.zone for cell in ground.cells} == {"", "north", "east", "south", "west"}
        roads = sum(kind in (1, 2, 3) for kind in board(name).kinds)
        assert len(ground.links) == roads + 4, (
            "a link before each road space and flag square, and one more for each road's end"
        )


@pytest.mark.parametrize(("name", "players"), [("df181", 2), ("df221", 4)])
def test_soldiers_in_reserve_are_shown_until_all_are_placed(name: str, players: int) -> None:
    game = play(3, players, "random", name, free_deployment=True, max_rounds=2)
    ground = GAME.scene(game.states[0], None).ground
    trays = {cell.id for cell in ground.cells if cell.kind == "reserve"}
    assert trays == {f"{seat} reserve" for seat in GAME.seats[players]}
    lowest = max(cell.y + cell.h / 2 for cell in ground.cells if cell.kind != "reserve")
    for at in [state for state in game.states if state.phase in ("start_roll", "deploy", "roll")][
        :: 3 * players
    ]:
        scene = GAME.scene(at, None)
        waiting = [piece for piece in scene.pieces if piece.at in trays]
        assert len(waiting) == at.places.count(RESERVE)
        assert all(piece.at == f"{piece.seat} reserve" for piece in waiting)
        assert len([piece for piece in scene.pieces if piece.kind != "flag"]) == players * MEN
    assert all(cell.y - cell.h / 2 >= lowest for cell in ground.cells if cell.kind == "reserve"), (
        "below the board"
    )


def test_the_board_fits_a_terminal() -> None:
    drawn = plain_lines(ascii_board(GAME.scene(position(4, rest="formation"), None), initials(GAME.seats[4])))
    assert max(map(len, drawn.splitlines())) <= 120
    assert "nP1" in drawn and "wH2" in drawn


def sentences_of(state: State, *events: Move | Roll | Battle) -> str:
    said = ""
    for event in events:
        after = GAME.apply(state, event)
        said = sentence(GAME, event, GAME.effects(state, event, after), str.title)
        state = after
    return said


def test_sentences() -> None:
    words: dict[str, Any] = {
        "soldiers": {
            "north": {"H1": "N.r3", "F1": "S.f2"},
            "south": {"P1": "N.r2", "M2": "N.r2", "P2": "M.d4"},
        }
    }
    state = position(on_turn="north", dice=(1, 5), **words)
    attack = Move(0, 0, "north", "H1", 1, ("N.r2",))
    assert sentences_of(state, attack) == "North's heavy H1 attacks South's pawn P1 and medium M2 on N.r2."
    won = Battle(0, 0, "north", {"H1": (6, 5)}, {"P1": (), "M2": (3,)})
    assert sentences_of(state, attack, won) == (
        "North rolls 6 5. South rolls 3. 11 against 6: South's pawn P1 is captured and goes to North's prison. "
        "South's medium M2 is captured and goes to North's prison."
    )
    tied = Battle(0, 0, "north", {"H1": (1, 5)}, {"P1": (), "M2": (3,)})
    assert (
        sentences_of(state, attack, tied)
        == "North rolls 1 5. South rolls 3. A tie: the dice are rolled again."
    )
    fetch = Move(0, 0, "north", "F1", 1, ("S.flag",))
    assert (
        sentences_of(state, fetch)
        == "North's carrier F1 moves from S.f2 to S.flag. North's carrier F1 picks up South's flag."
    )
    assert (
        sentences_of(position(on_turn="north", phase="roll", **words), Roll(0, 0, "north", (6, 6)))
        == "North rolls 6 6."
    )


def test_the_legend_says_what_the_points_are_for() -> None:
    state = position(
        on_turn="north",
        soldiers={"north": {"F1": "N.r2"}, "south": {"F2": "N.prison", "P1": "N.prison"}},
        flags={"south": ("north", "F1")},
    )
    scene = GAME.scene(state, None)
    meanings = dict(scene.ground.legend)
    home, carried, prisoner = (
        number for number, meaning in meanings.items() if meaning.partition(" ")[0] in ("points", "point")
    )
    assert [meanings[one] for one in (home, carried, prisoner)] == [
        "points for each flag at home",
        "points for each carried flag",
        "point for each prisoner",
    ]
    counts = {(one.seat, one.name): int(one.value) for one in scene.captions if one.seat}
    assert counts["north", "flags carried"] == 1
    assert counts["north", "prisoners"] > 1
    assert GAME.score(state) == {
        seat: int(home) * counts[seat, "flags at home"]
        + int(carried) * counts.get((seat, "flags carried"), 0)
        + int(prisoner) * counts[seat, "prisoners"]
        for seat in ("north", "south")
    }
