"""Properties of every game of Zone Control, over random games and options."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import combinations
from math import comb
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gamelog.chance.rng import Random, generator
from gamelog.errors import CannotApply
from gamelog.games.zone_control import GAME as ZONE_CONTROL
from gamelog.games.zone_control.board import SIDES, Board
from gamelog.games.zone_control.effects import Controls, Freed
from gamelog.games.zone_control.events import (
    Challenge,
    ChallengeRoll,
    EndTurn,
    Event,
    FinalRoll,
    MoveRoll,
    Occupy,
    StartRoll,
    Step,
    TimeUp,
)
from gamelog.games.zone_control.state import EMPTY, State
from gamelog.play.contract.effects import Captured, Contest, Over, TurnOver
from gamelog.play.contract.game import AnyGame, Legal
from gamelog.play.contract.seats import legal_for
from gamelog.record import envelope
from gamelog.record.envelope import TABLE
from tests.games.zone_control.arrange import arrange
from tests.games.zone_control.games import UNTIMED, begin_game, kept
from tests.shares import examples

GAME: AnyGame = ZONE_CONTROL
"""The game for folds, legal lists and bots, which may give any event."""

SWITCHES: list[dict[str, Any]] = [
    {},
    UNTIMED,
    {"movement_dice": 1},
    {"movement_dice": 3, "clock_minutes": 20},
    {"challenges_per_zone": 1},
    {"attack_size": "full"},
    {"loss": "ring"},
    {"move_in": "choose", "loss": "ring"},
    {"clock_minutes": 10},
    {"turn_limit": 9},
]


Key = tuple[int, str, tuple[tuple[str, Any], ...]]

keys: st.SearchStrategy[Key] = st.tuples(
    st.integers(0, 4),
    st.sampled_from(["random", "greedy"]),
    st.sampled_from([tuple(options.items()) for options in SWITCHES]),
)
"""The arguments of `kept` for games with at most one option changed."""

every = settings(max_examples=examples(20), deadline=None, suppress_health_check=list(HealthCheck))


def names(state: State, seat: int) -> set[str]:
    """Return the squares of a seat's pieces."""
    return {state.setup.board.names[at] for at, owner in enumerate(state.squares) if owner == seat}


def in_zone(state: State, zone: int) -> Counter[int]:
    """Return the number of pieces in a zone by seat."""
    board = state.setup.board
    owners = (owner for at, owner in enumerate(state.squares) if board.zone_of[at] == zone and owner != EMPTY)
    return Counter(owners)


def check_invariants(state: State) -> None:
    """Raise AssertionError unless each side has 32 pieces, one on a square."""
    assert Counter(state.squares) == {0: 32, 1: 32, 2: 32, 3: 32, EMPTY: 289 - 128}


def fair(state: State) -> None:
    """Raise AssertionError if only illegal play can lead to `state`.

    Legal play leaves one owner in a zone, no piece in a rival's starting grid, and at most ten points in all.
    """
    check_invariants(state)
    board = state.setup.board
    assert all(len(in_zone(state, zone)) <= 1 for zone in range(9))
    assert all(
        owner in (EMPTY, home) for owner, home in zip(state.squares, board.home_of, strict=True) if home < 4
    )
    assert sum(GAME.score(state).values()) <= 10
    assert state.points >= 0


@every
@given(keys)
def test_pieces_stay_on_the_board_and_on_allowed_squares(key: Key) -> None:
    game = kept(*key)
    for state in game.states:
        fair(state)


@every
@given(keys)
def test_a_step_changes_one_place_and_one_point(key: Key) -> None:
    game = kept(*key)
    for before, event, after in game.steps():
        if isinstance(event, Step):
            seat = before.actor
            assert names(before, seat) - names(after, seat) == {event.src}
            assert names(after, seat) - names(before, seat) == {event.dst}
            assert before.points - after.points == 1
            assert all(names(before, other) == names(after, other) for other in range(4) if other != seat)
        elif isinstance(event, MoveRoll):
            assert after.points == sum(event.dice)
        elif not isinstance(event, EndTurn | TimeUp):
            assert after.points == (0 if after.phase in ("final_roll", "over") else before.points)


