"""Tests of the kit with a game whose seats decide together, and with mistakes in this game."""

from __future__ import annotations

import resource
import signal
import sys
from contextlib import suppress
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from gamelog.errors import BrokenGame
from gamelog.game import Legal, Pending
from gamelog.play.contract.declare import declared_state
from gamelog.play.contract.game import AnyGame
from gamelog.testing.checks.limits import memory_limit, time_limit
from gamelog.testing.checks.random_games import Sample
from gamelog.testing.conformance import Conformance
from gamelog.testing.plays import play
from tests.testing.bids import GAME, Boundless, State, legal

SEEN_MESSAGES = "test_seen_events_have_messages"
INVALID_POSITIONS = "test_invalid_positions_are_refused"


@pytest.fixture(autouse=True)
def _few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gamelog.testing.checks.random_games.GAMES_PER_PLAYER_COUNT", 4)
    monkeypatch.setattr("gamelog.testing.checks.limits.EXTRA_MEMORY", 1 << 26)


def run_check(game: AnyGame, check: str) -> None:
    """Run a check of the kit on a game."""
    kit: Any = type("Kit", (Conformance,), {"game": game})()
    getattr(kit, check)()


@pytest.mark.parametrize("check", ["test_the_end_and_turns_have_effects", SEEN_MESSAGES, INVALID_POSITIONS])
def test_the_game_without_mistakes_passes(check: str) -> None:
    run_check(GAME, check)


def test_a_message_with_a_hidden_member_is_reported() -> None:
    with pytest.raises(
        AssertionError,
        match=r"the message for bid\? has the place coins, which seen leaves out for (red|blue)",
    ):
        run_check(replace(GAME, messages={**GAME.messages, "bid?": "{@by} bids {coins}."}), SEEN_MESSAGES)


linux = pytest.mark.skipif(
    sys.platform != "linux", reason="other systems do not report the memory of a process"
)


@linux
def test_a_member_without_a_range_is_reported_before_memory_runs_out() -> None:
    before = resource.getrlimit(resource.RLIMIT_AS)
    with pytest.raises(AssertionError, match=r'"coins" set to .*\d{7}.* does not end .*Meta\(ge=0, le=10\)'):
        run_check(replace(GAME, start=lambda *_: Boundless()), INVALID_POSITIONS)
    assert resource.getrlimit(resource.RLIMIT_AS) == before


@linux
def test_a_position_is_not_refused_for_lack_of_memory() -> None:
    with pytest.raises(MemoryError), memory_limit():
        declared_state(GAME, Boundless(), {"coins": [2**53 - 1, 5]})


def _never_returns(state: Any, seat: str) -> Legal:
    while state.round:
        with suppress(Exception):
            legal(state, seat)
    return Legal(())


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="this system has no alarm")
def test_a_game_that_never_returns_is_stopped_once_for_all_checks() -> None:
    sample = Sample(replace(GAME, legal=_never_returns))
    stopped = r"did not end in 0\.5 s, so it was stopped in "
    with pytest.raises(pytest.fail.Exception, match=stopped) as first, time_limit(0.5):
        assert sample.plays
    with pytest.raises(pytest.fail.Exception) as second:
        assert sample.plays
    assert second.value is first.value
    assert signal.getsignal(signal.SIGALRM) is signal.SIG_DFL


def _nothing_late(state: Any, seat: str) -> Legal:
    return legal(state, seat) if state.round == 1 else Legal(())


def _own_list(state: Any, seat: str, rng: Any, /) -> Any:
    return rng.choice(_nothing_late(state, seat).events)


@pytest.mark.parametrize(
    "members", [{}, {"sample": _own_list}], ids=["sample by default", "a sample of its own"]
)
def test_an_empty_list_for_a_seat_to_act_is_reported(members: dict[str, Any]) -> None:
    game = replace(GAME, legal=_nothing_late, **members)
    words = r"^Bids, from the package .*, cannot continue at event 3: (red|blue) is to act, but `legal` lists no events for that seat\.$"
    with pytest.raises(BrokenGame, match=words):
        play(game)


class Noting(State, frozen=True):
    """A state with something that can be changed in place."""

    notes: dict[str, int] = {}


def _notes_in_place(state: Any, event: Any) -> Any:
    state.notes[event.by] = 1
    return GAME.apply(state, event)


def test_a_change_of_a_shared_value_is_reported() -> None:
    game = replace(GAME, start=lambda *_: Noting(), apply=_notes_in_place)
    with pytest.raises(AssertionError, match=r"^Bid\(.* changes the state before it in place"):
        run_check(game, "test_states_are_not_changed_in_place")


@pytest.mark.parametrize(
    ("members", "words"),
    [
        (
            {"pending": lambda _state: Pending()},
            "event 1: pending names neither who is to act, nor chance, nor an outcome",
        ),
        (
            {"bots": {"random": lambda _state, _seat, _rng: None}},
            "event 1: the bot of (red|blue) returned NoneType instead of an event",
        ),
    ],
    ids=["nothing is pending", "a bot gives nothing"],
)
def test_a_game_that_cannot_continue_is_reported(members: dict[str, Any], words: str) -> None:
    with pytest.raises(BrokenGame, match=rf"^Bids, from the package .*, cannot continue at {words}\.$"):
        play(replace(GAME, **members))


def test_a_sample_from_an_empty_list_is_an_error() -> None:
    broken = replace(GAME, legal=_nothing_late)
    with pytest.raises(BrokenGame, match="red is to act, but the game's function legal returns no event"):
        broken.sample(State(round=2), "red", Random(1))
