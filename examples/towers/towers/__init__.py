"""Towers: discs on a board that grows, and towers whose order and height matter."""

from collections.abc import Iterator
from functools import lru_cache, partial
from importlib.resources import files
from random import Random
from typing import Annotated

from msgspec import Meta, Struct
from msgspec.structs import replace

from gamelog import game

COLUMNS, ROWS = "abcdefghijk", range(1, 12)
FIRST, SPAN, HIGHEST = "f6", 6, 5  # the square of the first disc, the size of the field, the height of a tower
PLACES = {f"{name}{row}": (column, row) for column, name in enumerate(COLUMNS) for row in ROWS}
NAMES = {place: name for name, place in PLACES.items()}


class Place(game.Event, frozen=True, tag="place"):
    at: str


class Move(game.Event, frozen=True, tag="move"):
    src: str
    dst: str


Event = Place | Move
Tower = Annotated[str, Meta(pattern="^[01]{1,20}$")]  # the numbers of the discs' seats, from the bottom


class Options(Struct, frozen=True, kw_only=True):
    discs: Annotated[int, Meta(ge=2, le=9)] = 9  # of each player


class Setup(Struct, frozen=True):
    seats: tuple[str, ...]
    discs: int


class State(Struct, frozen=True):
    setup: Setup
    towers: tuple[tuple[str, Tower], ...] = ()  # by square, in the order of their squares
    actor: int = 0


def left(state: State, who: int) -> int:
    """Return the number of discs that a player has not placed yet."""
    return state.setup.discs - sum(tower.count(str(who)) for _, tower in state.towers)


def neighbours(square: str) -> Iterator[str]:
    column, row = PLACES[square]
    for place in ((column - 1, row), (column + 1, row), (column, row - 1), (column, row + 1)):
        if place in NAMES:
            yield NAMES[place]


def fits(state: State, square: str) -> bool:
    """Return whether all discs stay within the largest field after a disc is placed on `square`."""
    places = [PLACES[at] for at in (square, *dict(state.towers))]
    return all(max(axis) - min(axis) < SPAN for axis in zip(*places, strict=True))


@lru_cache(maxsize=1024)
def options(state: State, who: int) -> tuple[Event, ...]:
    """Return everything that a player could do now."""
    towers, seat = dict(state.towers), state.setup.seats[who]
    free = sorted({at for tower in towers for at in neighbours(tower) if at not in towers}) if towers else [FIRST]
    placed = (Place(0, 0, seat, at) for at in free if left(state, who) > 0 and fits(state, at))
    moved = (
        Move(0, 0, seat, src, dst)
        for src, tower in towers.items()
        for dst in neighbours(src)
        if tower.endswith(str(who)) and towers.get(dst, "").endswith(str(1 - who)) and len(tower + towers[dst]) <= HIGHEST
    )
    return (*placed, *moved)


def points(state: State) -> dict[str, int]:
    tops = [(int(tower[-1]), len(tower)) for _, tower in state.towers]
    return {seat: sum(high for top, high in tops if top == who) for who, seat in enumerate(state.setup.seats)}


def pending(state: State) -> game.Pending:
    if options(state, state.actor):
        return game.Pending(by=(state.setup.seats[state.actor],))
    if options(state, 1 - state.actor):  # in a position that people declared
        return game.Pending(by=(state.setup.seats[1 - state.actor],))
    score = points(state)
    best = tuple(seat for seat, n in score.items() if n == max(score.values()))
    return game.Pending(outcome=game.Outcome(best if len(best) == 1 else (), "points"))


def check(state: State, event: Event) -> game.Violation | None:
    due, towers = pending(state), dict(state.towers)
    if due.outcome:
        return game.forbids("TW-6", "the game is over")
    if event.by != due.by[0]:
        return game.forbids("TW-1", "it is {@turn}'s turn", turn=due.by[0])
    who = state.setup.seats.index(event.by)
    if isinstance(event, Place):
        if event.at not in PLACES or (towers and not towers.keys() & {*neighbours(event.at)}):
            return game.forbids("TW-2", "{=at} is not next to a tower", at=event.at)
        if event.at in towers or (not towers and event.at != FIRST) or not left(state, who):
            return game.forbids("TW-2", "no disc can be placed on {=at}", at=event.at)
        return None if fits(state, event.at) else game.forbids("TW-3", "the discs would need more than six columns or rows")
    if event.src not in towers or not towers[event.src].endswith(str(who)):
        return game.forbids("TW-4", "{@by} has no tower on {=src}", by=event.by, src=event.src)
    if not towers.get(event.dst, "").endswith(str(1 - who)) or event.dst not in neighbours(event.src):
        return game.forbids("TW-4", "no tower of the other player on {=dst} is next to {=src}", dst=event.dst, src=event.src)
    high = len(towers[event.src] + towers[event.dst])
    return game.forbids("TW-5", "the tower would have {n} discs", n=high) if high > HIGHEST else None


