"""Arguments of commands: options, seats, points, names."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Gamelog

NEW = ("new", "slicewars", "g.jsonl", "--seat", "red=Ana", "--seat", "blue=Rui")


def test_an_option_is_json_or_text_or_a_file(gamelog: Gamelog) -> None:
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
        (b"", "does not contain JSON"),
        (b"\xff\xfe", "does not contain JSON"),
        (b'"\xff"', "does not contain JSON"),
        (b"[" * 100_000, "does not contain JSON"),
        (b"[1]", ""),
    ],
)
def test_files_without_an_option_or_a_board_are_refused(
    gamelog: Gamelog, option: str, content: bytes | None, words: str
) -> None:
    if content is not None:
        Path("x.json").write_bytes(content)
    done = gamelog(*NEW, option, "x.json" if option == "--board" else "max_rounds=@x.json")
    assert (done.status, done.err.count("\n"), words in done.err) == (2, 1, True), done.err
    assert not Path("g.jsonl").exists()


def test_printed_commands_can_be_copied(gamelog: Gamelog) -> None:
    """Paths with spaces are quoted."""
    done = gamelog("new", "slicewars", "table 1.jsonl", *NEW[3:])
    assert done.out.endswith("To record, run: gamelog record 'table 1.jsonl'\n")
    gamelog("append", "table 1.jsonl", '{"do":"start_roll","rolls":{"red":5,"blue":2}}')
    done = gamelog("branch", "table 1.jsonl", "--at", 1, "-o", "other one.jsonl")
    assert done.out.endswith("To record, run: gamelog record 'other one.jsonl'\n")
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
def test_an_argument_without_a_name_is_refused_with_its_form(
    gamelog: Gamelog, given: tuple[str, str], form: str
) -> None:
    done = gamelog(*NEW[:3], *(() if given[0] == "--seat" else NEW[3:]), *given)
    wrong = f'"{given[1]}" has no name or no "=". Type {form}.'
    assert (done.status, done.err) == (2, f"gamelog: {wrong}\n")


def test_penalty_points_name_a_player(gamelog: Gamelog, game: Path) -> None:
    done = gamelog("ruling", game, "--about", 1, "--penalty", "Ana", "--by", "Mei", "--reason", "late")
    assert done.err == 'gamelog: "Ana" has no name or no "=". Type PLAYER=NUMBER.\n'


def test_a_corrected_name_can_have_an_id(gamelog: Gamelog, game: Path) -> None:
    """Ids are given as in `new`. Two people with one name get the command to add an id."""
    done = gamelog("new", "slicewars", "two.jsonl", "--seat", "red=Ana", "--seat", "blue=ANA")
    assert "gamelog amend two.jsonl --seat 'blue=Ana <id>'" in done.err
    done = gamelog("amend", game, "--seat", "red=Ana Sousa <ana@club>")
    assert done.status == 0, done.err
    assert json.loads(game.read_text().splitlines()[-1])["seats"] == {
        "red": {"name": "Ana Sousa", "id": "ana@club"}
    }
    gamelog("amend", game, "--seat", "red=Ana")
    assert json.loads(game.read_text().splitlines()[-1])["seats"] == {"red": {"name": "Ana"}}


def test_letters_with_strokes_can_be_typed_without_them(gamelog: Gamelog) -> None:
    """An unknown name is called unknown, not a wrong event."""
    gamelog(*NEW[:3], "--seat", "red=Łukasz", "--seat", "blue=Bjørn")
    gamelog("append", "g.jsonl", '{"do":"start_roll","rolls":{"red":5,"blue":2}}')
    for event in ("lukasz: c3", "bjorn: c4"):
        assert gamelog("append", "g.jsonl", event).status == 0
    done = gamelog("append", "g.jsonl", "Lucas: c5")
    people = "the seats are Łukasz (red), Bjørn (blue)"
    wrong = f"""Cannot read "Lucas: c5". "Lucas" has no seat in this game; {people}."""
    assert (done.status, done.err) == (2, f"gamelog: {wrong}\n")
    done = gamelog("append", "g.jsonl", "C5")
    assert (done.status, "or a player's name and an event" in done.err) == (2, True)
    assert "JSON is malformed" not in done.err


@pytest.mark.parametrize(
    "url",
    [
        "table.example.org",
        "ftp://table.example.org",
        "https://",
        "https://a.org/table",
        "https://a.org/#x",
        "https://user@a.org",
        "https://a b.org",
        "https://a.org:port",
        "https://caf\u00e9.org",
        "javascript:1",
    ],
)
def test_a_public_address_has_a_name_and_no_path(url: str, gamelog: Gamelog, game: Path) -> None:
    done = gamelog("serve", game, "--public-url", url)
    assert done.status == 2
    assert "Invalid value for '--public-url': type https://" in done.err
