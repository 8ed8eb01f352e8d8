"""The set-up from the empty board to the coin, and the parts that the screen hides."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from gamelog.chance.rng import generator
from gamelog.games.zone_s.board import SIDES
from gamelog.games.zone_s.events import Coin, Deploy, DrawTile, Event, PlaceBase, PlaceTile
from gamelog.games.zone_s.roster import TERRAINS, Terrain
from gamelog.games.zone_s.scene import describe
from gamelog.games.zone_s.state import BASE, OPEN, State
from gamelog.play.contract.seats import legal_for
from gamelog.record.envelope import TABLE, tag_of
from tests.games.zone_s.arrange import read_layout
from tests.games.zone_s.games import GAME, begin, play
from tests.games.zone_s.games import given as position
from tests.shares import examples

FIRST = {
    "dominion": [("SP", "c1"), ("AR", "e2"), ("VA", "d2")],
    "separatists": [("WA", "b4"), ("TW", "c6"), ("HT", "d5")],
}


def build(layout: str) -> list[Event]:
    """Return the events that lay out `layout`, deploy the pieces of `FIRST` and toss the coin."""
    begun = begin()
    terrain, bases = read_layout(layout, begun)
    events: list[Event] = [PlaceBase(0, 0, seat, bases[seat]) for seat in SIDES]
    halves = begun.setup.board.halves
    own = [[name for name in terrain if halves[begun.setup.board.index[name]] == side] for side in range(2)]
    for pair in zip(*own, strict=True):
        for seat, name in zip(SIDES, pair, strict=True):
            drawn: Terrain = next(kind for kind in TERRAINS if kind == terrain[name])
            events += [DrawTile(0, 0, seat, drawn), PlaceTile(0, 0, seat, name)]
    events += [Deploy(0, 0, seat, kind, at) for seat in SIDES for kind, at in FIRST[seat]]
    return [*events, Coin(0, 0, TABLE, "separatists")]


def test_a_layout_is_built_in_eighty_one_events() -> None:
    state, events = begin(), build("L1")
    for event in events:
        assert GAME.check(state, event) is None, event
        state = GAME.apply(state, event)
    assert Counter(tag_of(type(event)) for event in events) == {
        "place_base": 2, "draw_tile": 36, "place_tile": 36, "deploy": 6, "coin": 1,
    }  # fmt: skip
    pieces = {at: kind for seat in SIDES for kind, at in FIRST[seat]}
    assert state == position({"pieces": pieces, "on_turn": "separatists"})


def test_the_layout_has_the_tiles_it_should() -> None:
    terrain, bases = read_layout("L1", begin())
    assert Counter(terrain.values()) == dict.fromkeys(TERRAINS, 9)
    assert bases == {"dominion": "d1", "separatists": "d6"}
    mine = Counter(what for name, what in terrain.items() if name[1] in "123")
    assert mine == {"fields": 6, "forest": 5, "hills": 4, "water": 3}


@pytest.mark.parametrize("index", range(40))
def test_in_every_game_each_side_deploys_three_pieces_and_the_first_side_can_act(index: int) -> None:
    game = play(index, max_actions=1)
    tags = Counter(tag_of(type(event)) for event in game.events)
    assert (tags["deploy"], tags["draw_tile"], tags["place_tile"], tags["coin"], tags["pass"]) == (
        6,
        36,
        36,
        1,
        0,
    )


def scrambled(state: State, side: int, seed: int) -> State:
    """Return `state` with the hidden half of `side` shuffled: base, tiles, pieces and the drawn tile."""
    rng = generator("scrambled", seed)
    board = state.setup.board
    half = [at for at, owner in enumerate(board.halves) if owner == side]
    order = rng.sample(half, len(half))
    terrain, pieces = bytearray(state.terrain), bytearray(state.pieces)
    for here, there in zip(half, order, strict=True):
        terrain[there], pieces[there] = state.terrain[here], state.pieces[here]
    bases = list(state.bases)
    if bases[side] >= 0:
        bases[side] = terrain.index(BASE, min(half))
        if board.halves[bases[side]] != side:
            bases[side] = next(at for at in half if terrain[at] == BASE)
    shown = [number for number in range(1, 5) if terrain.count(number)]
    hand = rng.choice(shown) if state.hand and state.actor == side and shown else state.hand
    return replace(state, terrain=bytes(terrain), pieces=bytes(pieces), bases=(bases[0], bases[1]), hand=hand)


@settings(max_examples=examples(60), deadline=None)
@given(st.integers(0, 10), st.integers(1, 81), st.sampled_from(SIDES), st.integers(0, 99))
def test_all_halves_behind_the_screen_look_the_same(index: int, at: int, seat: str, seed: int) -> None:
    state = play(index, max_actions=1).states[at]
    other = scrambled(state, 1 - SIDES.index(seat), seed)
    if state.phase == "play":
        assert GAME.observe(state, seat) is state
        return
    seen = GAME.observe(state, seat)
    assert seen == GAME.observe(other, seat)
    assert GAME.observe(seen, seat) == seen
    assert GAME.scene(state, seat) == GAME.scene(seen, seat) == GAME.scene(other, seat)
    assert GAME.score(seen) == dict.fromkeys(SIDES, 0)
    if seat in GAME.pending(state).by:
        assert legal_for(GAME, seen, None) == legal_for(GAME, state, None)
        for bot in GAME.bots.values():
            chosen = bot(seen, seat, generator("bot", seed))
            assert GAME.check(state, chosen) is None
            assert chosen == bot(GAME.observe(other, seat), seat, generator("bot", seed))


def test_a_seat_sees_the_other_half_face_down() -> None:
    state = begin()
    for event in build("L1")[:-1]:
        state = GAME.apply(state, event)
    words = describe(GAME.observe(state, "dominion"))
    assert words["bases"] == {"dominion": "d1"}
    assert words["pieces"] == {"c1": "SP", "e2": "AR", "d2": "VA"}
    assert words["reserve"]["separatists"] == {"WA": 3, "LO": 3, "TW": 3, "HT": 1}
    assert {what for name, what in words["terrain"].items() if name[1] in "456"} == {"hidden"}
    assert "hidden" not in {what for name, what in words["terrain"].items() if name[1] in "123"}
    everything = GAME.observe(state, None)
    assert everything is state and OPEN not in everything.terrain