@every
@given(keys)
def test_challenges_are_as_large_as_allowed_and_send_the_right_pieces_home(key: Key) -> None:
    game = kept(*key)
    for before, event, after in game.steps():
        if isinstance(event, Challenge):
            zone = before.setup.board.zone_index[event.at]
            ((defender, inside),) = in_zone(before, zone).items()
            assert defender != before.actor
            assert 1 <= len(event.attackers) <= min(11, inside + 2)
            assert inside <= 9
            assert before.squares == after.squares
        elif isinstance(event, ChallengeRoll):
            siege, board = before.siege, before.setup.board
            assert siege
            ((defender, inside),) = in_zone(before, siege.zone).items()
            attacker = before.squares[siege.attackers[0]]
            assert (len(event.defence), len(event.attack)) == (inside, len(siege.attackers))
            ring = [
                sum(state.squares[at] == attacker for at in board.rings[siege.zone])
                for state in (before, after)
            ]
            if sum(event.attack) > sum(event.defence):
                assert not in_zone(after, siege.zone)
                assert ring[0] == ring[1]
                loser, gone = defender, inside
            else:
                assert in_zone(after, siege.zone) == in_zone(before, siege.zone)
                everybody = before.setup.options.loss == "ring"
                loser, gone = attacker, ring[0] if everybody else len(siege.attackers)
                assert ring[0] - ring[1] == gone
            homes = [
                sum(board.home_of[at] == loser == state.squares[at] for at in range(289))
                for state in (before, after)
            ]
            assert homes[1] - homes[0] == gone
            assert all(names(before, seat) == names(after, seat) for seat in range(4) if seat != loser)
        elif isinstance(event, Occupy):
            assert before.siege
            ((winner, inside),) = in_zone(after, before.siege.zone).items()
            assert inside == len(event.placement) <= len(before.siege.attackers)
            assert names(before, winner) - names(after, winner) == set(event.placement)


@every
@given(keys)
def test_home_is_the_first_empty_place_of_the_return_order(key: Key) -> None:
    game = kept(*key)
    order = GAME.boards["zc289"]()["return_order"]
    for before, event, after in game.steps():
        if not isinstance(event, ChallengeRoll):
            continue
        for seat, side in enumerate(SIDES):
            came = names(after, seat) - names(before, seat)
            vacant = [name for name in order[side] if name not in names(before, seat)]
            assert came == set(vacant[: len(came)])


def expected_outcome(state: State) -> tuple[str, list[str]]:
    """Return the reason and the leaders by the words of RULES.md, computed from the squares alone."""
    zones = dict.fromkeys(SIDES, 0)
    pieces = dict(zones)
    for zone, name in enumerate(state.setup.board.zones):
        for seat, count in in_zone(state, zone).items():
            zones[SIDES[seat]] += 2 if name == "5" else 1
            pieces[SIDES[seat]] += count
    best = [side for side in SIDES if zones[side] == max(zones.values())]
    if len(best) == 1:
        return "zones", best
    most = [side for side in best if pieces[side] == max(pieces[other] for other in best)]
    return ("pieces" if len(most) == 1 else "roll_off"), most


@every
@given(keys)
def test_the_best_by_zones_pieces_and_dice_wins(key: Key) -> None:
    game = kept(*key)
    last = game.states[-1]
    reason, best = expected_outcome(last)
    assert last.outcome.reason == reason
    if reason == "roll_off":
        rolls = [event.rolls for event in game.events if isinstance(event, FinalRoll)]
        assert list(rolls[0]) == best
        for dice, again in zip(rolls, [*rolls[1:], None], strict=True):
            sums = {side: sum(faces) for side, faces in dice.items()}
            best = [side for side in dice if sums[side] == max(sums.values())]
            assert again is None or list(again) == best
    assert last.outcome.winners == tuple(best)


@every
@given(keys)
def test_turns_go_round_and_end_with_the_clock_or_the_limit(key: Key) -> None:
    game = kept(*key)
    options = game.states[0].setup.options
    turns = [event.by for event in game.events if isinstance(event, MoveRoll)]
    first = SIDES.index(turns[0])
    assert turns == [SIDES[(first + turn) % 4] for turn in range(len(turns))]
    started = next(event.t for event in game.events if isinstance(event, MoveRoll))
    calls = [event for event in game.events if isinstance(event, TimeUp)]
    if calls:
        deadline = started + 60_000 * options.clock_minutes
        (call,) = calls
        assert call.by == TABLE and call.t >= deadline
        late = [event for event in game.events if event.t >= deadline and event is not call]
        assert all(isinstance(event, ChallengeRoll | Occupy | FinalRoll) for event in late)
    else:
        assert len(turns) == options.turn_limit
        assert sum(isinstance(event, EndTurn) for event in game.events) == options.turn_limit


