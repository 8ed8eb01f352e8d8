"""`gamelog new`: players, options and the start time."""

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


def test_new_without_seats_prints_how_to_name_them(gamelog: Gamelog) -> None:
    done = gamelog("new", "slicewars", "game.jsonl")
    assert done.status == 2
    assert (
        "SliceWars is for 2, 3, 4, 5 or 6 players. Name the players, for example: --seat red=Ana --seat blue=Rui"
        in done.err
    )
    assert not Path("game.jsonl").exists()


def test_new_asks_for_players_on_a_terminal(gamelog: Gamelog) -> None:
    assert gamelog("games").status == 0
    with Terminal("new", "slicewars", "game.jsonl") as screen:
        screen.sees("Number of players (2, 3, 4, 5 or 6):")
        screen.types("2\r")
        screen.sees("Name of red:")
        screen.types("Ana\r")
        screen.sees("Name of blue:")
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
def test_one_person_at_two_seats_is_reported(gamelog: Gamelog, first: str, second: str, one: bool) -> None:
    done = gamelog("new", "slicewars", "game.jsonl", "--seat", f"red={first}", "--seat", f"blue={second}")
    assert done.status == 0
    assert ("sits at red and blue, so one person has several seats" in done.err) == one
    header = read_record("game.jsonl").header
    assert header
    assert header.seats[1].name == second.split("<", maxsplit=1)[0].strip()


def test_unknown_options_are_refused(gamelog: Gamelog) -> None:
    seats = ["--seat", "red=Ana", "--seat", "blue=Rui"]
    done = gamelog("new", "slicewars", "game.jsonl", *seats, "--option", "pie=1")
    assert 'has no option "pie"; its options are: ' in done.err
    for option in ("max_rounds=0", "max_rounds=x"):
        done = gamelog("new", "slicewars", "game.jsonl", *seats, "--option", option)
        assert done.status == 2
        assert ".." not in done.err


def test_a_game_can_have_no_options() -> None:
    class Nothing(msgspec.Struct, frozen=True):
        pass

    with pytest.raises(BadSetup, match=r'^SliceWars has no option "pie"; it has no options\.$'):
        read_options(replace(find("slicewars"), Options=Nothing), {"pie": 1})


def test_a_refusal_of_a_setup_ends_with_one_full_stop() -> None:
    def refuse(*_: object) -> None:
        raise ValueError("the target does not fit the board.")

    game = find("slicewars")
    with pytest.raises(BadSetup, match=r"[^.]\.$"):
        start(replace(game, start=refuse), header())
    with pytest.raises(BadSetup, match=r"[^.]\.$"):
        boards.resolve(replace(game, read_board=refuse), {})


@pytest.mark.parametrize("rolls", ["players", "scorer"])
def test_the_players_can_enter_their_own_rolls(gamelog: Gamelog, rolls: str) -> None:
    seats = ("--seat", "red=Ana", "--seat", "blue=Rui")
    assert gamelog("new", "slicewars", "game.jsonl", *seats, "--rolls", rolls).status == 0
    found = read_record("game.jsonl").header
    assert found
    assert (found.rolls == "players") == (rolls == "players")
    assert (b'"rolls"' in Path("game.jsonl").read_bytes()) == (rolls == "players")
    assert gamelog("validate", "game.jsonl").status == 0
    assert gamelog("new", "slicewars", "other.jsonl", *seats, "--rolls", "nobody").status == 2


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
def test_a_wrong_start_time_is_refused_in_a_sentence(gamelog: Gamelog, started: str, good: bool) -> None:
    done = gamelog(
        "new", "slicewars", "game.jsonl", "--seat", "red=Ana", "--seat", "blue=Rui", "--started", started
    )
    said = "gamelog: --started is a day and a time in UTC. Type it like 2026-11-20T19:30:00Z.\n"
    assert (done.status, done.err) == ((0, "") if good else (2, said))
