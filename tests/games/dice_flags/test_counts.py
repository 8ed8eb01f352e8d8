"""The ends of counts: the first turn, positions of the rules page, and a comparison with the plain reference."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from gamelog.chance.rng import generator
from gamelog.games.dice_flags.army import MEN, SOLDIERS
from gamelog.games.dice_flags.board import GRID
from gamelog.games.dice_flags.events import Move, Roll, TaoMove
from gamelog.games.dice_flags.moves import ends
from gamelog.games.dice_flags.state import PRISON, Options, State, start
from gamelog.games.dice_flags.turns import army_to_move
from gamelog.games.dice_flags.walks import walk_table_of, walks
from gamelog.play.contract.seats import legal_for
from tests.games.dice_flags.games import GAME, board, play, position
from tests.games.dice_flags.reference import Reference
from tests.shares import examples


@pytest.mark.parametrize("name", ["df181"])
@pytest.mark.parametrize(
    ("flag_square", "expected"),
    [
        ("carriers", {1: 40, 2: 6, 3: 114, 4: 21, 5: 167, 6: 37}),
        ("any", {1: 40, 2: 6, 3: 114, 4: 22, 5: 167, 6: 43}),
    ],
)
def test_options_of_the_first_turn(name: str, flag_square: Any, expected: dict[int, int]) -> None:
    """Count pairs of soldier and destination in the first turn. The option `flag_square` makes a difference (DF-A13)."""
    state = start(Options(flag_square=flag_square), board(name), GAME.seats[2])
    counted = {
        die: sum(1 for man in range(MEN) for _ in ends(state.setup, state.places, man, die))
        for die in range(1, 7)
    }
    assert counted == expected


def legal_ends(state: State, soldier: str) -> dict[int, str]:
    """Return by die of `state` the ends of `soldier`'s counts, in short names within its start area."""
    found: dict[int, set[str]] = {die: set() for die in state.dice}
    for event in legal_for(GAME, state, None).events:
        if isinstance(event, Move) and event.soldier == soldier:
            found[event.die].add(event.path[-1])
    return {die: " ".join(sorted(names)) for die, names in found.items()}


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (
            {"rest": "formation", "dice": (1, 2, 3)},
            {1: "N.a1 N.b2 N.c1", 2: "N.r5", 3: "N.a1 N.a3 N.b2 N.b4 N.c1 N.c3 N.d2 N.e1 N.r4"},
        ),
        (
            {
                "soldiers": {"north": {"P1": "M.d2"}},
                "walker": ("north", "P1"),
                "trail": ("M.d4", "M.d3", "M.d2"),
                "dice": (1,),
            },
            {1: "M.c2 M.d1 M.e2"},
        ),
        (
            {"soldiers": {"north": {"P1": "N.r3"}, "south": {"P1": "N.r1", "P2": "N.r1"}}, "dice": (1, 2, 3)},
            {1: "N.r2 N.r4", 2: "N.r1 N.r5", 3: "N.c1"},
        ),
        (
            {"soldiers": {"north": {"P1": "N.r3", "P2": "N.r2", "M1": "N.r2"}}, "dice": (1, 2)},
            {1: "N.r4", 2: "N.r5"},
        ),
        (
            {"soldiers": {"north": {"P1": "N.r3"}, "south": {"P1": "N.r2"}}, "dice": (1, 2)},
            {1: "N.r4", 2: "N.r1 N.r5"},
        ),
        ({"soldiers": {"north": {"P1": "S.f1"}}, "dice": (2,)}, {2: "S.b5 S.c4 S.d5 S.flag"}),
        ({"soldiers": {"north": {"P1": "S.f2"}}, "dice": (1, 2)}, {1: "S.f1 S.flag", 2: "S.c5"}),
    ],
)
def test_positions_of_the_rules_page(words: dict[str, Any], expected: dict[int, str]) -> None:
    assert legal_ends(position(on_turn="north", **words), "P1") == expected