@every
@given(keys)
def test_effects_agree_with_the_states(key: Key) -> None:
    game = kept(*key)
    for before, event, after in game.steps():
        effects = GAME.effects(before, event, after)
        tags = [msgspec.to_builtins(effect)["effect"] for effect in effects]
        assert [effect for effect in effects if isinstance(effect, Over)] == (
            [Over(after.outcome.winners, after.outcome.reason)] if after.outcome else []
        )
        assert (tags.count("contest"), tags.count("sent_home")) == (
            (1, 1) if isinstance(event, ChallengeRoll) else (0, 0)
        )
        assert all(0 < effect.odds < 1 for effect in effects if isinstance(effect, Contest))
        assert any(isinstance(effect, TurnOver) for effect in effects) == isinstance(event, EndTurn)
        assert any(isinstance(effect, Captured) for effect in effects) == (
            after.phase == "occupy" != before.phase
        )
        old, new = (
            {name: zone["holder"] for name, zone in words(state)["zones"].items()}
            for state in (before, after)
        )
        gained = {effect.at: effect.seat for effect in effects if isinstance(effect, Controls)}
        assert gained == {zone: held for zone, held in new.items() if held in SIDES and held != old[zone]}
        freed = {effect.at for effect in effects if isinstance(effect, Freed)}
        assert freed == {
            zone for zone, held in new.items() if held == "free" != old[zone] and after.phase != "occupy"
        }
        assert tags.count("standing") == (
            4 if after.phase in ("final_roll", "over") and not isinstance(event, FinalRoll) else 0
        )


def words(state: State) -> dict[str, Any]:
    assert GAME.describe
    return GAME.describe(state)


HALF_TURN = dict(zip(SIDES, ("south", "west", "north", "east"), strict=True))
MIRRORS = {
    "main diagonal": dict(zip(SIDES, ("west", "south", "east", "north"), strict=True)),
    "other diagonal": dict(zip(SIDES, ("east", "north", "west", "south"), strict=True)),
}


def squares_under(how: str) -> dict[str, str]:
    """Return the image of each square."""
    board = begin_game().setup.board
    at = dict(zip(board.places, board.names, strict=True))
    images: dict[str, Callable[[float, float], tuple[float, float]]] = {
        "half turn": lambda x, y: (20 - x, 20 - y),
        "main diagonal": lambda x, y: (y, x),
        "other diagonal": lambda x, y: (20 - y, 20 - x),
    }
    image = images[how]
    return {name: at[image(*place)] for place, name in at.items()}


def zones_under(squares: dict[str, str]) -> dict[str, str]:
    zones = GAME.boards["zc289"]()["zones"]
    return {
        zone: next(other for other, inside in zones.items() if squares[those[0]] in inside)
        for zone, those in zones.items()
    }


