"""Tests of answers with text by people, which may control no terminal and add no line, cell or formula."""

import csv
import io
from pathlib import Path

from gamelog.record.escaping import escape_invisible
from tests.cli.conftest import Gamelog
from tests.cli.terminal import Terminal

FORGED = "late\nb.jsonl: ok, 9 events, won by Ana\r\u2028\x9b1m\u061c\u200f\u2069\u202e\tx"


def test_text_in_a_record_cannot_control_the_terminal(gamelog: Gamelog) -> None:
    evil = "\x1b]0;owned\x07 \u202eanA"
    gamelog("new", "slicewars", "g.jsonl", "--seat", f"red={evil}", "--seat", "blue=Rui")
    gamelog("append", "g.jsonl", '{"do":"start_roll","rolls":{"red":5,"blue":2}}')
    gamelog("note", "g.jsonl", evil)
    for command in (
        ["replay", "g.jsonl", "--every"],
        ["validate", "g.jsonl"],
        ["append", "g.jsonl", '{"do":"\\u001b[2J"}'],
    ):
        done = gamelog(*command)
        assert not set("\x1b\x07\u202e") & set(done.out + done.err)
    assert "\\x1b]0;owned" in gamelog("replay", "g.jsonl").out
    for name in ("g.svg", "g.json", "g.txt"):
        gamelog("export", "g.jsonl", "-o", name)
        assert not set("\x1b\x07\u202e") & set(Path(name).read_text())


def test_text_by_people_adds_no_line_and_no_cell_to_an_answer(gamelog: Gamelog, tmp_path: Path) -> None:
    """A reason, a name and the name of a file have line ends, tabs, control characters and direction marks."""
    file = tmp_path / "a\n\u202eb.jsonl"
    gamelog(
        "new", "slicewars", file, "--seat", f"red={FORGED}", "--seat", "blue=Rui", "--tag", f"event={FORGED}"
    )
    gamelog("append", file, '{"do":"start_roll","rolls":{"red":5,"blue":2}}')
    gamelog("ruling", file, "--about", 1, "--stands", "--by", FORGED, "--reason", FORGED)
    gamelog("append", file, '{"do":"claim","at":"Z9","by":"red","as_played":true}')
    gamelog("index", file, "--archive", "x.duckdb")
    asked = ("query", "SELECT name, 1 AS one FROM seats ORDER BY name DESC", "--archive", "x.duckdb")
    for command in (
        ("validate", file),
        ("replay", file, "--every"),
        ("replay", file, "--at", 2),
        ("append", file, '{"do":"' + "\\n\\u202e" + '"}'),
        ("validate", f"{file}.gone\n"),
        ("validate", file, "--json"),
        (*asked, "--format", "json"),
        asked,
    ):
        done = gamelog(*command)
        said = done.out + done.err
        assert not set("\x9b\u2028\u061c\u200f\u2069\u202e\r") & set(said), command
        assert "\nb.jsonl: ok" not in said, command
    assert gamelog(*asked).out.splitlines()[1].count("\t") == 1
    answered = gamelog(*asked, "--format", "json").json
    assert FORGED in [row["name"] for row in answered], "as JSON the text is unchanged"


def test_a_csv_is_unchanged_in_a_pipe_and_escaped_on_a_terminal(gamelog: Gamelog) -> None:
    name = 'An\x1b[31ma\u202e, "the\nRed"'
    gamelog("new", "slicewars", "game.jsonl", "--seat", f"red={name}", "--seat", "blue=Rui")
    gamelog("index", "game.jsonl", "--archive", "x.duckdb")
    asked = ("query", "SELECT name FROM seats ORDER BY seat DESC LIMIT 1", "--archive", "x.duckdb")
    piped = gamelog(*asked, "--format", "csv").out
    gamelog(*asked, "--format", "csv", "-o", "out.csv")
    for text in (piped, Path("out.csv").read_text("utf-8-sig")):
        assert list(csv.reader(io.StringIO(text, newline=""))) == [["name"], [name]]
    assert escape_invisible(name) in gamelog(*asked).out
    with Terminal(*asked, "--format", "csv") as screen:
        assert screen.ends() == 0
        assert escape_invisible(name).replace('"', '""') in screen.text
        assert "\u202e" not in screen.text


def test_a_csv_has_no_formulas_unless_raw(gamelog: Gamelog) -> None:
    gamelog("new", "slicewars", "a.jsonl", "--seat", 'red==HYPERLINK("x")', "--seat", "blue=Rui")
    gamelog("index", "a.jsonl", "--archive", "x.duckdb")
    asked = (
        "query",
        "SELECT name, -1 AS n FROM seats ORDER BY name",
        "--archive",
        "x.duckdb",
        "--format",
        "csv",
    )
    for words in (asked, (*asked, "-o", "out.csv")):
        out = (
            gamelog(*words).out
            if words is asked
            else (Path("out.csv").read_text() if gamelog(*words) else "")
        )
        assert '"\'=HYPERLINK(""x"")",-1' in out
    assert '"=HYPERLINK(""x"")",-1' in gamelog(*asked, "--raw").out


def test_a_csv_file_has_a_byte_order_mark_but_not_a_pipe_or_raw(gamelog: Gamelog) -> None:
    gamelog("new", "slicewars", "a.jsonl", "--seat", "red=Zoë", "--seat", "blue=Rui")
    gamelog("index", "a.jsonl", "--archive", "x.duckdb")
    asked = ("query", 'SELECT name AS "who, then" FROM seats ORDER BY name', "--archive", "x.duckdb")
    rows = '"who, then"\nRui\nZoë\n'
    assert gamelog(*asked, "--format", "csv").out == rows
    for format in ((), ("--format", "csv")):
        gamelog(*asked, *format, "-o", "out.csv")
        assert Path("out.csv").read_bytes() == b"\xef\xbb\xbf" + rows.encode()
    gamelog(*asked, "--format", "csv", "-o", "out.csv", "--raw")
    assert Path("out.csv").read_bytes() == rows.encode()
    gamelog(*asked, "--format", "json", "-o", "out.json")
    assert Path("out.json").read_bytes().startswith(b"{")
