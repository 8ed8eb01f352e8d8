"""The clock, which follows the time of the record without pauses until the table calls time."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec import structs

from gamelog.errors import BadSetup, Refused
from gamelog.games.zone_control import GAME
from gamelog.games.zone_control.events import ChallengeRoll, Event, MoveRoll, Occupy, StartRoll, Step, TimeUp
from gamelog.play.fold.common_events import Clock
from gamelog.play.fold.fold import Fold
from gamelog.play.fold.start import read_options
from gamelog.play.recording.header import new_header
from gamelog.play.recording.recorder import EventRecorder
from gamelog.record import envelope
from gamelog.record.envelope import TABLE, Header, Seat
from gamelog.record.record_file import compose
from tests.games.zone_control.games import UNTIMED, play, position

MINUTE = 60_000


def header(**options: Any) -> Header:
    seats = [Seat(seat) for seat in GAME.seats[4]]
    return new_header(GAME, seats, id="clock", started="2026-03-14T19:30:00Z", options=options)


def begin_fold(**options: Any) -> Fold:
    """Return a game whose first movement roll came in the second minute, so the clock runs until minute 47."""
    fold = Fold(header(**options), GAME)
    add(fold, StartRoll(0, 0, TABLE, {"north": 6, "east": 1, "south": 1, "west": 1}), 1)
    add(fold, MoveRoll(0, 0, "north", (6, 6)), 2)
    return fold


def add(fold: Fold, event: envelope.Event, minute: float) -> None:
    failure = fold.push(at(fold, event, minute))
    assert failure is None, failure


def at(fold: Fold, event: envelope.Event, minute: float) -> envelope.Event:
    return structs.replace(event, n=fold.n + 1, t=int(minute * MINUTE))


def step(src: str, dst: str) -> Step:
    return Step(0, 0, "north", src, dst)


UP = TimeUp(0, 0, TABLE)


def test_without_pauses_it_runs_out_after_45_minutes() -> None:
    fold = begin_fold()
    add(fold, step("k4", "k5"), 46.99)
    late = fold.judge(at(fold, step("k5", "k6"), 47))
    assert late and late.rule == "ZC-A22"
    early = fold.judge(at(fold, UP, 46.99))
    assert early and (early.rule, early.text) == ("ZC-25", "the clock has not run out: 0:01 is left")
    add(fold, UP, 47)
    assert fold.pending.chance and fold.pending.chance.do == "final_roll"


def test_pauses_do_not_count() -> None:
    fold = begin_fold()
    add(fold, Clock(0, 0, TABLE, running=False), 10)
    add(fold, Clock(0, 0, TABLE, running=True), 40)
    early = fold.judge(at(fold, UP, 76))
    assert early and (early.rule, early.text) == ("ZC-25", "the clock has not run out: 1:00 is left")
    add(fold, step("k4", "k5"), 76)
    late = fold.judge(at(fold, step("k5", "k6"), 77))
    assert late and late.rule == "ZC-A22"
    add(fold, UP, 77)


def test_a_stopped_clock_does_not_run_out() -> None:
    fold = begin_fold()
    add(fold, Clock(0, 0, TABLE, running=False), 10)
    add(fold, step("k4", "k5"), 90)
    assert fold.judge(at(fold, UP, 90))


def test_a_takeback_of_the_first_roll_resets_the_clock() -> None:
    from gamelog.play.fold.common_events import Takeback

    fold = begin_fold()
    add(fold, Takeback(0, 0, TABLE, to=1), 5)
    add(fold, MoveRoll(0, 0, "north", (1, 2)), 6)
    assert fold.state.deadline == 51 * MINUTE


@pytest.mark.parametrize("phase", ["act", "move_roll", "occupy"])
def test_the_driver_calls_time_wherever_it_runs_out(phase: str) -> None:
    """The clock runs out in this phase in some game; the driver then continues by the rules."""
    for index in range(200):
        game = play(index)
        at = next(number for number, event in enumerate(game.events) if isinstance(event, TimeUp))
        if game.states[at].phase == phase:
            break
    else:
        raise AssertionError("in none of the games the clock ran out here")
    if phase == "occupy":
        assert isinstance(game.events[at - 1], ChallengeRoll)
        assert isinstance(game.events[at + 1], Occupy)
    assert GAME.pending(game.states[-1]).outcome


def test_time_is_not_called_between_a_challenge_and_its_dice() -> None:
    state = position(phase="act", deadline=MINUTE, away={"north": ["j9"], "south": ["j10"]})
    assert GAME.pending(state).timeout
    challenge = msgspec.convert(
        {"do": "challenge", "n": 1, "t": 0, "by": "north", "at": "5", "attackers": ["j9"]}, Event
    )
    assert GAME.pending(GAME.apply(state, challenge)).timeout is None


def test_without_a_clock_a_number_of_turns_ends_the_game() -> None:
    game = play(0, **UNTIMED)
    assert game.states[-1].turn == 120
    assert not [event for event in game.events if isinstance(event, TimeUp)]
    fold = begin_fold(**UNTIMED)
    refused = fold.judge(at(fold, UP, 500))
    assert refused and (refused.rule, refused.text) == ("ZC-A21", "this game has no clock")
    add(fold, step("k4", "k5"), 500)


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ({"clock_minutes": None}, "needs a limit of turns"),
        ({"clock_minutes": 0}, "clock_minutes must be 1 to 1440"),
        ({"clock_minutes": 1441}, "clock_minutes must be 1 to 1440"),
        ({"turn_limit": 0}, "turn_limit must be 1 to 10000"),
        ({"turn_limit": 10_001}, "turn_limit must be 1 to 10000"),
        ({"movement_dice": 4}, "movement_dice"),
        ({"challenges_per_zone": 2}, "challenges_per_zone"),
        ({"attack_size": "half"}, "attack_size"),
        ({"loss": "none"}, "loss"),
        ({"move_in": "none"}, "move_in"),
    ],
)
def test_bad_options_are_refused(options: dict[str, Any], complaint: str) -> None:
    with pytest.raises(BadSetup, match=complaint):
        read_options(GAME, options)


def test_the_recorder_asks_for_the_call_of_time(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    path.write_bytes(compose(header(), [])[0])
    now = [MINUTE]
    recorder = EventRecorder(path, clock=lambda _header: now[0])
    recorder.append([{"do": "start_roll", "rolls": {"north": 6, "east": 1, "south": 1, "west": 1}}])
    recorder.append([{"do": "move_roll", "dice": [6, 6]}])
    now[0] = 46 * MINUTE
    with pytest.raises(Refused, match=r"the clock has run out.*ZC-A22.*time_up") as refused:
        recorder.append([{"do": "end_turn"}])
    assert getattr(refused.value.finding, "legal", None) == ({"do": "time_up", "by": "table"},)
    recorder.append([{"do": "time_up"}])
    assert recorder.events[-1].by == TABLE
    assert recorder.fold.pending.chance
