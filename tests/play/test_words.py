"""Tests of rulebooks, sentences and boards in characters."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from msgspec import structs

from gamelog.chance.draws import Bag, Dice
from gamelog.finding import Finding
from gamelog.message import ENGLISH, Message, Renderer
from gamelog.play.contract.effects import Contest, Over, Rolled
from gamelog.play.contract.rulebook import parse_rulebook, rulebook
from gamelog.play.contract.scene import BoardLayout, Caption, Cell, Piece, Scene
from gamelog.play.fold import finding_codes
from gamelog.play.fold.common import COMMON, Clock
from gamelog.play.telling.ascii_board import ascii_board, initials, plain_lines
from gamelog.play.telling.events import consequences
from gamelog.play.telling.sentences import ENGINE_MESSAGES, arguments, sentence
from gamelog.play.view.record_view import RecordView
from gamelog.record.envelope import tag_of
from tests.play.tables import GAME, event, start_game

RULES = """# A game

## Moving

- **AB-1** One step
  at a time.
- **AB-2** No jumping. _(not checkable: there is
  nothing to jump over)_

Prose between.

## Rulings

- **AB-A1** Diagonals count; option `diagonals`.
"""


def test_an_illegal_event_of_which_the_game_can_tell_nothing_has_no_consequences() -> None:
    def failing(*_: object) -> tuple[Contest, ...]:
        raise KeyError("C4")

    game, state, claim = (
        replace(GAME, effects=failing),
        start_game().state,
        event(start_game(), "claim", "red", at="B1"),
    )
    assert consequences(game, state, claim, state, illegal=True) == ()
    with pytest.raises(KeyError):
        consequences(game, state, claim, state, illegal=False)


def test_dice_have_six_sides_unless_it_is_said_otherwise() -> None:
    assert Rolled("red", (3,)).sides == Dice(1).sides == 6


def test_rules_are_read_with_section_ruling_and_reason() -> None:
    book = parse_rulebook(RULES)
    assert list(book) == ["AB-1", "AB-2", "AB-A1"]
    assert (book["AB-1"].text, book["AB-1"].section, book["AB-1"].ruling) == (
        "One step at a time.",
        "Moving",
        False,
    )
    assert (book["AB-2"].text, book["AB-2"].unchecked) == ("No jumping.", "there is nothing to jump over")
    assert book["AB-A1"].ruling
    close = parse_rulebook("## One\n- **AB-1** A step.\n## Two\n- **AB-2** A jump.\n")
    assert [(rule.section, rule.text) for rule in close.values()] == [("One", "A step."), ("Two", "A jump.")]
    with pytest.raises(ValueError, match="twice"):
        parse_rulebook(RULES + "\n- **AB-1** Again.\n")


def test_every_rule_of_a_game_has_words() -> None:
    assert all(rule.text for rule in rulebook(GAME).values())


@pytest.mark.parametrize(("won", "how"), [(True, "won"), (False, "lost")])
def test_the_additional_arguments_of_templates_exist(won: bool, how: str) -> None:
    assert arguments(Contest("red", "blue", (6,), (1,), 6, 1, won, 0.5))["result"] == how
    clock = Clock(1, 0, "red", running=won)
    assert arguments(clock)["state"] == ("runs" if won else "stops")


def test_every_common_event_has_a_phrase() -> None:
    assert {tag_of(kind) for kind in COMMON} <= set(ENGINE_MESSAGES)


def test_sentences_name_people() -> None:
    fold = start_game()
    claim = event(fold, "claim", "red", at="B1")
    assert "Ana" in sentence(GAME, claim, (), fold.session.name_of)
    over = sentence(GAME, claim, (Over(("red", "blue"), "all"),), fold.session.name_of)
    assert "Ana and Rui" in over


def fill(text: str, members: dict[str, Any], name_of: Callable[[str], str]) -> str:
    return Renderer(ENGLISH, name_of).text(Message(text, members))


def test_templates_are_filled_with_lists_mappings_and_none() -> None:
    assert fill(
        "{@seat} {faces} {map} {none}",
        {"seat": None, "faces": [1, 2], "map": {"a": 1, "b": 2}, "none": None},
        str,
    ) == ("no one 1 2 a 1, b 2 ")
    assert fill("{unknown}", {"x": 1}, str) == ""
    rolled = Rolled("red", (4, 2))
    assert sentence(GAME, event(start_game(), "@note", "red", text="{by} {x}"), (rolled,), str).startswith(
        "Note by red: {by} {x}"
    )
    contest = Contest("red", None, (6,), (1,), 6, 1, won=True, odds=0.9)
    assert "None" not in sentence(GAME, event(start_game(), "@note", "red", text="x"), (contest,), str)


def test_templates_have_forms_that_go_with_a_number() -> None:
    text = "{@seat} takes {count} {count:die|dice}{more:|, and more}."
    told = [
        fill(text, {"seat": "red", "count": count, "more": more}, str)
        for count, more in ((1, 1), (0, 2), (12, 1))
    ]
    assert told == ["red takes 1 die.", "red takes 0 dice, and more.", "red takes 12 dice."]


def test_only_places_for_seats_name_people() -> None:
    people = {"red": "Ana", "blue": "Rui"}

    def names(seat: str) -> str:
        return people[seat]

    cards = {"red": 3, "blue": 1}
    assert (
        fill("{at} {chips} {way}", {"at": "red", "chips": cards, "way": ["a", "red"]}, names)
        == "red red 3, blue 1 a red"
    )
    assert fill(
        "{@by}, {@cards}, {@winners}", {"by": "red", "cards": cards, "winners": ["red", "blue"]}, names
    ) == ("Ana, Ana 3, Rui 1, Ana and Rui")
    assert fill("{@result}", {"result": {"winners": [], "reason": "all"}}, names) == "no one (all)"


def test_a_scene_is_drawn_in_characters() -> None:
    cells = tuple(
        Cell(f"{c}{r}", x, y, label=f"{c}{r}") for y, r in enumerate("12") for x, c in enumerate("ab")
    )
    tray = Cell("prison", 5, 0, shape="tray", label="prison")
    pieces = (
        Piece("a1", "die", seat="red", text="4"),
        Piece("b2", "disc", seat="blue"),
        Piece("prison", "pawn", seat="red", hidden=True),
    )
    scene = Scene(
        BoardLayout((*cells, tray)),
        pieces,
        fills=(("b1", "blue"),),
        captions=(Caption("hand", "3", "red"), Caption("round", "2")),
    )
    board = ascii_board(scene, initials(("red", "blue")))
    assert plain_lines(board) == "a1:r4 b1:b\na2    b2:B\nprison: r?\nred (r): hand 3\nround 2"
    whose = {run.strip(): seat for line in board[:2] for run, seat in line if run.strip()}
    assert whose == {"a1:r4": "red", "b1:b": "blue", "a2": None, "b2:B": "blue"}, (
        "the seat of the piece, or of the cell"
    )


def test_of_a_tile_that_says_much_its_beginning_is_drawn_and_of_a_piece_all() -> None:
    scene = Scene(
        BoardLayout((Cell("a", 0, 0),)),
        (Piece("a", "tile", text="market"), Piece("a", "token", text="market")),
    )
    assert plain_lines(ascii_board(scene, {})) == "mar+market"


def test_cells_that_lie_close_together_are_drawn_apart() -> None:
    cells = tuple(Cell(label, x, 0, label=label) for label, x in (("a", 2), ("b", 2.5), ("c", 3.5)))
    assert plain_lines(ascii_board(Scene(BoardLayout(cells)), {})) == "a    b         c"


def test_a_game_without_a_board_shows_its_hands_and_captions() -> None:
    hand = Cell("hand", 0, 0, shape="tray", label="hand", seat="red")
    scene = Scene(
        BoardLayout((hand,)), (Piece("hand", "tile", "red", "7"),), captions=(Caption("round", "2"),)
    )
    lines = plain_lines(ascii_board(scene, initials(("red",)), width=20)).splitlines()
    assert lines == ["hand of red: r7", "round 2"]


def test_large_boards_do_without_labels() -> None:
    cells = tuple(Cell(f"c{x}-{y}", x, y, label="long", kind="water") for x in range(10) for y in range(10))
    drawn = plain_lines(ascii_board(Scene(BoardLayout(cells)), {}))
    assert drawn.splitlines()[0] == " ".join("w" * 10)


def test_initials_are_different() -> None:
    assert initials(("red", "rose", "re", "r")) == {"red": "r", "rose": "o", "re": "e", "r": "4"}


def test_the_codes_of_findings_are_listed() -> None:
    listed = {
        line.split()[0]
        for line in (finding_codes.__doc__ or "").splitlines()
        if line[:1].isalpha() and "." in line.split()[0]
    }
    assert listed >= finding_codes.UNKNOWN | finding_codes.DAMAGED
    assert Finding("x", "y").severity == "error"


def test_draws_describe_themselves() -> None:
    from gamelog_cli.typed_dice import dice_prompt

    from gamelog.play.contract.game import ChanceDue

    assert (
        str(dice_prompt(ChanceDue("battle", "red", (Dice(3, 6, "red"), Dice(1, 6)))))
        == "battle: 3 dice of red, then 1 die"
    )
    draw = dice_prompt(ChanceDue("draw", "red", (Bag(2, (("a", 1), ("b", 2), ("c", 0))),)))
    assert str(draw) == "draw: 2 out of a, b"


def test_a_board_wider_than_the_terminal_is_reported() -> None:
    cells = tuple(Cell(name, at, 0, label=name) for at, name in enumerate(("A1", "A2", "A3")))
    pieces = (Piece("A1", "die", "red", "4"), Piece("A3", "pawn", "blue"), Piece("A3", "tile", None, "hills"))
    scene = Scene(BoardLayout(cells), pieces, fills=(("A2", "red"),), captions=(Caption("round", "2"),))
    drawn = ascii_board(scene, initials(("red", "blue")))
    (board, _) = plain_lines(drawn).splitlines()
    assert ascii_board(scene, initials(("red", "blue")), len(board)) == drawn
    told = plain_lines(ascii_board(scene, initials(("red", "blue")), len(board) - 1))
    assert told.splitlines() == [
        f"The board needs {len(board)} columns, but the terminal has {len(board) - 1}. The pieces on it are:",
        "red (r): 4 A1, A2",
        "blue (b): A3",
        "no one: hills A3",
        "round 2",
    ]


def test_a_narrow_terminal_gets_each_cell_once_with_the_pieces_on_it() -> None:
    fold = start_game()
    scene = RecordView(fold).scene(fold.n)
    text = plain_lines(ascii_board(scene, initials(fold.header.seat_ids), width=20))
    assert [text.count(at) for at in ("A1", "C1")] == [1, 1]
    board = structs.replace(scene, pieces=tuple(piece for piece in scene.pieces if piece.at != "A1"))
    text = plain_lines(ascii_board(board, initials(fold.header.seat_ids), width=20))
    assert text.count("A1") == 1, "a cell in a seat's colour without a piece is listed too"
