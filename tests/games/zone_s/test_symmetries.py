"""Symmetries: left and right can be exchanged, and so can the halves together with the rosters."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from gamelog.games.zone_s.board import SIDES
from gamelog.games.zone_s.events import Coin
from gamelog.games.zone_s.scene import describe
from gamelog.games.zone_s.state import State
from gamelog.record.envelope import Event
from tests.games.zone_s.arrange import arrange
from tests.games.zone_s.games import GAME, KINDS, SWITCHES, begin, play


def mirror_event(event: Event, columns: int) -> Event:
    """Return `event` with left and right exchanged."""
    data = msgspec.to_builtins(event)
    for member in ("src", "dst", "at"):
        if member in data:
            data[member] = mirror_name(data[member], columns)
    return msgspec.convert(data, type(event))


def mirror_name(name: str, columns: int) -> str:
    return f"{chr(96 + columns - (ord(name[0]) - 97))}{name[1:]}"


@pytest.mark.grid
@pytest.mark.parametrize("index", range(4))
@pytest.mark.parametrize("options", [{}, SWITCHES[-1]])
def test_left_and_right_make_no_difference(index: int, options: dict[str, Any]) -> None:
    game = play(index, **options)
    state, columns = game.states[0], game.states[0].setup.board.columns
    for event, there in zip(game.events, game.states[1:], strict=True):
        theirs = mirror_event(event, columns)
        assert GAME.check(state, theirs) is None
        state = GAME.apply(state, theirs)
        ours, words = describe(state), describe(there)
        for member in ("terrain", "pieces"):
            assert ours[member] == {mirror_name(at, columns): what for at, what in words[member].items()}
        assert {**ours, **dict.fromkeys(("terrain", "pieces", "bases", "earlier"))} == {
            **words,
            **dict.fromkeys(("terrain", "pieces", "bases", "earlier")),
        }


OTHER: dict[str, str] = dict(zip(SIDES, reversed(SIDES), strict=True))


def turn_words(words: Any, member: str = "") -> Any:
    """Return the words of a position with halves and sides exchanged: other seats, rows counted from the top."""
    if isinstance(words, dict):
        return {OTHER.get(name, upturned(name)): turn_words(value, member) for name, value in words.items()}
    return OTHER.get(words, upturned(words)) if isinstance(words, str) else words


def upturned(name: str) -> str:
    """Return the slot in the same column of the other half, or any other word unchanged."""
    return f"{name[0]}{7 - int(name[1])}" if len(name) == 2 and name[1].isdigit() else name


@pytest.mark.grid
@pytest.mark.parametrize("index", range(4))
def test_the_halves_make_no_difference_if_the_rosters_are_exchanged(index: int) -> None:
    swapped = {
        "name": "swapped",
        "kinds": {letters: kind | {"side": OTHER[kind["side"]]} for letters, kind in KINDS.items()},
    }
    game = play(index)
    begun = begin(roster=swapped)
    position = None
    for event, there in zip(game.events, game.states[1:], strict=True):
        if isinstance(event, Coin):
            position = arrange(begun, turn_words({**describe(there), "earlier": []}))
        elif position is not None:
            theirs = msgspec.convert(turn_words(msgspec.to_builtins(event)), type(event))
            assert GAME.check(position, theirs) is None
            position = GAME.apply(position, theirs)
            check_same(position, there)
    assert position is not None and position.outcome


def check_same(position: State, there: State) -> None:
    """Assert that `position` is `there` with the sides exchanged."""
    words = describe(there)
    expected = turn_words(
        {name: value for name, value in words.items() if name not in ("earlier", "outcome")}
    )
    assert {name: describe(position)[name] for name in expected} == expected
    if there.outcome is None or position.outcome is None:
        assert position.outcome is there.outcome
    else:
        assert position.outcome.reason == there.outcome.reason
        assert position.outcome.winners == tuple(OTHER[seat] for seat in there.outcome.winners)
