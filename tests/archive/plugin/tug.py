"""Tug: a game so small that every row of its archive can be worked out by hand.

In turn, each seat pulls at a rope: it and the next seat throw one die each, the higher throw of
the puller takes the rope and a point. The first seat with `goal` points wins. The option `fault` makes
the code fail like foreign code: by an exception, by ending the process, by running for ever, or by filling memory.
"""

from __future__ import annotations

import os
import signal
from random import Random
from typing import Any, Literal

from msgspec import Struct, structs

from gamelog.chance.draws import Dice, Results
from gamelog.play.contract.effects import Captured, Contest, Effect, Over, Rolled, TurnOver
from gamelog.play.contract.game import ChanceDue, Game, Legal, Pending
from gamelog.play.contract.outcome import Outcome
from gamelog.play.contract.scene import BoardLayout, Cell, Scene
from gamelog.play.contract.violation import Violation
from gamelog.record import envelope

EVEN = 15 / 36
"""The chance that one die beats another."""


class Pull(envelope.Event, frozen=True, tag="pull"):
    at: str


class Dice2(envelope.Event, frozen=True, tag="dice"):
    attack: int
    defence: int


class Options(Struct, frozen=True):
    goal: int = 2
    fault: Literal["none", "crash", "kill", "loop", "fill", "effects"] = "none"


class Setup(Struct, frozen=True):
    seats: tuple[str, ...]
    options: Options


class State(Struct, frozen=True):
    setup: Setup
    points: tuple[int, ...]
    actor: int = 0
    rope: str | None = None


def start(options: Options, _board: None, seats: tuple[str, ...]) -> State:
    return State(Setup(seats, options), (0,) * len(seats))


def pending(state: State) -> Pending:
    seats = state.setup.seats
    for seat, points in zip(seats, state.points, strict=True):
        if points >= state.setup.options.goal:
            return Pending(outcome=Outcome((seat,), "points"))
    seat = seats[state.actor]
    if state.rope is not None:
        return Pending(chance=ChanceDue("dice", seat, (Dice(1, 6, seat), Dice(1, 6, against(state)))))
    return Pending(by=(seat,))


def against(state: State) -> str:
    return state.setup.seats[(state.actor + 1) % len(state.setup.seats)]


def check(state: State, event: envelope.Event) -> Violation | None:
    now = pending(state)
    if now.outcome:
        return Violation("TU-3", "the game is over")
    if event.by != state.setup.seats[state.actor] or isinstance(event, Pull) == (now.chance is not None):
        return Violation("TU-1", "it is another's turn")
    if isinstance(event, Pull) and event.at not in ("left", "right"):
        return Violation("TU-2", f"there is no rope {event.at}")
    return None


def apply(state: State, event: envelope.Event) -> State:
    if state.setup.options.fault == "crash":
        raise KeyError("a bug of the game's")
    if state.setup.options.fault == "kill":
        os.kill(os.getpid(), signal.SIGKILL)
    if state.setup.options.fault == "fill":
        bytearray(1 << 40)
    while state.setup.options.fault == "loop":
        pass
    if isinstance(event, Pull):
        return structs.replace(state, rope=event.at)
    assert isinstance(event, Dice2)
    points = list(state.points)
    points[state.actor] += event.attack > event.defence
    return structs.replace(state, points=tuple(points), rope=None, actor=(state.actor + 1) % len(points))


def effects(before: State, event: envelope.Event, after: State) -> tuple[Effect, ...]:
    if not isinstance(event, Dice2):
        return ()
    if before.setup.options.fault == "effects":
        raise KeyError("a bug of the effects")
    won, rope = event.attack > event.defence, before.rope or ""
    over = pending(after).outcome
    told: list[Effect] = [
        Rolled(event.by, (event.attack,)),
        Rolled(against(before), (event.defence,)),
        Contest(
            event.by,
            against(before),
            (event.attack,),
            (event.defence,),
            event.attack,
            event.defence,
            won,
            EVEN,
            rope,
        ),
    ]
    told += [Captured(event.by, rope)] if won else []
    told += [TurnOver(event.by, None if over else after.setup.seats[after.actor])]
    told += [Over(over.winners, over.reason)] if over else []
    return tuple(told)


def score(state: State) -> dict[str, int]:
    return dict(zip(state.setup.seats, state.points, strict=True))


def scene(_state: State, _seat: str | None) -> Scene:
    return Scene(BoardLayout((Cell("left", 0, 0), Cell("right", 1, 0))))


def sample(_state: State, seat: str, rng: Random) -> envelope.Event:
    return Pull(0, 0, seat, rng.choice(["left", "right"]))


def chance(state: State, results: Results) -> envelope.Event:
    (attack,), (defence,) = results
    return Dice2(0, 0, state.setup.seats[state.actor], int(attack), int(defence))


def legal(state: State, seat: str) -> Legal:
    return Legal(tuple(Pull(0, 0, seat, rope) for rope in ("left", "right") if seat in pending(state).by))


def bot(state: Any, seat: str, rng: Random) -> envelope.Event:
    assert seat in pending(state).by
    return sample(state, seat, rng)


GAME = Game(
    id="tug",
    title="Tug",
    rules_version="1",
    seats={2: ("red", "blue"), 3: ("red", "blue", "green")},
    Options=Options,
    events=(Pull, Dice2),
    chance_events=(Dice2,),
    boards={"ropes": lambda: {"name": "ropes"}},
    read_board=lambda _: None,
    start=start,
    pending=pending,
    check=check,
    apply=apply,
    legal=legal,
    sample=sample,
    chance=chance,
    effects=effects,
    score=score,
    scene=scene,
    messages={},
    bots={"random": bot, "greedy": bot},
    rules=lambda: "- **TU-1** In turn.\n- **TU-2** There are two ropes.\n- **TU-3** The goal ends it.\n",
)
