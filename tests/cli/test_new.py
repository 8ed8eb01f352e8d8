"""`gamelog new`: who plays."""

from dataclasses import replace
from pathlib import Path

import msgspec
import pytest

from gamelog.errors import BadSetup
from gamelog.play.contract import boards
from gamelog.play.contract.registry import find
from gamelog.play.fold.start import read_options, start
from gamelog.record.reading import read_record
from tests.cli.conftest import Gamelog
from tests.cli.terminal import Terminal
from tests.play.tables import header


def test_without_seats_it_says_how_to_name_them(gamelog: Gamelog) -> None:
    done = gamelog("new", "slicewars", "game.jsonl")
    assert done.status == 2
    assert (
        "Who plays? Name everybody: --seat red=Ana --seat blue=Rui (SliceWars is for 2, 3, 4, 5 or 6 players)."
        in done.err
    )
    assert not Path("game.jsonl").exists()


def test_on_a_terminal_it_asks(gamelog: Gamelog) -> None:
    assert gamelog("games").status == 0
    with Terminal("new", "slicewars", "game.jsonl") as screen:
        screen.sees("How many play: 2, 3, 4, 5 or 6?")
        screen.types("2\r")
        screen.sees("Who is red?")
        screen.types("Ana\r")
        screen.sees("Who is blue?")
        screen.types("Rui <rui@club>\r")
        assert screen.ends() == 0
    header = read_record("game.jsonl").header
    assert header
    assert [(seat.seat, seat.name, seat.id) for seat in header.seats] == [
        ("red", "Ana", None),
        ("blue", "Rui", "rui@club"),
    ]


@pytest.mark.parametrize(
    ("first", "second", "one"),
    [
        ("Ana", " ana ", True),
        ("Ana Sousa", "Ana  Sousa", True),
        ("Groß", "GROSS", True),
        ("José", "Jose\u0301", True),
        ("Ana", "Rui", False),
        ("Ana <a@club>", "Ana <b@club>", False),
    ],
)
def test_one_person_at_two_seats_is_noticed(gamelog: Gamelog, first: str, second: str, one: bool) -> None:
    done = gamelog("new", "slicewars", "game.jsonl", "--seat", f"red={first}", "--seat", f"blue={second}")
    assert done.status == 0
    assert ("sits at red and blue, so one person has two seats" in done.err) == one
    header = read_record("game.jsonl").header
    assert header
    assert header.seats[1].name == second.split("<", maxsplit=1)[0].strip()


def test_options_that_there_are_not(gamelog: Gamelog) -> None:
    seats = ["--seat", "red=Ana", "--seat", "blue=Rui"]
    done = gamelog("new", "slicewars", "game.jsonl", *seats, "--option", "pie=1")
    assert 'has no option "pie"; its options are: ' in done.err
    for option in ("max_rounds=0", "max_rounds=x"):
        done = gamelog("new", "slicewars", "game.jsonl", *seats, "--option", option)
        assert done.status == 2
        assert ".." not in done.err


def test_a_game_without_options() -> None:
    class Nothing(msgspec.Struct, frozen=True):
        pass

    with pytest.raises(BadSetup, match=r'^SliceWars has no option "pie"; it has no options\.$'):
        read_options(replace(find("slicewars"), Options=Nothing), {"pie": 1})


def test_what_a_game_says_of_its_setup_ends_in_one_full_stop() -> None:
    def refuse(*_: object) -> None:
        raise ValueError("the target does not fit the board.")

    game = find("slicewars")
    with pytest.raises(BadSetup, match=r"[^.]\.$"):
        start(replace(game, start=refuse), header())
    with pytest.raises(BadSetup, match=r"[^.]\.$"):
        boards.resolve(replace(game, read_board=refuse), {})


@pytest.mark.parametrize(
    ("started", "good"),
    [
        ("2026-11-20T19:30:00Z", True),
        ("2026-11-20T19:30:00.25Z", True),
        ("2026-11-20", False),
        ("2026-11-20 19:30:00Z", False),
        ("2026-11-20T19:30:00", False),
        ("2026-02-30T19:30:00Z", False),
        ("yesterday", False),
    ],
)
def test_when_a_game_began_is_asked_for_in_words(gamelog: Gamelog, started: str, good: bool) -> None:
    done = gamelog(
        "new", "slicewars", "game.jsonl", "--seat", "red=Ana", "--seat", "blue=Rui", "--started", started
    )
    said = "gamelog: --started is a day and a time in UTC, written as 2026-11-20T19:30:00Z.\n"
    assert (done.status, done.err) == ((0, "") if good else (2, said))