def rename_values(value: Any, table: dict[str, str]) -> Any:
    """Return plain data with every name in `table` replaced, also in keys."""
    if isinstance(value, dict):
        return {rename_values(key, table): rename_values(item, table) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [rename_values(item, table) for item in value]
    return table.get(value, value) if isinstance(value, str) else value


def unordered(position: dict[str, Any]) -> dict[str, Any]:
    """Return the words of a position with unordered lists sorted."""
    away = {side: sorted(squares) for side, squares in position["away"].items()}
    return position | {"away": away, "rolling": sorted(position["rolling"])}


@pytest.mark.parametrize("index", range(3))
def test_the_half_turn_commutes_with_play(index: int) -> None:
    squares = squares_under("half turn")
    table = squares | zones_under(squares) | HALF_TURN
    game = kept(index, "random", tuple(UNTIMED.items()))
    theirs: State = game.states[0]
    for event, ours in zip(game.events, game.states[1:], strict=True):
        image = msgspec.convert(rename_values(msgspec.to_builtins(event), table), type(event))
        assert GAME.check(theirs, image) is None, image
        theirs = GAME.apply(theirs, image)
        assert unordered(rename_values(words(ours), table)) == unordered(rename_values(words(theirs), {}))


def by_rows(position: dict[str, Any]) -> dict[str, Any]:
    """Return the words of a position with the starting grids counted by row, and without the next player."""
    places = GAME.boards["zc289"]()["squares"]
    depth = {"north": 1, "east": 0, "south": 1, "west": 0}
    rows = {
        side: Counter(places[name][depth[side]] for name in vacant)
        for side, vacant in position["vacant"].items()
    }
    return unordered(position) | {"vacant": rows, "on_turn": None, "first": None}


@pytest.mark.parametrize("how", MIRRORS)
def test_the_mirror_images_commute_but_for_places_within_a_row(how: str) -> None:
    squares = squares_under(how)
    table = squares | zones_under(squares) | MIRRORS[how]
    game = kept(3, "random", ())
    start = game.states[0]
    for before, event, after in game.steps():
        theirs = arrange(start, rename_values(words(before), table))
        image = msgspec.convert(rename_values(msgspec.to_builtins(event), table), type(event))
        assert GAME.check(theirs, image) is None, image
        assert by_rows(rename_values(words(after), table)) == by_rows(
            rename_values(words(GAME.apply(theirs, image)), {})
        )


@every
@given(keys)
def test_states_convert_to_words_and_back(key: Key) -> None:
    game = kept(*key)
    start = game.states[0]
    for state in game.some_states(generator("words"), 20):
        assert arrange(start, words(state)) == state
        assert msgspec.json.decode(msgspec.json.encode(state), type=State) == state


def candidates(state: State) -> Iterator[Event]:
    """Yield steps between near squares and challenges by at most two pieces, of every seat."""
    board = state.setup.board
    for by in SIDES:
        yield EndTurn(0, 0, by)
        for src, name in enumerate(board.names):
            near = {there for here in board.neighbours[src] for there in board.neighbours[here]} | set(
                board.neighbours[src]
            )
            for dst in near:
                yield Step(0, 0, by, name, board.names[dst])
        for at, zone in enumerate(board.zones):
            ring = [board.names[square] for square in board.rings[at]]
            for size in (0, 1, 2):
                for attackers in combinations(ring, size):
                    yield Challenge(0, 0, by, zone, attackers)


@pytest.mark.parametrize("options", [{}, {"challenges_per_zone": 1}, {"attack_size": "full"}], ids=str)
def test_the_legal_list_has_exactly_the_decisions_that_check_accepts(options: dict[str, Any]) -> None:
    game = kept(2, "random", tuple((UNTIMED | options).items()))
    rng = generator("legal")
    acting = [state for state in game.states if state.phase == "act"]
    besieging = [state for state in acting if not legal_for(GAME, state, None).complete]
    assert besieging
    for state in [*rng.sample(acting, 6), *rng.sample(besieging, 3)]:
        legal = legal_for(GAME, state, None)
        small = {
            event for event in legal.events if not isinstance(event, Challenge) or len(event.attackers) <= 2
        }
        assert small == {event for event in candidates(state) if GAME.check(state, event) is None}
        assert len(set(legal.events)) == len(legal.events)
        assert all(GAME.check(state, event) is None for event in legal.events)


@pytest.mark.parametrize("move_in", ["all_fit", "choose"])
def test_ways_to_move_in_are_sets_of_squares(move_in: str) -> None:
    away = {"south": ["j10", "k10"], "north": ["j9", "k9", "l9"]}
    state = arrange(begin_game(move_in=move_in), {"away": away})
    state = GAME.apply(state, Challenge(0, 0, "north", "5", ("j9", "k9", "l9")))
    state = GAME.apply(state, ChallengeRoll(0, 0, "north", (1, 1), (6, 6, 6)))
    ways = legal_for(GAME, state, None).events
    assert all(GAME.check(state, way) is None for way in ways)
    found = {
        (frozenset(way.placement), frozenset(way.placement.values()))
        for way in ways
        if isinstance(way, Occupy)
    }
    assert len(found) == len(ways) == {"all_fit": 84, "choose": 3 * 9 + 3 * 36 + 84}[move_in]


def results(state: State) -> tuple[Counter[tuple[str, int]], Legal]:
    """Return the number of results in the list of `state` by zone and size, and the list."""
    legal = legal_for(GAME, state, None)
    distinct = {
        (event.at, frozenset(event.attackers), frozenset())
        if isinstance(event, Challenge)
        else (event.at, frozenset(event.placement), frozenset(event.placement.values()))
        for event in legal.events
        if isinstance(event, Challenge | Occupy)
    }
    assert len(distinct) == sum(isinstance(event, Challenge | Occupy) for event in legal.events)
    return Counter((at, len(pieces)) for at, pieces, _ in distinct), legal


def besieged(**options: Any) -> State:
    """Return a position in which north, to move, fills the rings of two zones with nine rival pieces each."""
    board = begin_game().setup.board
    zone = {
        at: [board.names[square] for square in range(lo, lo + 9)]
        for at in ("2", "8")
        for lo in [_first(board, at)]
    }
    rings = [board.names[at] for which in ("2", "8") for at in board.rings[board.zones.index(which)]]
    return arrange(begin_game(**options), {"away": {"north": rings, "south": zone["8"], "east": zone["2"]}})


def _first(board: Board, zone: str) -> int:
    return board.zones_from + 9 * board.zones.index(zone)


def test_every_set_of_attackers_is_listed_in_two_full_sieges() -> None:
    counted, legal = results(besieged())
    assert counted == {(zone, size): comb(14, size) for zone in ("2", "8") for size in range(1, 12)}
    assert not legal.complete and not legal.cut


@pytest.mark.parametrize("move_in", ["all_fit", "choose"])
def test_every_way_of_eleven_to_move_in_is_listed(move_in: str) -> None:
    state = besieged(move_in=move_in)
    ring = [state.setup.board.names[at] for at in state.setup.board.rings[state.setup.board.zones.index("2")]]
    state = GAME.apply(state, Challenge(0, 0, "north", "2", tuple(ring[:11])))
    state = GAME.apply(state, ChallengeRoll(0, 0, "north", (1,) * 9, (6,) * 11))
    counted, legal = results(state)
    sizes = [9] if move_in == "all_fit" else range(1, 10)
    assert counted == {("2", size): comb(11, size) * comb(9, size) for size in sizes}
    assert not legal.complete and not legal.cut


def test_a_list_that_would_be_too_long_is_cut_and_has_every_size(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gamelog.games.zone_control.choices.MAX_LISTED", 1000)
    state = besieged()
    counted, legal = results(state)
    assert legal.cut and not legal.complete
    assert set(counted) == {(zone, size) for zone in ("2", "8") for size in range(1, 12)}
    assert all(GAME.check(state, event) is None for event in legal.events)


def nonsense(state: State, rng: Random) -> Event:
    """Return an event with a random type, seat, squares and dice, which may be legal."""
    board = state.setup.board
    by = rng.choice((*SIDES, TABLE, "nobody"))
    squares = [rng.choice((*board.names, "z9", "")) for _ in range(4)]
    here = rng.choice(board.neighbours[board.index.get(squares[0], 0)])
    zone = rng.randrange(9)
    ring = [board.names[at] for at in board.rings[zone] if state.squares[at] != EMPTY]
    dice = [
        tuple(rng.randint(-1 if rng.random() < 0.1 else 1, 6) for _ in range(rng.randint(0, 9)))
        for _ in range(4)
    ]
    attackers = tuple(ring if rng.random() < 0.5 else squares[: rng.randint(0, 4)])
    if state.siege and rng.random() < 0.5:
        zone, attackers = state.siege.zone, tuple(board.names[at] for at in state.siege.attackers)
        by = SIDES[state.squares[state.siege.attackers[0]]]
    return rng.choice(
        (
            StartRoll(
                0, 0, by, {seat: rng.randint(0, 7) for seat in (*SIDES, "nobody") if rng.random() < 0.8}
            ),
            MoveRoll(0, 0, by, dice[0]),
            Step(0, 0, by, squares[0], board.names[here]),
            Step(0, 0, by, squares[0], squares[1]),
            Challenge(0, 0, by, rng.choice((*board.zones, "12")), attackers),
            Challenge(0, 0, by, board.zones[zone], attackers),
            ChallengeRoll(0, 0, by, dice[0], dice[1]),
            Occupy(0, 0, by, board.zones[zone], dict(zip(attackers, squares, strict=False))),
            EndTurn(0, 0, by),
            FinalRoll(0, 0, by, dict(zip(SIDES, dice, strict=True))),
            TimeUp(0, 0, by) if rng.random() < 0.001 else EndTurn(0, 0, by),
        )
    )


@pytest.mark.parametrize("index", range(5))
def test_any_event_is_judged_and_leaves_a_playable_position(index: int) -> None:
    rng = generator("nonsense", index)
    first = state = begin_game(**({"turn_limit": 60} | SWITCHES[2 * index] if index != 0 else UNTIMED))
    stood = 0
    for _ in range(20_000):
        pending = GAME.pending(state)
        if pending.outcome and stood > 20:
            break
        if pending.outcome:  # play one more game, because a short game has few illegal events that counted
            state = first
            continue
        event: envelope.Event
        if rng.random() < 0.5:
            event = nonsense(state, rng)
        elif pending.chance:
            results = tuple(
                tuple(rng.randint(1, 6) for _ in range(draw.count)) for draw in pending.chance.draws
            )
            event = GAME.chance(state, results)
        else:
            event = GAME.bots[rng.choice(("random", "random", "greedy", "strong"))](state, pending.by[0], rng)
        found = GAME.check(state, event)
        try:
            after = GAME.apply(state, event)
        except CannotApply:
            assert found, "apply is total on what check accepts"
        else:
            GAME.effects(state, event, after)
            check_invariants(after)
            stood += found is not None
            state = after
    assert GAME.pending(state).outcome
    assert stood > 20
