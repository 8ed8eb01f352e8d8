"""The kit against a game whose seats decide together, with mistakes that its author would not see."""

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
from gamelog.testing.conformance import Conformance
from gamelog.testing.kit.bounded import bounded, in_time
from gamelog.testing.kit.random_games import Sample
from gamelog.testing.random_play import play
from tests.testing.bids import GAME, Boundless, State, legal

TOLD = "test_what_is_seen_of_an_event_can_be_told"
NO_POSITION = "test_what_is_no_position_is_refused"


@pytest.fixture(autouse=True)
def _few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gamelog.testing.kit.random_games.GAMES", 4)
    monkeypatch.setattr("gamelog.testing.kit.bounded.MORE", 1 << 26)


def tried(game: AnyGame, check: str) -> None:
    kit: Any = type("Kit", (Conformance,), {"game": game})()
    getattr(kit, check)()


@pytest.mark.parametrize("check", ["test_the_end_and_the_turns_are_told", TOLD, NO_POSITION])
def test_without_a_mistake_all_is_well_and_who_is_left_takes_no_turn(check: str) -> None:
    tried(GAME, check)


def test_a_phrase_that_asks_for_what_is_not_seen_is_named() -> None:
    with pytest.raises(
        AssertionError, match=r"the phrase for bid\? asks for coins, which seen leaves out for (red|blue)"
    ):
        tried(replace(GAME, messages={**GAME.messages, "bid?": "{@by} bids {coins}."}), TOLD)


linux = pytest.mark.skipif(
    sys.platform != "linux", reason="elsewhere a process is not told what memory it has"
)


@linux
def test_a_member_without_a_range_is_named_before_it_eats_all_memory() -> None:
    before = resource.getrlimit(resource.RLIMIT_AS)
    with pytest.raises(AssertionError, match=r'"coins" set to .*\d{7}.* does not end .*Meta\(ge=0, le=10\)'):
        tried(replace(GAME, start=lambda *_: Boundless()), NO_POSITION)
    assert resource.getrlimit(resource.RLIMIT_AS) == before


@linux
def test_too_little_memory_refuses_no_position() -> None:
    with pytest.raises(MemoryError), bounded():
        declared_state(GAME, Boundless(), {"coins": [2**53 - 1, 5]})


def _never_comes_back(state: Any, seat: str) -> Legal:
    while state.round:
        with suppress(Exception):
            legal(state, seat)
    return Legal(())


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="this system has no alarm")
def test_a_game_that_never_comes_back_is_stopped_once_for_all_checks() -> None:
    sample = Sample(replace(GAME, legal=_never_comes_back))
    stopped = r"not come to its end in 0\.5 s; it was stopped in "
    with pytest.raises(pytest.fail.Exception, match=stopped) as first, in_time(0.5):
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
def test_an_empty_list_for_who_is_to_act_is_said_in_a_sentence(members: dict[str, Any]) -> None:
    game = replace(GAME, legal=_nothing_late, **members)
    words = r"^Bids, which comes with .*, cannot go on at event 3: (red|blue) is to act, and legal lists nothing for that seat\.$"
    with pytest.raises(BrokenGame, match=words):
        play(game)


class Noting(State, frozen=True):
    """A state with something that can be changed in place."""

    notes: dict[str, int] = {}


def _notes_in_place(state: Any, event: Any) -> Any:
    state.notes[event.by] = 1
    return GAME.apply(state, event)


def test_what_states_share_is_not_changed_in_place() -> None:
    game = replace(GAME, start=lambda *_: Noting(), apply=_notes_in_place)
    with pytest.raises(AssertionError, match=r"^Bid\(.* changes the state before it in place"):
        tried(game, "test_states_stay_as_they_are")


@pytest.mark.parametrize(
    ("members", "words"),
    [
        (
            {"pending": lambda _state: Pending()},
            "event 1: pending names neither who is to act, nor chance, nor an outcome",
        ),
        (
            {"bots": {"random": lambda _state, _seat, _rng: None}},
            "event 1: the bot of (red|blue) gives NoneType, not an event",
        ),
    ],
    ids=["nothing is pending", "a bot gives nothing"],
)
def test_a_game_that_cannot_go_on_is_told_of_in_a_sentence(members: dict[str, Any], words: str) -> None:
    with pytest.raises(BrokenGame, match=rf"^Bids, which comes with .*, cannot go on at {words}\.$"):
        play(replace(GAME, **members))


def test_a_sample_that_finds_no_list_says_so_wherever_it_is_asked() -> None:
    broken = replace(GAME, legal=_nothing_late)
    with pytest.raises(BrokenGame, match="red is to act, but the game's function legal returns no event"):
        broken.sample(State(round=2), "red", Random(1))
