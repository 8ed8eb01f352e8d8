"""What type checkers know of the front door: mypy finds every assertion true and every mistake (`make check`)."""

from __future__ import annotations

from typing import Any, assert_type

import gamelog
from gamelog.errors import GamelogError
from gamelog.game import Effect, Event, Outcome
from gamelog.games.slicewars import GAME, events, state

typed = gamelog.read("x.jsonl", game=GAME)
assert_type(typed, gamelog.Replay[state.State, events.Event])
assert_type(typed[42], gamelog.Step[state.State, events.Event])
assert_type(typed[42].before, state.State)
assert_type(typed[42].after.owners, bytes)
assert_type(typed.main_line(), tuple[gamelog.Step[state.State, events.Event], ...])
assert_type(typed.outcome, Outcome | None)
assert_type(typed[42].effects, tuple[Effect, ...])
for step in typed:
    assert_type(step, gamelog.Step[state.State, events.Event])
    if isinstance(step.event, events.Attack):
        assert_type(step.event, events.Attack)
general: Event = typed[42].event

assert_type(gamelog.read("x.jsonl"), gamelog.Replay[Any, Any])
assert_type(gamelog.simulate(GAME), gamelog.Replay[state.State, events.Event])
assert_type(gamelog.simulate("slicewars"), gamelog.Replay[Any, Any])
assert_type(gamelog.validate("x.jsonl"), gamelog.Verdict)
assert_type(gamelog.open("x.jsonl"), gamelog.Recorder)
assert_type(gamelog.html(typed), str)
assert_type(gamelog.games.names(), tuple[str, ...])
wider: gamelog.Replay[Any, Event] = typed
errors: type[GamelogError] = gamelog.Refused
typed[42].n = "x"  # type: ignore[assignment]  # each of these has to be an error
typed.status = "ok"  # type: ignore[misc]
gamelog.read(42)  # type: ignore[call-overload]
