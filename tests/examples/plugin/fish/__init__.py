"""Fish: draw a card into your hidden hand, then show a card of your hand. The deck is a bag with hidden content."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct
from msgspec.structs import replace

from gamelog import game

SEATS = ("red", "blue")
DEALT, SHOWN = 3, 4
HIDDEN = "?"


class Deal(game.Event, frozen=True, tag="deal"):
    hands: dict[str, tuple[str, ...]]


class Draw(game.Event, frozen=True, tag="draw"):
    card: str


class Show(game.Event, frozen=True, tag="show"):
    card: str


Event = Deal | Draw | Show


class Options(Struct, frozen=True, kw_only=True):
    cards: Annotated[int, Meta(ge=10, le=1_000)] = 10


class State(Struct, frozen=True):
    cards: tuple[str, ...]
    deck: tuple[str, ...]
    hands: tuple[tuple[str, ...], ...] = ((), ())
    shown: tuple[str, ...] = ()
    turn: int = 0
    drawn: bool = False


def start(options: Options, _board: None, _seats: tuple[str, ...]) -> State:
    cards = tuple(str(card) for card in range(1, options.cards + 1))
    return State(cards, cards)


def is_dealt(state: State) -> bool:
    return any(state.hands) or bool(state.shown)


def pending(state: State) -> game.Pending:
    seat = SEATS[state.turn]
    if len(state.shown) >= SHOWN:
        return game.Pending(outcome=game.Outcome((SEATS[0],), "shown"))
    things = tuple((card, 1) for card in state.deck)
    if not is_dealt(state):
        bag = game.Bag(DEALT * len(SEATS), things, private=True)
        return game.Pending(chance=game.ChanceDue("deal", game.TABLE, (bag,)))
    if not state.drawn:
        return game.Pending(chance=game.ChanceDue("draw", seat, (game.Bag(1, things, seat, private=True),)))
    return game.Pending(by=(seat,))


def check(state: State, event: Event) -> game.Violation | None:
    due = pending(state)
    if due.outcome:
        return game.forbids("F-1", "the game is over")
    if isinstance(event, Show):
        if due.by != (event.by,):
            return game.forbids("F-5", "it is not your turn")
        held = event.card in state.hands[SEATS.index(event.by)]
        return None if held else game.forbids("F-6", "{@by} does not hold this card", by=event.by)
    kind = "deal" if isinstance(event, Deal) else "draw"
    if not due.chance or (due.chance.do, due.chance.by) != (kind, event.by):
        return game.forbids("F-2", "no such draw is due")
    drawn = (
        [event.card] if isinstance(event, Draw) else [card for hand in event.hands.values() for card in hand]
    )
    fits = all(card in state.deck for card in drawn) and len(set(drawn)) == len(drawn)
    return None if fits else game.forbids("F-4", "this card is not in the deck")


def apply(state: State, event: Event) -> State:
    if isinstance(event, Deal):
        hands = tuple(tuple(sorted(event.hands.get(seat, ()))) for seat in SEATS)
        return replace(
            state, hands=hands, deck=without(state.deck, *(card for hand in hands for card in hand))
        )
    at = SEATS.index(event.by) if event.by in SEATS else -1
    if at < 0 or event.card not in (state.deck if isinstance(event, Draw) else state.hands[at]):
        raise game.CannotApply("The card is not there.")
    if isinstance(event, Draw):
        hand = tuple(sorted((*state.hands[at], event.card)))
        return replace(
            state, hands=put(state.hands, at, hand), deck=without(state.deck, event.card), drawn=True
        )
    return replace(
        state,
        hands=put(state.hands, at, without(state.hands[at], event.card)),
        shown=(*state.shown, event.card),
        turn=(state.turn + 1) % len(SEATS),
        drawn=False,
    )


def without(cards: tuple[str, ...], *gone: str) -> tuple[str, ...]:
    return tuple(card for card in cards if card not in gone)


def put(hands: tuple[tuple[str, ...], ...], at: int, hand: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    return (*hands[:at], hand, *hands[at + 1 :])


def legal(state: State, seat: str) -> game.Legal:
    if seat not in pending(state).by:
        return game.Legal(())
    return game.Legal(tuple(Show(0, 0, seat, card) for card in state.hands[SEATS.index(seat)]))


def chance(state: State, results: tuple[tuple[int | str, ...], ...]) -> Event:
    drawn = tuple(map(str, results[0]))
    if is_dealt(state):
        return Draw(0, 0, SEATS[state.turn], drawn[0])
    return Deal(
        0, 0, game.TABLE, {seat: drawn[DEALT * at : DEALT * (at + 1)] for at, seat in enumerate(SEATS)}
    )


def canonical(event: Event) -> Event:
    if isinstance(event, Deal):
        return replace(event, hands={seat: tuple(sorted(hand)) for seat, hand in event.hands.items()})
    return event


def observe(state: State, seat: str | None) -> State:
    if seat is None:
        return state
    own = SEATS.index(seat)
    hands = tuple(hand if at == own else (HIDDEN,) * len(hand) for at, hand in enumerate(state.hands))
    return replace(state, hands=hands, deck=without(state.cards, *state.hands[own], *state.shown))


def seen(event: Event, _before: State, seat: str | None) -> Event | dict[str, object] | None:
    if isinstance(event, Deal):
        return game.without(event, "hands") | {
            "hands": {one: hand for one, hand in event.hands.items() if one == seat}
        }
    return game.without(event, "card") if isinstance(event, Draw) and event.by != seat else event


def scene(state: State, _seat: str | None) -> game.Scene:
    pieces = (
        game.Piece(f"{seat} hand", "tile", seat, "" if card == HIDDEN else card, card == HIDDEN)
        for seat, hand in zip(SEATS, state.hands, strict=True)
        for card in hand
    )
    return game.Scene(GROUND, tuple(pieces))


GROUND = game.BoardLayout(
    tuple(
        game.Cell(f"{seat} hand", 0, at, "tray", label="hand", w=4, seat=seat)
        for at, seat in enumerate(SEATS)
    )
)

GAME: game.Game[State, Event, Options, None] = game.Game(
    id="fish",
    title="Fish",
    rules_version="1.0",
    seats={2: SEATS},
    Options=Options,
    events=(Deal, Draw, Show),
    chance_events=(Deal, Draw),
    start=start,
    pending=pending,
    check=check,
    apply=apply,
    legal=legal,
    chance=chance,
    canonical=canonical,
    observe=observe,
    seen=seen,
    scene=scene,
    effects=lambda _before, _event, _after: (),
    score=lambda _state: dict.fromkeys(SEATS, 0),
    unit="points",
    messages={
        "deal": "Cards are dealt: {@hands}.",
        "deal?": "Cards are dealt.",
        "draw": "{@by} draws the {card}.",
        "draw?": "{@by} draws a card.",
        "show": "{@by} shows the {card}.",
    },
    rules=lambda: "# Fish\n",
)
