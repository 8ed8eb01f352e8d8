"""Properties of every game of Dice, tested over random games, options and boards."""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import pairwise
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gamelog.chance.rng import generator
from gamelog.errors import CannotApply
from gamelog.games.dice_flags.army import MEN, NUMBER, SOLDIERS
from gamelog.games.dice_flags.board import CLOCKWISE, FLAG, GRID
from gamelog.games.dice_flags.effects import (
    Blockade,
    FlagHome,
    FlagTaken,
    Freed,
    Imprisoned,
    Marched,
    Skipped,
)
from gamelog.games.dice_flags.events import Battle, Event, Move, PickUp, Rescue, Roll, Tao, TaoMove
from gamelog.games.dice_flags.state import CARRIED, PRISON, RESERVE, TURNS, State, start
from gamelog.games.dice_flags.turns import army_to_move
from gamelog.play.contract.effects import Contest, Over, TurnOver
from gamelog.play.contract.outcome import Outcome
from gamelog.play.contract.seats import legal_for
from gamelog.play.contract.violation import Violation
from gamelog.record.envelope import TABLE
from gamelog.testing.plays import Play
from tests.games.dice_flags.arrange import arrange
from tests.games.dice_flags.games import GAME, board, play, position
from tests.shares import examples

SWITCHES: list[dict[str, Any]] = [
    {},
    {"must_move": False},
    {"max_doubles": 1},
    {"bunker_pair_safe": True},
    {"flag_square": "carriers"},
    {"carry_limit": 3, "extra_flags": True},
    {"win_by_capture": False},
    {"tie": "defender"},
    {"tie": "standoff"},
    {"extra_flags": True},
    {"free_deployment": True},
    {"quiet_rounds": 3},
]


@st.composite
def plays(draw: st.DrawFn) -> Play:
    """Draw a whole game of any size, on either board, with any one option changed."""
    bot = draw(st.sampled_from(["random", "greedy", "strong"]))
    name = draw(st.sampled_from(["df181", "df181", "df221"]))
    options = {"max_rounds": draw(st.sampled_from([10, 25, 40]))} | draw(st.sampled_from(SWITCHES))
    return play(draw(st.integers(0, 10**6)), draw(st.integers(2, 4)), bot, name, **options)


every = settings(max_examples=examples(15), deadline=None, suppress_health_check=list(HealthCheck))


def army(soldier: int) -> int:
    return soldier // MEN


def check_invariants(state: State) -> None:
    """Assert that every soldier and every flag is in one place with room for it."""
    setup = state.setup
    ground, armies = setup.board, len(setup.seats)
    assert len(state.places) == MEN * armies and len(state.flags) == len(setup.flags)
    men: dict[int, list[int]] = {}
    for soldier, at in enumerate(state.places):
        if at == RESERVE:
            assert setup.options.free_deployment and state.phase in ("start_roll", "deploy")
        elif at >= PRISON:
            assert at - PRISON < armies and at - PRISON != army(soldier), "no soldier is in its own prison"
        else:
            men.setdefault(at, []).append(soldier)
    for at, standing in men.items():
        assert len(standing) <= (1 if ground.kinds[at] in (GRID, FLAG) else 2)
        assert len(set(map(army, standing))) == 1
    for at in state.flags:
        assert at < len(ground.bases) or state.places[at - CARRIED] < PRISON, "captives carry no flag"
        assert at < CARRIED or SOLDIERS[(at - CARRIED) % MEN][0] == "F", "only carriers do"
    held = Counter(at for at in state.flags if at >= CARRIED)
    assert all(count <= setup.options.carry_limit for count in held.values())
    assert state.attack is None or state.phase in TURNS
    assert (state.phase == "act") == bool(state.dice) or state.attack is not None or state.picker >= 0
    assert (state.phase == "over") == (state.outcome is not None)


@every
@given(plays())
def test_soldiers_and_flags_stay_consistent(game: Play) -> None:
    for state in game.states:
        check_invariants(state)
        assert state.attack is None or state.phase in ("act", "tao"), "legal attacks use dice"


@every
@given(plays())
def test_paths_are_connected_and_unblocked(game: Play) -> None:
    """A path has different spaces, begins next to the soldier, and passes no blockade and no flag square."""
    ground = game.states[0].setup.board
    for before, event, after in game.steps():
        if not isinstance(event, Move | TaoMove):
            continue
        soldier = before.setup.seats.index(event.by) * MEN + NUMBER[event.soldier]
        path = [before.places[soldier], *(ground.index[name] for name in event.path)]
        assert len(set(path)) == len(path)
        assert all(b in ground.neighbours[a] for a, b in pairwise(path))
        for at in path[1:-1]:
            assert ground.kinds[at] == GRID or (ground.kinds[at] != FLAG and before.places.count(at) < 2)
        if after.attack is None and after.places[soldier] < PRISON:
            assert after.places[soldier] in (path[0], path[-1])