def apply(state: State, event: Event) -> State:
    towers, seats = dict(state.towers), state.setup.seats
    if isinstance(event, Place) and event.by in seats and event.at in PLACES:
        who = seats.index(event.by)
        if not left(state, who):
            raise game.CannotApply("The player has no disc.")
        towers[event.at] = towers.get(event.at, "") + str(who)
    elif isinstance(event, Move) and event.src in towers and event.dst in PLACES and event.src != event.dst:
        towers[event.dst] = towers.get(event.dst, "") + towers.pop(event.src)
    else:
        raise game.CannotApply("There is no such square, player or tower.")
    after = replace(state, towers=tuple(sorted(towers.items())), actor=1 - state.actor)
    return after if options(after, after.actor) else replace(after, actor=state.actor)


def legal(state: State, seat: str) -> game.Legal:
    return game.Legal(options(state, state.setup.seats.index(seat)) if seat in pending(state).by else ())


def effects(before: State, event: game.Event, after: State) -> tuple[game.Effect, ...]:
    seats, due, found = after.setup.seats, pending(after), list[game.Effect]()
    covered = dict(before.towers).get(event.dst, "") if isinstance(event, Move) else ""
    if covered and isinstance(event, Move) and (loser := seats[int(covered[-1])]) != event.by:
        found.append(game.Captured(event.by, event.dst, loser))
    found.append(game.TurnOver(seats[before.actor], None if due.outcome else due.by[0]))
    return (*found, game.Over(due.outcome.winners, due.outcome.reason)) if due.outcome else tuple(found)


SQUARES = [game.Cell(name, column, -row, stacked=True) for name, (column, row) in PLACES.items()]
RIM = game.rim(((cell.id[0], cell.id[1:], cell) for cell in SQUARES), (), both=False)


@game.cached_by_identity
def ground(setup: Setup) -> game.BoardLayout:
    """Return the board, of which only the squares near towers are visible, with the discs of each player beside it."""
    trays = [
        game.Cell(f"{seat} discs", 5, y, "tray", label="discs", w=6, h=1.2, seat=seat)
        for seat, y in zip(setup.seats, (1.2, -13), strict=True)
    ]
    return game.BoardLayout((*SQUARES, *trays), words=RIM, margin=1)


def scene(state: State, _seat: str | None) -> game.Scene:
    seats = state.setup.seats
    discs = [game.Piece(at, "disc", seats[int(who)]) for at, tower in state.towers for who in tower]
    waiting = [game.Piece(f"{seat} discs", "disc", seat) for who, seat in enumerate(seats) for _ in range(left(state, who))]
    return game.Scene(ground(state.setup), (*discs, *waiting))


def greedy(state: State, seat: str, rng: Random) -> Event:
    """Return an event after which the player leads by as much as possible."""

    def lead(event: Event) -> tuple[int, float]:
        score = points(apply(state, event))
        return 2 * score[seat] - sum(score.values()), rng.random()

    return max(options(state, state.setup.seats.index(seat)), key=lead)


GAME: game.Game[State, Event, Options, None] = game.Game(
    id="towers",
    title="Towers",
    rules_version="1.0",
    seats={2: ("red", "blue")},
    Options=Options,
    events=(Place, Move),
    start=lambda options, _board, seats: State(Setup(seats, options.discs)),
    pending=pending,
    check=check,
    apply=apply,
    legal=legal,
    effects=effects,
    score=points,
    scored=("towers",),
    scene=scene,
    messages={
        "place": "{@by} places a disc on {at}.",
        "move": "{@by} moves the tower on {src} onto {dst}.",
        "captured": "{@by} covers a tower of {@loser}.",
    },
    translation=partial(game.translation, __name__),
    bots={"greedy": greedy},
    rules=lambda: files(__name__).joinpath("RULES.md").read_text("utf-8"),
)
