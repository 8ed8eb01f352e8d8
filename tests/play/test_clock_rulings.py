"""Tests of rulings that set clocks: the game's own and those of seats."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from gamelog.archive.rows.timeline import Timeline
from gamelog.chance.rng import generator
from gamelog.chance.sources import Seeded
from gamelog.message import with_names
from gamelog.play.fold.fold import Fold
from gamelog.play.fold.ruling_messages import ruling_decision
from gamelog.play.fold.seat_times import seat_times, used_times
from gamelog.play.judging.proposals import event_from
from gamelog.play.rendering.session_effects import ClocksSet, session_effects_of
from gamelog.play.view.record_view import RecordView
from gamelog.record.envelope import encode_body
from tests.play.tables import GAME, header, push, start_game

MINUTE = 60_000
NIGHT = 12 * 60 * MINUTE


def correct(fold: Fold, clock: dict[str, int], about: int = 1, **members: Any) -> str | None:
    """Let the arbiter set clocks as a recorder does; return why not, or None."""
    given = {
        "do": "@ruling",
        "kind": "clock",
        "about": about,
        "clock": clock,
        "reason": "the night",
        "name": "Mei",
    }
    t = members.pop("t", fold.t + 1000)
    refused = fold.push(event_from(fold, {**given, **members}, fold.n + 1, t))
    return refused.text if refused else None


def rule_otherwise(fold: Fold, kind: str, about: int, **members: Any) -> None:
    """Let the arbiter rule otherwise."""
    refused = push(fold, "@ruling", "arbiter", about=about, kind=kind, reason="so", name="Lena", **members)
    assert refused is None, refused


def claim(fold: Fold, at: str, after: int = 3000) -> None:
    """Let the player to move claim a territory, the given milliseconds after the last event."""
    (seat,) = fold.pending.by
    assert push(fold, "claim", seat, at=at, t=fold.t + after) is None


def test_play_goes_on_from_the_clock_that_was_set() -> None:
    fold = start_game()
    assert (fold.play_time, used_times(fold)) == (9000, {"red": 3000, "blue": 3000})
    assert push(fold, "@note", "table", text="good night", t=fold.t + NIGHT) is None
    assert correct(fold, {"red": 5000}) is None
    assert (fold.play_time, used_times(fold)) == (11_000, {"red": 5000, "blue": 3000})
    claim(fold, "A2")
    assert fold.play_time_at(fold.n) == fold.play_time == 14_000
    assert used_times(fold) == {"red": 8000, "blue": 3000}


def test_the_games_own_clock_alone_can_be_set_and_be_left_alone() -> None:
    fold = start_game()
    assert correct(fold, {"table": 8000}, t=NIGHT) is None
    assert (fold.play_time, used_times(fold)) == (8000, {"red": 3000, "blue": 3000})
    fold = start_game()
    assert correct(fold, {"table": 9000, "blue": 0}, t=NIGHT) is None
    assert (fold.play_time, used_times(fold)) == (9000, {"red": 3000, "blue": 0})
    fold = start_game()
    rule_otherwise(fold, "clock", 1, clock={"blue": 0}, t=20_000)
    assert fold.session.clock(20_000) == 20_000, "without table in it the game's clock runs on"


@pytest.mark.parametrize(
    ("clock", "why"),
    [
        ({}, "give the corrected clocks in ms"),
        ({"green": 1000}, "give the corrected clocks in ms"),
        ({"red": 10**9}, "no clock can show more than the"),
    ],
)
def test_clocks_that_cannot_be_set(clock: dict[str, int], why: str) -> None:
    assert why in (correct(start_game(), clock, t=20_000) or "")


def test_a_hundred_corrections_are_enough() -> None:
    fold = start_game()
    for _ in range(100):
        assert correct(fold, {"red": 0}) is None
    assert "and no more are allowed" in (correct(fold, {"red": 0}) or "")


def test_withdrawn_the_night_counts_again() -> None:
    fold, whole = start_game(), start_game()
    assert correct(fold, {"red": 5000}, t=NIGHT) is None
    assert push(whole, "@note", "table", text="-", t=NIGHT) is None
    for one in (fold, whole):
        claim(one, "A2")
    rule_otherwise(fold, "refused", 4)
    assert push(whole, "@note", "table", text="-") is None
    for one in (fold, whole):
        claim(one, "C2")
    assert fold.play_time_at(fold.n) == whole.play_time_at(whole.n)
    assert fold.rulings.effects.clocks == {}


def test_a_ruling_withdrawn_at_once_changes_nothing() -> None:
    fold = start_game()
    assert correct(fold, {"red": 5000}, t=NIGHT) is None
    rule_otherwise(fold, "refused", 4)
    assert (fold.play_time, used_times(fold)) == (9000, {"red": 3000, "blue": 3000})


def test_replaced_the_last_word_holds_and_an_earlier_one_is_withdrawn_in_vain() -> None:
    fold = start_game()
    assert correct(fold, {"red": 5000, "table": 11_000}, t=NIGHT) is None
    assert correct(fold, {"red": 4000}, about=4) is None
    assert (fold.play_time, used_times(fold)["red"]) == (10_000, 4000)
    assert correct(fold, {"red": 6000, "table": 20_000}) is None
    rule_otherwise(fold, "refused", 5)
    assert (fold.play_time, used_times(fold)["red"]) == (20_000, 6000)


def test_a_slip_that_goes_back_past_it_takes_nothing_of_it_away() -> None:
    fold = start_game()
    for at in ("A2", "C2", "A3"):
        claim(fold, at, NIGHT)
    assert correct(fold, {"red": 10_000, "blue": 10_000}) is None
    reading = fold.play_time
    assert push(fold, "@takeback", "table", to=5, slip=True) is None
    assert fold.play_time == min(fold.play_time_at(5), reading) == reading
    assert used_times(fold) == {"red": 10_000, "blue": 10_000}
    fold = start_game()
    claim(fold, "A2")
    assert correct(fold, {"table": fold.play_time}, t=NIGHT) is None
    assert push(fold, "@takeback", "table", to=3, slip=True) is None
    assert fold.play_time == 9000, "the clock from before the ruling stays"


def test_in_words() -> None:
    fold = start_game()
    assert correct(fold, {"red": 750_000, "table": 3_723_000}, t=NIGHT) is None
    ruling = fold.events[-1]
    assert session_effects_of(fold, ruling) == (ClocksSet({"red": "12:30", "table": "1:02:03"}),)
    said = with_names(ruling_decision(fold.rulings.by_number[4]), fold.session.name_of)
    assert str(said) == "clock (Ana 12:30, the table 1:02:03)"


STEPS = st.lists(
    st.tuples(
        st.sampled_from(["play", "play", "play", "clock", "seat", "slip", "back", "withdraw", "pause"]),
        st.floats(0, 1),
    ),
    max_size=30,
)


@given(STEPS)
def test_elapsed_times_add_up_and_none_is_negative_after_corrections(
    steps: list[tuple[str, float]],
) -> None:
    fold = Fold(header(), GAME)
    source, rng = Seeded("clocks", "test"), generator("clocks")
    for what, where in steps:
        n, t = fold.n + 1, fold.t + int(where * 100_000)
        match what:
            case "play":
                pending = fold.pending
                event = (
                    GAME.chance(fold.state, source.results(pending.chance.draws, fold.chance_count))
                    if pending.chance
                    else GAME.sample(fold.state, pending.by[0], rng)
                )
                assert fold.push(structs.replace(event, n=n, t=t)) is None
            case "clock" | "seat":
                if fold.n:
                    whose = "table" if what == "clock" else "red"
                    shown = {**used_times(fold), "table": fold.play_time}[whose]
                    assert not correct(fold, {whose: int(where * shown)}, t=t)
            case "slip" | "back":
                to, slip = int(where * fold.n), what == "slip"
                if to not in fold.corrected_events():  # which was never played
                    assert push(fold, "@takeback", "arbiter", to=to, slip=slip, t=t) is None
            case "withdraw":
                if fold.rulings.effects.clocks:
                    at = int(where * (len(fold.rulings.effects.clocks) - 1))
                    rule_otherwise(fold, "refused", [*fold.rulings.effects.clocks][at], t=t)
            case "pause":
                running = fold.session.paused_at is not None
                assert push(fold, "@clock", "table", running=running, t=t) is None
        assert 0 <= fold.session.clock(fold.t) <= fold.t
    bodies = [encode_body(event) for event in fold.events]
    line = Timeline(fold, list(fold.events), bodies)
    elapsed = line.table_columns()["events"]["elapsed_ms"]
    assert sum(elapsed) == line.duration == fold.play_time
    assert all(ms >= 0 for ms in elapsed), elapsed
    assert all(ms >= 0 for used in seat_times(fold).by_seat.values() for ms in used)


def test_the_step_of_a_clock_ruling_has_the_time_that_it_adds_and_other_steps_have_none() -> None:
    fold = start_game()
    assert correct(fold, {"red": 2000}) is None
    view = RecordView(fold)
    changes = [step.table for step in view.steps()]
    assert [change.used for change in changes if change and change.used] == [{"red": -1000}]
    assert changes[-1] is not None and changes[-1].used


def test_a_seat_gets_back_the_time_of_an_earlier_ruling_if_the_later_one_is_withdrawn() -> None:
    fold = start_game()
    assert correct(fold, {"red": 2000}) is None
    assert correct(fold, {"red": 1000}) is None
    rule_otherwise(fold, "refused", 5)
    assert used_times(fold) == {"red": 2000, "blue": 3000}


def test_a_ruling_that_replaces_another_takes_back_the_time_of_the_seats_that_it_does_not_set() -> None:
    fold = start_game()
    assert correct(fold, {"red": 2000}) is None
    assert correct(fold, {"blue": 1000}, about=4) is None
    assert used_times(fold) == {"red": 3000, "blue": 1000}


def test_without_a_ruling_no_seat_gets_time_that_it_did_not_use() -> None:
    fold = start_game()
    assert {seat: line[0] for seat, line in seat_times(fold).by_seat.items()} == {"red": 0, "blue": 0}
    assert correct(fold, {"red": 2000}) is None
    assert [seat_times(fold).by_seat[seat][-1] for seat in ("red", "blue")] == [2000, 3000]
