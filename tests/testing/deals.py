"""A small game for tests of the kit: each player gets two cards of a shuffled deck, and the rest stays hidden."""

from __future__ import annotations

from functools import partial

from msgspec import Struct, structs

from gamelog import game
from gamelog.play.contract.game import NoOptions

SEATS = ("red", "blue")
DECK = ("ace", "king", "queen", "jack", "ten", "nine")
HAND = 2
WHOLE, TOP = game.Shuffle(DECK), game.Shuffle(DECK, dealt=HAND * len(SEATS))


class Deal(game.Event, frozen=True, tag="deal"):
    """The cards of each seat."""

    hands: dict[str, tuple[str, ...]]


class Show(game.Event, frozen=True, tag="show"):
    """The card that a seat shows. Then the game is over."""

    card: str


class State(Struct, frozen=True):
    """The hands, in the order of the seats, and the card shown."""

    setup: tuple[str, ...] = SEATS
    hands: tuple[tuple[str, ...], ...] = ()
    shown: str = ""


def pending(draw: game.Shuffle, state: State) -> game.Pending:
    if state.shown:
        return game.Pending(outcome=game.Outcome(("red",), "shown"))
    return (
        game.Pending(by=("red",))
        if state.hands
        else game.Pending(chance=game.ChanceDue("deal", game.TABLE, (draw,)))
    )


def check(state: State, event: Deal | Show) -> game.Violation | None:
    if isinstance(event, Show):
        good = not state.shown and state.hands and event.by == "red" and event.card in state.hands[0]
        return None if good else game.Violation("DE-2", "red must show one of their own cards")
    cards = [card for hand in event.hands.values() for card in hand]
    good = not state.hands and event.by == game.TABLE and set(event.hands) == {*SEATS}
    good = good and all(len(hand) == HAND for hand in event.hands.values())
    return (
        None
        if good and len({*cards} & {*DECK}) == len(cards)
        else game.Violation("DE-1", "this is not a valid deal")
    )


def apply(state: State, event: Deal | Show) -> State:
    if isinstance(event, Show):
        return structs.replace(state, shown=event.card)
    if set(event.hands) != {*SEATS} or not all(event.hands.values()):
        raise game.CannotApply("A seat has no cards.")
    return structs.replace(state, hands=tuple(event.hands[seat] for seat in SEATS))


def chance(_state: State, results: game.Results) -> Deal:
    cards = [str(card) for card in results[0]]
    return Deal(0, 0, game.TABLE, {"red": tuple(cards[:HAND]), "blue": tuple(cards[HAND : 2 * HAND])})


def legal(state: State, seat: str) -> game.Legal:
    mine = seat == "red" and state.hands and not state.shown
    return game.Legal(tuple(Show(0, 0, seat, card) for card in state.hands[0]) if mine else ())


def game_with(draw: game.Shuffle) -> game.Game[State, Deal | Show, NoOptions, None]:
    """Return the game in which this draw is due for the deal."""
    return game.Game(
        id="deals",
        title="Deals",
        rules_version="1.0",
        seats={2: SEATS},
        events=(Deal, Show),
        chance_events=(Deal,),
        start=lambda *_: State(),
        pending=partial(pending, draw),
        check=check,
        apply=apply,
        legal=legal,
        chance=chance,
        effects=lambda _before, _event, after: (game.Over(("red",), "shown"),) if after.shown else (),
        rules=lambda: "- **DE-1** Each player gets two cards.\n- **DE-2** Red shows one of them.\n",
        scene=lambda *_: game.Scene(game.BoardLayout(())),
        messages={"deal": "The cards are dealt.", "show": "{@by} shows {card}."},
    )
