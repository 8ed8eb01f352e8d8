"""Common events (notes, claims, clocks, offers, rulings), typed in the recorder and as commands."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from gamelog.play.contract.registry import find
from gamelog.play.judging.verdict import validate
from gamelog.record.reading import read_record
from gamelog.record.record_file import RecordFile
from tests.cli.conftest import Gamelog
from tests.cli.test_record import evening


def last(path: Path) -> dict[str, object]:
    """Return the last event without its number, digest and time."""
    event = msgspec.json.decode(b"{" + read_record(path).bodies[-1], type=dict[str, object])
    return {name: value for name, value in event.items() if name not in ("n", "t")}


@pytest.mark.parametrize(
    ("typed", "event"),
    [
        ("pause", {"do": "@clock", "by": "table", "running": False}),
        ("note tea, and cake", {"do": "@note", "by": "table", "text": "tea, and cake"}),
        ("@note @home", {"do": "@note", "by": "table", "text": "@home"}),
        ("@claim RUI: he peeked", {"do": "@claim", "by": "blue", "text": "he peeked"}),
        ("@claim Blue he peeked", {"do": "@claim", "by": "blue", "text": "he peeked"}),
        ("agree Ana Rui", {"do": "@agree", "by": "red", "result": {"winners": ["blue"], "reason": "agreed"}}),
        ("agree rui draw last train", {"do": "@agree", "by": "blue", "result": {"winners": [], "reason": "last train"}}),
        ("agree Ana Ana, Rui tied", {"do": "@agree", "by": "red", "result": {"winners": ["red", "blue"], "reason": "tied"}}),
        ("result Ana", {"do": "@result", "by": "table", "outcome": {"winners": ["red"], "reason": "table"}}),
        ("result draw", {"do": "@result", "by": "table", "outcome": {"winners": [], "reason": "table"}}),
        (
            "substitute ana Mei Li <mei@club>",
            {"do": "@substitute", "by": "table", "seat": "red", "name": "Mei Li", "person": "mei@club"},
        ),
        (
            "ruling 2 stands by Mei: nobody minded",
            {"do": "@ruling", "by": "arbiter", "about": 2, "kind": "stands", "name": "Mei", "reason": "nobody minded"},
        ),
        (
            "ruling 2 takeback to 1 by Mei: he asked: at once",
            {
                "do": "@ruling", "by": "arbiter", "about": 2, "kind": "takeback", "to": 1,
                "name": "Mei", "reason": "he asked: at once",
            },
        ),
        (
            "ruling 2 penalty Rui -2 by Mei: late",
            {
                "do": "@ruling", "by": "arbiter", "about": 2, "kind": "penalty", "points": {"blue": -2},
                "name": "Mei", "reason": "late",
            },
        ),
        (
            "ruling 2 forfeit Ana by Mei: Rui left",
            {
                "do": "@ruling", "by": "arbiter", "about": 2, "kind": "forfeit",
                "result": {"winners": ["red"], "reason": "forfeit"}, "name": "Mei", "reason": "Rui left",
            },
        ),
        ('{"do":"@note","by":"red","text":"as JSON"}', {"do": "@note", "by": "red", "text": "as JSON"}),
    ],
)  # fmt: skip
def test_commands_are_typed_in_the_recorder(
    gamelog: Gamelog, game: Path, typed: str, event: dict[str, object]
) -> None:
    evening(gamelog, typed, "quit")
    assert last(game) == event


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("resign", "Name a player first: Ana (red), Rui (blue)"),
        ("resign Omar", "Name a player first"),
        ("resign Ana now", "Type: resign PLAYER"),
        ("note", "Type: note TEXT"),
        ("@claim Ana", "Type: @claim PLAYER TEXT"),
        ("agree Ana", "Type: agree PLAYER WINNERS"),
        ("accept Ana", "There is no open offer."),
        ("accept Ana soon", "Type: accept PLAYER"),
        ("resume", "the clock is already running"),
        ("ruling 2 stands", "Type: ruling EVENT stands|takeback"),
        ("ruling 2 dances by Mei: why", "Type: ruling EVENT"),
        ("gap 1", "Type: gap POSITION REASON"),
        ("gap x why", "Type a JSON object, @FILE or the number of an event."),
        ("gap 99 why", "There is no event 99 yet."),
        ("gap @none.json why", "none.json"),
        ("{broken", "The line is not an event:"),
        ('{"do":"fly"}', 'has no event "fly"'),
    ],
)
def test_a_wrong_command_is_answered_with_its_form(
    gamelog: Gamelog, game: Path, typed: str, told: str
) -> None:
    before = game.read_bytes()
    assert told in evening(gamelog, typed, "quit")
    assert game.read_bytes() == before


def test_a_ruling_prints_its_effects(gamelog: Gamelog, game: Path) -> None:
    out = evening(
        gamelog, "A1", "@claim Ana about 3: that was mine", "ruling 4 takeback by Mei: she was first", "quit"
    )
    assert "Back to event 2; 1 event undone." in out
    assert "The claim of event 4 is" in out
    assert validate(game).status == "ruled"


def test_the_prompt_asks_for_a_ruling_that_is_needed(gamelog: Gamelog, game: Path) -> None:
    with RecordFile.open(game).lock() as locked:
        locked.append([find("slicewars").events[3](3, 10**12, "blue", at="C3")])
    assert validate(game).status == "illegal"
    out = evening(gamelog, "A1", "ruling 3 takeback by Mei: it was taken", "A1", "quit")
    assert "event 3 needs a ruling" in out
    assert "Rui claims A1." in out
    assert validate(game).status == "ruled"


def test_offers_are_answered_and_end_the_game(gamelog: Gamelog, game: Path) -> None:
    out = evening(gamelog, "agree Ana draw", "decline rui", "agree Ana Rui", "accept Rui", "result", "quit")
    assert "The game is over. Winner: Rui (agreed)." in out
    assert validate(game).findings == ()
    assert last(game)["outcome"] == {"winners": ["blue"], "reason": "agreed"}


def test_a_position_is_declared_after_an_event_that_cannot_be_carried_out(
    gamelog: Gamelog, game: Path
) -> None:
    out = evening(gamelog, "played claim Z9", "gap 2 nothing had moved", "claim A1", "quit")
    assert "declare the position with gap" in out
    assert "Rui claims A1." in out
    assert validate(game).status == "disputed"


def test_two_players_of_one_name_are_named_by_their_seats(gamelog: Gamelog) -> None:
    gamelog("new", "zone_s", "game.jsonl", "--seat", "dominion=Ana", "--seat", "separatists=ana ")
    out = evening(gamelog, "resign ANA", "resign Separatists", "quit")
    assert "sits at several seats: dominion, separatists. Name the seat." in out
    assert last(Path("game.jsonl")) == {"do": "@resign", "by": "separatists"}
    assert "The game is over. Winner: Ana (resigned)." in out


def test_the_same_events_are_recorded_by_commands(gamelog: Gamelog, game: Path) -> None:
    def does(*args: object) -> dict[str, object]:
        done = gamelog(args[0], game, *args[1:])
        assert (done.status, done.err) == (0, ""), done.err
        return last(game)

    assert does("pause") == {"do": "@clock", "by": "table", "running": False}
    assert does("resume") == {"do": "@clock", "by": "table", "running": True}
    assert does("claim", "he peeked", "--by", "RUI")["by"] == "blue"
    assert does("note", "tea", "--by", "Arbiter")["by"] == "arbiter"
    assert does("substitute", "--seat", "ana", "--name", "Mei")["seat"] == "red"
    assert does("gap", 2, "--reason", "as it was")["reason"] == "as it was"
    assert does("agree", "draw", "--by", "mei")["result"] == {"winners": [], "reason": "agreed"}
    offer = len(read_record(game).bodies)
    assert does("accept", "--about", offer, "--by", "Rui")["by"] == "blue"
    assert does("result")["outcome"] == {"winners": [], "reason": "agreed"}
    assert does("result", "Mei, blue", "--reason", "tied")["outcome"] == {
        "winners": ["red", "blue"],
        "reason": "tied",
    }
    assert does("takeback", "--to", 2)["to"] == 2
    gamelog("new", "zone_s", "zone.jsonl", "--seat", "dominion=Ana", "--seat", "separatists=Rui")
    assert gamelog("resign", "zone.jsonl", "--by", "rui").status == 0
    assert last(Path("zone.jsonl")) == {"do": "@resign", "by": "separatists"}


def test_commands_report_missing_arguments(gamelog: Gamelog, game: Path) -> None:
    for args, status, told in (
        (("result", game), 2, "Name the winners"),
        (("result", game, "Omar"), 2, "Ana (red), Rui (blue)"),
        (("agree", game, "Ana of course", "--by", "Rui"), 2, "does not name the winners"),
        (("gap", game, "x", "--reason", "y"), 2, "Cannot read the position"),
        (("resign", game, "--by", "Omar"), 1, '"Omar" has no seat'),
        (("resume", game), 1, "the clock is already running"),
    ):
        done = gamelog(*args)
        assert (done.status, told in done.err) == (status, True), done.err


def test_a_short_name_means_one_person_or_is_refused(gamelog: Gamelog) -> None:
    seats = ("--seat", "red=Ana Sousa", "--seat", "blue=Anabel", "--seat", "yellow=Rui")
    gamelog("new", "slicewars", "game.jsonl", *seats)
    path = Path("game.jsonl")
    before = path.read_bytes()
    out = evening(gamelog, "result An", "substitute Ana Mei", "@claim R he peeked", "quit")
    assert (
        out.count("matches several players: Anabel (blue), Ana Sousa (red). Type more of the name.") == 2
    ), out
    assert "Name a player first" in out
    assert path.read_bytes() == before
    out = evening(gamelog, "substitute Anab Mei", "result Ru", "quit")
    assert "Mei takes the seat of Anabel." in out
    assert "The table's result: Rui (table)." in out
    refused = gamelog("result", path, "A")
    assert (refused.status, refused.err) == (0, "")
    assert last(path)["outcome"] == {"winners": ["red"], "reason": "table"}
    assert gamelog("substitute", path, "--seat", "Ru", "--name", "Zé").status == 0
    assert last(path)["seat"] == "yellow"


def test_a_result_without_a_reason_is_the_result_of_the_play(gamelog: Gamelog, game: Path) -> None:
    gamelog("agree", game, "Rui, Ana", "--by", "red", "--reason", "tied")
    gamelog("accept", game, "--by", "blue", "--about", 3)
    assert "According to the rules the result is" not in evening(gamelog, "result Ana, Rui", "quit")
    assert "According to the rules the result is" not in gamelog("result", game, "Ana, Rui").out
    assert (last(game)["outcome"], validate(game).findings) == (
        {"winners": ["blue", "red"], "reason": "tied"},
        (),
    )
    assert "According to the rules the result is" in gamelog("result", game, "Ana").out
    assert (
        "According to the rules the result is" in gamelog("result", game, "Ana, Rui", "--reason", "late").out
    )


def test_a_result_that_differs_from_the_play_is_reported_at_once(gamelog: Gamelog, game: Path) -> None:
    out = evening(gamelog, "result Rui", "quit")
    assert "According to the rules the game is not over. gamelog validate reports" in out
    assert "According to the rules the game is not over." in gamelog("result", game, "Ana").out
    out = evening(gamelog, "agree Ana draw", "accept Rui", "result Ana", "result", "quit")
    assert out.count("According to the rules the result is: draw (agreed). gamelog validate reports") == 1


def test_a_player_cannot_take_their_own_seat(gamelog: Gamelog, game: Path) -> None:
    before = game.read_bytes()
    done = gamelog("substitute", game, "--seat", "blue", "--name", " rui")
    assert (done.status, "already sits there" in done.err) == (2, True)
    assert "Rui already sits at this seat." in evening(gamelog, "substitute blue RUI", "quit")
    assert game.read_bytes() == before
    assert gamelog("substitute", game, "--seat", "blue", "--name", "Rui", "--person", "rui@other").status == 0


def test_the_event_that_an_event_is_about_is_printed(gamelog: Gamelog, game: Path) -> None:
    out = evening(gamelog, "@claim Rui about 2: that was mine", "note about 1: loud", "quit")
    assert "This is about event 2: Ana claims C3." in out
    assert "This is about event 1: Ana rolls 5. Rui rolls 2." in out
    assert (
        "This is about event 2: Ana claims C3."
        in gamelog("claim", game, "no", "--by", "Ana", "--about", 2).out
    )


def test_a_missing_record_is_answered_with_the_command_new(gamelog: Gamelog) -> None:
    done = gamelog("record", "no where.jsonl")
    assert done.status == 2
    assert "does not exist. To start a game, run: gamelog new GAME 'no where.jsonl' --seat" in done.err


def test_a_player_can_ask_for_an_undo(gamelog: Gamelog) -> None:
    """The player who asks for a takeback has already agreed to it."""
    gamelog(
        "new", "slicewars", "game.jsonl", "--seat", "red=Ana", "--seat", "blue=Rui", "--takebacks", "agreed"
    )
    out = evening(gamelog, "5 2", "C3", "Ana: undo", "accept Rui", "quit")
    assert "Ana asks to take the game back to event 1. Waiting for Rui to agree." in out
    assert "The game goes back to event 1. 1 event is undone." in out


def test_a_substitute_can_have_an_id_after_the_name(gamelog: Gamelog, game: Path) -> None:
    done = gamelog("substitute", game, "--seat", "red", "--name", "Mei Li <mei@club>")
    assert done.status == 0, done.err
    assert last(game) == {
        "do": "@substitute",
        "by": "table",
        "seat": "red",
        "name": "Mei Li",
        "person": "mei@club",
    }


def test_a_claim_is_withdrawn_by_number_or_if_it_is_the_only_one(gamelog: Gamelog, game: Path) -> None:
    out = evening(
        gamelog, "withdraw", "@claim Rui they peeked", "withdraw", "withdraw 3", "withdraw 1", "quit"
    )
    assert "There is no open claim or offer." in out
    assert last(game) == {"do": "@withdraw", "by": "blue", "about": 3}
    assert "This is about event 3: Rui claims: they peeked" in out
    assert "event 4 has already withdrawn the claim of event 3" in out
    assert "event 1 is neither a claim nor an open offer" in out
    out = evening(gamelog, "@claim Ana oh", "@claim Rui no", "withdraw", "withdraw soon", "quit")
    assert "Type the number of the claim or offer. Open: 5, 6." in out
    assert "Type: withdraw [NUMBER OF THE CLAIM OR OFFER]" in out
    done = gamelog("withdraw", game, "--about", 6)
    assert (done.status, last(game)["by"]) == (0, "blue")
    assert gamelog("withdraw", game, "--about", 99).status == 1
    (found,) = validate(game).findings
    assert (found.code, found.n) == ("play.claim", 5)
