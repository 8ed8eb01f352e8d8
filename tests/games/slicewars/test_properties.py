"""Properties of every game of SliceWars, over random games, options and boards."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any, cast

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gamelog.chance.rng import Random, generator
from gamelog.errors import CannotApply
from gamelog.games.slicewars import GAME
from gamelog.games.slicewars.board import Board, is_connected
from gamelog.games.slicewars.events import (
    Add,
    Attack,
    Battle,
    ClaimLand,
    Event,
    Pass,
    Place,
    RemovalRoll,
    Remove,
    StartRoll,
)
from gamelog.games.slicewars.state import FREE, OWNERLESS, VOID, State, start
from gamelog.play.contract.effects import Contest, Discarded, Income, Out, Over, TurnOver
from gamelog.play.contract.outcome import Outcome
from gamelog.play.contract.seats import legal_for, sample_for
from gamelog.record import envelope
from gamelog.record.envelope import TABLE
from gamelog.testing.plays import Play
from tests.games.slicewars.arrange import arrange
from tests.games.slicewars.games import play
from tests.shares import examples

SWITCHES: list[dict[str, Any]] = [
    {},
    {"removed": "void"},
    {"keep_connected": True},
    {"must_take_ownerless": True},
    {"check": "actor"},
    {"full_tie": "continue", "max_rounds": 40},
    {"max_rounds": 3},
]


@st.composite
def plays(draw: st.DrawFn) -> Play:
    """Draw a whole game of any size, with at most one option changed."""
    players, index = draw(st.integers(2, 6)), draw(st.integers(0, 10**6))
    bot, board = draw(st.sampled_from(["random", "greedy"])), draw(st.sampled_from(["hex50", "hex36"]))
    options = draw(st.sampled_from([*SWITCHES, {"extra_ownerless": 2 * players}]))
    return play(index, players, bot, board, **options)


every = settings(max_examples=examples(25), deadline=None, suppress_health_check=list(HealthCheck))


def land(state: State, seat: int) -> list[int]:
    return [at for at, owner in enumerate(state.owners) if owner == seat]


def dice(state: State, seat: int) -> int:
    return sum(state.dice[at] for at in land(state, seat))


def full(state: State, seat: int) -> bool:
    return all(state.dice[at] == 6 for at in land(state, seat))


def seats(state: State) -> range:
    return range(len(state.setup.seats))


def check_sound(state: State) -> None:
    """Raise AssertionError unless each territory has a valid owner with a valid number of dice."""
    allowed = {OWNERLESS: {7}, FREE: {0}, VOID: {0}} | {seat: set(range(1, 7)) for seat in seats(state)}
    assert len(state.owners) == len(state.dice) == len(state.setup.board.names)
    assert all(count in allowed[owner] for owner, count in zip(state.owners, state.dice, strict=True))
    assert FREE not in state.owners or not state.round
    assert not (state.hand and state.phase in ("claim", "attack", "over"))


@every
@given(plays())
def test_land_and_dice_stay_sound(game: Play) -> None:
    for state in game.states:
        check_sound(state)


@every
@given(plays())
def test_dice_come_and_go_as_the_rules_say(game: Play) -> None:
    for before, event, after in game.steps():
        change = {seat: dice(after, seat) - dice(before, seat) for seat in seats(before)}
        if isinstance(event, ClaimLand | Add | Place):
            assert change.pop(before.actor) == 1
        elif isinstance(event, Battle):
            assert before.attack
            src, dst = before.attack
            attacker, owner = before.owners[src], before.owners[dst]
            if sum(event.attack) > sum(event.defence):
                assert after.owners[dst] == attacker
                assert (after.dice[src], after.dice[dst]) == (1, before.dice[src] - 1)
                assert change.pop(attacker) == 0
                assert change.pop(owner, -before.dice[dst]) == -before.dice[dst]
            else:
                assert after.owners == before.owners
                assert (after.dice[src], after.dice[dst]) == (1, before.dice[dst])
                assert change.pop(attacker) == 1 - before.dice[src]
        assert not any(change.values()), (event, change)


def groups(board: Board, territories: list[int]) -> list[set[int]]:
    """Return the connected groups of `territories`, by merging groups that touch."""
    found: list[set[int]] = []
    for at in territories:
        touching = [group for group in found if group & set(board.neighbours[at])]
        found = [group for group in found if group not in touching] + [set().union({at}, *touching)]
    return found


@every
@given(plays())
def test_income_is_the_largest_group_and_surplus_dice_are_discarded(game: Play) -> None:
    for before, event, after in game.steps():
        received = [
            effect for effect in game.game.effects(before, event, after) if isinstance(effect, Income)
        ]
        for income in received:
            seat = after.setup.seats.index(income.seat)
            sizes = [len(group) for group in groups(after.setup.board, land(after, seat))]
            assert income.count == max(sizes)
            rest = frozenset(range(len(after.owners))) - frozenset(land(after, seat))
            assert (income.count == after.owners.count(seat)) == is_connected(after.setup.board, rest)
        assert not received or after.round > 1
        if after.hand and after.round and isinstance(event, Pass):
            assert after.hand == received[-1].count
        assert after.phase != "place" or (after.hand > 0 and not full(after, after.actor))


def expected_outcome(state: State, actor: int) -> Outcome | None:
    """Return the outcome by the words of RULES.md, tested over all players each time: slow but simple."""
    setup, options = state.setup, state.setup.options
    alive = [seat for seat in seats(state) if land(state, seat)]
    if len(alive) == 1 and not (options.must_take_ownerless and land(state, OWNERLESS)):
        return Outcome((setup.seats[alive[0]],), "all")
    valid = sum(len(land(state, seat)) for seat in alive)
    for seat in alive if options.check == "all" else [actor]:
        if full(state, seat) and len(land(state, seat)) > valid / 2:
            return Outcome((setup.seats[seat],), "majority_full")
    if all(full(state, seat) for seat in alive):
        most = max(len(land(state, seat)) for seat in alive)
        best = tuple(setup.seats[seat] for seat in alive if len(land(state, seat)) == most)
        if len(best) == 1 or options.full_tie == "shared":
            return Outcome(best, "all_full")
    return None


@every
@given(plays())
def test_the_game_ends_when_the_rules_say_and_not_before(game: Play) -> None:
    for before, event, after in game.steps():
        expected = expected_outcome(after, before.actor) if isinstance(event, Place | Battle) else None
        if expected is None and after.outcome is not None:
            assert after.outcome.reason == "guard"
            assert before.round == after.setup.options.max_rounds
        else:
            assert after.outcome == expected


@every
@given(plays())
def test_no_attack_fills_the_attackers_land_and_no_two_have_a_majority(game: Play) -> None:
    for before, event, after in game.steps():
        if isinstance(event, Battle) and land(after, before.actor):
            assert not full(after, before.actor)
        if after.round:
            valid = sum(after.owners.count(seat) for seat in seats(after))
            assert sum(2 * after.owners.count(seat) > valid for seat in seats(after)) <= 1


@every
@given(plays())
def test_turns_go_round_and_end_when_nothing_is_left_to_do(game: Play) -> None:
    board = game.states[0].setup.board
    for before, _, after in game.steps():
        if after.outcome or after.phase not in ("place", "attack"):
            continue
        assert land(after, after.actor), "a player who is out has no turn"
        armed = [at for at in land(after, after.actor) if after.dice[at] > 1]
        attack = any(
            after.owners[to] not in (after.actor, VOID) for at in armed for to in board.neighbours[at]
        )
        assert attack or after.phase == "place"
        if before.round and (before.actor, before.round) != (after.actor, after.round):
            order = [(after.first + step) % len(seats(after)) for step in seats(after)]
            then, now = (before.round, order.index(before.actor)), (after.round, order.index(after.actor))
            assert then < now
            if now[0] - then[0] == 0:
                between = order[then[1] + 1 : now[1]]
            elif now[0] - then[0] == 1:
                between = order[then[1] + 1 :] + order[: now[1]]
            else:
                continue
            for seat in between:
                if land(after, seat):  # skipped, so it could neither place nor attack
                    assert full(after, seat) or after.round == 1
                    mine = [at for at in land(after, seat) if after.dice[at] > 1]
                    assert all(after.owners[to] in (seat, VOID) for at in mine for to in board.neighbours[at])


@every
@given(plays())
def test_effects_agree_with_the_states(game: Play) -> None:
    for before, event, after in game.steps():
        effects = game.game.effects(before, event, after)
        names = after.setup.seats
        turns = [effect for effect in effects if isinstance(effect, TurnOver)]
        if turns:
            assert turns[0].seat == names[before.actor if before.round else before.first]
            assert turns[-1].next == (None if after.outcome else names[after.actor])
            assert all(one.next == other.seat for one, other in pairwise(turns))
            if after.outcome is None and after.round > 1:
                assert [effect.seat for effect in effects if isinstance(effect, Income)][-1] == names[
                    after.actor
                ]
        elif before.round and not after.outcome:
            assert (before.actor, before.round) == (after.actor, after.round)
        out = [effect.seat for effect in effects if isinstance(effect, Out)]
        assert out == [
            names[seat]
            for seat in seats(after)
            if before.round and land(before, seat) and not land(after, seat)
        ]
        assert [effect for effect in effects if isinstance(effect, Over)] == (
            [Over(after.outcome.winners, after.outcome.reason)] if after.outcome else []
        )
        contests = [effect for effect in effects if isinstance(effect, Contest)]
        assert bool(contests) == isinstance(event, Battle)
        assert all(0 < contest.odds < 1 for contest in contests)
        if (
            after.phase == "attack"
            and isinstance(event, Place)
            and before.actor == after.actor
            and before.hand > 1
        ):
            assert Discarded(names[before.actor], before.hand - 1) in effects


def mirror_names(board: Board, along: int) -> dict[str, str]:
    """Return the name of each territory's mirror image, left to right (0) or top to bottom (1)."""
    middle = (min(place[along] for place in board.places) + max(place[along] for place in board.places)) / 2
    image = dict(zip(board.places, board.names, strict=True))

    def other(place: tuple[float, float]) -> tuple[float, float]:
        x, y = place
        turned = (2 * middle - x, y) if along == 0 else (x, 2 * middle - y)
        return min(image, key=lambda at: (at[0] - turned[0]) ** 2 + (at[1] - turned[1]) ** 2)

    return {name: image[other(place)] for place, name in zip(board.places, board.names, strict=True)}


