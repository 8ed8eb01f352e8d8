"""Tests of records without their people: the play is kept, and no name or text of a person is."""

from __future__ import annotations

import json
import re
from importlib.resources import files
from pathlib import Path

import msgspec
import pytest
from gamelog_reports.replay_page.page import replay_page
from gamelog_reports.site import entry
from msgspec import structs

from gamelog.play.anonymity.anonymous_record import SeatNaming, anonymous_replay, without_people
from gamelog.play.anonymity.free_text import without_words, words_in
from gamelog.play.contract.registry import find
from gamelog.play.fold.common_events import Amend, Claim, Note, Ruling, SeatNames, Substitute
from gamelog.play.judging.fold_record import FoldedRecord, fold_record
from gamelog.play.judging.verdict import verdict
from gamelog.play.recording.series import simulate_game
from gamelog.play.visibility.findings import LEFT_OUT
from gamelog.record import chain
from gamelog.record.envelope import Seat
from gamelog.record.reading import parse_record, read_record
from gamelog.record.record_file import compose
from tests.play.tables import start_game
from tests.reports.payload import bare, page_data

SAMPLES = Path(__file__).parents[2] / "sample_games"
EVERY = sorted(SAMPLES.glob("*/*.jsonl"))


def everything_shown(folded: FoldedRecord) -> str:
    """Return everything that is shown of a record without its people."""
    html = replay_page(anonymous_replay(folded))
    listed = msgspec.json.encode(entry(anonymous_replay(folded), "x.html")).decode()
    return (
        bare(html).decode()
        + repr(page_data(html))
        + listed
        + repr(anonymous_replay(folded, SeatNaming()).findings)
    )