@every
@given(plays())
def test_only_the_moving_soldier_and_the_soldiers_it_meets_change_places(game: Play) -> None:
    for before, event, after in game.steps():
        changed = {
            man for man, (was, now) in enumerate(zip(before.places, after.places, strict=True)) if was != now
        }
        if isinstance(event, Move | TaoMove):
            mover = before.setup.seats.index(event.by) * MEN + NUMBER[event.soldier]
            end = before.setup.board.index[event.path[-1]]
            there = {man for man, at in enumerate(before.places) if at in (end, before.places[mover])}
            assert changed <= {mover} | there
        elif isinstance(event, Battle):
            assert before.attack
            mover, path = before.attack
            assert changed <= {
                man for man, at in enumerate(before.places) if at in (path[-1], before.places[mover])
            }
        elif event.__struct_config__.tag in ("rescue", "deploy"):
            assert len(changed) == 1
        else:
            assert not changed
        lost = {man for man in changed if after.places[man] >= PRISON}
        assert len({army(man) for man in lost}) <= 1, "one side loses"
        assert len({after.places[man] for man in lost}) <= 1, "to one prison"


@every
@given(plays())
def test_a_roll_is_two_counts_at_most_and_a_tao_one_for_each_soldier(game: Play) -> None:
    counts: list[tuple[str, int]] = []
    tao: list[str] = []
    captive_free = False
    for before, event, _ in game.steps():
        if isinstance(event, Roll):
            counts, tao = [], []
            captive_free = all(
                at < PRISON
                for at in before.places[army_to_move(before) * MEN : army_to_move(before) * MEN + MEN]
            )
        elif isinstance(event, Move):
            counts.append((event.soldier, event.die))
            assert len(counts) <= 2
            assert not Counter(die for _, die in counts) - Counter(before.roll)
        elif isinstance(event, Tao):
            assert captive_free and not counts and sorted(before.roll) == [1, 2]
        elif isinstance(event, TaoMove):
            assert event.soldier not in tao
            tao.append(event.soldier)


@every
@given(plays())
def test_turns_go_round_and_only_armies_without_soldiers_are_skipped(game: Play) -> None:
    for before, event, after in game.steps():
        assert 0 <= after.turn - before.turn <= len(before.setup.seats)
        if after.phase in ("start_roll", "deploy", "over"):
            continue
        free = [
            at < PRISON for at in after.places[army_to_move(after) * MEN : army_to_move(after) * MEN + MEN]
        ]
        assert any(free) or after.attack is not None
        for turn in range(before.turn + 1, after.turn):
            passed = (after.first + turn) % len(after.setup.seats)
            assert min(after.places[passed * MEN : passed * MEN + MEN]) >= PRISON
        if after.turn > before.turn and before.phase == "act" and isinstance(event, Move | Battle):
            double = len(set(before.roll)) == 1
            limit = before.setup.options.max_doubles
            own = after.places[army_to_move(before) * MEN : army_to_move(before) * MEN + MEN]
            assert not double or before.again == limit or min(own) >= PRISON


def expected_outcomes(before: State, after: State) -> set[Outcome]:
    """Return the only outcomes that the rules page allows after an event. This is a slow, plain oracle."""
    setup = after.setup
    options, armies = setup.options, len(setup.seats)
    for number, home in enumerate(setup.homes):
        if all(at == home for at in after.flags) and (options.win_by_capture or after.flags != before.flags):
            return {Outcome((setup.seats[number],), "flags")}
    if after.turn == before.turn:
        return set()

    def rank(number: int) -> tuple[int, ...]:
        mine = range(number * MEN, number * MEN + MEN)
        home = sum(at == setup.homes[number] for at in after.flags)
        carried = sum(at - CARRIED in mine for at in after.flags)
        prisoners = sum(at == PRISON + number for at in after.places)
        return home, carried, prisoners, sum(after.places[man] < PRISON for man in mine)

    best = max(map(rank, range(armies)))
    winners = tuple(setup.seats[number] for number in range(armies) if rank(number) == best)
    if after.turn >= options.max_rounds * armies:
        return {Outcome(winners, "rounds")}
    if after.turn - after.quiet_since >= options.quiet_rounds * armies:
        return {Outcome(winners, "quiet")}
    return set()


@every
@given(plays())
def test_the_game_ends_when_the_rules_say_and_not_before(game: Play) -> None:
    for before, _, after in game.steps():
        if after.phase in ("start_roll", "deploy"):
            continue
        expected = expected_outcomes(before, after)
        if after.outcome is None and not after.setup.options.win_by_capture:
            expected = {
                outcome for outcome in expected if outcome.reason != "flags"
            }  # a carrier must land on its own flag square
        assert ({after.outcome} if after.outcome else set()) == expected


