"""Duel: the view of each seat, choices in any order, an end by teams."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from gamelog.play.contract.registry import find
from gamelog.play.recording.recorder import EventRecorder
from gamelog.testing.plays import play
from tests.table.client import serve_in_thread

from .conftest import Gamelog

DEAL = {"do": "deal", "hands": {"red": [1, 7, 12], "blue": [2, 8, 11]}}
UNRECORDED = (
    "red choose {}",
    "Ana {}",
    "red played choose {}",
    "red cho {}",
    "zoe: choose {}",
    "red: choose {} 3",
)
TYPED = ["red: call high", "red: choose 7", "blue: choose 2"]


@pytest.fixture
def record(gamelog: Gamelog) -> Path:
    """Return a record in which the cards are dealt, Ana has called, and Rui has chosen."""
    assert gamelog("new", "duel", "duel.jsonl", "--seat", "red=Ana", "--seat", "blue=Rui").status == 0
    assert gamelog("append", "duel.jsonl", json.dumps(DEAL), "red: call high", "Rui: choose 2").status == 0
    return Path("duel.jsonl")


def told(gamelog: Gamelog, record: Path, n: int, seat: str) -> str:
    (shown,) = gamelog("replay", record, "--at", n, "--seat", seat, "--json").json
    text: str = shown["text"]
    return text


def test_a_public_call_is_shown_while_all_players_hold_cards(gamelog: Gamelog, record: Path) -> None:
    for seat in ("red", "blue"):
        assert told(gamelog, record, 2, seat) == "Ana calls high."


def test_a_seat_sees_only_its_own_cards_of_a_deal(gamelog: Gamelog, record: Path) -> None:
    assert told(gamelog, record, 1, "red") == "Cards are dealt: Ana 1 7 12."
    assert told(gamelog, record, 1, "blue") == "Cards are dealt: Rui 2 8 11."
    (shown,) = gamelog("replay", record, "--at", "1", "--seat", "red", "--json").json
    assert shown["event"].pop("t") >= 0  # the time can have the digits of a card
    assert "11" not in json.dumps(shown) and shown["state"]["hands"] == [[1, 7, 12], [-1, -1, -1]]


def test_only_its_player_sees_a_choice_until_all_have_chosen(gamelog: Gamelog, record: Path) -> None:
    assert told(gamelog, record, 3, "red") == "Rui has chosen."
    assert told(gamelog, record, 3, "blue") == "Rui chooses the 2."
    listed = gamelog("replay", record, "--list", "--seat", "red").out
    assert "3. Rui has chosen." in listed
    assert gamelog("append", record, "red: choose 7").status == 0
    shown = told(gamelog, record, 4, "blue")
    assert shown.startswith("Ana has chosen. The cards: Ana 7, Rui 2. Rui loses a life.")


def test_a_comparison_shows_no_cards_of_a_running_game(gamelog: Gamelog, record: Path) -> None:
    other = Path("other.jsonl")
    gamelog("new", "duel", other, "--seat", "red=Ana", "--seat", "blue=Rui")
    dealt = {"do": "deal", "hands": {"red": [1, 7, 12], "blue": [3, 8, 11]}}
    gamelog("append", other, json.dumps(dealt), "red: call low", "Rui: choose 3")
    compare = ("compare", record, other, "-o", "page.html")
    done = gamelog(*compare)
    notice = "The game is not over, so the comparison leaves out hidden information."
    assert notice in done.out and notice in Path("page.html").read_text()
    assert "Rui has chosen." in Path("page.html").read_text()
    (shown,) = gamelog("compare", record, other, "--json").json
    assert shown["withheld"] == ["hidden information"]
    assert (len(shown["differences"]), shown["prefix_head"], shown["a"]["play"]) == (1, None, None)
    assert gamelog("compare", record, other, "--merge", "new.jsonl", "--prefer", "a").status == 2
    done = gamelog(*compare, "--merge", "new.jsonl", "--prefer", "a", "--reveal")
    assert "Rui chooses the 3." in done.out
    assert "Rui chooses the 3." in Path("page.html").read_text()
    assert notice not in done.out


def test_a_refusal_and_a_list_say_what_the_seat_itself_may_do(gamelog: Gamelog, record: Path) -> None:
    refused = gamelog("append", record, "red: choose 8")
    assert refused.status == 1
    assert (
        "does not hold the 8" in refused.err and '"card":1' in refused.err and '"card":11' not in refused.err
    )
    shown = gamelog("replay", record, "--at", "3", "--seat", "red").out
    assert "choose 8" not in shown and "choose 11" not in shown
    gamelog("append", record, '{"do":"choose","by":"blue","card":8}', "--as-played")
    others = gamelog("replay", record, "--seat", "red")
    assert "choose" not in others.err and "8" not in others.err


@pytest.mark.parametrize("seat", ["red", "blue"])
def test_a_page_of_a_seat_holds_nothing_that_it_may_not_know(
    gamelog: Gamelog, record: Path, seat: str
) -> None:
    from tests.reports import payload

    gamelog("append", record, "--as-played", '{"do":"choose","by":"blue","card":8}')
    assert gamelog("export", record, "-o", "page.html", "--seat", seat).status == 0
    held: dict[str, Any] = json.loads(json.dumps(payload.page_data(Path("page.html").read_text())))
    lines = "".join(
        payload.lines(held, "lines", json.loads(payload.unpack(Path("page.html").read_text(), payload.STAGE)))
    )
    theirs = {"red": ("8", "11"), "blue": ("7", "12")}[seat]
    own = {"red": "[1,7,12]", "blue": "[2,8,11]"}[seat]
    assert own in lines
    for card in theirs:
        assert f"[{card}" not in lines and f",{card}" not in lines and f'"card":{card}' not in lines


def test_two_sheets_with_another_order_of_choices_are_one_game(gamelog: Gamelog, record: Path) -> None:
    gamelog("append", record, "red: choose 7")
    gamelog("new", "duel", "other.jsonl", "--seat", "red=Ana", "--seat", "blue=Rui")
    other = {"do": "deal", "hands": {"blue": [11, 8, 2], "red": [12, 7, 1]}}
    assert gamelog("append", "other.jsonl", json.dumps(other), *TYPED).status == 0
    compared = gamelog("compare", record, "other.jsonl", "--json").json[0]
    assert (compared["same"], compared["first_difference"]) == (True, None)
    plays = {gamelog("validate", file, "--json").json[0]["play"] for file in (record, "other.jsonl")}
    assert len(plays) == 1
    merged = gamelog("compare", record, "other.jsonl", "--merge", "merged.jsonl")
    assert merged.status == 0
    assert gamelog("validate", "merged.jsonl").status == 0


def test_a_choice_that_differs_is_found_whatever_the_order(gamelog: Gamelog, record: Path) -> None:
    gamelog("append", record, "red: choose 7")
    gamelog("new", "duel", "other.jsonl", "--seat", "red=Ana", "--seat", "blue=Rui")
    gamelog("append", "other.jsonl", json.dumps(DEAL), "red: call high", "red: choose 12", "blue: choose 2")
    compared = gamelog("compare", record, "other.jsonl", "--reveal", "--json").json[0]
    (difference,) = compared["differences"]
    assert (difference["kind"], difference["a"]["text"][:17], difference["b"]["text"][:18]) == (
        "another",
        "Ana chooses the 7",
        "Ana chooses the 12",
    )


def test_the_recorder_accepts_choices_after_the_players_names(gamelog: Gamelog, record: Path) -> None:
    gamelog("takeback", record, "--to", "2")
    done = gamelog("record", record, "--reveal", stdin="legal\nblue: choose 11\nAna: choose 7\nquit\n")
    assert done.status == 0
    assert "Ana: choose: 1 7 12" in done.out and "Rui: choose: 2 8 11" in done.out
    assert '"by":"blue","card":11' in record.read_text() and '"by":"red","card":7' in record.read_text()


def test_simulated_choices_come_in_every_order() -> None:
    first = {
        event.by
        for index in range(12)
        for before, event, _ in play(find("duel"), index, 3).steps()
        if len(find("duel").pending(before).by) == 3
    }
    assert first == {"red", "blue", "green"}


def test_teams_win_together_and_a_player_who_is_out_has_no_turn() -> None:
    played = play(find("duel"), 0, 4, teams=True)
    outcome = find("duel").pending(played.states[-1]).outcome
    assert outcome and outcome.winners in (("red", "green"), ("blue", "white"))
    assert outcome.teams == {"red and green": ("red", "green"), "blue and white": ("blue", "white")}
    for state in played.states[:-1]:
        by = find("duel").pending(state).by
        assert all(state.lives[state.setup.seats.index(seat)] > 0 for seat in by)


THEIRS = {"red": ("1", "7", "12"), "blue": ("2", "8", "11")}


def shows(text: str, card: str) -> bool:
    """Return whether a text contains a card as a separate number."""
    return re.search(rf"(?<![\d.:]){card}(?![\d.:])", text) is not None


@pytest.mark.parametrize(
    "args", [(), ("--every",), ("--list",), ("--at", 1), ("--at", 3), ("--json",), ("--json", "--at", 1)]
)
def test_a_shared_terminal_shows_what_all_may_see(
    gamelog: Gamelog, record: Path, args: tuple[object, ...]
) -> None:
    done = gamelog("replay", record, *args)
    assert done.status == 0, done.err
    shown = re.sub(r'"(t|n|x|y)":\d+|\d+\. |[Ee]vent \d+|Legal \(\d+\)|of \d+|Due: .*', "", done.out)
    assert not any(shows(shown, card) for cards in THEIRS.values() for card in ("7", "8", "11", "12")), (
        done.out
    )
    assert "The recorder shows only information that all players know" in done.err
    everything = gamelog("replay", record, *args, "--reveal").out
    assert any(shows(everything, card) for card in ("7", "8", "11", "12", "2"))
    assert gamelog("replay", record, "--seat", "red", "--reveal").status == 2


def typed(gamelog: Gamelog, record: Path, *args: object) -> str:
    """Return the output of the recorder for the board, the list and a refusal."""
    done = gamelog(
        "record", record, *args, stdin="board\nlegal\nlist\nwho\nAna: choose 3\nRui: choose 4\nquit\n"
    )
    assert done.status == 0, done.err
    return done.out


def test_the_recorder_shows_what_all_may_see_and_lists_no_hands_in_refusals(
    gamelog: Gamelog, record: Path
) -> None:
    before = record.read_bytes()
    out = typed(gamelog, record)
    assert "The recorder shows only information that all players know." in out
    assert "Their forms are: choose CARD" in out
    assert "because it could reveal hidden information." in " ".join(out.split())
    assert "[DU-" not in out
    told = re.sub(r"\d+\. |DU-\d|\b\d events", "", out)
    assert not any(shows(told, card) for card in ("1", "7", "8", "11", "12")), out
    assert record.read_bytes() == before


@pytest.mark.parametrize("args", [(), ("--seat", "blue")])
def test_lines_that_record_nothing_get_the_same_answers_whatever_cards_others_hold(
    gamelog: Gamelog, args: tuple[str, ...]
) -> None:
    lines = [line.format(card) for line in UNRECORDED for card in range(1, 13)]
    answers = set()
    for hand in ([1, 7, 12], [3, 4, 5]):
        path = Path(f"{hand[0]}", "duel.jsonl")
        path.parent.mkdir()
        gamelog("new", "duel", path, "--seat", "red=Ana", "--seat", "blue=Rui", "--seat", "green=Eva")
        deal = {"do": "deal", "hands": {"red": hand, "blue": [2, 8, 11], "green": [6, 9, 10]}}
        assert gamelog("append", path, json.dumps(deal), "red: call high").status == 0
        before = path.read_bytes()
        answers.add(
            gamelog("record", path, *args, stdin="\n".join([*lines, "quit\n"])).out.replace(str(path), "X")
        )
        assert path.read_bytes() == before
    (answer,) = answers
    assert "Type a colon after the player's name: Ana: choose 7" in answer
    assert '"zoe" has no seat in this game' in answer


@pytest.mark.parametrize(
    ("seat", "mine", "other"), [("red", "1 7 12", ("8", "11")), ("Rui", "2 8 11", ("1", "7", "12"))]
)
def test_the_recorder_shows_one_seat_what_it_sees(
    gamelog: Gamelog, record: Path, seat: str, mine: str, other: tuple[str, ...]
) -> None:
    gamelog("takeback", record, "--to", 2)
    done = gamelog("record", record, "--seat", seat, stdin="legal\nlist\nquit\n")
    assert f"choose: {mine}" in done.out
    told = re.sub(r"\d+\. ", "", done.out)
    assert not any(shows(told, card) for card in other), done.out


def test_a_scorer_can_ask_the_recorder_for_everything(gamelog: Gamelog, record: Path) -> None:
    out = typed(gamelog, record, "--reveal")
    assert "Ana 1 7 12, Rui 2 8 11" in out
    assert "Ana does not hold the 3" in out


def test_validate_lists_no_hand_while_the_game_goes_on(gamelog: Gamelog, record: Path) -> None:
    recorder = EventRecorder(record)
    with recorder.file.lock() as locked:
        locked.append([recorder.stamp({"do": "choose", "by": "red", "card": 8})])
    (found,) = gamelog("validate", record, "--json").json
    assert found["status"] == "illegal"
    assert found["findings"][0]["legal"] == []
    assert "legal instead" not in gamelog("validate", record).out


def test_pages_and_positions_of_a_game_that_goes_on_leave_out_what_is_hidden(
    gamelog: Gamelog, record: Path
) -> None:
    from tests.reports import payload

    for name in ("page.html", "position.json", "position.txt", "position.svg"):
        done = gamelog("export", record, "-o", name)
        assert "left out: hidden information" in done.err, name
        text = Path(name).read_text()
        if name == "page.html":
            assert "As all players see it" in text
            stage = json.loads(payload.unpack(text, payload.STAGE))
            data = payload.page_data(text)
            assert "first" not in data and not data["views"]
            text = "".join(payload.lines(data, "lines", stage))
            assert '"do":"choose"' in text and '"card"' not in text and '"hands"' not in text
        elif name != "position.svg":
            shown = re.sub(r'"(t|n)":\d+', "", text)
            assert not any(shows(shown, card) for card in ("7", "8", "11", "12")), text
        done = gamelog("export", record, "-o", name, "--reveal")
        assert (done.status, "left out" in done.err) == (0, False)
    assert payload.page_data(Path("page.html").read_text())["first"]
    Path("records").mkdir()
    Path("records/duel.jsonl").write_bytes(record.read_bytes())
    done = gamelog("export", "records", "-o", "site", "--single")
    assert "1 game is not over, so hidden information" in done.err
    assert "first" not in payload.page_data(Path("site/games/duel.html").read_text())


def test_the_page_of_a_game_that_is_over_holds_the_record(gamelog: Gamelog) -> None:
    from tests.reports import payload

    assert gamelog("simulate", "duel", "--games", 1, "-o", "over").status == 0
    (over,) = Path("over").glob("*.jsonl")
    done = gamelog("export", over, "-o", "page.html")
    assert (done.status, done.err) == (0, "")
    assert "first" in payload.page_data(Path("page.html").read_text())


def test_an_archive_has_what_all_see_of_a_game_that_goes_on(gamelog: Gamelog, record: Path) -> None:
    done = gamelog("index", record, "--archive", "club.duckdb")
    assert "1 game with hidden information is not over" in done.err
    asked = "SELECT kind, CAST(data AS VARCHAR) AS data FROM events ORDER BY n"
    rows = gamelog("query", asked, "--archive", "club.duckdb", "--format", "json").json
    assert [(row["kind"], row["data"]) for row in rows] == [
        ("deal", "{}"),
        ("call", '{"what":"high"}'),
        ("choose", "{}"),
    ]
    for line in ("red: choose 7", "blue: call high", "red: choose 12", "blue: choose 8"):
        assert gamelog("append", record, line).status == 0
    done = gamelog("index", record, "--archive", "club.duckdb")
    assert done.err == ""
    rows = gamelog("query", asked, "--archive", "club.duckdb", "--format", "json").json
    assert rows[2]["data"] == '{"card":2}', "the game is over"


def test_a_comparison_does_not_confirm_a_guess_with_a_seal_of_the_guess(
    gamelog: Gamelog, record: Path
) -> None:
    guess = Path("guess.jsonl")
    guess.write_bytes(record.read_bytes())
    assert gamelog("keygen", "-o", "rui").status == 0
    assert gamelog("sign", guess, "--key", "rui", "--seat", "blue", "-o", "guess.seal").status == 0
    (shown,) = gamelog("compare", record, guess, "--against", "guess.seal", "--json").json
    assert (shown["a"]["sealed"], shown["b"]["sealed"], shown["later"]) == ([], [], None)
    (shown,) = gamelog("compare", record, guess, "--against", "guess.seal", "--json", "--reveal").json
    assert len(shown["a"]["sealed"]) == len(shown["b"]["sealed"]) == 1


def test_a_deal_intended_in_a_claim_shows_each_seat_only_its_own_cards(
    gamelog: Gamelog, record: Path
) -> None:
    intended = {"do": "deal", "hands": {"red": [3, 5, 6], "blue": [4, 9, 10]}}
    claim = {"do": "@claim", "by": "red", "text": "misdeal", "about": 1, "intended": intended}
    assert gamelog("append", record, json.dumps(claim)).status == 0
    shown = {
        seat: gamelog("replay", record, "--at", 4, "--json", *args).json[0]["event"]["intended"]
        for seat, args in {"red": ["--seat", "red"], "blue": ["--seat", "blue"], "all": []}.items()
    }
    assert shown == {
        "red": {"do": "deal", "hands": {"red": [3, 5, 6]}},
        "blue": {"do": "deal", "hands": {"blue": [4, 9, 10]}},
        "all": {"do": "deal"},
    }


def test_a_game_with_one_board_has_a_rematch(gamelog: Gamelog, record: Path) -> None:
    result = {"winners": ["red"], "reason": "forfeit"}
    ruling = {
        "do": "@ruling",
        "by": "arbiter",
        "about": 2,
        "kind": "forfeit",
        "result": result,
        "reason": "Rui left.",
    }
    assert gamelog("append", record, json.dumps({**ruling, "name": "Lena"})).status == 0
    with serve_in_thread(Path()) as serving:
        made = serving.scorer.ask("POST", "/duel/rematch")
        assert made.status == 201, made.body
        again = serving.scorer.ask("POST", "/duel/rematch")
        assert (again.status, again.json["name"]) == (200, made.json["name"])
