"""A toy game with all shapes of cells and pieces, and records of it, to test pages without a real game.

Two seats lay pieces on a small board, move them, and fight for cells with a die each. Pieces can be laid face
down, until a player turns all of them up. Three points end the game.
"""

from __future__ import annotations

from collections.abc import Iterable
from random import Random
from typing import Any

from msgspec import Struct, structs

from gamelog.chance.draws import Dice, Results
from gamelog.play.contract.effects import Captured, Contest, Effect, Over, Rolled, TurnOver
from gamelog.play.contract.game import ChanceDue, Game, Legal, Pending, without
from gamelog.play.contract.outcome import Outcome
from gamelog.play.contract.scene import BoardLayout, Caption, Cell, Link, Mark, Piece, PieceKind, Scene
from gamelog.play.contract.translation import Translation
from gamelog.play.contract.violation import Violation
from gamelog.play.fold import common_events
from gamelog.play.fold.fold import Fold
from gamelog.play.judging.event_decoding import decode
from gamelog.play.judging.fold_record import FoldedRecord, locate, ruled_events
from gamelog.play.judging.warnings import warnings
from gamelog.record.envelope import DiceSpec, Event, Header, Seat
from gamelog.record.reading import parse_record
from gamelog.record.record_file import compose

PORTUGUESE = Translation(
    {
        "{@by} lays a {what} on {at}.": "{@by} põe um {what} em {at}.",
        "{@by} lays something on {at}.": "{@by} põe algo em {at}.",
    },
    {"die": "dado", "flag": "bandeira"},
)

CELLS = (
    Cell("a", 0, 0, "square", "field", "a", "west"),
    Cell("b", 1, 0, "square", "water", "b", "west"),
    Cell("c", 2, 0, "square", "road", "c", "east"),
    Cell("h", 0.5, 1, "hex", "forest", "h"),
    Cell("d", 2, 1, "disc", "bunker", "d"),
    Cell("box", 1, 2.2, "tray", "prison", "box", w=3, h=0.9),
)


class Lay(Event, frozen=True, tag="lay"):
    """A piece is laid on a cell, face down if `secret`."""

    at: str
    what: PieceKind
    secret: bool = False


class Go(Event, frozen=True, tag="go"):
    """A piece moves. If an enemy is on the target, dice decide."""

    src: str
    dst: str


class Clash(Event, frozen=True, tag="clash"):
    """Each side rolls one die."""

    attack: tuple[int, ...]
    defence: tuple[int, ...]


class TurnUp(Event, frozen=True, tag="turn_up"):
    """All pieces are turned up."""


class Options(Struct, frozen=True):
    """No options."""


class State(Struct, frozen=True):
    """The position. `things`: cell, seat, kind, face down. `fight`: origin and target while dice are due."""

    seats: tuple[str, ...]
    things: tuple[tuple[str, str, PieceKind, bool], ...] = ()
    turn: int = 0
    points: tuple[int, ...] = (0, 0)
    fight: tuple[str, str] | None = None


def pending(state: State) -> Pending:
    for seat, points in zip(state.seats, state.points, strict=False):
        if points >= 3:
            return Pending(outcome=Outcome((seat,), "points"))
    mover = state.seats[state.turn % len(state.seats)]
    return (
        Pending(chance=ChanceDue("clash", mover, (Dice(1), Dice(1)))) if state.fight else Pending(by=(mover,))
    )


def check(state: State, event: Event) -> Violation | None:
    now = pending(state)
    if now.outcome:
        return Violation("TY-4", "the game is over")
    if isinstance(event, Clash) != bool(now.chance) or event.by != state.seats[state.turn % len(state.seats)]:
        return Violation("TY-1", f"it is not {event.by}'s turn to do that")
    if isinstance(event, Lay) and event.at not in {cell.id for cell in CELLS}:
        return Violation("TY-2", f"there is no cell {event.at}")
    if isinstance(event, Go) and not any(
        (at, seat) == (event.src, event.by) for at, seat, _, _ in state.things
    ):
        return Violation("TY-3", f"nothing of {event.by}'s stands on {event.src}")
    return None


