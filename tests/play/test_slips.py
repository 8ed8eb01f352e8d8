"""Tests of slips: the corrected events were never played, unlike events that are taken back."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from gamelog.play.fold.fold import Fold
from gamelog.play.fold.parts.main_line import removed_ranges
from gamelog.play.judging.warnings import warnings
from gamelog.play.recording.series import simulate_game
from gamelog.play.rendering.events import describe_event
from gamelog.play.rendering.sentences import sentence
from gamelog.play.rendering.session_effects import phrase_of
from gamelog.record import chain
from gamelog.record.envelope import DiceSpec, encode_body
from tests.play.tables import GAME, outcome, push, start_game
from tests.play.test_rulings import rule


def slip(fold: Fold, to: int, by: str = "table", **members: Any) -> Any:
    return push(fold, "@takeback", by, to=to, slip=True, **members)


@given(st.lists(st.tuples(st.sampled_from(["play", "play", "back", "slip"]), st.floats(0, 1)), max_size=40))
def test_slips_are_found_by_walking_forward(events: list[tuple[str, float]]) -> None:
    jumps: dict[int, int] = {}
    slips: set[int] = set()
    corrected: list[frozenset[int]] = [frozenset()]
    for n, (what, where) in enumerate(events, 1):
        found = corrected[-1]
        if what != "play":
            to = jumps[n] = round(where * (n - 1))
            since = frozenset(range(to + 1, n))
            if what == "slip":
                slips.add(n)
            found = frozenset(one for one in corrected[to] if one <= to) | (
                since if what == "slip" else found & since
            )
        corrected.append(found)
        assert frozenset(one for stretch in removed_ranges(jumps, slips, n) for one in stretch) == found
    for n, found in enumerate(corrected):
        assert frozenset(one for stretch in removed_ranges(jumps, slips, n) for one in stretch) == found


def test_everything_is_as_it_was() -> None:
    fold = start_game()
    before, played = fold.state, fold.play_time
    assert push(fold, "claim", "red", at="A2") is None
    assert push(fold, "@note", "table", text="no, A3") is None
    assert slip(fold, 3) is None
    assert (fold.state, fold.play_time, fold.stands(4)) == (before, played, False)
    assert (set(fold.corrected_events()), fold.slips) == ({4, 5}, {6})
    assert push(fold, "claim", "red", at="A3", t=fold.t + 5000) is None
    assert fold.play_time == played + 5000


def test_a_finding_about_it_vanishes() -> None:
    fold = start_game()
    assert push(fold, "claim", "red", at="C1", as_played=True) is None
    assert [found.code for found in warnings(fold)] == ["play.as_played", "play.cannot_apply"]
    assert slip(fold, 3) is None
    assert list(warnings(fold)) == []


def test_the_sentence_says_corrected() -> None:
    fold = start_game()
    push(fold, "claim", "red", at="A2")
    assert slip(fold, 3) is None
    event = fold.events[-1]
    assert (
        describe_event(fold, event)
        == "The table corrects the record: the events recorded after event 3 were not played."
    )
    assert "back" not in sentence(GAME, event, (), fold.session.name_of, phrase_of(fold, event))


@pytest.mark.parametrize(
    ("mode", "by", "answers"), [("agreed", "red", ["blue"]), ("agreed", "table", ["red", "blue"])]
)
def test_slips_need_consent_if_takebacks_do(mode: Any, by: str, answers: list[str]) -> None:
    """Otherwise a player could call a move a slip."""
    fold = start_game(takebacks=mode)
    assert push(fold, "claim", "red", at="A2") is None
    assert slip(fold, 3, by) is None
    for seat in answers:
        assert fold.corrected_events() == set()
        assert push(fold, "@accept", seat, about=5) is None
    assert fold.corrected_events() == set(range(4, 5 + len(answers)))
    assert fold.state == fold.states[3]


def test_the_arbiters_slip_is_in_force_at_once() -> None:
    for mode in ("agreed", "arbiter", "scorer"):
        fold = start_game(takebacks=mode)
        assert push(fold, "claim", "red", at="A2") is None
        assert slip(fold, 3, "arbiter") is None
        assert fold.corrected_events() == {4}
    fold = start_game(takebacks="arbiter")
    assert push(fold, "claim", "red", at="A2") is None
    assert slip(fold, 3) is None
    assert fold.corrected_events() == set()
    assert push(fold, "@accept", "arbiter", about=5) is None
    assert fold.corrected_events() == {4, 5}


def test_a_slip_cannot_enter_a_closed_stretch() -> None:
    fold = start_game()
    push(fold, "claim", "red", at="A2")
    push(fold, "claim", "blue", at="C2")
    assert rule(fold, "takeback", 4) is None
    refused = slip(fold, 4)
    assert refused is not None
    assert "only another ruling can take the game back" in refused.text


def seeded() -> tuple[Fold, list[Any]]:
    header, events = simulate_game(GAME, "slip", 0, players=2, dice="seeded")
    return Fold(header, GAME), events


def test_seeded_dice_that_were_never_thrown_are_thrown_again() -> None:
    """After a takeback other dice are thrown, because the earlier ones had fallen."""
    fold, events = seeded()
    rolled = next(event.n for event in events if type(event) in GAME.chance_events and event.n > 8)
    assert fold.extend(events[:rolled]) is None
    results = events[rolled - 1]
    for is_slip, same in ((True, True), (False, False)):
        fold, _ = seeded()
        fold.extend(events[:rolled])
        chances = fold.chance_count
        assert push(fold, "@takeback", "table", to=rolled - 1, slip=is_slip) is None
        assert fold.chance_count == chances - is_slip
        due = fold.due_results()
        assert due is not None
        thrown = GAME.chance(fold.state, due)
        assert ((thrown.attack, thrown.defence) == (results.attack, results.defence)) is same


def test_under_commit_reveal_the_links_shown_stay_used() -> None:
    header, events = simulate_game(GAME, "slip", 0, players=2, dice="commit-reveal")
    heads = [chain.chained_digest(chain.GENESIS, encode_body(header))]
    for event in events:
        heads.append(chain.chained_digest(heads[-1], encode_body(event)))
    fold = Fold(header, GAME, line_heads=heads)
    rolled = next(event.n for event in events if type(event) in GAME.chance_events and event.n > 8)
    assert fold.extend(events[:rolled]) is None
    assert fold.reveals
    shown = dict(fold.reveals.last_links)
    del fold.line_heads[rolled + 1 :]
    assert slip(fold, rolled - 1) is None
    assert fold.reveals.last_links == shown
    assert fold.reveals.missing_seats == header.seat_ids, "new links, and so another roll"
    assert isinstance(header.dice, DiceSpec)


def test_the_deciding_roll_can_be_corrected_and_the_clock_goes_on_from_before_it() -> None:
    header, events = simulate_game(GAME, "slip", 1, players=2, dice="table")
    fold = Fold(header, GAME)
    assert fold.extend(events) is None
    assert fold.outcome
    last = events[-1]
    before = fold.play_time_at(last.n - 1)
    assert slip(fold, last.n - 1, t=fold.t + 60_000) is None
    assert outcome(fold) is None
    assert fold.play_time == before
    assert fold.push(structs.replace(last, n=fold.n + 1, t=fold.t + 2_000)) is None
    assert fold.outcome
    assert fold.play_time == before + 2_000
