"""Tests of rulebooks, sentences and boards in characters."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from gamelog.chance.draws import Bag, Dice
from gamelog.finding import Finding
from gamelog.message import ENGLISH, Message, Renderer
from gamelog.play.contract.effects import Contest, Over, Rolled
from gamelog.play.contract.outcome import Outcome
from gamelog.play.contract.rulebook import parse_rulebook, rulebook
from gamelog.play.contract.scene import BoardLayout, Caption, Cell, Piece, Scene, Word
from gamelog.play.fold import finding_codes
from gamelog.play.fold.common_events import COMMON, Clock, Ruling
from gamelog.play.fold.ruling_messages import ruling_decision
from gamelog.play.rendering.ascii_board import ascii_board, initials, plain_lines
from gamelog.play.rendering.coordinates import find_grids
from gamelog.play.rendering.events import consequences
from gamelog.play.rendering.sentences import ENGINE_MESSAGES, arguments, game_over_message, sentence
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


def test_an_event_without_a_sentence_is_described_by_its_own_members() -> None:
    roll = event(start_game(), "start_roll", "table", rolls={"red": 5, "blue": 2}, id="k-1", as_played=True)
    assert sentence(GAME, roll, (), str) == "The table: start roll rolls red 5, blue 2"


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
    assert fill("{@result}", {"result": {"winners": [], "reason": "all"}}, names) == "draw (all)"


def test_a_decision_about_the_result_names_winners_or_a_draw() -> None:
    for winners, result in (("red",), "result: red (late)"), ((), "result: draw (late)"):
        ruled = Outcome(winners, "late")
        decision = ruling_decision(
            Ruling(1, 0, "arbiter", about=0, kind="result", reason="", name="Mei", result=ruled)
        )
        assert str(decision) == result
    assert str(game_over_message(Outcome((), "late"))) == "The game is over. Draw (late)."


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


@pytest.mark.parametrize(("cells", "text"), [(12, "r:market+rmarket"), (13, "r:mar+rmarket")])
def test_a_large_board_shows_the_beginnings_of_the_words_on_tiles(cells: int, text: str) -> None:
    ground = BoardLayout(tuple(Cell(str(x), x, 0) for x in range(cells)))
    pieces = (Piece("0", "tile", "red", "market"), Piece("0", "token", "red", "market"))
    assert plain_lines(ascii_board(Scene(ground, pieces), {"red": "r"})).split()[0] == text


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


def test_a_large_board_names_its_columns_and_rows_at_the_edge() -> None:
    cells = tuple(
        Cell(f"{name}{y}", x, y, label=f"{name}{y}", kind="water")
        for x, name in enumerate("abcdefghij")
        for y in range(1, 11)
    )
    lines = plain_lines(ascii_board(Scene(BoardLayout(cells), (Piece("c10", "pawn", "red"),)), {"red": "r"}))
    first, second, *_, last = lines.splitlines()
    assert first.split() == [*"abcdefghij"]
    assert second.split() == ["1", *("w" * 10)]
    assert last.split() == ["10", "w", "w", "R", *("w" * 7)]
    assert {line.index("w") for line in lines.splitlines()[1:]} == {first.index("a")}


def test_a_large_board_without_columns_and_rows_names_each_place() -> None:
    cells = tuple(Cell(f"c{x}-{y}", x, y, label="long", kind="water") for x in range(10) for y in range(10))
    drawn = plain_lines(ascii_board(Scene(BoardLayout(cells)), {}))
    assert drawn.splitlines()[0] == " ".join(["long"] * 10)


def test_unnamed_places_show_their_ids_unless_words_beside_the_board_name_them() -> None:
    cells = tuple(Cell(f"place{at}", at, 0, kind="water") for at in range(3))
    assert plain_lines(ascii_board(Scene(BoardLayout(cells)), {})) == "place0 place1 place2"
    words = tuple(Word(f"{at}", at, 1) for at in range(3))
    assert plain_lines(ascii_board(Scene(BoardLayout(cells, words=words)), {})) == "w w w\n0 1 2"


def test_grids_in_any_direction_are_found() -> None:
    places = [(f"M.{letter}{y}", x, y) for x, letter in enumerate("abc") for y in (1, 2, 3)]
    places += [(f"N.{letter}{x}", 5 + x, y) for y, letter in enumerate("abc") for x in (1, 2, 3)]
    places += [("N.f1", 9, 1), ("N.f2", 10, 1), ("N.r1", 5, 3), ("N.r2", 5, 4), ("flag", 11, 1)]
    upright, turned = find_grids(Cell(name, x, y) for name, x, y in places)
    assert upright.columns == {0: "M.a", 1: "M.b", 2: "M.c"} and upright.rows == {1: "1", 2: "2", 3: "3"}
    assert turned.columns == {6: "1", 7: "2", 8: "3"} and turned.rows == {0: "N.a", 1: "N.b", 2: "N.c"}
    assert "N.f1" not in turned.squares and len(turned.squares) == 9


def test_initials_are_different() -> None:
    assert initials(("red", "rose", "re", "r")) == {"red": "r", "rose": "o", "re": "e", "r": "4"}


def test_the_codes_of_findings_are_listed() -> None:
    listed = {
        line.split()[0]
        for line in (finding_codes.__doc__ or "").splitlines()
        if line[:1].isalpha() and "." in line.split()[0]
    }
    assert listed >= finding_codes.UNKNOWN_CODES | finding_codes.DAMAGED
    assert Finding("x", "y").severity == "error"


def test_draws_describe_themselves() -> None:
    from gamelog_cli.input.typed_dice import dice_prompt

    from gamelog.play.contract.game import ChanceDue

    assert (
        str(dice_prompt(ChanceDue("battle", "red", (Dice(3, 6, "red"), Dice(1, 6)))))
        == "battle: 3 dice of red, then 1 die"
    )
    draw = dice_prompt(ChanceDue("draw", "red", (Bag(2, (("a", 1), ("b", 2), ("c", 0))),)))
    assert str(draw) == "draw: 2 out of a, b"


def grid(columns: int, rows: int) -> tuple[Cell, ...]:
    return tuple(Cell(f"{chr(ord('a') + x)}{y}", x, y) for x in range(columns) for y in range(1, rows + 1))


def test_a_board_wider_than_the_terminal_is_drawn_in_parts_with_their_own_coordinates() -> None:
    scene = Scene(BoardLayout(grid(20, 5)), captions=(Caption("round", "2"),))
    whole = plain_lines(ascii_board(scene, {})).splitlines()
    width = max(map(len, whole[:-1]))
    assert plain_lines(ascii_board(scene, {}, width)).splitlines() == whole
    told, _, *parts, blank, last = plain_lines(ascii_board(scene, {}, width - 1)).splitlines()
    assert (told, blank, last) == ("The board is drawn in 2 parts, from left to right.", "", "round 2")
    first, second = parts[: parts.index("")], parts[parts.index("") + 1 :]
    assert [first[0].split() + second[0].split()] == [[chr(ord("a") + x) for x in range(20)]]
    assert [line.split()[0] for line in first[1:]] == [line.split()[0] for line in second[1:]] == [*"12345"]
    assert max(map(len, first + second)) < width


@pytest.mark.parametrize(("width", "height"), [(80, 24), (60, 20), (30, 12)])
def test_of_a_board_larger_than_the_screen_the_part_with_the_changes_is_drawn(
    width: int, height: int
) -> None:
    cells, captions = grid(26, 26), tuple(Caption(f"round {n}", "2", f"seat{n}") for n in range(4))
    scene = Scene(BoardLayout(cells), (Piece("v20", "pawn", "red"),), captions=captions)
    drawn = ascii_board(scene, {"red": "r"}, width, height=height, hint="To see.", changed={"v20", "w22"})
    lines = plain_lines(drawn).splitlines()
    assert len(lines) <= max(height, 8 + 5)
    names, *rows = lines[: lines.index(next(line for line in lines if "places are shown. To see." in line))]
    assert max(map(len, (names, *rows))) <= width
    row = next(line for line in rows if line.split()[0] == "20")
    assert row[names.index("v")] == "R" and row[names.index("v") + 1] == "*"
    row = next(line for line in rows if line.split()[0] == "22")
    assert row[names.index("w") + 1] == "*"
    assert lines[-1] == "* changed: v20, w22"


def test_changes_are_marked_without_moving_the_board() -> None:
    cells = tuple(Cell(name, at, 0, label=name) for at, name in enumerate(("A1", "A2")))
    hand = Cell("hand", 0, 1, shape="tray", label="hand", seat="red")
    scene = Scene(
        BoardLayout((*cells, hand)), (Piece("A1", "die", "red", "4"), Piece("hand", "tile", "red", "7"))
    )
    assert plain_lines(ascii_board(scene, {"red": "r"})).splitlines() == ["A1:r4 A2", "hand of red: r7"]
    drawn = plain_lines(ascii_board(scene, {"red": "r"}, changed={"A1", "hand"})).splitlines()
    assert drawn == ["A1:r4*A2", "* hand of red: r7", "* changed: A1"]


def test_a_tray_without_a_name_is_a_place_of_the_board_and_equal_pieces_are_counted() -> None:
    cells = (Cell("24", 0, 0, "tray"), Cell("23", 1, 0, "tray"), Cell("off", 2, 0, "tray", label="off"))
    pieces = (
        [Piece("24", "disc", "red")] * 5
        + [Piece("23", "disc", "red")] * 2
        + [Piece("off", "disc", "red")] * 4
    )
    drawn = plain_lines(ascii_board(Scene(BoardLayout(cells), tuple(pieces)), {"red": "r"}))
    assert drawn.splitlines() == ["R×5 R+R", "off: R×4"]
