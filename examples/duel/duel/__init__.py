"""Duel: hidden hands, simultaneous choices, players who are out while others play on, and teams."""

from functools import partial
from importlib.resources import files
from random import Random
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct
from msgspec.structs import replace

from gamelog import game

COLOURS = ("red", "blue", "green", "white")
DECK = tuple((str(card), 1) for card in range(1, 13))
DEALT, HIDDEN, NONE = 3, -1, 0


class Deal(game.Event, frozen=True, tag="deal"):
    hands: dict[str, tuple[int, ...]]


class Call(game.Event, frozen=True, tag="call"):
    what: Literal["high", "low"]


class Choose(game.Event, frozen=True, tag="choose"):
    card: int


Event = Deal | Call | Choose


class Shown(game.Effect, frozen=True, tag="shown"):
    cards: dict[str, int]


class Hit(game.Effect, frozen=True, tag="hit"):
    seat: str


class Options(Struct, frozen=True, kw_only=True):
    lives: Annotated[int, Meta(ge=1, le=9)] = 2
    teams: bool = False


class Setup(Struct, frozen=True):
    seats: tuple[str, ...]
    options: Options


class State(Struct, frozen=True):
    setup: Setup
    lives: tuple[int, ...]
    hands: tuple[tuple[int, ...], ...]
    chosen: tuple[int, ...]  # by seat, NONE before
    shown: tuple[int, ...]  # the cards of the round before
    leader: int = 0
    called: Literal["high", "low", ""] = ""


def start(options: Options, _board: None, seats: tuple[str, ...]) -> State:
    if options.teams and len(seats) != 4:
        raise ValueError("teams are for four players")
    nothing = (NONE,) * len(seats)
    return State(Setup(seats, options), (options.lives,) * len(seats), ((),) * len(seats), nothing, nothing)


def active(state: State) -> list[int]:
    return [at for at, lives in enumerate(state.lives) if lives > 0]


def outcome(state: State) -> game.Outcome | None:
    sides = 2 if state.setup.options.teams else len(state.lives)
    left = {at % sides for at in active(state)}
    winners = tuple(seat for at, seat in enumerate(state.setup.seats) if at % sides in left)
    return game.Outcome(winners, "last", teams=teams(state.setup)) if len(left) < 2 else None


def teams(setup: Setup) -> dict[str, tuple[str, ...]]:
    pairs = (setup.seats[::2], setup.seats[1::2]) if setup.options.teams else ()
    return {" and ".join(pair): pair for pair in pairs}


def pending(state: State) -> game.Pending:
    seats, players = state.setup.seats, active(state)
    if ended := outcome(state):
        return game.Pending(outcome=ended)
    if not any(state.hands[at] for at in players):
        return game.Pending(chance=game.ChanceDue("deal", game.TABLE, (game.Bag(DEALT * len(players), DECK, private=True),)))
    if not state.called:
        return game.Pending(by=(seats[state.leader],))
    return game.Pending(by=tuple(seats[at] for at in players if state.chosen[at] == NONE), together=True)


def check(state: State, event: Event) -> game.Violation | None:
    owed, seats = pending(state), state.setup.seats
    if owed.outcome:
        return game.forbids("DU-6", "the game is over")
    if isinstance(event, Deal) != bool(owed.chance):
        text = "the cards must be dealt next" if owed.chance else "the cards are already dealt"
        return game.forbids("DU-1", text)
    if isinstance(event, Deal):
        cards = [card for hand in event.hands.values() for card in hand if 1 <= card <= len(DECK)]
        sizes = {len(hand) for hand in event.hands.values()}
        right = set(event.hands) == {seats[at] for at in active(state)} and sizes == {DEALT}
        good = right and event.by == game.TABLE and len(cards) == len(set(cards)) == DEALT * len(event.hands)
        return None if good else game.forbids("DU-1", "each player in the game must get three different cards")
    if isinstance(event, Call) or not state.called:
        if state.called:
            return game.forbids("DU-2", "{@leader} has already called", leader=seats[state.leader])
        due = isinstance(event, Call) and event.by in owed.by
        return None if due else game.forbids("DU-2", "{@leader} must call next", leader=seats[state.leader])
    if event.by not in owed.by:
        return game.forbids("DU-3", "{@by} has already chosen or is out", by=event.by)
    held = event.card in state.hands[seats.index(event.by)]
    return None if held else game.forbids("DU-3", "{@by} does not hold the {n}", by=event.by, n=event.card)


