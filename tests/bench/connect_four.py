"""Connect Four as a foreign game: short, without chance, with rules of a few operations on integers.

The package's own share of the time is largest for such a game.
"""

from __future__ import annotations

from random import Random

from msgspec import Struct

from gamelog import game

WIDTH, HEIGHT = 7, 6
COLOURS = ("red", "yellow")
BOTTOM = {column: 1 << (HEIGHT + 1) * (column - 1) for column in range(1, WIDTH + 1)}
"""The lowest square of each column. A column has a spare bit, so that no line crosses columns."""

TOP = {column: bit << (HEIGHT - 1) for column, bit in BOTTOM.items()}
FULL = sum(((1 << HEIGHT) - 1) * bit for bit in BOTTOM.values())


class Drop(game.Event, frozen=True, tag="drop"):
    """A disc falls down a column, 1 to 7."""

    column: int


class Options(Struct, frozen=True):
    """The game has no options."""


class Setup(Struct, frozen=True):
    """The seats, the first to move first."""

    seats: tuple[str, ...]


class State(Struct, frozen=True, gc=False):
    """A position: all discs, those of the seat not to move, the number of the seat to move, the outcome."""

    setup: Setup
    discs: int = 0
    last: int = 0
    actor: int = 0
    outcome: game.Outcome | None = None


def four(discs: int) -> bool:
    """Return whether `discs` contain four in a line."""
    for step in (1, HEIGHT, HEIGHT + 1, HEIGHT + 2):
        pairs = discs & discs >> step
        if pairs & pairs >> 2 * step:
            return True
    return False


def pending(state: State) -> game.Pending:
    if state.outcome is not None:
        return game.Pending(outcome=state.outcome)
    return game.Pending(by=(state.setup.seats[state.actor],))


def check(state: State, event: Drop) -> game.Violation | None:
    if state.outcome is not None:
        return game.Violation("CF-3", "the game is over")
    if event.by != state.setup.seats[state.actor]:
        return game.forbids("CF-1", "it is {@turn}'s turn", turn=state.setup.seats[state.actor])
    if event.column not in TOP:
        return game.Violation("CF-1", f"there is no column {event.column}")
    return (
        game.Violation("CF-2", f"column {event.column} is full") if state.discs & TOP[event.column] else None
    )


def apply(state: State, event: Drop) -> State:
    discs, column = state.discs, event.column
    if column not in TOP or discs & TOP[column] or state.outcome is not None:
        raise game.CannotApply(f"Nothing can fall down column {column}.")
    discs |= discs + BOTTOM[column]
    mine = discs ^ state.last
    outcome = None
    if four(mine):
        outcome = game.Outcome((state.setup.seats[state.actor],), "four")
    elif discs == FULL:
        outcome = game.Outcome((), "full")
    return State(state.setup, discs, mine, 1 - state.actor, outcome)


def legal(state: State, seat: str) -> game.Legal:
    if state.outcome is not None or seat != state.setup.seats[state.actor]:
        return game.Legal(())
    return game.Legal(tuple(Drop(0, 0, seat, column) for column, top in TOP.items() if not state.discs & top))


def sample(state: State, seat: str, rng: Random) -> Drop:
    return rng.choice(legal(state, seat).events)  # type: ignore[return-value]  # the list holds this game's events


def chance(_state: State, _results: game.Results) -> Drop:
    raise AssertionError("nothing is left to chance")


def greedy(state: State, rng: Random) -> Drop:
    """Return a winning move, or any move if there is none."""
    drops = [
        Drop(0, 0, state.setup.seats[state.actor], column)
        for column, top in TOP.items()
        if not state.discs & top
    ]
    return next((drop for drop in drops if four(apply(state, drop).last)), None) or rng.choice(drops)


def scene(_state: State, _seat: str | None) -> game.Scene:
    cells = (game.Cell(f"{column}{row}", column, -row) for column in TOP for row in range(1, HEIGHT + 1))
    return game.Scene(game.BoardLayout(tuple(cells)))


GAME: game.Game[State, Drop, Options, str] = game.Game(
    id="connect_four",
    title="Connect Four",
    rules_version="1.0",
    seats={2: COLOURS},
    Options=Options,
    events=(Drop,),
    chance_events=(),
    boards={"standard": lambda: {"name": "standard"}},
    read_board=lambda data: str(data["name"]),
    start=lambda _options, _board, seats: State(Setup(seats)),
    pending=pending,
    check=check,
    apply=apply,
    legal=legal,
    sample=sample,
    chance=chance,
    effects=lambda _before, _event, _after: (),
    score=lambda state: dict.fromkeys(state.setup.seats, 0),
    scene=scene,
    messages={"drop": "{@by} drops into {column}."},
    bots={"random": sample, "greedy": lambda state, _seat, rng: greedy(state, rng)},
    rules=lambda: "",
)