def test_kept_walks_are_all_walks_without_equivalent_ones() -> None:
    grounds = board()
    for space in range(0, len(grounds.names), 7):
        for count in range(1, 7):
            known = walk_table_of(grounds).walks_from(count, space)
            all_walks = list(walks(grounds, count, space, b""))
            assert len(set(all_walks)) == len(all_walks)
            apart = {
                (path[-1], frozenset(at for at in path[:-1] if grounds.kinds[at] != GRID))
                for path in all_walks
            }
            assert {(end, frozenset(roads)) for end, roads, _ in known} == apart
            assert len(known) == len(apart)
            assert all(path in all_walks and path[-1] == end for end, _, path in known)
    middle = grounds.index["M.d4"]
    assert [len(list(walks(grounds, count, middle, b""))) for count in range(1, 5)] == [4, 12, 36, 100]


@st.composite
def states(draw: st.DrawFn) -> State:
    """Draw a position before a count, from a game of any size, with any option about counts."""
    options: dict[str, Any] = draw(
        st.sampled_from(
            [
                {},
                {"flag_square": "carriers"},
                {"bunker_pair_safe": True},
                {"must_move": False},
                {"tie": "standoff"},
            ]
        )
    )
    game = play(
        draw(st.integers(0, 60)),
        draw(st.integers(2, 4)),
        draw(st.sampled_from(["random", "greedy"])),
        max_rounds=60,
        **options,
    )
    usable: list[State] = [
        state for state in game.states if state.phase in ("act", "tao") and GAME.pending(state).by
    ]
    return draw(st.sampled_from(usable))


every = settings(max_examples=examples(30), deadline=None, suppress_health_check=list(HealthCheck))


def left_behind(state: State, path: tuple[str, ...]) -> tuple[str, ...]:
    """Return the parts of a path that matter later: its end and, while a die is left, its spaces (DF-7)."""
    return (path[-1], *(sorted(path) if state.phase == "act" and len(state.dice) > 1 else ()))


@every
@given(states())
def test_every_result_is_reached_by_a_move_that_is_listed(state: State) -> None:
    reference, army, rng = Reference(state), army_to_move(state), generator("results")
    seat = state.setup.seats[army]
    legal = legal_for(GAME, state, None)
    reached = {as_played_on(GAME.apply(state, event)) for event in legal.events}
    assert not legal.cut and len(reached) > 0
    men = [man for man in reference.men(army) if state.phase == "act" or not state.moved >> man % MEN & 1]
    for man in rng.sample(men, min(4, len(men))):
        for count in sorted(set(state.dice)) if state.phase == "act" else (1, 2, 3):
            for path in list(reference.paths(man, count))[::3]:
                soldier = SOLDIERS[man % MEN]
                event = (
                    Move(0, 0, seat, soldier, count, path)
                    if state.phase == "act"
                    else TaoMove(0, 0, seat, soldier, path)
                )
                assert as_played_on(GAME.apply(state, event)) in reached


def as_played_on(state: State) -> bytes:
    """Return the parts of a state that play depends on: not the order of entered spaces, and no finished path."""
    attack = state.attack
    if attack:
        attack = (
            attack[0],
            bytes([*sorted(attack[1][:-1]), attack[1][-1]]) if state.dice else attack[1][-1:],
        )
    return msgspec.json.encode(replace(state, setup=None, trail=bytes(sorted(state.trail)), attack=attack))


@every
@given(states())
def test_legal_counts_are_those_of_the_plain_rules(state: State) -> None:
    reference, army = Reference(state), army_to_move(state)
    seat = state.setup.seats[army]
    listed: dict[tuple[str, int], list[Any]] = {}
    for event in legal_for(GAME, state, None).events:
        if isinstance(event, Move | TaoMove):
            listed.setdefault((event.soldier, len(event.path)), []).append(left_behind(state, event.path))
    rng = generator("paths")
    for man in reference.men(army):
        soldier = SOLDIERS[man % MEN]
        if state.phase == "tao" and state.moved >> man % MEN & 1:
            assert not [key for key in listed if key[0] == soldier]
            continue
        for count in sorted(set(state.dice)) if state.phase == "act" else (1, 2, 3):
            paths = list(reference.paths(man, count))
            found = listed.get((soldier, count), [])
            assert sorted(found) == sorted({left_behind(state, path) for path in paths})
            sampled = paths if len(paths) < 40 else rng.sample(paths, 40)
            for path in sampled:
                assert check(state, seat, soldier, path) is None
            if man in reference.where:
                for _ in range(10):
                    path = tuple(stroll(reference, reference.where[man], count, rng))
                    assert (check(state, seat, soldier, path) is None) == (path in paths), path


