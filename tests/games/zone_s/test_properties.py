"""Properties of every game of Zone S, tested over random games, options, boards and rosters."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gamelog.chance.rng import Random, generator
from gamelog.chance.stream import draw_results
from gamelog.errors import CannotApply
from gamelog.games.zone_s.abilities import can_deploy, deployments
from gamelog.games.zone_s.board import SIDES
from gamelog.games.zone_s.events import (
    Coin,
    Deploy,
    DrawTile,
    Move,
    Pass,
    PlaceBase,
    PlaceTile,
    ReturnInfantry,
    Shoot,
    Summon,
)
from gamelog.games.zone_s.roster import TERRAINS
from gamelog.games.zone_s.scene import describe
from gamelog.games.zone_s.state import (
    BASE,
    DEPLOYED_PIECES,
    OPEN,
    WALL,
    State,
    captured_count,
    deployed_count,
)
from gamelog.play.contract.effects import Over, TurnOver
from gamelog.play.contract.seats import legal_for
from gamelog.record.envelope import ARBITER, TABLE, Event
from gamelog.testing.plays import Play
from tests.games.zone_s.arrange import arrange
from tests.games.zone_s.games import GAME, NARROW, NARROW_TILES, SWITCHES, begin, play, reference
from tests.shares import examples

Case = tuple[int, str, dict[str, Any] | None]
"""A game: its number, its bot and its options; None stands for another board. It is short in failure messages."""

CASES: st.SearchStrategy[Case] = st.tuples(
    st.integers(0, 10**6), st.sampled_from(["random", "greedy"]), st.sampled_from([*SWITCHES, None])
)


def played(case: Case) -> Play:
    index, bot, options = case
    return (
        play(index, bot, NARROW, tile_counts=NARROW_TILES) if options is None else play(index, bot, **options)
    )


every = settings(
    max_examples=examples(25),
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


def check_invariants(state: State, strict: bool = True) -> None:
    """Assert that no piece is lost or new, and that each tile holds one; `strict`: none is on a restricted tile."""
    setup = state.setup
    kinds = setup.roster.kinds
    assert len(state.pieces) == len(state.terrain) == setup.board.size
    for code in range(1, len(kinds)):
        assert captured_count(state, code) >= 0
    for at, code in enumerate(state.pieces):
        assert not code or OPEN < state.terrain[at] < BASE
        assert not strict or not code or state.terrain[at] != kinds[code].restricted
        assert (state.terrain[at] == WALL) == (not setup.board.names[at])
    assert state.terrain.count(BASE) == sum(base >= 0 for base in state.bases)
    assert all(
        state.terrain[base] == BASE and setup.board.halves[base] == side
        for side, base in enumerate(state.bases)
        if base >= 0
    )
    for number, terrain in enumerate(TERRAINS, 1):
        assert state.terrain.count(number) + (state.hand == number) <= setup.options.tile_counts.get(
            terrain, 0
        )
    assert len(state.history) <= state.actions


@every
@given(CASES)
def test_pieces_and_terrain_stay_consistent(case: Case) -> None:
    game = played(case)
    revealed = None
    for state in game.states:
        check_invariants(state)
        if state.phase in ("play", "return", "over"):
            revealed = revealed or state.terrain
            assert state.terrain == revealed and OPEN not in revealed, (
                "terrain changes after the screen is gone"
            )


@every
@given(CASES)
def test_can_deploy_agrees_with_the_list_of_deployments(case: Case) -> None:
    for state in played(case).states:
        if state.phase == "deploy":
            own, first = state.setup.roster.own, state.setup.roster.homebound
            for side in range(len(SIDES)):
                assert sorted(first[side]) == sorted(own[side])
                left = deployed_count(state, side) < DEPLOYED_PIECES and any(
                    True for _ in deployments(state, side)
                )
                assert can_deploy(state, side) == left


@every
@given(CASES)
def test_captured_pieces_are_missing_from_the_other_side(case: Case) -> None:
    game = played(case)
    for state in game.states:
        kinds, own = state.setup.roster.kinds, state.setup.roster.own
        score = GAME.score(state)
        for side, seat in enumerate(state.setup.seats):
            enemy = own[1 - side]
            total = sum(kinds[code].cost * kinds[code].count for code in enemy)
            left = sum(kinds[code].cost * (state.reserve[code] + state.pieces.count(code)) for code in enemy)
            assert score[seat] + left == total


@every
@given(CASES)
def test_a_protected_piece_is_captured_only_with_support(case: Case) -> None:
    game = played(case)
    oracle = reference(game.states[0])
    for before, event, after in game.steps():
        if isinstance(event, Move | Shoot):
            words = describe(before)
            if event.dst in words["pieces"]:
                assert oracle.may_take(words, event.src, event.dst)
                prey = words["pieces"][event.dst]
                lost = describe(after)["captures"][event.by].get(prey, 0) - words["captures"][event.by].get(
                    prey, 0
                )
                assert lost >= 1


@every
@given(CASES)
def test_the_game_ends_when_it_should_and_not_before(case: Case) -> None:
    game = played(case)
    options = game.states[0].setup.options
    seen: list[tuple[bytes, bytes, int]] = []
    quiet = passes = 0
    for before, event, after in game.steps():
        if isinstance(event, Coin):
            seen = [(after.pieces, after.reserve, after.actor)]
        if not isinstance(event, Move | Shoot | Summon | Pass):
            continue
        taking = isinstance(event, Shoot | Summon) or before.pieces.count(0) != after.pieces.count(0)
        quiet, passes = 0 if taking else quiet + 1, passes + 1 if isinstance(event, Pass) else 0
        if after.phase == "return":
            continue
        seen.append((after.pieces, after.reserve, 1 - before.actor))
        expected = None
        if passes == 2:
            expected = "passes"
        elif not taking and seen.count(seen[-1]) >= options.repetitions:
            expected = "repetition"
        elif quiet >= options.max_quiet:
            expected = "quiet"
        elif after.actions >= options.max_actions:
            expected = "limit"
        if after.outcome is None or after.outcome.reason != "base":
            assert (after.outcome.reason if after.outcome else None) == expected
    last = game.states[-1]
    assert last.outcome is not None and last.actions <= options.max_actions
    if last.outcome.reason != "base":
        score = GAME.score(last)
        best = max(score.values())
        leaders = tuple(seat for seat, points in score.items() if points == best)
        assert last.outcome.winners == (leaders if len(leaders) == 1 else ())


@every
@given(CASES)
def test_effects_agree_with_the_states(case: Case) -> None:
    game = played(case)
    for before, event, after in game.steps():
        effects = {
            type(effect).__struct_config__.tag: effect for effect in GAME.effects(before, event, after)
        }
        struck = isinstance(event, Move | Shoot) and bool(before.pieces[before.setup.board.index[event.dst]])
        assert ("taken" in effects) == struck
        assert ("entered" in effects) == isinstance(event, Deploy | Summon)
        assert ("unveiled" in effects) == isinstance(event, Coin)
        assert ("restored" in effects) == isinstance(event, ReturnInfantry)
        assert effects.get("over") == (
            Over(after.outcome.winners, after.outcome.reason) if after.phase == "over" else None
        )
        acted = before.phase in ("play", "return") and after.phase != "return"
        seats = after.setup.seats
        assert effects.get("turn_over") == (
            TurnOver(event.by, None if after.outcome else seats[after.actor]) if acted else None
        )


@every
@given(CASES)
def test_states_survive_a_round_trip_through_words(case: Case) -> None:
    game = played(case)
    begun = game.states[0]
    for state in game.some_states(generator("words"), 30):
        assert arrange(begun, describe(state)) == state
        assert msgspec.json.decode(msgspec.json.encode(state), type=State) == state


def candidates(state: State) -> Iterator[Event]:
    """Yield every decision of every seat with every kind and slot."""
    names, kinds = sorted(state.setup.board.index), sorted(state.setup.roster.codes)
    for by in state.setup.seats:
        yield Pass(0, 0, by)
        for kind in kinds:
            yield ReturnInfantry(0, 0, by, kind)
            for at in names:
                yield Deploy(0, 0, by, kind, at)
                yield Summon(0, 0, by, kind, at)
        for at in names:
            yield PlaceBase(0, 0, by, at)
            yield PlaceTile(0, 0, by, at)
            for dst in names:
                yield Move(0, 0, by, at, dst)
                yield Move(0, 0, by, at, dst, "leap")
                yield Shoot(0, 0, by, at, dst)


@pytest.mark.parametrize("options", [SWITCHES[0], SWITCHES[-1]])
def test_the_legal_list_is_the_decisions_that_check_accepts(options: dict[str, Any]) -> None:
    game = play(5, **options)
    returns = [state for state in game.states if state.phase == "return"]
    phases: set[str] = set()
    actions = [state for state in game.states if state.phase == "play"]
    for state in [*game.some_states(generator("legal"), 12), *actions[:4], *returns[:2], game.states[-1]]:
        legal = legal_for(GAME, state, None)
        assert legal.complete
        assert len(set(legal.events)) == len(legal.events)
        assert set(legal.events) == {event for event in candidates(state) if GAME.check(state, event) is None}
        phases.add(state.phase)
    assert {"base", "tile", "play", "over"} <= phases


def nonsense(state: State, rng: Random) -> Event:
    """Draw an event of any type, seat, slot and kind, sensible events among them."""
    names = (*state.setup.board.index, "z9", "")
    by = rng.choice((*state.setup.seats, TABLE, ARBITER, "nobody"))
    at, to, kind = rng.choice(names), rng.choice(names), rng.choice((*state.setup.roster.codes, "XX", ""))
    if rng.random() < 0.5 and any(state.pieces):
        at = rng.choice(
            [name for name in state.setup.board.index if state.pieces[state.setup.board.index[name]]]
        )
    return rng.choice(
        (
            PlaceBase(0, 0, by, at),
            DrawTile(0, 0, by, rng.choice((*TERRAINS, "swamp"))),  # type: ignore[arg-type]  # nonsense on purpose
            PlaceTile(0, 0, by, to),
            Deploy(0, 0, by, kind, to),
            Coin(0, 0, by, by),  # type: ignore[arg-type]  # nonsense on purpose
            Move(0, 0, by, at, to, rng.choice(("slide", "leap"))),
            Shoot(0, 0, by, at, to),
            Summon(0, 0, by, kind, to),
            ReturnInfantry(0, 0, by, kind),
            Pass(0, 0, by),
        )
    )


@pytest.mark.parametrize("options", SWITCHES)
def test_any_event_is_judged_and_leaves_a_playable_position(options: dict[str, Any]) -> None:
    rng = generator("nonsense", SWITCHES.index(options))
    stood = 0
    for _ in range(4):
        state = begin(**options)
        while not GAME.pending(state).outcome:
            state, illegal = muddled(state, rng)
            stood += illegal
            check_invariants(state, strict=False)
    assert stood


def muddled(state: State, rng: Random) -> tuple[State, bool]:
    """Return the state after a possible event, or `state`, and whether the event was illegal."""
    pending = GAME.pending(state)
    if rng.random() < 0.6:
        event = nonsense(state, rng)
    elif pending.chance:
        event = GAME.chance(state, draw_results(b"nonsense", rng.randbytes(8), pending.chance.draws))
    else:
        event = GAME.bots[rng.choice(("random", "greedy"))](state, pending.by[0], rng)
    found = GAME.check(state, event)
    try:
        after = GAME.apply(state, event)
    except CannotApply:
        assert found, "apply is total on what check accepts"
        return state, False
    GAME.effects(state, event, after)
    for seat in (None, *SIDES):
        GAME.scene(after, seat)
    return after, found is not None