def moved(event: envelope.Event, land_names: dict[str, str], seat_names: dict[str, str]) -> Event:
    """Return `event` with territories and seats renamed."""
    data = msgspec.to_builtins(event)
    for member in ("src", "dst", "at"):
        if member in data:
            value = data[member]
            data[member] = (
                land_names[value] if isinstance(value, str) else [land_names[name] for name in value]
            )
    if "rolls" in data:
        data["rolls"] = {seat_names[seat]: face for seat, face in data["rolls"].items()}
    data["by"] = seat_names.get(data["by"], data["by"])
    return cast(Event, msgspec.convert(data, type(event)))


def seen(state: State, land_names: dict[str, str], seat_names: dict[str, str]) -> dict[str, Any]:
    """Return the words of `describe` for `state`, with territories and seats renamed."""
    words = GAME.describe(state) if GAME.describe else {}

    def seat(name: str | None) -> str | None:
        return seat_names.get(name, name) if name else name

    outcome = words["outcome"]
    return words | {
        "on_turn": seat(words["on_turn"]),
        "first": seat(words["first"]),
        "rolling": {seat(name) for name in words["rolling"]},
        "attack": words["attack"] and [land_names[name] for name in words["attack"]],
        "outcome": outcome and ({seat(name) for name in outcome["winners"]}, outcome["reason"]),
        "territories": {
            land_names[name]: (seat(owner), count) for name, (owner, count) in words["territories"].items()
        },
    }


