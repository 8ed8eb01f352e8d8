"""Tests of `room`: whether a turn can be completed, compared with trying everything on small boards.

The slow comparison follows the rules as people read them: it removes chips, lifts chips and counts free fields.
"""

from __future__ import annotations

from itertools import combinations
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, event, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from gamelog.games.gp02a_territory import GAME
from gamelog.games.gp02a_territory import events as ev
from gamelog.games.gp02a_territory.state import EMPTY, SUPPLY, Options, State, start
from gamelog.games.gp02a_territory.turns import act
from gamelog.play.contract.seats import legal_for
from tests.shares import examples

BOARDS: list[dict[str, Any]] = [
    {"name": "three", "blocks": ["112233", "112233"], "fields": [".gg..g", "g..g.."], "chronology": 9},
    {"name": "two", "blocks": ["11122", "11122"], "fields": ["..g.g", ".g..g"], "chronology": 9},
    {"name": "uneven", "blocks": ["1222", "1233"], "fields": [".g..", "g..."], "chronology": 9},
]


@st.composite
def turns(draw: st.DrawFn) -> State:
    """Draw a turn on a small board with any chips, hand and card; the player may be unable to act."""
    board = GAME.read_board(draw(st.sampled_from(BOARDS)))
    options = Options(purple_counts_in_move=draw(st.booleans()))
    begun = start(options, board, GAME.seats[4])
    size = len(board.names)
    fields = bytes(draw(st.lists(st.sampled_from([0, 0, 0, 1, 2, EMPTY]), min_size=size, max_size=size)))
    hand = bytes(draw(st.sampled_from([(0, k, 0, 0, p) for k in range(6) for p in range(2) if k or p])))
    rest = bytes(15)
    bag = bytes(supply - fields.count(chip) - hand[chip] for chip, supply in enumerate(SUPPLY))
    cards = draw(st.sampled_from([(1, 2, 3, 4), (2, 1, 3, 4), (3, 1, 2, 4)]))
    return replace(
        begun, phase="action", cards=bytes(cards), hands=hand + rest, fields=fields, bag=bag, rolled=3
    )


every = settings(
    max_examples=examples(400),
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)


def loose(state: State, colour: int | None = None) -> list[int]:
    board = state.setup.board
    whites = [at for first, grey, _ in board.spans for at in range(first, grey)]
    return [at for at in whites if state.fields[at] != EMPTY and colour in (None, state.fields[at])]


def without(fields: bytes, gone: tuple[int, ...]) -> bytes:
    left = bytearray(fields)
    for at in gone:
        left[at] = EMPTY
    return bytes(left)


def largest(state: State, fields: bytes) -> int:
    """Return the number of free fields in the block that has the most."""
    block = state.setup.board.block
    free = [block[at] for at, chip in enumerate(fields) if chip == EMPTY]
    return max((free.count(number) for number in set(block)), default=0)


def good_removals(state: State, chips: int) -> set[int]:
    """Return the loose chips whose removal leaves some block with room for all `chips`."""
    return {at for at in loose(state) if largest(state, without(state.fields, (at,))) >= chips}


def good_lifts(state: State, chips: int, done: tuple[int, ...] = ()) -> set[int]:
    """Return the own loose chips that may be lifted next.

    Each is part of a choice of `chips` that leaves some block with room for them and for the chips `done`.
    """
    good: set[int] = set()
    for choice in combinations(loose(state, 0), chips):
        if largest(state, without(state.fields, choice)) >= chips + len(done):
            good |= set(choice)
    return good


def hand(state: State) -> tuple[int, bool]:
    return sum(state.hands[:4]), bool(state.hands[4])


