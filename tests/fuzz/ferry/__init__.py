"""Ferry: a small whole game by another author, in which mistakes are planted (`tests.fuzz.planting`).

It has hidden cards, dice, resignations, rare decisions, boards, options with ranges, and declared positions.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib.resources import files
from random import Random
from typing import Annotated, Any

from msgspec import Meta, Struct, convert
from msgspec.structs import replace

from gamelog.game import (
    BoardLayout,
    Caption,
    Cell,
    Contest,
    Effect,
    Event,
    Game,
    Out,
    Over,
    Piece,
    Rolled,
    Scene,
    Translation,
    TurnOver,
    Violation,
    beats,
    cached_by_identity,
    without,
)

from .rules import (
    Board,
    Draw,
    Move,
    Options,
    Push,
    Rest,
    Row,
    Setup,
    Shove,
    State,
    apply,
    chance,
    check,
    ended,
    legal,
    pending,
    retire,
    sample,
    start,
)


class Shoved(Effect, frozen=True, tag="shoved"):
    by: str
    whom: str
    to: int


def effects(before: State, event: Move, after: State) -> tuple[Effect, ...]:
    return tuple(told(before, event, after))


def told(before: State, event: Move, after: State) -> Iterator[Effect]:
    seats = after.setup.seats
    if isinstance(event, Push) and before.shoves:
        won = event.strong > event.firm
        yield Rolled(event.by, (event.strong,))
        yield Rolled(before.shoves, (event.firm,))
        dice = (event.strong,), (event.firm,)
        yield Contest(event.by, before.shoves, *dice, event.strong, event.firm, won, odds=beats(1, 1))
        if won:
            yield Shoved(event.by, before.shoves, after.at[seats.index(before.shoves)])
    for seat, was, now in zip(seats, before.out, after.out, strict=True):
        if now and not was:
            yield Out(seat)
    if after.turns != before.turns:
        yield TurnOver(seats[before.actor], seats[after.actor])
    if over := ended(after):
        yield Over(over.winners, over.reason)


def score(state: State) -> dict[str, int]:
    return dict(zip(state.setup.seats, state.at, strict=True))


@cached_by_identity
def ground(setup: Setup) -> BoardLayout:
    water = [Cell(str(i), i, 0, label=str(i)) for i in range(setup.board.places)]
    hands = [Cell(f"hand {seat}", 0, i + 2, "tray", seat=seat, label="hand", w=3) for i, seat in enumerate(setup.seats)]
    return BoardLayout((*water, *hands))


def scene(state: State, _seat: str | None) -> Scene:
    seats = state.setup.seats
    boats = [Piece(str(at), "pawn", who, id=f"boat of {who}") for who, at in zip(seats, state.at, strict=True)]
    cards = [
        Piece(f"hand {who}", "tile", who, "" if not card else str(card), hidden=not card)
        for who, hand in zip(seats, state.hands, strict=True)
        for card in hand
    ]
    return Scene(ground(state.setup), (*boats, *cards), captions=(Caption("turn", str(state.turns)),))


def observe(state: State, seat: str | None) -> State:
    if seat is None:
        return state
    hands = tuple(h if who == seat else (0,) * len(h) for who, h in zip(state.setup.seats, state.hands, strict=True))
    return replace(state, hands=hands)


def describe(state: State) -> dict[str, Any]:
    seats = state.setup.seats
    return {
        "hands": dict(zip(seats, map(list, state.hands), strict=True)),
        "at": dict(zip(seats, state.at, strict=True)),
        "out": [seat for seat, out in zip(seats, state.out, strict=True) if out],
        "turn": seats[state.actor],
        "turns": state.turns,
        "shoves": state.shoves,
    }


class Words(Struct, frozen=True, forbid_unknown_fields=True):
    """A position as `describe` returns it."""

    hands: dict[str, list[Annotated[int, Meta(ge=1, le=3)]]]
    at: dict[str, Annotated[int, Meta(ge=0)]]
    turn: str
    turns: Annotated[int, Meta(ge=0, le=10000)]
    out: list[str] = []
    shoves: str | None = None


def declare(now: State, words: dict[str, Any]) -> State:
    told = convert(words, Words)
    seats, out = now.setup.seats, tuple(seat in told.out for seat in now.setup.seats)
    if set(told.hands) != set(seats) or set(told.at) != set(seats) or not {*told.out, told.turn} <= set(seats):
        raise ValueError("every seat has a hand and a place")
    if max(told.at.values()) >= now.setup.board.places:
        raise ValueError("there are not so many places")
    if any(len(hand) > now.setup.options.hand for hand in told.hands.values()):
        raise ValueError("that is more cards than a hand holds")
    if told.turn in told.out or all(out) or (told.shoves and (told.shoves not in seats or told.shoves in (told.turn, *told.out))):
        raise ValueError("a seat that is out has no turn and is not shoved")
    hands = tuple(tuple(sorted(told.hands[seat])) for seat in seats)
    at = tuple(told.at[seat] for seat in seats)
    return State(now.setup, hands, at, out, seats.index(told.turn), told.turns, told.shoves)


def greedy(state: State, seat: str, _rng: Random) -> Event:
    return max(legal(state, seat).events, key=lambda move: move.card if isinstance(move, Row) else 0)


def left(state: State) -> str:
    return f"{len(state.hands[state.actor])} cards in hand"


def shorthand(state: State, words: tuple[str, ...]) -> tuple[Move, ...] | Violation | None:
    if not words or not words[0].isdecimal():
        return None
    if len(words[0]) > 1 or int(words[0]) not in (1, 2, 3):
        return Violation("FE-1", f"there is no card {words[0][:9]}")
    return (Row(0, 0, state.setup.seats[state.actor], int(words[0])),)


def taps(_state: State, event: Move) -> tuple[str, ...]:
    match event:
        case Row():
            return (f"card {event.card}",)
        case Shove():
            return (f"boat of {event.whom}",)
        case _:
            return ()


def resolve(options: Options) -> Options:
    return replace(options, tie="shared") if options.tie == "as_asked" else options


ROWS, BACK = "{@by} rows {card}.", "{@whom} is back at {to}."

PORTUGUESE = Translation({ROWS: "{@by} rema {card}.", BACK: "{@whom} volta a {to}."}, {"turn": "turno", "hand": "mão"})

SEATS = ("red", "blue", "green", "white")

GAME: Game[State, Move, Options, Board] = Game(
    id="ferry",
    title="Ferry",
    rules_version="1.0",
    seats={players: SEATS[:players] for players in (2, 3, 4)},
    Options=Options,
    events=(Row, Shove, Rest, Draw, Push),
    chance_events=(Draw, Push),
    boards={"long": lambda: {"name": "long", "places": 16}, "short": lambda: {"name": "short", "places": 9}},
    read_board=lambda data: convert(data, Board),
    start=start,
    resolve=resolve,
    pending=pending,
    check=check,
    apply=apply,
    legal=legal,
    sample=sample,
    chance=chance,
    canonical=lambda event: replace(event, cards=tuple(sorted(event.cards))) if isinstance(event, Draw) else event,
    effects=effects,
    score=score,
    scored=("at",),
    scene=scene,
    observe=observe,
    seen=lambda event, _before, seat: without(event, "cards") if isinstance(event, Draw) and event.by != seat else event,
    retire=retire,
    describe=describe,
    declare=declare,
    left=left,
    shorthand=shorthand,
    taps=taps,
    translation=lambda language: PORTUGUESE if language == "pt" else Translation(),
    messages={
        "row": ROWS,
        "shove": "{@by} shoves {@whom}.",
        "rest": "{@by} rests.",
        "draw": "",
        "push": "",
        "shoved": BACK,
    },
    bots={"random": sample, "greedy": greedy},
    rules=lambda: files(__package__).joinpath("RULES.md").read_text("utf-8"),
)