@every
@given(plays())
def test_quiet_rounds_count_from_the_last_capture_rescue_or_moved_flag(game: Play) -> None:
    since = 0
    for before, event, after in game.steps():
        if after.phase == "deploy" or before.phase == "deploy":
            continue
        jailed = [at for at in before.places if at >= PRISON] != [at for at in after.places if at >= PRISON]
        if jailed or before.flags != after.flags or isinstance(event, Rescue):
            since = before.turn + 1
        assert after.quiet_since == since


@every
@given(plays())
def test_effects_agree_with_the_states(game: Play) -> None:
    ground = game.states[0].setup.board
    for before, event, after in game.steps():
        effects, seats = game.game.effects(before, event, after), after.setup.seats
        jailed = [
            (seats[army(man)], SOLDIERS[man % MEN], seats[now - PRISON])
            for man, (was, now) in enumerate(zip(before.places, after.places, strict=True))
            if was < PRISON <= now
        ]
        assert [
            (one.seat, one.man.split()[1], one.by) for one in effects if isinstance(one, Imprisoned)
        ] == jailed
        changed = {
            ground.bases[flag].seat: now
            for flag, was, now in zip(after.setup.flags, before.flags, after.flags, strict=True)
            if was != now
        }
        taken = {one.flag: (one.by, one.man.split()[1]) for one in effects if isinstance(one, FlagTaken)}
        brought = {one.flag: one.by for one in effects if isinstance(one, FlagHome)}
        assert taken == {
            flag: (seats[army(at - CARRIED)], SOLDIERS[(at - CARRIED) % MEN])
            for flag, at in changed.items()
            if at >= CARRIED
        }
        assert brought == {flag: ground.bases[at].seat for flag, at in changed.items() if at < CARRIED}
        ends = [Over(after.outcome.winners, after.outcome.reason)] if after.outcome else []
        assert [one for one in effects if isinstance(one, Over)] == ends
        for effect in effects:
            if isinstance(effect, TurnOver):
                assert (effect.seat, effect.next) == (
                    seats[army_to_move(before)],
                    None if after.outcome else seats[army_to_move(after)],
                )
                assert after.turn > before.turn
            elif isinstance(effect, Contest):
                assert effect.attack_sum >= sum(effect.attack) and effect.defence_sum >= sum(effect.defence)
                assert effect.won == (effect.attack_sum > effect.defence_sum)
                assert 0 <= effect.odds < 1 and (effect.odds > 0 or not effect.won)
            elif isinstance(effect, Freed):
                assert isinstance(event, Rescue) and effect.at == event.at
            elif isinstance(effect, Marched | Blockade):
                number = ground.index[effect.at]
                assert after.places.count(number) == (
                    2 if any(isinstance(one, Blockade) for one in effects) else 1
                )
            elif isinstance(effect, Skipped):
                assert effect.reason in ("no die can be used", "no soldier is free")
        assert bool([one for one in effects if isinstance(one, TurnOver)]) == (after.turn > before.turn)


def test_an_army_that_loses_its_last_soldier_in_its_turn_is_not_reported_as_skipped() -> None:
    south = {"H1": "M.d1", "P1": "M.a7"}
    before = position(3, soldiers={"north": {"P1": "M.d4"}, "south": south}, on_turn="north", dice=(3, 1))
    attacked = GAME.apply(before, Move(0, 0, "north", "P1", 3, ("M.d3", "M.d2", "M.d1")))
    battle = Battle(0, 0, "north", attackers={"P1": ()}, defenders={"H1": (2, 4)})
    after = GAME.apply(attacked, battle)
    told = [
        (one.seat, one.reason) for one in GAME.effects(attacked, battle, after) if isinstance(one, Skipped)
    ]
    assert told == [("east", "no soldier is free")]


def quarter(ground_name: str) -> dict[str, str]:
    """Return for each space and prison its image after a quarter turn clockwise."""
    ground = board(ground_name)
    index = dict(zip(ground.places, ground.names, strict=True))
    image = {name: index[-y, x] for name, (x, y) in zip(ground.names, ground.places, strict=True)}
    for number, base in enumerate(ground.bases):
        image[base.prison.name] = ground.bases[(number + 1) % 4].prison.name
    return image