@pytest.mark.grid
@pytest.mark.parametrize("players", [2, 3, 5, 6])
@pytest.mark.parametrize("shift", [0, 1, 2])
@pytest.mark.parametrize("mirrors", [(), (0,), (1,), (0, 1)])
def test_mirrors_and_seats_make_no_difference(players: int, shift: int, mirrors: tuple[int, ...]) -> None:
    game = play(1, players)
    setup = game.states[0].setup
    land_names = {name: name for name in setup.board.names}
    for along in mirrors:
        image = mirror_names(setup.board, along)
        assert sorted(image.values()) == sorted(image)
        land_names = {name: image[other] for name, other in land_names.items()}
    seat_names = {seat: setup.seats[(at + shift) % players] for at, seat in enumerate(setup.seats)}
    same = {name: name for name in setup.board.names}
    ours = game.states[0]
    for number, event in enumerate(game.events):
        theirs = moved(event, land_names, seat_names)
        assert GAME.check(ours, theirs) is None
        ours = GAME.apply(ours, theirs)
        assert seen(ours, same, {}) == seen(game.states[number + 1], land_names, seat_names)


@every
@given(plays())
def test_states_convert_to_words_and_back(game: Play) -> None:
    begun = game.states[0]
    for state in game.states[:5] + game.some_states(generator("words"), 30):
        assert arrange(begun, GAME.describe(state) if GAME.describe else {}) == state
        assert msgspec.json.decode(msgspec.json.encode(state), type=State) == state