def apply(state: State, event: Event) -> State:
    seats = state.setup.seats
    if isinstance(event, Call):
        return replace(state, called=event.what)
    if isinstance(event, Deal):
        if not all(event.hands.get(seats[at]) for at in active(state)):
            raise game.CannotApply("A player would have no card.")
        return replace(state, hands=tuple(tuple(sorted(event.hands.get(seat, ()))) for seat in seats))
    at = seats.index(event.by) if event.by in seats else -1
    if at < 0 or event.card not in state.hands[at] or state.chosen[at] != NONE:
        raise game.CannotApply("That card cannot be played.")
    hands = (*state.hands[:at], tuple(card for card in state.hands[at] if card != event.card), *state.hands[at + 1 :])
    return settle_round(replace(state, hands=hands, chosen=(*state.chosen[:at], event.card, *state.chosen[at + 1 :])))


def settle_round(state: State) -> State:
    """Return the state after the cards are turned up, or `state` if a player has not chosen yet."""
    players, seats = active(state), len(state.lives)
    if not players or any(state.chosen[at] == NONE for at in players):
        return state
    hit = (max if state.called == "low" else min)(players, key=lambda at: state.chosen[at])
    lives = tuple(lives - (at == hit) for at, lives in enumerate(state.lives))
    after = replace(state, lives=lives, chosen=(NONE,) * seats, shown=state.chosen, called="")
    return discard_hand(pass_lead(after), hit)


def pass_lead(state: State) -> State:
    """Return `state` with the next player in the game as the leader."""
    seats = len(state.lives)
    order = [(state.leader + step) % seats for step in range(1, seats + 1)]
    return replace(state, leader=next((at for at in order if state.lives[at] > 0), state.leader))


def discard_hand(state: State, at: int) -> State:
    """Return `state` without the hand of the player `at` if this player is out."""
    return state if state.lives[at] > 0 else replace(state, hands=(*state.hands[:at], (), *state.hands[at + 1 :]))


def retire(state: State, seat: str) -> State | game.Violation:
    at = state.setup.seats.index(seat)
    if outcome(state) or state.lives[at] <= 0:
        return game.forbids("DU-5", "{@by} is out", by=seat)
    lives = (*state.lives[:at], 0, *state.lives[at + 1 :])
    after = discard_hand(replace(state, lives=lives, chosen=(*state.chosen[:at], NONE, *state.chosen[at + 1 :])), at)
    return settle_round(after) if after.called else pass_lead(after) if at == after.leader else after


def legal(state: State, seat: str) -> game.Legal:
    if seat not in pending(state).by:
        return game.Legal(())
    hand = state.hands[state.setup.seats.index(seat)]
    calls: tuple[game.Event, ...] = (Call(0, 0, seat, "high"), Call(0, 0, seat, "low"))
    return game.Legal(tuple(Choose(0, 0, seat, card) for card in hand) if state.called else calls)


def chance(state: State, results: game.Results) -> Event:
    cards, seats = [int(card) for card in results[0]], [state.setup.seats[at] for at in active(state)]
    return Deal(0, 0, game.TABLE, {seat: tuple(cards[at * DEALT : (at + 1) * DEALT]) for at, seat in enumerate(seats)})


def canonical(event: Event) -> Event:
    return (
        replace(event, hands={seat: tuple(sorted(hand)) for seat, hand in event.hands.items()})
        if isinstance(event, Deal)
        else event
    )


def observe(state: State, seat: str | None) -> State:
    """Return `state` without the cards of other players, in their hands or face down."""
    if seat is None:
        return state
    own = state.setup.seats.index(seat)
    hands = tuple(hand if at == own else (HIDDEN,) * len(hand) for at, hand in enumerate(state.hands))
    return replace(
        state, hands=hands, chosen=tuple(card if at == own else card and HIDDEN for at, card in enumerate(state.chosen))
    )


