"""Tests of declared positions, in the words of `describe`, from which every game can continue."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import msgspec
import pytest
from msgspec import structs

from gamelog.play.contract.declare import declared_state, describe_state
from gamelog.play.contract.game import AnyGame, Legal
from gamelog.play.contract.registry import find, names
from gamelog.play.contract.seats import sample_for
from gamelog.play.fold.common_events import COMMON, Gap
from gamelog.play.fold.fold import Fold
from gamelog.play.recording.series import simulate_game
from gamelog.play.rendering.ascii_board import ascii_board, initials
from gamelog.play.rendering.sentences import sentence
from gamelog.record.envelope import DiceSpec, Event, Header
from gamelog.testing.plays import play
from tests.play.tables import push, start_game
from tests.shares import examples

AT_REST = {
    "slicewars": ("claim", "add", "place", "attack"),
    "zone_control": ("move_roll", "act"),
    "gp02a_territory": ("roll", "chronology", "action"),
    "zone_s": ("play",),
    "dice_flags": ("roll", "orders"),
}
"""The phases in which a position can be declared."""

NOBODY_CAN = "no player can act in this position; to end the game, make a ruling with a result"


def states(game: AnyGame, players: int, index: int = 0) -> list[Any]:
    return play(game, index, players).states


def words_of(game: AnyGame, state: Any) -> dict[str, Any]:
    """Return the state as `replay --json` prints it."""
    words: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(describe_state(game, state)))
    return words


def play_on(game: AnyGame, state: Any, rng: random.Random, events: int) -> None:
    """Play at random from `state`, and make everything that people see of it."""
    seats = state.setup.seats
    for n in range(events):
        pending = game.pending(state)
        if pending.outcome:
            return
        if pending.timeout and 1000 * n >= pending.timeout.at:
            made = pending.timeout.event
        elif pending.chance:
            faces = tuple(tuple(drawn(draw, rng)) for draw in pending.chance.draws)
            made = game.chance(state, faces)
        else:
            made = sample_for(game, state, game.pending(state).by[0], rng)
        made = structs.replace(made, n=n + 1, t=1000 * n)
        assert game.check(state, made) is None, made
        after = game.apply(state, made)
        assert sentence(game, made, game.effects(state, made, after), str)
        ascii_board(game.scene(after, None), initials(seats))
        game.score(after)
        state = after


def drawn(draw: Any, rng: random.Random) -> list[int | str]:
    if hasattr(draw, "sides"):
        return [rng.randint(1, draw.sides) for _ in range(draw.count)]
    return rng.sample([name for name, count in draw.things for _ in range(count)], draw.count)


@pytest.mark.grid
@pytest.mark.parametrize("name", names())
def test_positions_of_replay_between_two_actions_can_be_declared(name: str) -> None:
    game = find(name)
    rng = random.Random(name)
    for players in game.seats:
        passed = states(game, players)
        start, done = passed[0], 0
        for state in rng.sample(passed, min(60, len(passed))):
            words = words_of(game, state)
            made, wrong = declared_state(game, passed[-1], words)
            if words["phase"] in AT_REST[name] and not (
                words.get("surrendered") or words.get("siege") or words.get("block")
            ):
                if made is None and "nothing" in str(wrong):
                    continue
                assert wrong is None, (wrong, words)
                assert words_of(game, made) == words
                assert declared_state(game, start, words)[0] == made, (
                    "nothing depends on what stood there before"
                )
                play_on(game, made, rng, 20)
                done += 1
            elif wrong is None:
                assert words_of(game, made) == words
        assert done >= 5


@pytest.mark.grid
@pytest.mark.parametrize("name", names())
def test_spoiled_positions_are_refused_in_a_sentence_or_can_be_played(name: str) -> None:
    """Members come from other positions and values are changed, but nothing raises, then or later."""
    game = find(name)
    rng = random.Random(f"spoil {name}")
    passed = states(game, max(game.seats), 1)
    taken = 0
    for _ in range(examples(400)):
        words = words_of(game, rng.choice(passed))
        for _ in range(rng.randint(0, 2)):
            spoil(words, words_of(game, rng.choice(passed)), rng)
        made, wrong = declared_state(game, rng.choice(passed), words)
        assert (made is None) == bool(wrong)
        if made is not None:
            taken += 1
            play_on(game, made, rng, 25)
    assert taken


def spoil(words: dict[str, Any], other: dict[str, Any], rng: random.Random) -> None:
    name = rng.choice(list(words))
    value = words[name]
    strange = [None, -1, 0, 1, 7, 10**9, "", "x", [], {}, [["x"]], {"x": 1}, True, 1.5]
    match rng.randrange(4):
        case 0:
            del words[name]
        case 1:
            words[name] = other[name]
        case 2 if isinstance(value, dict) and value:
            inner = rng.choice(list(value))
            value[inner] = rng.choice(
                [*strange, *other[name].values()] if isinstance(other[name], dict) else strange
            )
        case 3 if isinstance(value, int):
            words[name] = value + rng.choice([-2, -1, 1, 2])
        case _:
            words[name] = rng.choice(strange)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ({"actors": 1}, 'no member "actors"'),
        ({"on_turn": "blue"}, '"phase" is missing'),
        (
            {"on_turn": "blue", "phase": "attack", "round": 1, "first": "red"},
            "while the players claim territories, some must be free",
        ),
        ({"on_turn": "blue", "phase": "over", "round": 1, "first": "red"}, "is not possible"),
        ({"on_turn": "green", "phase": "claim", "round": 0, "first": "red"}, "no 'green' in this game"),
        (
            {
                "on_turn": "red",
                "phase": "claim",
                "round": 0,
                "first": "red",
                "territories": {"Z9": ["red", 1]},
            },
            "no 'Z9'",
        ),
        (
            {
                "on_turn": "red",
                "phase": "claim",
                "round": 0,
                "first": "red",
                "territories": {"B1": ["red", 7]},
            },
            "7 dice",
        ),
        (
            {"on_turn": "red", "phase": "claim", "round": 0, "first": "red", "rolling": ["red"]},
            '"rolling" is declared as ["red"], but the rest of the declared position gives []',
        ),
    ],
)
def test_why_a_position_is_none(words: dict[str, Any], said: str) -> None:
    failure = push(start_game(), "@gap", "arbiter", state=words, reason="wet")
    assert failure is not None
    assert said in failure.text, failure.text


def test_a_declared_position_changes_only_the_given_members() -> None:
    fold = start_game()
    words = {
        "on_turn": "blue",
        "phase": "claim",
        "round": 0,
        "first": "red",
        "territories": {"B1": ["red", 1]},
    }
    assert push(fold, "@gap", "table", state=words, reason="nobody wrote") is None
    told = describe_state(fold.game, fold.state)
    assert (told["on_turn"], told["territories"]["B1"], told["territories"]["A1"]) == (
        "blue",
        ["red", 1],
        ["red", 1],
    )
    assert push(fold, "claim", "blue", at="B2") is None
    assert fold.main_line_numbers() == [1, 2, 3, 4, 5]
    assert push(fold, "@gap", "red", state=words, reason="x") is not None, "no seat declares alone"
    assert push(fold, "@gap", "table", state=words, reason=" ") is not None, "a reason is given"


@pytest.mark.parametrize("name", names())
def test_a_gap_in_a_record_of_every_game(name: str) -> None:
    game = find(name)
    header, events = simulate_game(game, "gap", 4, players=max(game.seats), dice="table")
    passed = play_through(game, header, events)
    at = next(
        n
        for n in range(len(events) - 30, 0, -1)
        if declared_state(game, passed.states[n], words_of(game, passed.states[n]))[0]
    )
    fold = Fold(header, game)
    assert fold.extend(events[: at // 2]) is None
    words = words_of(game, passed.states[at])
    t = events[at].t
    gap = Gap(fold.n + 1, t, "arbiter", state=words, reason="a page is missing")
    assert fold.push(gap) is None
    assert words_of(game, fold.state) == words
    moved = [
        structs.replace(one, n=one.n - at + at // 2 + 1)
        for one in events[at : at + 20]
        if type(one) not in COMMON
    ]
    assert fold.extend(moved) is None


def play_through(game: AnyGame, header: Header, events: list[Event]) -> Fold:
    fold = Fold(structs.replace(header, dice=DiceSpec("table")), game)
    assert fold.extend(events) is None
    return fold


def test_members_from_which_no_game_can_go_on_are_refused_in_a_sentence() -> None:
    game = replace(find("slicewars"), declare=None, describe=None)
    state = next(state for state in states(game, 2) if game.pending(state).by)
    assert declared_state(game, state, {"actor": state.actor})[0] == state
    made, why = declared_state(game, state, {"actor": 7})
    assert (made, str(why)) == (
        None,
        "the declared position is not possible: the game cannot continue from this position (IndexError)",
    )
    short = replace(game, score=lambda state: dict.fromkeys(state.setup.seats[: state.actor + 1], 0))
    other = {"actor": 1 - state.actor}
    made, why = declared_state(short, state, other)
    assert (made, str(why)) == (
        None,
        "the declared position is not possible: it has no entry for some of the seats",
    )


@pytest.mark.parametrize(
    "name", sorted({*names()} - {"dice_flags"})
)  # there dice are due in every declared position
def test_a_position_without_legal_events_cannot_be_declared(name: str) -> None:
    game = find(name)
    passed = play(game, 0, min(game.seats))
    waiting = (state for state in passed.states if not game.pending(state).chance)
    at = next(state for state in waiting if declared_state(game, state, words_of(game, state))[0])
    stuck = replace(game, legal=lambda _state, _seat: Legal(()))
    made, why = declared_state(stuck, at, words_of(game, at))
    assert (made, str(why)) == (None, NOBODY_CAN)