def stroll(reference: Reference, here: str, count: int, rng: Any) -> list[str]:
    """Return a random path with `count` steps, sometimes with illegal steps."""
    path = []
    for _ in range(count):
        here = rng.choice(reference.near[here]) if rng.random() < 0.97 else rng.choice(reference.board.names)
        path.append(here)
    return path


def check(state: State, seat: str, soldier: str, path: tuple[str, ...]) -> Any:
    event = (
        Move(0, 0, seat, soldier, len(path), path)
        if state.phase == "act"
        else TaoMove(0, 0, seat, soldier, path)
    )
    return GAME.check(state, event)


@every
@given(states())
def test_a_roll_continues_exactly_while_a_die_can_be_used(state: State) -> None:
    reference, army = Reference(state), army_to_move(state)
    counts = state.dice if state.phase == "act" else (1, 2, 3)
    men = [man for man in reference.men(army) if not state.moved >> man % MEN & 1]
    assert any(next(reference.paths(man, count), None) for man in men for count in counts)


LOOKS = dict(zip(board().names, board().looks, strict=True))
ROADS = [name for name, look in LOOKS.items() if name[0] == "N" and look not in ("light", "dark")]
MEN_ON_ROADS = st.lists(
    st.tuples(st.sampled_from(["north", "south"]), st.sampled_from(ROADS)), min_size=2, max_size=12
)


@st.composite
def crowded(draw: st.DrawFn) -> State:
    """Draw a position before a roll with few soldiers, most of them on the roads of one base."""
    soldiers: dict[str, dict[str, str]] = {"north": {}, "south": {}}
    room = {name: 1 if LOOKS[name] == "flag" else 2 for name in ROADS}
    holder: dict[str, str] = {}
    for seat, name in draw(MEN_ON_ROADS):
        if room[name] and holder.setdefault(name, seat) == seat and len(soldiers[seat]) < MEN:
            room[name] -= 1
            soldiers[seat][SOLDIERS[len(soldiers[seat])]] = name
    assume(soldiers["north"])
    switches = draw(
        st.sampled_from([Options(), Options(bunker_pair_safe=True), Options(flag_square="carriers")])
    )
    return position(options=switches, phase="roll", on_turn="north", soldiers=soldiers)


@settings(max_examples=examples(300), deadline=None, suppress_health_check=list(HealthCheck))
@given(crowded(), st.tuples(st.integers(1, 6), st.integers(1, 6)), st.randoms(use_true_random=False))
def test_a_roll_ends_by_itself_exactly_when_no_die_can_be_used(
    state: State, dice: tuple[int, int], rng: Any
) -> None:
    def left(now: State, dice: tuple[int, ...]) -> bool:
        reference = Reference(now)
        return any(next(reference.paths(man, die), None) for man in reference.men(0) for die in dice)

    rolled = GAME.apply(state, Roll(0, 0, "north", dice))
    assert (rolled.phase == "act") == left(state, dice)
    if rolled.phase != "act":
        assert rolled.turn == (1 if any(at < PRISON for at in state.places[MEN:]) else 2)
        return
    move = rng.choice([event for event in legal_for(GAME, rolled, None).events if isinstance(event, Move)])
    soldier, index = SOLDIERS.index(move.soldier), state.setup.board.index
    after = GAME.apply(rolled, move)
    if (
        after.attack is None
        and after.outcome is None
        and after.picker < 0
        and after.places[MEN:] == state.places[MEN:]
    ):
        rest = dice[1:] if move.die == dice[0] else dice[:1]
        stood = after.places[soldier] == state.places[soldier]  # a standoff without dice
        trail = b"" if stood else bytes([state.places[soldier], *(index[name] for name in move.path)])
        moved = replace(after, walker=-1 if stood else soldier, trail=trail)
        assert (after.phase == "act" and after.turn == 0) == left(moved, rest)
