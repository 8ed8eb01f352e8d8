"""An evening at the table: `gamelog record`, typed line by line."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

from gamelog.play.verify import validate
from gamelog.record.reading import read
from tests.cli.conftest import Gamelog

SAMPLES = Path(__file__).parents[2] / "sample_games"


def evening(gamelog: Gamelog, *lines: str) -> str:
    done = gamelog("record", "game.jsonl", stdin="\n".join(lines) + "\n")
    assert done.status == 0, done.err
    return done.out


def test_dice_events_and_short_forms(gamelog: Gamelog) -> None:
    gamelog("new", "slicewars", "game.jsonl", "--seat", "red=Ana", "--seat", "blue=Rui")
    out = evening(gamelog, "5 2", "claim C3", "cl A1", "B2", "quit")
    assert "start_roll" in out
    assert "Ana claims C3." in out
    assert "Rui claims A1." in out
    assert "Ana claims B2." in out
    assert len(read("game.jsonl").bodies) == 4


def test_wrong_typing_is_explained_and_nothing_is_lost(gamelog: Gamelog, game: Path) -> None:
    before = game.read_bytes()
    out = evening(gamelog, "claim C3", "claim", "fly A1", "claim Z9", "help", "legal", "board", "")
    assert "SW-3" in out
    assert "write: claim AT" in out
    assert "Tab completes" in out
    assert "claim A1; claim A2" in out
    assert game.read_bytes() == before


def test_impossible_dice_are_refused(gamelog: Gamelog) -> None:
    gamelog("new", "slicewars", "game.jsonl", "--seat", "red=Ana", "--seat", "blue=Rui")
    out = evening(gamelog, "7 1", "1", "x y", "3 3", "62", "quit")
    assert "cannot show 7" in out
    assert "type 2 of them" in out
    assert "type numbers" in out
    assert len(read("game.jsonl").bodies) == 2


def test_undo_goes_back_one_decision_and_the_game_can_be_resumed(gamelog: Gamelog, game: Path) -> None:
    evening(gamelog, "claim A1", "claim A2", "undo", "quit")
    assert "A2:r1" not in gamelog("replay", game).out
    out = evening(gamelog, "A3", "undo 1", "@note coffee", "@claim red he peeked", "@resign blue", "quit")
    assert "takes the game back to event 1" in out
    assert "Note by table: coffee" in out
    assert "SW-A26" in out
    assert validate(game).status == "ok"


def test_what_was_played_though_illegal(gamelog: Gamelog, game: Path) -> None:
    out = evening(gamelog, "played claim red D4", "played", "played claim C3", "A1", "undo", "A1", "quit")
    assert "write: claim AT" in out
    assert "Nobody can say what that did" in out
    judged = validate(game)
    assert (judged.status, judged.findings[0].code) == ("ok", "play.undone")


def test_what_stands_though_illegal_is_said_to_be_disputed(gamelog: Gamelog) -> None:
    Path("game.jsonl").write_bytes((SAMPLES / "slicewars" / "as_played.jsonl").read_bytes())
    gamelog("takeback", "game.jsonl", "--to", 101, "--by", "table")
    out = evening(gamelog, "attack D2 A1", "played attack D2 C2", "undo", "played attack D2 A1", "quit")
    assert "Refused: D2 does not touch A1" in out
    assert out.count("disputed until somebody rules") == 1, "the other one was legal"
    n = len(read("game.jsonl").bodies)
    assert f"D2 does not touch A1. It stands, disputed until somebody rules: gamelog ruling game.jsonl --about {n}" in out
    assert validate("game.jsonl").status == "disputed"


def test_a_whole_game_is_recorded_to_its_end(gamelog: Gamelog) -> None:
    from gamelog_cli import typed

    from gamelog.play.registry import find
    from gamelog.testing.plays import play

    game = play(find("slicewars"), 3, 2, max_rounds=2)
    gamelog("new", "slicewars", "game.jsonl", "--seat", "red=Ana", "--seat", "blue=Rui", "--option", "max_rounds=2")
    lines = [" ".join(typed.words(event)) for event in game.events]
    out = evening(gamelog, *lines)
    assert "The game is over" in out
    assert len(read("game.jsonl").bodies) == len(game.events)
    verdict = validate("game.jsonl")
    assert (verdict.status, verdict.finished) == ("ok", True)


def test_the_clock_that_has_run_out_is_announced_and_called(gamelog: Gamelog) -> None:
    seats = [f"--seat={side}={name}" for side, name in zip(("north", "east", "south", "west"), "NESW", strict=True)]
    started = (datetime.now(UTC) - timedelta(minutes=2)).strftime("%Y-%m-%dT%H:%M:%SZ")
    done = gamelog("new", "zone_control", "game.jsonl", *seats, "--option", "clock_minutes=1", "--started", started)
    assert done.status == 0, done.err
    early = (
        '{"do":"start_roll","t":1000,"rolls":{"north":6,"east":1,"south":1,"west":1}}',
        '{"do":"move_roll","t":2000,"dice":[3,4]}',
    )
    assert gamelog("append", "game.jsonl", *early).status == 0
    out = evening(gamelog, "legal", "end_turn", "", "quit")
    assert "the clock has run out: time_up (Enter writes it)>" in out
    assert "\ntime_up\n" in out
    assert "ZC-A22" in out
    assert b'"do":"time_up"' in read("game.jsonl").bodies[-1]
    assert validate("game.jsonl").status == "ok"
