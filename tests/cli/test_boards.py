"""Boards on a terminal: coordinates in every game, the part that fits the screen, and marks on changes."""

from __future__ import annotations

from pathlib import Path

import pytest

from gamelog.play.contract.registry import names
from gamelog.play.contract.scene import BoardLayout, Cell, Mark, Piece, Scene
from gamelog.play.judging.fold_record import fold_record
from gamelog.play.rendering.ascii_board import ascii_board, initials, plain_lines
from gamelog.play.rendering.coordinates import cell_name, find_grids
from gamelog.play.view.board_change import board_change
from gamelog.play.view.record_view import RecordView
from gamelog.record.reading import read_record
from tests.cli.conftest import SAMPLES, Gamelog
from tests.cli.keystrokes import GAMES
from tests.cli.terminal import Terminal
from tests.examples.conftest import SOURCES, installed

FOLDER = Path(__file__).parents[1]


@pytest.mark.parametrize(("width", "height"), [(80, 19), (60, 15)])
@pytest.mark.parametrize("game", names())
def test_boards_fit_the_screen_and_show_changes_with_coordinates(game: str, width: int, height: int) -> None:
    fold = fold_record(read_record(SAMPLES / game / f"{GAMES[game]}.jsonl")).fold
    assert fold is not None
    view, letters = RecordView(fold), initials(fold.header.seat_ids)
    for n in range(10, fold.n, fold.n // 8):
        scene = view.scene(n)
        change = board_change(view.scene(n - 1), scene)
        changed = {*change.pieces, *change.fills} if change else set()
        lines = ascii_board(scene, letters, width, height=height, changed=changed)
        board = [line for line in lines if len(line) > 1 and not line[0][0].endswith(": ")]
        assert max(sum(len(run) for run, _ in line) for line in board) <= width
        needed = sum(-(-len(plain_lines([line])) // width) for line in lines)
        assert needed <= max(height, 10 + len(lines) - len(board)), plain_lines(lines)
        on_board = {cell.id: cell for cell in scene.ground.cells if cell.shape != "tray"}
        text = plain_lines(lines)
        assert text.count("*") >= len(changed & set(on_board)), text
        grids = find_grids(on_board.values()) if len(on_board) > 80 else []
        for id in changed & set(on_board):
            cell = on_board[id]
            assert f"changed: {cell_name(cell)}" in text or f", {cell_name(cell)}" in text, text
            for grid in grids:
                if id in grid.squares and game != "dice_flags":  # roads of Dice cover some names
                    assert grid.columns[cell.x] in text.split() and grid.rows[cell.y] in text.split()


def test_boards_of_example_games_name_their_places(tmp_path: Path, gamelog: Gamelog) -> None:
    sources = [*SOURCES, FOLDER / "sixth_game", FOLDER / "examples" / "plugin"]
    seats = {"connect_four": ("1", "2", "7"), "pig": ("red", "blue"), "rps": ("hand",), "duel": ("table",)}
    seats |= {"backgammon": (" 24\n", "\n12 ", "W×5"), "fish": ("hand of red",)}
    with installed(tmp_path, sources):
        for game, wanted in seats.items():
            assert gamelog("simulate", game, "--games", "1", "--seed", "1", "-o", game).status == 0
            (record,) = Path(game).glob("*.jsonl")
            words = gamelog("replay", record, "--at", 2, "--reveal").out
            assert [name for name in wanted if name not in words] == []


@pytest.mark.parametrize(("columns", "rows"), [(80, 24), (60, 20)])
def test_the_recorder_shows_the_part_with_the_changes_and_board_shows_all(
    columns: int, rows: int, tmp_path: Path
) -> None:
    lines = (SAMPLES / "zone_control" / "full-4.jsonl").read_bytes().splitlines(keepends=True)
    path = tmp_path / "game.jsonl"
    path.write_bytes(b"".join(lines[:150]))
    with Terminal("record", path, COLUMNS=str(columns), LINES=str(rows)) as screen:
        first = screen.sees("places are shown. To see", "The last event was", "count?")
        assert "* changed: o17, o16" in first and "\n 1 " not in first
        drawn = first[: first.index("The last event was")].splitlines()
        assert len(drawn) <= rows - 2 and max(map(len, drawn)) <= columns
        screen.types("pause\r")
        screen.sees("Lena: ", ">")
        screen.types("board\r")
        shown = screen.sees("turn 14", "* changed", ">")
        assert "\n 1 " in shown and "\n21 " in shown and "places are shown" not in shown


def test_groups_badges_and_stacks_are_in_the_text() -> None:
    cells = tuple(Cell(f"{column}{row}", at, row) for at, column in enumerate("abc") for row in (1, 2))
    stack = Cell("d1", 3, 1, stacked=True)
    pieces = [Piece("d1", "disc", seat) for seat in ("red", "blue", "blue", "red", "blue")]
    marks = [Mark(at, "group", "3 points", "red") for at in ("a1", "a2")]
    marks += [Mark("b1", "badge", "5 coins"), Mark("d1", "badge", "tower", "blue")]
    scene = Scene(BoardLayout((*cells, stack)), tuple(pieces), marks=tuple(marks))
    letters = initials(("red", "blue"))
    lines = plain_lines(ascii_board(scene, letters)).splitlines()
    assert "B/R/B×5" in lines[0] or "B/R/B×5" in lines[1], "from the highest piece"
    assert any("5" in line.split() for line in lines), "the badge of an empty cell is on the cell"
    assert lines[-2:] == ["blue (b): d1: tower", "red (r): 3 points (a1 a2)"]
    low = plain_lines(ascii_board(scene, letters, 80, height=len(lines) - 2))
    assert "tower" not in low and "3 points" not in low, "the board comes first"