def candidates(state: State) -> Iterator[Event]:
    """Yield each decision of each seat that names at most two territories."""
    names = state.setup.board.names
    for by in state.setup.seats:
        yield Pass(0, 0, by)
        yield Remove(0, 0, by, ())
        for at in names:
            yield ClaimLand(0, 0, by, at)
            yield Add(0, 0, by, at)
            yield Place(0, 0, by, at)
            yield Remove(0, 0, by, (at,))
            for to in names:
                yield Attack(0, 0, by, at, to)


@pytest.mark.parametrize("players", [2, 4, 5])
def test_the_legal_list_has_exactly_the_decisions_that_check_accepts(players: int) -> None:
    game = play(3, players, board="hex36")  # the remainders are 0, 0 and 1
    rng = generator("legal")
    phases: set[str] = set()
    for state in game.some_states(rng, 25) + [state for state in game.states if state.phase == "remove"]:
        legal = legal_for(GAME, state, None)
        assert legal.complete
        assert set(legal.events) == {event for event in candidates(state) if GAME.check(state, event) is None}
        phases.add(state.phase)
    assert {"claim", "place", "attack"} <= phases


def test_proposed_events_have_no_number_yet() -> None:
    game, rng = play(0, 3), generator("proposed")
    for state in game.some_states(rng, 40) + game.states[:3]:
        pending = GAME.pending(state)
        proposed: list[envelope.Event] = list(legal_for(GAME, state, None).events)
        if pending.chance:
            proposed.append(GAME.chance(state, tuple((1,) * draw.count for draw in pending.chance.draws)))
        elif pending.by:
            proposed += [
                sample_for(GAME, state, GAME.pending(state).by[0], rng),
                *(bot(state, pending.by[0], rng) for bot in GAME.bots.values()),
            ]
        assert {(event.n, event.t) for event in proposed} <= {(0, 0)}


