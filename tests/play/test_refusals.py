"""Tests that refusals are sentences with the names of the people at the table."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from msgspec import structs

from gamelog.errors import Refused
from gamelog.play.contract.game import AnyGame
from gamelog.play.contract.registry import find
from gamelog.play.contract.violation import Violation, forbids
from gamelog.play.fold.fold import Fold
from gamelog.play.judging.verdict import validate
from gamelog.play.recording.header import new_header
from gamelog.play.recording.recorder import EventRecorder
from gamelog.record.envelope import DiceSpec, Seat
from gamelog.record.record_file import create_record
from gamelog.testing.plays import play

NAMES = ("Ana", "Rui", "Mei", "Zé")


def begin_fold(game: AnyGame) -> Fold:
    seats = game.seats[min(game.seats)]
    people = [Seat(seat, name) for seat, name in zip(seats, NAMES, strict=False)]
    return Fold(
        new_header(game, people, id="x", started="2026-01-01T00:00:00Z", dice=DiceSpec("table")), game
    )


def refused_with(violation: Violation) -> str:
    """Return the refusal of a game's next event, which its rules forbid by `violation`."""
    game = replace(find("slicewars"), check=lambda _state, _event: violation)
    fold = begin_fold(game)
    found = fold.judge(play(find("slicewars"), 3, 2).events[0])
    assert found is not None
    return found.text


def test_people_and_values_stay_what_they_are() -> None:
    text = "{@by} has {n} {n:die|dice} on {at}"
    assert refused_with(forbids("SW-1", text, by="red", n=3, at="{@blue}")) == "Ana has 3 dice on {@blue}"
    assert refused_with(forbids("SW-1", text, by="red", n=1, at="{n}")) == "Ana has 1 die on {n}"


def test_a_game_may_say_it_in_a_finished_sentence() -> None:
    assert refused_with(Violation("SW-1", "no {@red} and no {n}")) == "no {@red} and no {n}"


@pytest.mark.parametrize("name", ["slicewars", "zone_control", "zone_s", "dice_flags", "gp02a_territory"])
def test_a_refusal_names_the_person_out_of_turn(name: str) -> None:
    game = find(name)
    fold = begin_fold(game)
    seats = fold.header.seat_ids
    told = 0
    for event in play(game, 3, len(seats)).events[:80]:
        if event.by in seats:
            other = next(seat for seat in seats if seat != event.by)
            refused = fold.judge(structs.replace(event, by=other))
            if refused and refused.rule:
                told += 1
                assert not {word.strip(",;.").removesuffix("'s") for word in refused.text.split()} & set(
                    seats
                ), refused.text
                assert (
                    fold.session.name_of(other) in refused.text
                    or fold.session.name_of(event.by) in refused.text
                )
        assert fold.push(event) is None
    assert told > 10


def test_refusals_and_findings_name_people(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    create_record(path, begin_fold(find("slicewars")).header)
    recorder = EventRecorder(path)
    recorder.append([{"do": "start_roll", "rolls": {"red": 5, "blue": 2}}, {"do": "claim", "at": "C3"}])
    for event, sentence in (
        ({"do": "claim", "by": "red", "at": "A1"}, "it is Rui's turn, not Ana's"),
        (
            {"do": "claim", "by": "Omar", "at": "A1"},
            '"Omar" has no seat in this game; the seats are Ana (red), Rui (blue), and the table and the arbiter can also be the author of an event',
        ),
        ({"do": "start_roll", "by": "red", "rolls": {}}, "SW-3"),
        (
            {
                "do": "@amend",
                "by": "table",
                "seats": {seat: {"name": "Omar"} for seat in ("white", "pink", "red")},
            },
            'there is no seat "pink"',
        ),
    ):
        refused = recorder.fold.judge(recorder.stamp(event))
        assert refused is not None
        assert sentence in str(recorder.explain(refused))
    with pytest.raises(
        Refused,
        match=r'^The member "do", the name of the event, is missing\. The events of SliceWars are: add',
    ):
        recorder.append([{"at": "C3"}])
    recorder.append([{"do": "@agree", "by": "red", "result": {"winners": [], "reason": "late"}}])
    refused = recorder.fold.judge(recorder.stamp({"do": "@accept", "by": "red", "about": 3}))
    assert refused is not None
    assert "waits for Rui, not for Ana" in refused.text
    recorder.append([{"do": "claim", "by": "red", "at": "A1"}], as_played=True)
    recorder.append([{"do": "@result", "by": "table", "outcome": {"winners": ["blue"], "reason": "table"}}])
    texts = [finding.text for finding in validate(path).findings]
    assert "it is Rui's turn, not Ana's" in texts
    assert "the table recorded the result Rui (table), but the rules give no result yet" in texts