def apply(state: State, event: Event) -> State:
    turn = state.turn + 1
    if isinstance(event, Lay):
        return structs.replace(
            state, things=(*state.things, (event.at, event.by, event.what, event.secret)), turn=turn
        )
    if isinstance(event, TurnUp):
        return structs.replace(state, things=tuple((*thing[:3], False) for thing in state.things), turn=turn)
    if isinstance(event, Go):
        if any(at == event.dst and seat != event.by for at, seat, _, _ in state.things):
            return structs.replace(state, fight=(event.src, event.dst))
        return _moved(state, event.src, event.dst, event.by, turn)
    assert isinstance(event, Clash)
    assert state.fight
    if event.attack <= event.defence:
        return structs.replace(state, fight=None, turn=turn)
    points = tuple(have + (seat == event.by) for seat, have in zip(state.seats, state.points, strict=True))
    taken = tuple(thing for thing in state.things if thing[0] != state.fight[1])
    return structs.replace(
        _moved(structs.replace(state, things=taken), *state.fight, event.by, turn), points=points, fight=None
    )


def _moved(state: State, src: str, dst: str, by: str, turn: int) -> State:
    at = next(index for index, thing in enumerate(state.things) if thing[:2] == (src, by))
    things = list(state.things)
    things[at] = (dst, *things[at][1:])
    return structs.replace(state, things=tuple(things), turn=turn)


def effects(before: State, event: Event, after: State) -> tuple[Effect, ...]:
    found: list[Effect] = []
    if isinstance(event, Clash) and before.fight:
        other = next(seat for seat in before.seats if seat != event.by)
        won = after.points != before.points
        found += [Rolled(event.by, event.attack), Rolled(other, event.defence)]
        sums = (sum(event.attack), sum(event.defence))
        found.append(
            Contest(event.by, other, event.attack, event.defence, *sums, won, 15 / 36, before.fight[1])
        )
        if won:
            found.append(Captured(event.by, before.fight[1], other))
    if after.turn != before.turn:
        over = pending(after).outcome
        found.append(TurnOver(event.by, None if over else after.seats[after.turn % 2]))
        if over:
            found.append(Over(over.winners, over.reason))
    return tuple(found)


def observe(state: State, seat: str | None) -> State:
    if seat is None:
        return state
    hidden = tuple(
        (at, by, "token" if down and by != seat else what, down) for at, by, what, down in state.things
    )
    return structs.replace(state, things=hidden)


def seen(event: Event, _before: State, seat: str) -> Event | dict[str, Any]:
    """Return the whole event, or hide a piece laid face down from the other seat."""
    return without(event, "what") if isinstance(event, Lay) and event.secret and event.by != seat else event