def nonsense(state: State, rng: Random) -> Event:
    """Return an event with a random type, seat, territories and dice, which may be legal."""
    names = (*state.setup.board.names, "Z9", "")
    by = rng.choice((*state.setup.seats, TABLE, "nobody"))
    at, to = rng.choice(names), rng.choice(names)
    if state.attack and rng.random() < 0.5:
        by = state.setup.seats[state.owners[state.attack[0]]]
    faces = [tuple(rng.randint(-1, 8) for _ in range(rng.randint(0, 9))) for _ in range(2)]
    rolls = {seat: rng.randint(0, 7) for seat in (*state.setup.seats, "nobody") if rng.random() < 0.8}
    return rng.choice(
        (
            RemovalRoll(0, 0, by, rolls),
            Remove(0, 0, by, tuple(rng.choice(names) for _ in range(rng.randint(0, 3)))),
            StartRoll(0, 0, by, rolls),
            ClaimLand(0, 0, by, at),
            Add(0, 0, by, at),
            Place(0, 0, by, at),
            Attack(0, 0, by, at, to),
            Battle(0, 0, by, faces[0], faces[1]),
            Pass(0, 0, by),
        )
    )


@pytest.mark.parametrize("players", [2, 3, 6])
@pytest.mark.parametrize("index", range(4))
def test_any_event_is_judged_and_leaves_a_playable_position(players: int, index: int) -> None:
    rng = generator("nonsense", players, index)
    state = start(
        GAME.Options(**SWITCHES[index]), GAME.read_board(GAME.boards["hex50"]()), GAME.seats[players]
    )
    stood = 0
    for _ in range(20_000):
        pending = GAME.pending(state)
        if pending.outcome:
            break
        if rng.random() < 0.002:
            left = GAME.retire(state, rng.choice(state.setup.seats)) if GAME.retire else None
            state = left if isinstance(left, State) else state
            check_sound(state)
            continue
        if rng.random() < 0.5:
            event = nonsense(state, rng)
        elif pending.chance:
            event = GAME.chance(
                state,
                tuple(tuple(rng.randint(1, 6) for _ in range(draw.count)) for draw in pending.chance.draws),
            )
        else:
            event = cast(Event, GAME.bots[rng.choice(("random", "greedy"))](state, pending.by[0], rng))
        found = GAME.check(state, event)
        try:
            after = GAME.apply(state, event)
        except CannotApply:
            assert found, "apply is total on what check accepts"
        else:
            GAME.effects(state, event, after)
            check_sound(after)
            stood += found is not None
            state = after
    assert GAME.pending(state).outcome
    assert stood


def passing(state: Any, seat: str, rng: Random) -> Event:
    """Return a decision of a bot that never attacks."""
    return (
        Pass(0, 0, seat)
        if state.phase == "attack"
        else sample_for(GAME, state, GAME.pending(state).by[0], rng)
    )


def throwing_away(state: Any, seat: str, rng: Random) -> Event:  # noqa: ARG001 - a bot's signature
    """Return a decision of a bot that always makes the attack with the worst odds."""
    attacks = (
        [event for event in legal_for(GAME, state, None).events if isinstance(event, Attack)]
        if state.phase == "attack"
        else []
    )
    index = state.setup.board.index
    strength = {event: state.dice[index[event.src]] - state.dice[index[event.dst]] for event in attacks}
    return (
        min(strength, key=lambda event: strength[event])
        if strength
        else sample_for(GAME, state, GAME.pending(state).by[0], rng)
    )


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_passing_ends_with_full_land_and_a_shared_victory(players: int) -> None:
    game = play(0, players, passing)
    assert game.states[-1].outcome == Outcome(GAME.seats[players], "all_full")
    each = game.states[-1].owners.count(0)
    assert sum(isinstance(event, Place) for event in game.events) == players * 4 * each


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_throwing_dice_away_ends_long_before_the_guard(players: int) -> None:
    game = play(0, players, throwing_away)
    assert game.states[-1].outcome.reason != "guard"
    assert game.states[-1].round < 60
