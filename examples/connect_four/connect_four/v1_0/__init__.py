"""Connect Four, rules 1.0: two players, one kind of event, no chance, no points, no options."""

from functools import partial, reduce
from importlib.resources import files
from random import Random

from msgspec import Struct
from msgspec.structs import replace

from gamelog import game

WIDTH, HEIGHT = 7, 6
BOTTOM = {column: 1 << (HEIGHT + 1) * (column - 1) for column in range(1, WIDTH + 1)}  # a bit a square, one spare on each column
TOP = {column: bit << (HEIGHT - 1) for column, bit in BOTTOM.items()}
SQUARES = {bit << row: game.Cell(f"{column}{row + 1}", column, -row) for column, bit in BOTTOM.items() for row in range(HEIGHT)}
GROUND = game.BoardLayout(tuple(SQUARES.values()), words=tuple(game.Word(f"{column}", column, 1) for column in BOTTOM))


class Drop(game.Event, frozen=True, tag="drop"):
    column: int  # 1 to 7


class Setup(Struct, frozen=True):
    seats: tuple[str, ...]


class State(Struct, frozen=True):
    setup: Setup
    discs: int = 0  # the discs of both seats
    last: int = 0  # the discs of the seat that moved last
    actor: int = 0  # the number of the seat to move


def four(discs: int) -> int:
    """Return those of `discs` that are in a line of four."""
    pairs = [(discs & discs >> step, step) for step in (1, HEIGHT, HEIGHT + 1, HEIGHT + 2)]
    return reduce(int.__or__, ((two & two >> 2 * step) << step * place for two, step in pairs for place in range(4)))


def pending(state: State) -> game.Pending:
    if four(state.last):
        return game.Pending(outcome=game.Outcome((state.setup.seats[1 - state.actor],), "four"))
    full = all(state.discs & top for top in TOP.values())
    return game.Pending(outcome=game.Outcome((), "full")) if full else game.Pending(by=(state.setup.seats[state.actor],))


def check(state: State, event: Drop) -> game.Violation | None:
    if pending(state).outcome:
        return game.forbids("CF-4", "the game is over")
    if event.by != (turn := state.setup.seats[state.actor]):
        return game.forbids("CF-1", "it is {@turn}'s turn", turn=turn)
    if event.column not in TOP:
        return game.forbids("CF-2", "there is no column {n}", n=event.column)
    return game.forbids("CF-3", "column {n} is full", n=event.column) if state.discs & TOP[event.column] else None


def apply(state: State, event: Drop) -> State:
    if event.column not in TOP or state.discs & TOP[event.column]:
        raise game.CannotApply(f"No disc can fall into column {event.column}.")
    discs = state.discs | state.discs + BOTTOM[event.column]
    return replace(state, discs=discs, last=discs & ~state.last, actor=1 - state.actor)


def legal(state: State, seat: str) -> game.Legal:
    free = [column for column, top in TOP.items() if seat in pending(state).by and not state.discs & top]
    return game.Legal(tuple(Drop(0, 0, seat, column) for column in free))


def effects(_before: State, event: game.Event, after: State) -> tuple[game.Effect, ...]:
    outcome = pending(after).outcome
    turn = game.TurnOver(event.by, None if outcome else after.setup.seats[after.actor])
    again = replace(after, last=after.discs & ~after.last)  # as if the same seat were to move
    drops = (Drop(0, 0, event.by, column) for column, top in TOP.items() if not (outcome or after.discs & top))
    threat = (game.Threat(event.by),) if any(four(apply(again, drop).last) for drop in drops) else ()
    return (*threat, turn, game.Over(outcome.winners, outcome.reason)) if outcome else (*threat, turn)


def scene(state: State, _seat: str | None) -> game.Scene:
    last, other = state.setup.seats[1 - state.actor], state.setup.seats[state.actor]
    discs = ((cell.id, last if bit & state.last else other) for bit, cell in SQUARES.items() if bit & state.discs)
    won = tuple(game.Mark(cell.id, "group", "4", last) for bit, cell in SQUARES.items() if bit & four(state.last))
    return game.Scene(GROUND, tuple(game.Piece(at, "disc", seat) for at, seat in discs), marks=won)


def careful(state: State, seat: str, rng: Random) -> Drop:
    """Win if possible, or else block a win of the other player."""
    drops = [Drop(0, 0, seat, column) for column in TOP if not state.discs & TOP[column]]
    theirs = replace(state, last=state.discs & ~state.last)  # as if the other seat were to move
    wins = [drop for now in (state, theirs) for drop in drops if four(apply(now, drop).last)]
    return wins[0] if wins else rng.choice(drops)


GAME: game.Game[State, Drop, Struct, None] = game.Game(
    id="connect_four",
    title="Connect Four",
    rules_version="1.0",
    seats={2: ("red", "yellow")},
    events=(Drop,),
    start=lambda _options, _board, seats: State(Setup(seats)),
    pending=pending,
    check=check,
    apply=apply,
    legal=legal,
    effects=effects,
    scene=scene,
    messages={"drop": "{@by} drops a disc into column {column}."},
    translation=partial(game.translation, __name__),
    bots={"careful": careful},
    rules=lambda: files(__package__).joinpath("RULES.md").read_text("utf-8"),
)