def seen(event: Event, _before: State, seat: str) -> Event | dict[str, Any] | None:
    """Return a deal with the seat's own hand only, and the choice of another player without its card."""
    if isinstance(event, Deal):
        return game.without(event, "hands") | {"hands": {who: hand for who, hand in event.hands.items() if who == seat}}
    return game.without(event, "card") if isinstance(event, Choose) and event.by != seat else event


def effects(before: State, event: Event, after: State) -> tuple[game.Effect, ...]:
    seats, found = after.setup.seats, list[game.Effect]()
    if isinstance(event, Choose) and not any(after.chosen):
        found.append(Shown({seat: card for seat, card in zip(seats, after.shown, strict=True) if card}))
        found += [Hit(seat) for seat, was, now in zip(seats, before.lives, after.lives, strict=True) if now < was]
    ended = outcome(after)
    found += [game.Out(seat) for seat, was, now in zip(seats, before.lives, after.lives, strict=True) if was > 0 >= now]
    if (found and isinstance(event, Choose)) or ended:
        found.append(game.TurnOver(seats[before.leader], None if ended else seats[after.leader]))
    return (*found, game.Over(ended.winners, ended.reason)) if ended else tuple(found)


def scene(state: State, _seat: str | None) -> game.Scene:
    seats, pieces = state.setup.seats, list[game.Piece]()
    for seat, hand, chosen, shown in zip(seats, state.hands, state.chosen, state.shown, strict=True):
        pieces += [game.Piece(f"{seat} hand", "tile", seat, "" if card < 0 else str(card), card < 0) for card in hand]
        card = chosen or (NONE if any(state.chosen) or state.called else shown)
        pieces += [game.Piece(seat, "tile", seat, "" if card < 0 else str(card), card < 0)] * (card != NONE)
    captions = [game.Caption("lives", str(lives), seat) for seat, lives in zip(seats, state.lives, strict=True)]
    called = [game.Caption("called", state.called)] if state.called else []
    return game.Scene(ground(state.setup), tuple(pieces), captions=(*captions, *called))


@game.cached_by_identity
def ground(setup: Setup) -> game.BoardLayout:
    cells = [game.Cell(seat, 0, 1.3 * at, label="table", w=1.1, h=1.2, seat=seat) for at, seat in enumerate(setup.seats)]
    trays = [
        game.Cell(f"{seat} hand", 3, 1.3 * at, "tray", label="hand", w=4.6, h=1.2, seat=seat)
        for at, seat in enumerate(setup.seats)
    ]
    return game.BoardLayout((*cells, *trays))


def greedy(state: State, seat: str, _rng: Random) -> Event:
    """Call high or low to suit the hand, and play its best card."""
    hand = state.hands[state.setup.seats.index(seat)]
    if not state.called:
        return Call(0, 0, seat, "low" if sum(hand) < 7 * len(hand) else "high")
    return Choose(0, 0, seat, min(hand) if state.called == "low" else max(hand))


GAME: game.Game[State, Event, Options, None] = game.Game(
    id="duel",
    title="Duel",
    rules_version="1.0",
    seats={players: COLOURS[:players] for players in (2, 3, 4)},
    Options=Options,
    events=(Deal, Call, Choose),
    chance_events=(Deal,),
    start=start,
    pending=pending,
    together=True,
    check=check,
    apply=apply,
    legal=legal,
    chance=chance,
    canonical=canonical,
    observe=observe,
    seen=seen,
    effects=effects,
    score=lambda state: dict(zip(state.setup.seats, state.lives, strict=True)),
    unit="lives",
    scene=scene,
    messages={
        "deal": "Cards are dealt: {@hands}.",
        "call": "{@by} calls {what}.",
        "choose": "{@by} chooses the {card}.",
        "choose?": "{@by} has chosen.",
        "shown": "The cards: {@cards}.",
        "hit": "{@seat} loses a life.",
    },
    translation=partial(game.translation, __name__),
    bots={"greedy": greedy},
    retire=retire,
    rules=lambda: files(__package__).joinpath("RULES.md").read_text("utf-8"),
)