def scene(state: State, seat: str | None = None) -> Scene:
    seen = observe(state, seat)
    things = seen.things
    return Scene(
        BoardLayout(CELLS, (Link("c", "d", "road"),), "A toy board."),
        tuple(
            Piece(at, what, by, "3" if what == "die" else "", down and by != seat)
            for at, by, what, down in things
        ),
        tuple({at: by for at, by, _, _ in things}.items()),
        (Mark(state.fight[0], "from"), Mark(state.fight[1], "to")) if state.fight else (),
        (
            Caption("round", str(state.turn // 2 + 1)),
            *(Caption("things", str(len(things)), by) for by in state.seats[:1]),
        ),
    )


def _start(_options: Options, _board: dict[str, Any], seats: tuple[str, ...]) -> State:
    return State(seats)


def _sample(_state: State, seat: str, rng: Random) -> Event:
    return Lay(0, 0, seat, rng.choice(CELLS).id, "disc")


def _legal(state: State, seat: str) -> Legal:
    mine = seat in pending(state).by
    return Legal(tuple(Lay(0, 0, seat, cell.id, "disc") for cell in CELLS if mine), complete=False)


def _chance(state: State, results: Results) -> Event:
    owed = pending(state).chance
    assert owed
    faces = [tuple(int(face) for face in result) for result in results]
    return Clash(0, 0, owed.by, *faces)


RULES = """# Toy

- **TY-1** Each in turn; who attacks rolls at once.
- **TY-2** Things are laid on the <b>cells</b> of the board, two words
  of it in the next line.
- **TY-3** Only one's own things move.
- **TY-4** After three points nothing follows.
"""

TOY: Game[State, Event, Options, dict[str, Any]] = Game(
    id="toy",
    title="Toy & Sons",
    rules_version="1",
    seats={2: ("red", "N")},
    Options=Options,
    events=(Lay, Go, Clash, TurnUp),
    chance_events=(Clash,),
    boards={"six": lambda: {"name": "six"}},
    read_board=lambda data: data,
    start=_start,
    pending=pending,
    check=check,
    apply=apply,
    legal=_legal,
    sample=_sample,
    chance=_chance,
    effects=effects,
    score=lambda state: dict(zip(state.seats, state.points, strict=True)),
    scene=scene,
    messages={
        "lay": "{@by} lays a {what} on {at}.",
        "lay?": "{@by} lays something on {at}.",
        "go": "{@by} goes from {src} to {dst}.",
        "turn_up": "{@by} turns all up.",
    },
    translation=lambda language: PORTUGUESE if language == "pt" else Translation(),
    bots={},
    rules=lambda: RULES,
    observe=observe,
    seen=seen,
)


def header(red: str = "Ana", other: str = "Rui", **tags: str) -> Header:
    """Return the header of a toy game between two people."""
    return Header(
        id="3b1c7a52-0f0e-4a55-9c0e-0d6c5a9b7f10",
        game="toy",
        rules="1",
        started="2026-11-20T19:30:00Z",
        seats=(Seat("red", red), Seat("N", other)),
        options={},
        board="six",
        dice=DiceSpec("table"),
        tags=tags,
    )


def judged(data: bytes) -> FoldedRecord:
    """Return the folded toy record, as `fold_record` would if the game were installed."""
    record = parse_record(data)
    assert record.header
    events, undecoded = decode(TOY, record.bodies)
    fold = Fold(record.header, TOY, ruled_events=ruled_events(events))
    failure = fold.extend(events) or undecoded
    event = events[fold.n] if fold.n < len(events) else None
    findings = [*warnings(fold), *([locate(fold, failure, record, event)] if failure else [])]
    return FoldedRecord(record, fold, events[: fold.n], findings, events[fold.n :])


def folded(events: Iterable[Event], head: Header | None = None) -> FoldedRecord:
    """Return the replay of a toy game with `events`."""
    return judged(compose(head or header(), events)[0])


def game() -> list[Event]:
    """Return a short game with all features: fights won and lost, a note, a takeback, a secret, a pause."""
    return [
        Lay(1, 1_000, "red", "a", "die"),
        Lay(2, 4_000, "N", "b", "pawn"),
        common_events.Note(3, 5_000, "red", "a bold start", 2),
        Go(4, 9_000, "red", "a", "b"),
        Clash(5, 10_000, "red", (2,), (5,)),
        Lay(6, 12_000, "N", "h", "flag", secret=True),
        Go(7, 15_000, "red", "a", "c"),
        common_events.Takeback(8, 16_000, "red", 6, "touched the wrong one"),
        Go(9, 20_000, "red", "a", "b"),
        Clash(10, 21_000, "red", (6,), (1,)),
        TurnUp(11, 25_000, "N"),
        common_events.Clock(12, 26_000, "red", False),
        common_events.Clock(13, 86_000, "red", True),
        Go(14, 90_000, "red", "b", "d"),
    ]


def long_game(count: int) -> list[Event]:
    """Return a game of `count` events in which two discs move around."""
    events: list[Event] = [Lay(1, 1_000, "red", "a", "disc"), Lay(2, 2_000, "N", "h", "disc")]
    rounds = {"red": ("a", "b"), "N": ("h", "d")}
    for n in range(3, count + 1):
        by = "red" if n % 2 else "N"
        src, dst = rounds[by]
        rounds[by] = (dst, src)
        events.append(Go(n, n * 1_000, by, src, dst))
    return events
