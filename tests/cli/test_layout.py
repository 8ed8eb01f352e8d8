"""Lines and columns on a terminal: whole words and wide letters, on narrow screens too."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest
from gamelog_cli.printing import layout

from gamelog.play.rendering.board_lines import display_width
from tests.cli.conftest import Gamelog
from tests.cli.terminal import Terminal

SAMPLES = Path(__file__).parent.parent.parent / "sample_games"
WIDE = "王小明 與 陳大文"


def narrow(*args: object, columns: int = 40) -> list[str]:
    with Terminal(*args, COLUMNS=str(columns), TERMINAL_WIDTH=str(columns)) as screen:
        assert screen.ends() == 0
        return screen.text.replace("\r", "").splitlines()


def test_widths_are_counted_in_cells() -> None:
    assert [display_width(text) for text in ("Ana", "王小明", "😀", "José", "é", "")] == [3, 6, 2, 4, 1, 0]


def test_lines_keep_words_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "20")
    assert layout.wrap("王小明 claims the territory C3", "  ") == ["王小明 claims the", "  territory C3"]
    assert layout.wrap("  4. " + "x" * 30 + " end") == ["  4.", "x" * 30, "end"]
    assert layout.two_columns([("note TEXT", "a comment that is long")]) == [
        "  note TEXT",
        "      a comment that",
        "      is long",
    ]
    monkeypatch.setenv("COLUMNS", "40")
    assert layout.two_columns([("王", "x"), ("abcd", "y")]) == ["  王    x", "  abcd  y"]


@pytest.mark.grid
@pytest.mark.parametrize("args", [["games"], ["--help"], ["fix", "--help"], ["rules", "slicewars"]])
def test_no_word_is_broken_at_forty_columns(args: list[str]) -> None:
    whole = {word for line in narrow(*args, columns=200) for word in line.split()}
    lines = narrow(*args)
    assert max(map(display_width, lines)) <= 40, max(lines, key=display_width)
    assert "…" not in "".join(lines)
    if args != ["games"] and "--help" not in args:
        assert {word for line in lines for word in line.split()} <= whole


def test_a_paragraph_of_help_breaks_only_where_the_line_is_full() -> None:
    lines = [line.strip() for line in narrow("index", "--help", columns=78)]
    first = next(n for n, line in enumerate(lines) if line.startswith("The status is 1 if"))
    paragraph = lines[first : lines.index("", first)]
    for line, following in pairwise(paragraph):
        assert len(f"{line} {following.split()[0]}") > 74, paragraph


def test_help_in_the_recorder_at_forty_columns(game: Path) -> None:
    with Terminal("record", game, COLUMNS="40", LINES="200") as screen:
        screen.sees("Rui: claim>")
        screen.types("help\r")
        told = screen.sees("Type a player's name", "Rui: claim>").replace("\r", "").splitlines()
    assert max(map(display_width, told)) <= 40, max(told, key=display_width)
    assert "  note TEXT" in told
    assert "      record a comment" in told


@pytest.mark.parametrize(("language", "hint"), [("en", "q: back to the game"), ("pt", "q: voltar ao jogo")])
def test_long_help_opens_in_a_pager(language: str, hint: str, game: Path) -> None:
    environment = {"COLUMNS": "60", "LINES": "20", "GAMELOG_LANGUAGE": language, "PAGER": "less"}
    with Terminal("record", game, **environment) as screen:
        screen.sees("Rui: claim>")
        screen.types("help\r")
        first = screen.sees("claim AT", "claim A1 (Rui", hint)
        assert "amend" not in first
        screen.types(" ")
        screen.sees(hint)
        screen.types("q")
        screen.sees("Rui: claim>")
        screen.types("zzz\r")
        screen.sees("zzz", "claim", "Rui: claim>")


def test_wide_letters_do_not_shift_the_columns_of_a_table(gamelog: Gamelog, game: Path) -> None:
    assert gamelog("amend", game, "--seat", f"red={WIDE}", "--seat", "blue=😀 Zé").status == 0
    assert gamelog("index", game, "--archive", "a.duckdb").status == 0
    ask = ("query", "SELECT name, seat FROM seats ORDER BY seat", "--archive", "a.duckdb")
    lines = [line.rstrip() for line in narrow(*ask) if line.strip()]
    starts = {
        display_width(line[: line.rindex(word)])
        for line, word in zip(lines, ("seat", "blue", "red"), strict=True)
    }
    assert len(starts) == 1, lines
    assert max(map(display_width, narrow("query", "FROM seats", "--archive", "a.duckdb"))) <= 40
    for line in narrow("replay", game, "--at", 2):
        assert display_width(line) <= 40 or " " not in line.strip(), line


@pytest.mark.parametrize(("columns", "parts"), [(80, 0), (60, 2), (40, 3)])
def test_a_board_is_never_wrapped(columns: int, parts: int) -> None:
    """A board that is too wide for the terminal is drawn in parts, each with coordinates."""
    record = SAMPLES / "dice_flags" / "full-4.jsonl"
    lines = narrow("replay", record, columns=columns)
    assert max(map(display_width, lines)) <= columns, max(lines, key=display_width)
    assert " ".join(lines).startswith(f"The board is drawn in {parts} parts") == bool(parts)
    for name in ("M.a", "M.g", "N.a", "S.e", "E.a", "W.b"):
        assert name in "\n".join(lines)
