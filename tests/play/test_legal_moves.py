"""What is said to be legal tells nobody what others hold."""

from __future__ import annotations

from msgspec import structs

from gamelog.dispute.incident import incident
from gamelog.play.contract.registry import find
from gamelog.play.fold.findings import Finding
from gamelog.play.fold.fold import Fold
from gamelog.play.judging.legal_moves import legal_for, legal_now, with_legal
from gamelog.play.judging.replay import replay
from gamelog.record.compose import compose
from gamelog.record.reading import parse_record
from gamelog.testing.plays import play

HIDDEN = play(find("zone_s"), 1)
OPEN = play(find("slicewars"), 1, 3)


def test_where_something_is_hidden_a_seat_learns_what_it_may_do_itself_and_nothing_of_others() -> None:
    game = HIDDEN.game
    hidden = 0
    for state in HIDDEN.states[:-1]:
        for seat in HIDDEN.header.seat_ids:
            known = legal_for(game, state, seat)
            if game.observe(state, seat) == state:
                assert known == game.legal(state)
                continue
            hidden += 1
            assert {event.by for event in known.events} <= {seat}
            assert list(known.events) == [event for event in game.legal(state).events if event.by == seat]
    assert hidden > 20


def test_where_nothing_is_hidden_everybody_sees_all_that_is_legal() -> None:
    game = OPEN.game
    for state in OPEN.states[:-1:20]:
        for seat in (None, *OPEN.header.seat_ids):
            assert legal_for(game, state, seat) == game.legal(state)


def test_a_refusal_lists_what_the_writer_may_know() -> None:
    fold = Fold(HIDDEN.header, HIDDEN.game)
    at = next(n for n, state in enumerate(HIDDEN.states) if HIDDEN.game.legal(state).events and n > 10)
    assert fold.extend(HIDDEN.events[:at]) is None
    (mover,) = fold.pending.by
    other = next(seat for seat in HIDDEN.header.seat_ids if seat != mover)
    assert HIDDEN.game.observe(fold.state, other) != fold.state
    refused = Finding("play.illegal", "no")
    assert {event["by"] for event in with_legal(fold, refused, 0, mover).legal} == {mover}
    assert with_legal(fold, refused, 0, other).legal == ()
    assert with_legal(fold, refused, 0, "arbiter").legal == legal_now(fold, 0) != ()


def test_what_a_seat_is_told_of_an_event_lists_nothing_of_what_others_hold() -> None:
    replayed = replay(parse_record(compose(HIDDEN.header, HIDDEN.events)[0]))
    at = next(n for n, event in enumerate(HIDDEN.events, 1) if event.by in HIDDEN.header.seat_ids)
    mover = HIDDEN.events[at - 1].by
    other = next(seat for seat in HIDDEN.header.seat_ids if seat != mover)
    assert incident(replayed, at).choices == incident(replayed, at, mover).choices > 0
    assert (incident(replayed, at, other).legal, incident(replayed, at, other).choices) == ((), 0)
    illegal = [*HIDDEN.events[: at - 1], structs.replace(HIDDEN.events[at - 1], by=other)]
    told = replay(parse_record(compose(HIDDEN.header, illegal)[0]))
    found = incident(told, at, other).finding
    assert found is not None and found.legal == ()
