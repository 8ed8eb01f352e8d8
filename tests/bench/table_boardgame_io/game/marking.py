"""Marking: two seats in turn mark any of a hundred cells, also over the other's mark, and it never ends.

server.js has the same game. It is so small that the measurement is about the server.
"""

from __future__ import annotations

from random import Random

from msgspec import Struct

from gamelog import game

CELLS = 100
SEATS = ("red", "blue")


class Mark(game.Event, frozen=True, tag="mark"):
    """A cell, 0 to 99, gets the seat's mark."""

    at: int


class Options(Struct, frozen=True):
    """The game has no options."""


class State(Struct, frozen=True):
    """The mark on each cell, and the number of the seat to move."""

    cells: tuple[str | None, ...] = (None,) * CELLS
    actor: int = 0


def check(state: State, event: Mark) -> game.Violation | None:
    if event.by != SEATS[state.actor]:
        return game.forbids("M-1", "it is {@turn}'s turn", turn=SEATS[state.actor])
    return None if 0 <= event.at < CELLS else game.Violation("M-2", f"there is no cell {event.at}")


def apply(state: State, event: Mark) -> State:
    if not 0 <= event.at < CELLS:
        raise game.CannotApply(f"There is no cell {event.at}.")
    return State((*state.cells[: event.at], event.by, *state.cells[event.at + 1 :]), 1 - state.actor)


def legal(state: State, seat: str) -> game.Legal:
    return game.Legal(
        tuple(Mark(0, 0, seat, at) for at in range(CELLS)) if seat == SEATS[state.actor] else ()
    )


def sample(_state: State, seat: str, rng: Random) -> Mark:
    return Mark(0, 0, seat, rng.randrange(CELLS))


def chance(_state: State, _results: game.Results) -> Mark:
    raise AssertionError("nothing is left to chance")


GAME: game.Game[State, Mark, Options, str] = game.Game(
    id="marking",
    title="Marking",
    rules_version="1.0",
    seats={2: SEATS},
    Options=Options,
    events=(Mark,),
    chance_events=(),
    boards={"standard": lambda: {"name": "standard"}},
    read_board=lambda data: str(data["name"]),
    start=lambda _options, _board, _seats: State(),
    pending=lambda state: game.Pending(by=(SEATS[state.actor],)),
    check=check,
    apply=apply,
    legal=legal,
    sample=sample,
    chance=chance,
    effects=lambda _before, _event, _after: (),
    score=lambda state: {seat: state.cells.count(seat) for seat in SEATS},
    scene=lambda _state, _seat: game.Scene(
        game.BoardLayout(tuple(game.Cell(str(at), at % 10, at // 10) for at in range(CELLS)))
    ),
    messages={"mark": "{@by} marks {at}."},
    bots={"random": sample},
    rules=lambda: "",
)
