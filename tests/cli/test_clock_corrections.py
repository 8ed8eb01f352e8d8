"""Clocks that ran while nobody played: the recorder asks about them, and the arbiter corrects them."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from gamelog.play.judging.verdict import validate
from gamelog.record.reading import read_record
from tests.cli.conftest import Gamelog
from tests.cli.terminal import Terminal

MINUTE = 60_000
SEATS = [
    f"--seat={side}={name}"
    for side, name in zip(("north", "east", "south", "west"), ("Ana", "Rui", "Eva", "Gil"), strict=True)
]


@pytest.fixture
def left(gamelog: Gamelog) -> Path:
    """Return a record of Zone Control that was closed yesterday after 2 minutes of play, without a pause."""
    started = (datetime.now(UTC) - timedelta(hours=20)).strftime("%Y-%m-%dT%H:%M:%SZ")
    assert gamelog("new", "zone_control", "game.jsonl", *SEATS, "--started", started).status == 0
    first = {"do": "start_roll", "t": MINUTE, "rolls": {"north": 6, "east": 1, "south": 1, "west": 1}}
    second = {"do": "move_roll", "t": 2 * MINUTE, "dice": [3, 4]}
    assert gamelog("append", "game.jsonl", json.dumps(first), json.dumps(second)).status == 0
    return Path("game.jsonl")


def last(path: Path) -> dict[str, Any]:
    """Return the last event."""
    return dict(json.loads(path.read_text().splitlines()[-1]))


def test_the_recorder_asks_about_idle_time_and_enter_stops_the_clock_from_the_last_event(left: Path) -> None:
    with Terminal("record", left) as screen:
        screen.sees("The last event was recorded 19 hours ago", "Does that time count? [y/N]")
        screen.types("perhaps\r")
        screen.sees('"perhaps" is not an answer. Type yes or no.')
        screen.types("\r")
        screen.sees("The clock stops.", "Start it again? [Y/n]")
        screen.types("\r")
        screen.sees("The clock runs.", "Ana: step")
        screen.types("end_turn\r")
        screen.sees("Rui")
        screen.types("quit\r")
        screen.sees("Stop the clock")
        screen.types("n\r")
        assert screen.ends() == 0
    events = [json.loads(line) for line in left.read_text().splitlines()[1:]]
    assert [(one["do"], one.get("running")) for one in events[2:]] == [
        ("@clock", False),
        ("@clock", True),
        ("end_turn", None),
    ]
    assert events[2]["t"] == 2 * MINUTE
    assert validate(left).status == "ok"


@pytest.mark.parametrize(("word", "runs"), [("resume", True), ("pause", False)])
def test_pause_and_resume_answer_that_idle_time_does_not_count(left: Path, word: str, runs: bool) -> None:
    with Terminal("record", left) as screen:
        screen.sees("Does that time count? [y/N]")
        screen.types(f"{word}\r")
        screen.sees("The clock stops.", *(["The clock runs."] if runs else []), "Ana: step")
        screen.types("quit\r")
        if runs:
            screen.sees("Stop the clock")
            screen.types("pause\r")
        assert screen.ends() == 0
    events = [json.loads(line) for line in left.read_text().splitlines()[3:]]
    assert [one["running"] for one in events] == ([False, True, False] if runs else [False])
    assert events[0]["t"] == 2 * MINUTE
    assert validate(left).status == "ok"


def test_resume_answers_whether_the_clock_starts_again(left: Path) -> None:
    with Terminal("record", left) as screen:
        screen.sees("Does that time count? [y/N]")
        screen.types("n\r")
        screen.sees("Start it again? [Y/n]")
        screen.types("resume\r")
        screen.sees("The clock runs.", "Ana: step")
        screen.types("quit\r")
        screen.sees("Stop the clock")
        screen.types("resume\r")
        assert screen.ends() == 0
    assert last(left)["running"] is True


def test_idle_time_counts_if_the_user_says_yes_and_enter_does_not_call_time(left: Path) -> None:
    with Terminal("record", left) as screen:
        screen.sees("Does that time count?")
        screen.types("y\r")
        screen.sees("the clock has run out. Type time_up")
        screen.types("\r")
        screen.sees("Nothing is recorded.", "the clock has run out")
        screen.types("time_up\r")
        screen.sees("Time is up.")
        screen.types("quit\r")
        screen.sees("Stop the clock")
        screen.types("n\r")
        assert screen.ends() == 0
    assert last(left)["do"] == "time_up"


def test_one_ruling_on_the_clock_lets_play_continue(gamelog: Gamelog, left: Path) -> None:
    assert gamelog("note", left, "where were we").status == 0
    assert "ZC-A22" in gamelog("append", left, "Ana: end_turn").err
    done = gamelog("ruling", left, "--clock", "Ana=2:30", "--by", "Mei", "--reason", "the window was closed")
    assert (done.status, done.out.splitlines()[1:]) == (
        0,
        ["Event 4: clock.", "The clock of Ana shows 2:30.", "The game's clock shows 3:30."],
    ), done.err
    assert last(left)["clock"] == {"north": 150_000, "table": 210_000}
    assert gamelog("append", left, "Ana: end_turn").status == 0
    assert validate(left).status == "ruled"
    assert "clock (Ana 2:30, the table 3:30)" in gamelog("validate", left).out
    told = [one for one in gamelog("incidents", left, "--json").json if one["kind"] == "ruling"]
    assert "Clocks: Ana 2:30, the table 3:30." in told[0]["text"]
    assert "Clocks: Ana 2:30, the table 3:30." in gamelog("replay", left, "--list").out
    assert gamelog("sheet", left, "--at", 4, "-o", "sheet.html").status == 0
    assert "clock (Ana 2:30, the table 3:30)" in Path("sheet.html").read_text()


def test_one_ruling_takes_back_a_loss_on_time_and_sets_the_clock(gamelog: Gamelog, left: Path) -> None:
    assert gamelog("append", left, "table: time_up").status == 0
    ruled = ("ruling", left, "--about", 3, "--by", "Mei", "--reason", "nobody played")
    done = gamelog(*ruled, "--takeback", "--clock", "table=2:30")
    assert (done.status, "The game's clock shows 2:30." in done.out) == (0, True), done.err
    assert gamelog("append", left, "Ana: end_turn").status == 0


def test_the_archive_has_the_corrected_times(gamelog: Gamelog, left: Path) -> None:
    now = int(timedelta(hours=19, minutes=50).total_seconds() * 1000)
    assert gamelog("note", left, "back", "--t", now).status == 0
    ruled = ("ruling", left, "--by", "Mei", "--reason", "the window was closed", "--t", now)
    assert gamelog(*ruled, "--clock", "Ana=2:30").status == 0
    assert (
        gamelog("append", left, json.dumps({"do": "end_turn", "by": "north", "t": now + 10_000})).status == 0
    )
    done = gamelog("index", left, "--archive", "club.duckdb")
    assert done.status == 0, done.err
    asked = "SELECT seat, thinking FROM seats WHERE seat = 'north'"
    (found,) = gamelog("query", asked, "--archive", "club.duckdb", "--format", "json").json
    assert found == {"seat": "north", "thinking": 100_000}


@pytest.mark.parametrize(
    "typed", ["ruling 2 clock Ana 2:30 by Mei: closed", "ruling 2 clock Ana=2:30, table=3:30 by Mei: closed"]
)
def test_the_recorder_takes_rulings_on_clocks(gamelog: Gamelog, left: Path, typed: str) -> None:
    done = gamelog("record", left, stdin=f"{typed}\nend_turn\n")
    assert "The clock of Ana shows 2:30." in done.out
    assert last(left)["do"] == "end_turn"
    assert len(read_record(left).bodies) == 4


@pytest.mark.parametrize("command", ["append", "record"])
def test_the_time_in_which_people_set_up_the_game_does_not_count(gamelog: Gamelog, command: str) -> None:
    """As at the table: a pause lasts from the start to the first event of play."""
    started = (datetime.now(UTC) - timedelta(hours=2)).strftime("%Y-%m-%dT%H:%M:%SZ")
    players = ("--seat", "red=Ana", "--seat", "blue=Rui")
    assert gamelog("new", "slicewars", "game.jsonl", *players, "--started", started).status == 0
    if command == "append":
        first = {"do": "start_roll", "rolls": {"red": 5, "blue": 2}}
        done = gamelog("append", "game.jsonl", json.dumps(first), '{"do":"claim","at":"C3"}')
    else:
        done = gamelog("record", "game.jsonl", stdin="5 2\nC3\nquit\n")
        assert "The clock stops." in done.out
    assert done.status == 0, done.err
    events = [json.loads(line) for line in Path("game.jsonl").read_text().splitlines()[1:]]
    assert [(one["do"], one.get("running")) for one in events[:4]] == [
        ("@clock", False),
        ("@clock", True),
        ("start_roll", None),
        ("claim", None),
    ]
    assert events[0]["t"] == 0
    assert events[2]["t"] >= events[1]["t"] >= 120 * MINUTE
