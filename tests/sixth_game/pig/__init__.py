"""Pig: a game of one die, as another author's distribution."""

from importlib.resources import files
from random import Random
from typing import Annotated

from msgspec import Meta, Struct
from msgspec.structs import replace

from gamelog import game

COLOURS = ("red", "blue", "green", "yellow")


class Throw(game.Event, frozen=True, tag="throw"):
    """The player takes the die."""


class Hold(game.Event, frozen=True, tag="hold"):
    """The player banks the sum."""


class Die(game.Event, frozen=True, tag="die"):
    """The die shows its face."""

    face: int


Event = Throw | Hold | Die


class Options(Struct, frozen=True, kw_only=True):
    target: Annotated[int, Meta(ge=1, le=1000)] = 50


class Setup(Struct, frozen=True):
    seats: tuple[str, ...]
    target: int


class State(Struct, frozen=True):
    setup: Setup
    banked: tuple[int, ...]
    actor: int = 0
    sum: int = 0
    thrown: bool = False


def start(options: Options, _board: None, seats: tuple[str, ...]) -> State:
    return State(Setup(seats, options.target), (0,) * len(seats))


def outcome(state: State) -> game.Outcome | None:
    won = [
        seat
        for seat, points in zip(state.setup.seats, state.banked, strict=True)
        if points >= state.setup.target
    ]
    return game.Outcome(tuple(won), "target") if won else None


def pending(state: State) -> game.Pending:
    seat = state.setup.seats[state.actor]
    if state.thrown:
        return game.Pending(chance=game.ChanceDue("die", seat, (game.Dice(1, 6, seat),)))
    ended = outcome(state)
    return game.Pending(outcome=ended) if ended else game.Pending(by=(seat,))


def check(state: State, event: Event) -> game.Violation | None:
    if outcome(state):
        return game.Violation("PG-4", "the game is over")
    if event.by != state.setup.seats[state.actor]:
        return game.Violation("PG-5", f"it is {state.setup.seats[state.actor]}'s turn")
    if isinstance(event, Die) != state.thrown:
        return game.Violation(
            "PG-1", "the die must fall next" if state.thrown else "no player has taken the die"
        )
    if isinstance(event, Die) and event.face not in range(1, 7):
        return game.Violation("PG-2", f"a die cannot show {event.face}")
    return (
        game.Violation("PG-3", "there is nothing to bank")
        if isinstance(event, Hold) and not state.sum
        else None
    )


def apply(state: State, event: Event) -> State:
    if isinstance(event, Throw):
        return replace(state, thrown=True)
    following = replace(state, actor=(state.actor + 1) % len(state.banked), sum=0, thrown=False)
    if isinstance(event, Hold):
        banked = enumerate(state.banked)
        return replace(
            following, banked=tuple(points + state.sum * (at == state.actor) for at, points in banked)
        )
    if not state.thrown:
        raise game.CannotApply("No player has taken the die.")
    return following if event.face == 1 else replace(state, sum=state.sum + event.face, thrown=False)


def legal(state: State, seat: str) -> game.Legal:
    mine = seat in pending(state).by
    return game.Legal(
        tuple(kind(0, 0, seat) for kind in (Throw, Hold) if mine and (kind is Throw or state.sum))
    )


def chance(state: State, results: game.Results) -> Event:
    return Die(0, 0, state.setup.seats[state.actor], int(results[0][0]))


def effects(before: State, event: Event, after: State) -> tuple[game.Effect, ...]:
    found: list[game.Effect] = [game.Rolled(event.by, (event.face,))] if isinstance(event, Die) else []
    if after.actor != before.actor:
        found.append(game.TurnOver(event.by, after.setup.seats[after.actor]))
    ended = outcome(after)
    return (*found, game.Over(ended.winners, ended.reason)) if ended else tuple(found)


def scene(state: State, _seat: str | None) -> game.Scene:
    seats = state.setup.seats
    ground = game.BoardLayout(tuple(game.Cell(seat, at, 0, label=seat) for at, seat in enumerate(seats)))
    pieces = tuple(
        game.Piece(seat, "token", seat, str(points)) for seat, points in zip(seats, state.banked, strict=True)
    )
    return game.Scene(
        ground,
        pieces,
        marks=(game.Mark(seats[state.actor], "note"),),
        captions=(game.Caption("sum", str(state.sum)),),
    )


def greedy(state: State, seat: str, _rng: Random) -> Event:
    return Hold(0, 0, seat) if state.sum >= 20 else Throw(0, 0, seat)


GAME: game.Game[State, Event, Options, None] = game.Game(
    id="pig",
    title="Pig",
    rules_version="1.0",
    seats={players: COLOURS[:players] for players in (2, 3, 4)},
    Options=Options,
    events=(Throw, Hold, Die),
    chance_events=(Die,),
    start=start,
    pending=pending,
    check=check,
    apply=apply,
    legal=legal,
    chance=chance,
    effects=effects,
    score=lambda state: dict(zip(state.setup.seats, state.banked, strict=True)),
    scene=scene,
    messages={"throw": "{@by} takes the die.", "hold": "{@by} banks the sum.", "die": ""},
    bots={"greedy": greedy},
    rules=lambda: files(__package__).joinpath("RULES.md").read_text("utf-8"),
)