@every
@given(turns())
def test_a_turn_can_be_completed_exactly_if_some_way_of_playing_it_can(state: State) -> None:
    chips, purple = hand(state)
    moves = chips + (purple and state.setup.options.purple_counts_in_move)
    place = largest(state, state.fields) >= chips or (purple and bool(good_removals(state, chips)))
    move = state.cards[0] in (2, 3) and moves > 0 and bool(good_lifts(state, moves))
    event(f"place {place}, move {move}")
    after = act(state)
    assert (after.outcome is None) == (place or move)
    assert after.outcome is None or after.outcome.reason == "territory"
    if after.outcome:
        return
    names, legal = state.setup.board.names, set(legal_for(GAME, after, None).events)
    assert (ev.MoveStart(0, 0, "blue") in legal) == move
    removals = good_removals(state, chips) if purple else set()
    assert {event for event in legal if isinstance(event, ev.Purple) and event.at} == {
        ev.Purple(0, 0, "blue", names[at]) for at in removals
    }
    alone = purple and not loose(state) and largest(state, state.fields) >= chips
    assert (ev.Purple(0, 0, "blue") in legal) == alone
    for at, name in enumerate(names):
        found = GAME.check(after, ev.Purple(0, 0, "blue", name))
        assert (found is None) == (at in removals)
        if found and purple and at in loose(state):
            assert found.rule == ("GP-A12" if removals else "GP-A13")


@every
@given(turns())
def test_every_lift_keeps_the_movement_possible_and_no_other_does(state: State) -> None:
    chips, purple = hand(state)
    moves = chips + (purple and state.setup.options.purple_counts_in_move)
    assume(state.cards[0] in (2, 3) and moves and good_lifts(state, moves))
    state = GAME.apply(state, ev.MoveStart(0, 0, "blue"))
    names, lifted = state.setup.board.names, 0
    while state.phase == "lift":
        good = good_lifts(state, moves - lifted, tuple(range(lifted)))
        assert set(legal_for(GAME, state, None).events) == {ev.Lift(0, 0, "blue", names[at]) for at in good}
        for at in loose(state, 0):
            assert (GAME.check(state, ev.Lift(0, 0, "blue", names[at])) is None) == (at in good)
        state = GAME.apply(state, ev.Lift(0, 0, "blue", names[sorted(good)[lifted % len(good)]]))
        lifted += 1
    board = state.setup.board
    roomy = {
        at
        for at, chip in enumerate(state.fields)
        if chip == EMPTY and state.fields.count(EMPTY, *_span(state, at)) >= moves
    }
    assert roomy
    assert set(legal_for(GAME, state, None).events) == {ev.Put(0, 0, "blue", board.names[at]) for at in roomy}


def _span(state: State, at: int) -> tuple[int, int]:
    first, _, end = state.setup.board.spans[state.setup.board.block[at] - 1]
    return first, end


@every
@given(turns(), st.randoms(use_true_random=False))
def test_every_legal_line_ends_the_turn(state: State, rng: Any) -> None:
    state = act(state)
    for _ in range(20):
        if state.outcome or state.actor != 0:
            break
        legal = legal_for(GAME, state, None).events
        assert legal
        chosen = rng.choice(legal)
        assert GAME.check(state, chosen) is None
        state = GAME.apply(state, chosen)
    assert state.outcome or state.actor != 0 or state.round > 1
    assert state.outcome is None or state.outcome.reason == "territory" or not any(state.hands[:5])


@pytest.mark.parametrize("board", BOARDS, ids=lambda board: board["name"])
def test_purple_before_the_chronology_looks_one_chip_ahead(board: dict[str, Any]) -> None:
    begun = start(Options(), GAME.read_board(board), GAME.seats[4])
    size = len(begun.fields)
    for chips in range(1, 7):
        hands = bytes((0, chips, 0, 0, 1)) + bytes(15)
        fields = bytes([0]) * (size - 1) + bytes([EMPTY])
        state = replace(
            begun, phase="chronology", cards=bytes((1, 2, 3, 4)), hands=hands, fields=fields, bag=bytes(5)
        )
        targets = {event.at for event in legal_for(GAME, state, None).events if isinstance(event, ev.Purple)}
        assert targets == {state.setup.board.names[at] for at in good_removals(state, chips - 1)}
