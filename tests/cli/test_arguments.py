"""Options as people give them, on the command line or in a file."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Gamelog

NEW = ("new", "slicewars", "g.jsonl", "--seat", "red=Ana", "--seat", "blue=Rui")


def test_an_option_is_json_or_text_or_in_a_file(gamelog: Gamelog) -> None:
    Path("rounds.json").write_text(" 7\n")
    given = ("max_rounds=@rounds.json", "keep_connected=true", "removed=ownerless")
    done = gamelog(*NEW, *(word for one in given for word in ("--option", one)))
    assert done.status == 0, done.err
    options = json.loads(Path("g.jsonl").read_text())["options"]
    assert (options["max_rounds"], options["keep_connected"], options["removed"]) == (7, True, "ownerless")


@pytest.mark.parametrize("option", ["--option", "--board"])
@pytest.mark.parametrize(
    ("content", "words"),
    [
        (None, "does not exist"),
        (b"", "does not hold JSON"),
        (b"\xff\xfe", "does not hold JSON"),
        (b'"\xff"', "does not hold JSON"),
        (b"[" * 100_000, "does not hold JSON"),
        (b"[1]", ""),
    ],
)
def test_files_that_hold_no_option_and_no_board(
    gamelog: Gamelog, option: str, content: bytes | None, words: str
) -> None:
    if content is not None:
        Path("x.json").write_bytes(content)
    done = gamelog(*NEW, option, "x.json" if option == "--board" else "max_rounds=@x.json")
    assert (done.status, done.err.count("\n"), words in done.err) == (2, 1, True), done.err
    assert not Path("g.jsonl").exists()


def test_commands_to_go_on_with_can_be_copied(gamelog: Gamelog) -> None:
    """Paths in them are quoted where a shell would take them apart."""
    done = gamelog("new", "slicewars", "table 1.jsonl", *NEW[3:])
    assert done.out.endswith("Go on with: gamelog record 'table 1.jsonl'\n")
    gamelog("append", "table 1.jsonl", '{"do":"start_roll","rolls":{"red":5,"blue":2}}')
    done = gamelog("branch", "table 1.jsonl", "--at", 1, "-o", "other one.jsonl")
    assert done.out.endswith("Continue with: gamelog record 'other one.jsonl'\n")
    done = gamelog("append", "table 1.jsonl", '{"do":"claim","by":"blue","at":"A1"}', "--as-played")
    assert "gamelog ruling 'table 1.jsonl' --about 2" in done.err
    assert "gamelog sheet 'table 1.jsonl' --at N" in gamelog("incidents", "table 1.jsonl").err
    assert done.status == 0
    assert "--archive 'no club.duckdb'" in gamelog("query", "seats", "--archive", "no club.duckdb").err


@pytest.mark.parametrize(
    ("given", "form"),
    [
        (("--seat", "red"), "SEAT=NAME"),
        (("--seat", "=Ana"), "SEAT=NAME"),
        (("--key", "ana.pub"), "SEAT=KEY.pub"),
        (("--tag", "final"), "NAME=VALUE"),
    ],
)
def test_what_lacks_a_name_is_told_how_it_is_written(
    gamelog: Gamelog, given: tuple[str, str], form: str
) -> None:
    done = gamelog(*NEW[:3], *(() if given[0] == "--seat" else NEW[3:]), *given)
    wrong = f'"{given[1]}" names nothing or has no "="; write it as {form}.'
    assert (done.status, done.err) == (2, f"gamelog: {wrong}\n")


def test_points_are_given_to_a_player(gamelog: Gamelog, game: Path) -> None:
    done = gamelog("ruling", game, "--about", 1, "--penalty", "Ana", "--by", "Mei", "--reason", "late")
    assert done.err == 'gamelog: "Ana" names nothing or has no "="; write it as PLAYER=NUMBER.\n'


def test_a_corrected_name_may_bring_an_id(gamelog: Gamelog, game: Path) -> None:
    """As `new` takes it; and two people of one name are told how to get one."""
    done = gamelog("new", "slicewars", "two.jsonl", "--seat", "red=Ana", "--seat", "blue=ANA")
    assert "gamelog amend two.jsonl --seat 'blue=Ana <id>'" in done.err
    done = gamelog("amend", game, "--seat", "red=Ana Sousa <ana@club>")
    assert done.status == 0, done.err
    assert json.loads(game.read_text().splitlines()[-1])["seats"] == {
        "red": {"name": "Ana Sousa", "id": "ana@club"}
    }
    gamelog("amend", game, "--seat", "red=Ana")
    assert json.loads(game.read_text().splitlines()[-1])["seats"] == {"red": {"name": "Ana"}}


def test_letters_with_strokes_may_be_typed_without(gamelog: Gamelog) -> None:
    """And a name that is nobody's is said to be that, not called a wrong event."""
    gamelog(*NEW[:3], "--seat", "red=Łukasz", "--seat", "blue=Bjørn")
    gamelog("append", "g.jsonl", '{"do":"start_roll","rolls":{"red":5,"blue":2}}')
    for event in ("lukasz: c3", "bjorn: c4"):
        assert gamelog("append", "g.jsonl", event).status == 0
    done = gamelog("append", "g.jsonl", "Lucas: c5")
    people = "the seats are Łukasz (red), Bjørn (blue)"
    wrong = f"""Cannot read 'Lucas: c5'. "Lucas" has no seat in this game; {people}."""
    assert (done.status, done.err) == (2, f"gamelog: {wrong}\n")
    done = gamelog("append", "g.jsonl", "C5")
    assert (done.status, "after a player's name" in done.err) == (2, True)
    assert "JSON is malformed" not in done.err
