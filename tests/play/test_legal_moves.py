"""Tests that lists of legal events do not show hidden information."""

from __future__ import annotations

from dataclasses import replace as replace_game
from typing import Any

from msgspec import structs

from gamelog.dispute.incident import incident
from gamelog.finding import Finding
from gamelog.play.contract.game import Legal
from gamelog.play.contract.registry import find
from gamelog.play.contract.seats import legal_for
from gamelog.play.fold.fold import Fold
from gamelog.play.judging.fold_record import fold_record
from gamelog.play.visibility.findings import legal_events, with_legal
from gamelog.play.visibility.viewer import Viewer
from gamelog.record.reading import parse_record
from gamelog.record.record_file import compose
from gamelog.testing.plays import play

HIDDEN = play(find("zone_s"), 1)
OPEN = play(find("slicewars"), 1, 3)


def test_a_seat_gets_its_own_legal_events_only() -> None:
    for played in (HIDDEN, OPEN):
        game = played.game
        for state in played.states[:-1:5]:
            everything = legal_for(game, state, None)
            for seat in played.header.seat_ids:
                assert legal_for(game, state, seat).events == tuple(
                    event for event in everything.events if event.by == seat
                )
            assert bool(everything.events) == bool(game.pending(state).by)


def test_legal_events_are_computed_from_the_visible_state() -> None:
    game, asked = HIDDEN.game, []

    def legal(state: Any, seat: str) -> Legal:
        asked.append((state, seat))
        return game.legal(state, seat)

    watched = replace_game(game, legal=legal)
    at = next(n for n, state in enumerate(HIDDEN.states) if n > 10 and game.pending(state).by)
    state, (mover,) = HIDDEN.states[at], game.pending(HIDDEN.states[at]).by
    for seat in (None, mover):
        asked.clear()
        assert legal_for(watched, state, seat).events
        assert asked == [(game.observe(state, mover), mover)] and game.observe(state, mover) != state


def test_a_refusal_lists_only_events_that_the_writer_may_know() -> None:
    fold = Fold(HIDDEN.header, HIDDEN.game)
    at = next(
        n for n, state in enumerate(HIDDEN.states) if legal_for(HIDDEN.game, state, None).events and n > 10
    )
    assert fold.extend(HIDDEN.events[:at]) is None
    (mover,) = fold.pending.by
    other = next(seat for seat in HIDDEN.header.seat_ids if seat != mover)
    assert HIDDEN.game.observe(fold.state, other) != fold.state
    refused = Finding("play.illegal", "no")
    assert {event["by"] for event in with_legal(fold, refused, 0, mover).legal} == {mover}
    assert with_legal(fold, refused, 0, other).legal == ()
    assert with_legal(fold, refused, 0, "arbiter").legal == (), "nothing is public during the game"
    assert legal_events(fold, 0) != () == legal_events(fold, 0, viewer=Viewer(HIDDEN.header.seat_ids))


def test_findings_for_a_seat_list_no_events_of_others() -> None:
    folded = fold_record(parse_record(compose(HIDDEN.header, HIDDEN.events)[0]))
    at = next(n for n, event in enumerate(HIDDEN.events, 1) if event.by in HIDDEN.header.seat_ids)
    mover = HIDDEN.events[at - 1].by
    other = next(seat for seat in HIDDEN.header.seat_ids if seat != mover)
    assert incident(folded, at).legal_count == incident(folded, at, Viewer.of(mover)).legal_count > 0
    seen = incident(folded, at, Viewer.of(other))
    assert (seen.legal, seen.legal_count) == ((), 0)
    illegal = [*HIDDEN.events[: at - 1], structs.replace(HIDDEN.events[at - 1], by=other)]
    told = fold_record(parse_record(compose(HIDDEN.header, illegal)[0]))
    found = incident(told, at, Viewer.of(other)).finding
    assert found is not None and found.legal == ()


def test_a_list_that_was_cut_is_never_complete() -> None:
    assert Legal(()).complete
    assert not Legal((), complete=False).complete
    assert not Legal((), complete=True, cut=True).complete
