"""A referee at the command line: what happened at n, in every game, and what can be ruled about it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from gamelog.play.verify import validate
from tests.cli.conftest import Gamelog

SAMPLES = Path(__file__).parents[2] / "sample_games"
GAMES = ("dice_flags", "gp02a_territory", "slicewars", "zone_control", "zone_s")


def copy(name: str) -> Path:
    """A recorded game, to write into."""
    path = Path(name.replace("/", "-"))
    path.write_bytes((SAMPLES / name).read_bytes())
    return path


@pytest.mark.parametrize("game", GAMES)
def test_what_happened_at_an_illegal_event(gamelog: Gamelog, game: str) -> None:
    path = copy(f"{game}/as_played.jsonl")
    at = validate(path).findings[0].n
    rule = validate(path).findings[0].rule
    done = gamelog("replay", path, "--at", at)
    assert done.status == 1
    for said in (
        f"Before event {at}.",
        f"Event {at}, ",
        f"\n{rule}",
        "As known then: the record was disputed.",
        "it stands",
        "Legal (",
    ):
        assert said in done.out, said
    words = gamelog("rules", game, rule).out.strip()
    assert words in done.out, "the rule stands there in the words of `rules`"
    assert gamelog("ruling", path, "--about", at, "--stands", "--by", "Mei", "--reason", "both agreed").status == 0
    done = gamelog("replay", path, "--at", at)
    assert done.status == 0
    assert "As finally ruled: it stands; Mei in event" in done.out
    assert validate(path).status == "ruled"


@pytest.mark.parametrize("game", GAMES)
def test_an_event_that_nobody_had_marked_is_shown_and_ruled_on(gamelog: Gamelog, game: str) -> None:
    path = copy(sorted(SAMPLES.glob(f"{game}/illegal-*.jsonl"))[0].relative_to(SAMPLES).as_posix())
    verdict = validate(path)
    at = verdict.findings[0].n or 0
    done = gamelog("replay", path, "--at", at)
    assert (done.status, "nothing can follow it until somebody rules" in done.out) == (1, True)
    assert gamelog("replay", path, "--at", at + 1).status == 2
    (told,) = gamelog("replay", path, "--at", at, "--json").json
    assert told["event"]["n"] == at
    assert told["incident"]["rule"]["id"] == verdict.findings[0].rule
    refused = gamelog("ruling", path, "--about", at, "--refused", "--by", "Mei", "--reason", "no")
    assert (refused.status, refused.err.count("\n")) == (1, 1)
    assert gamelog("ruling", path, "--about", at, "--takeback", "--by", "Mei", "--reason", "not allowed").status == 0
    assert (validate(path).status, validate(path).findings[0].code) == ("ruled", "play.ruled")
    assert f"{at}" not in [str(n) for n in json_line(gamelog, path)]


def json_line(gamelog: Gamelog, path: Path) -> list[int]:
    """The numbers of the events that stand."""
    return [row["n"] for row in gamelog("replay", path, "--every", "--ruled", "--json").json]


def test_rulings_that_cannot_be(gamelog: Gamelog, game: Path) -> None:
    base = ["ruling", game, "--by", "Mei", "--reason", "so"]
    for args, said in (
        (["--about", 9, "--stands"], "event 9 is not in the record yet"),
        (["--about", 3, "--stands"], "event 3 is not in the record yet"),
        (["--about", 0, "--stands"], "--about"),
        (["--about", 2, "--takeback", "--to", 7], "event 7 is not in the record yet"),
        (["--about", 2, "--refused"], "answers a claim or withdraws a ruling"),
        (["--about", 2, "--penalty", "green=1"], "seats of the record"),
        (["--about", 2, "--result", "{}"], "is no result"),
        (["--about", 2], "Choose one"),
        (["--about", 2, "--stands", "--refused"], "Choose one"),
    ):
        done = gamelog(*base, *args)
        assert done.status in (1, 2), args
        assert said in done.err, (args, done.err)
    assert gamelog("ruling", game, "--about", 2, "--stands", "--by", " ", "--reason", "so").status == 1
    assert len(game.read_text().splitlines()) == 3, "nothing was written"


def test_a_position_is_declared_as_replay_shows_it(gamelog: Gamelog, game: Path) -> None:
    (shown,) = gamelog("replay", game, "--json").json
    state = shown["state"]
    state["territories"]["A1"] = ["blue", 1]
    state["on_turn"] = "red"
    gap = {"do": "@gap", "by": "arbiter", "state": state, "reason": "nobody wrote down Rui's claim"}
    done = gamelog("append", game, json.dumps(gap))
    assert done.status == 0, done.err
    assert validate(game).status == "disputed"
    assert "A1:b1" in gamelog("replay", game).out
    assert gamelog("ruling", game, "--about", 3, "--stands", "--by", "Mei", "--reason", "both say so").status == 0
    assert validate(game).status == "ruled"
    state["territories"]["A1"] = ["blue", 9]
    refused = gamelog("append", game, json.dumps(gap))
    assert (refused.status, "9 dice cannot lie on A1" in refused.err) == (1, True)


def test_an_event_that_nobody_could_carry_out_is_told(gamelog: Gamelog) -> None:
    assert gamelog("new", "dice_flags", "d.jsonl", "--seat", "north=Ana", "--seat", "south=Rui").status == 0
    gamelog("append", "d.jsonl", '{"do":"start_roll","rolls":{"north":6,"south":1}}', '{"do":"roll","dice":[6,5]}')
    rescue = '{"do":"rescue","rescuer":"P1","seat":"south","prisoner":"P1","at":"N.c1"}'
    assert gamelog("append", "d.jsonl", rescue, "--as-played").status == 0
    for args in (["--at", 3], ["--at", 3, "--json"], [], ["--every"]):
        done = gamelog("replay", "d.jsonl", *args)
        assert (done.status, done.err) == (1, ""), args
    assert "it stands, though nobody can say what it did" in gamelog("replay", "d.jsonl", "--at", 3).out


def test_points_are_those_of_the_time(gamelog: Gamelog, game: Path) -> None:
    gamelog("ruling", game, "--about", 2, "--penalty", "red=-1", "--by", "Mei", "--reason", "touched the dice")
    assert "Score: Ana 1, Rui 0." in gamelog("replay", game, "--at", 2).out
    assert "Score: Ana 0, Rui 0." in gamelog("replay", game, "--at", 3).out
    assert "Score: Ana 0, Rui 0." in gamelog("replay", game, "--at", 2, "--ruled").out
    assert "Score: Ana 0, Rui 0." in gamelog("replay", game).out


def test_seats_and_events_that_there_are_not(gamelog: Gamelog, game: Path) -> None:
    done = gamelog("replay", game, "--seat", "green")
    assert (done.status, "there are: red, blue" in done.err) == (2, True)
    for at in (-1, 3, 10**20):
        done = gamelog("replay", game, "--at", at)
        assert (done.status, done.out, done.err.count("\n") >= 1) == (2, "", True)