def rotated(value: Any, image: dict[str, str]) -> Any:
    """Return plain data with spaces, prisons and seats after a quarter turn."""
    if isinstance(value, dict):
        return {rotated(key, image): rotated(item, image) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return type(value)(rotated(item, image) for item in value)
    if isinstance(value, str) and value in CLOCKWISE:
        return CLOCKWISE[(CLOCKWISE.index(value) + 1) % 4]
    return image.get(value, value) if isinstance(value, str) else value


@pytest.mark.grid
@pytest.mark.parametrize("name", ["df181", "df221"])
@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("switches", SWITCHES, ids=lambda switches: " ".join(switches) or "defaults")
def test_a_quarter_turn_of_board_and_seats_makes_no_difference(
    name: str, players: int, switches: dict[str, Any]
) -> None:
    game = play(1, players, "greedy", name, max_rounds=12, **switches)
    image, first = quarter(name), game.states[0]
    seats = tuple(rotated(list(first.setup.seats), image))
    theirs: State = start(first.setup.options, board(name), seats)
    describe = GAME.describe
    assert describe
    for event, ours in zip(game.events, game.states[1:], strict=True):
        turned = msgspec.convert(rotated(msgspec.to_builtins(event), image), type(event))
        assert GAME.check(theirs, turned) is None
        theirs = GAME.apply(theirs, turned)
        assert describe(theirs) == rotated(describe(ours), image)
        assert GAME.score(theirs) == rotated(GAME.score(ours), image)
        assert len(legal_for(GAME, theirs, None).events) == len(legal_for(GAME, ours, None).events)


@every
@given(plays())
def test_states_survive_a_round_trip_through_words(game: Play) -> None:
    begun, describe = game.states[0], GAME.describe
    assert describe
    for state in game.states[:5] + game.some_states(generator("words"), 30):
        assert arrange(begun, describe(state)) == state
        assert msgspec.json.decode(msgspec.json.encode(state), type=State) == state


TEXTS = st.sampled_from([*CLOCKWISE, "", "P1", "F1", "M2", "H1", "P7", "nowhere"])
SPACES = st.sampled_from([*board().names[::9], "S.flag", "N.r1", "N.r2", "N.f1", "S.e3", "nowhere"])
FACES = st.lists(st.integers(-1, 8), max_size=3).map(tuple)


@st.composite
def anything(draw: st.DrawFn) -> Event:
    """Draw an event of any type with any members."""
    by = draw(st.sampled_from(["north", "east", "south", "west", TABLE, "nobody"]))
    kind = draw(st.sampled_from(GAME.events))
    members: dict[str, Any] = {}
    for name in kind.__struct_fields__[3:-3]:
        if name == "path":
            members[name] = tuple(draw(st.lists(SPACES, max_size=7)))
        elif name == "dice":
            members[name] = draw(FACES)
        elif name == "die":
            members[name] = draw(st.integers(-1, 8))
        elif name == "rolls":
            members[name] = draw(st.dictionaries(TEXTS, st.integers(-1, 8), max_size=4))
        elif name in ("attackers", "defenders"):
            members[name] = draw(st.dictionaries(TEXTS, FACES, max_size=3))
        else:
            members[name] = draw(TEXTS | SPACES)
    event: Event = kind(0, 0, by, **members)
    return event


@cache
def short(at: int) -> Play:
    """Draw a short game of two, three or four armies with one option changed."""
    return play(at, 2 + at % 3, "greedy", max_rounds=12, **SWITCHES[at])


@settings(max_examples=examples(600), deadline=None, suppress_health_check=list(HealthCheck))
@given(st.integers(0, len(SWITCHES) - 1), st.data())
def test_any_event_is_judged_and_applied_or_impossible(at: int, data: st.DataObject) -> None:
    """`check` never fails. `apply` leaves a consistent position, or raises `CannotApply` for an event that `check` refused."""
    game = short(at)
    state = data.draw(st.sampled_from(game.states))
    event = data.draw(anything() | st.sampled_from(game.events))
    found = GAME.check(state, event)
    assert found is None or isinstance(found, Violation)
    try:
        after = GAME.apply(state, event)
    except CannotApply:
        assert found
    else:
        check_invariants(after)
        assert GAME.effects(state, event, after) is not None


def test_an_attack_played_before_the_roll_is_finished_before_the_dice_are_rolled() -> None:
    state = next(state for state in play(0, 2, "random", max_rounds=10).states if state.phase == "roll")
    attack = Move(1, 0, "south", "F2", 6, ("N.r4", "N.r5", "N.c1", "N.c2", "N.c3", "N.c4"))
    assert GAME.check(state, attack)
    fought = GAME.apply(state, attack)
    owed = GAME.pending(fought).chance
    assert fought.attack is not None and owed and owed.do == "battle"
    after = GAME.apply(fought, GAME.chance(fought, tuple((1,) * draw.count for draw in owed.draws)))
    owed = GAME.pending(after).chance
    assert owed and owed.do in ("roll", "battle")


def test_the_games_of_this_module_contain_every_kind_of_event() -> None:
    seen: Counter[type[Event]] = Counter()
    for index, switches in enumerate(SWITCHES):
        for bot in ("random", "strong"):
            seen.update(map(type, play(index, 2 + index % 3, bot, max_rounds=40, **switches).events))
    assert set(GAME.events) - set(seen) <= {PickUp}