@pytest.mark.parametrize("path", EVERY, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_status_and_codes_are_those_of_the_record(path: Path) -> None:
    whole = fold_record(read_record(path))
    again = anonymous_replay(whole, SeatNaming())
    assert again.status == whole.status
    assert [(found.code, found.n, found.severity) for found in again.findings] == [
        (found.code, found.n, found.severity) for found in whole.findings
    ]
    assert len(again.events) == len(whole.events)
    if whole.fold and again.fold:
        assert again.fold.outcome == whole.fold.outcome
        assert verdict(again).finished == verdict(whole).finished


@pytest.mark.parametrize("path", sorted(SAMPLES.glob("*/ruled.jsonl")), ids=lambda path: path.parent.name)
def test_no_arbiter_is_named_and_no_reason_quoted(path: Path) -> None:
    whole = fold_record(read_record(path))
    rulings = [event for event in whole.events if isinstance(event, Ruling)]
    said = everything_shown(whole)
    assert rulings
    for ruling in rulings:
        assert not re.search(rf"\b{re.escape(ruling.name)}\b", said)
        assert ruling.reason not in said
    assert LEFT_OUT in said


def test_earlier_players_are_left_out_and_no_part_of_a_word_is_replaced() -> None:
    game = find("slicewars")
    header, events = simulate_game(game, "anonymity", 1, players=2)
    people = ("Wilhelmina", "e", "Xanthippe", "Quirin", "Zebediah")
    seats = (Seat("red", people[0], "w@club", key=f"{people[0]}+af+AAA"), Seat("blue", people[1]))
    header = msgspec.structs.replace(header, seats=seats, tags={"event": "Zebediah's birthday"})
    n, t = events[9].n, events[9].t
    added = [
        Substitute(n + 1, t, "arbiter", seat="red", name=people[2], person="x@club"),
        Amend(n + 2, t, "arbiter", tags={"place": "Zebediah's"}, seats={"red": SeatNames(name=people[3])}),
        Substitute(n + 3, t, "arbiter", seat="red", name=people[0]),
        Note(n + 4, t, "red", text="Zebediah says hello"),
        Claim(n + 5, t, "blue", text="Quirin has cheated", about=3),
        Ruling(n + 6, t, "arbiter", about=n, kind="stands", name=people[4], reason="Xanthippe agrees"),
    ]
    keyed = [msgspec.structs.replace(event, id=f"Ottoline-{event.n}") for event in events[:10]]
    whole = fold_record(parse_record(compose(header, [*keyed, *added])[0]))
    assert len(whole.events) == 16, whole.findings
    alone = without_people(whole, SeatNaming())
    assert alone
    assert b"Ottoline" not in alone, "a person may have put a name into an event's key"
    assert not [
        name for name in (*people[:1], *people[2:], "club", "AAA", "birthday") if name.encode() in alone
    ]
    substituted = [
        event for event in fold_record(parse_record(alone)).events if isinstance(event, Substitute)
    ]
    assert [(event.seat, event.name, event.person) for event in substituted] == [("red", "red", None)] * 2
    said = everything_shown(whole)
    for name in (*people[:1], *people[2:], "club", "hello", "cheated", "agrees", "birthday"):
        assert name not in said, name
    plain = {found.code: found.text for found in whole.findings}
    for found in anonymous_replay(whole, SeatNaming()).findings:
        if found.code == "play.claim":
            assert found.text == plain["play.claim"]


def test_typed_names_of_members_are_numbered_from_one_and_known_words_stay() -> None:
    typed = {"Wilhelmina": "red", "at": ["C1", "Quirin", 3], "Xanthippe": {"raw": b"Zebediah"}}
    assert without_words(typed, {"at", "red", "C1", "raw"}) == {
        f"{LEFT_OUT}1": "red",
        "at": ["C1", LEFT_OUT, 3],
        f"{LEFT_OUT}3": {"raw": b""},
    }


def test_a_bot_is_called_as_in_a_simulated_game_and_a_person_by_the_seat() -> None:
    header, events = simulate_game(find("slicewars"), "anonymity", 1, players=2)
    seats = (Seat("red", "Wilhelmina"), Seat("blue", "Wilhelmina's robot", bot="random"))
    alone = without_people(
        fold_record(parse_record(compose(structs.replace(header, seats=seats), events)[0])), SeatNaming()
    )
    assert alone
    again = parse_record(alone).header
    assert again
    assert [seat.bot for seat in again.seats] == [None, "random"]
    assert again.seats[1].name == "random blue"
    assert b"Wilhelmina" not in alone


def test_findings_of_a_record_that_cannot_be_folded_name_no_person_or_path() -> None:
    broken = fold_record(read_record(SAMPLES / "slicewars" / "full-2.jsonl"))
    header = broken.record.header
    assert header is not None
    strange = structs.replace(
        header, options={"Wilhelmina": 1}, seats=(Seat("red", "Wilhelmina"), *header.seats[1:])
    )
    whole = fold_record(parse_record(compose(strange, [])[0], "Wilhelmina.jsonl"))
    assert whole.fold is None
    assert "Wilhelmina" in repr(whole.findings)
    alone = anonymous_replay(whole, SeatNaming())
    assert "Wilhelmina" not in repr((alone.findings, alone.record.path))
    assert [(found.code, found.text) for found in alone.findings] == [
        (found.code, LEFT_OUT) for found in whole.findings
    ]
    for seat in (None, "blue"):
        html = replay_page(alone, seat=seat)
        assert "Wilhelmina" not in bare(html).decode() + repr(page_data(html))


def test_texts_of_a_custom_board_are_removed_and_names_of_places_stay() -> None:
    game = find("slicewars")
    fold = start_game()
    board = {**json.loads(board_file("hex36")), "name": "Wilhelmina", "remark": "by Wilhelmina's aunt"}
    header = structs.replace(fold.header, board=board)
    whole = fold_record(parse_record(compose(header, [*fold.events])[0], "a.jsonl"), game)
    assert whole.fold is not None
    data = without_people(whole, SeatNaming())
    assert data is not None
    assert b"Wilhelmina" not in data
    assert b'"A1"' in data
    assert fold_record(parse_record(data, "")).events == whole.events


def test_texts_of_a_built_in_board_stay_in_a_board_that_was_made_of_it() -> None:
    fold = start_game()
    board = json.loads(board_file("hex36"))
    header = structs.replace(fold.header, board={**board, "name": "Wilhelmina"})
    whole = fold_record(parse_record(compose(header, [*fold.events])[0], "a.jsonl"))
    data = without_people(whole, SeatNaming())
    assert data is not None
    kept = json.loads(data.splitlines()[0])["board"]
    assert (kept["name"], kept["remark"]) == (LEFT_OUT, board["remark"])


def test_words_in_keys_count_as_words() -> None:
    assert [*words_in({"A1": ["red", {"deep": "B2"}], "C1": 3})] == ["A1", "red", "deep", "B2", "C1"]


def test_a_record_with_a_line_that_cannot_be_read_is_anonymous_up_to_there() -> None:
    fold = start_game()
    data, head = compose(fold.header, [*fold.events])
    broken, _ = chain.chained_line(head.encode(), b'"n":"x"}\n')
    whole = fold_record(parse_record(data + broken, "a.jsonl"))
    assert len(whole.readable_events) < len(whole.record.bodies)
    without = without_people(whole, SeatNaming())
    assert without is not None
    assert fold_record(parse_record(without, "")).events == list(fold.events)


def test_the_id_of_a_record_is_left_out() -> None:
    header = structs.replace(start_game().header, id="3b1c7a52-0f7e-4d0b-9d3e-1c2d3e4f5a6b")
    data = without_people(fold_record(parse_record(compose(header, [])[0])), SeatNaming())
    assert data
    assert json.loads(data.splitlines()[0])["id"] == LEFT_OUT


def board_file(name: str) -> str:
    """Return the text of a board of SliceWars."""
    return files("gamelog.games.slicewars").joinpath(f"boards/{name}.json").read_text("utf-8")
