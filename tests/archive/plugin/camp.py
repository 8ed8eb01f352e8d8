"""Camp: red and blue spend three nights in a tent, with every kind of chance, and a judge reports the sky.

It tests a shuffle, weighted draws, a private deal that is due for one seat while the other acts, a fact that a judge
records, and two clocks at a time.
"""

from __future__ import annotations

from fractions import Fraction
from random import Random

from msgspec import Struct, structs

from gamelog import game

SEATS = ("red", "blue")
PRIZES = ("tin", "rope", "lamp")
WORTH = {"tin": 1, "rope": 2, "lamp": 3}
NIGHTS = 3
HAND = (("low", 2), ("high", 1))
WIND = game.Weighted.of({"red": Fraction(1, 3), "blue": Fraction(2, 3)})
SLEEPY, DAWN = 60_000, 90_000


class Deck(game.Event, frozen=True, tag="deck"):
    """The prizes, in the order of the nights."""

    prizes: tuple[str, ...]


class Deal(game.Event, frozen=True, tag="deal"):
    """A card for red alone."""

    card: str


class Sleep(game.Event, frozen=True, tag="sleep"):
    """Blue goes to sleep at a time of their choice."""


class Late(game.Event, frozen=True, tag="late"):
    """Blue falls asleep because the time is over."""


class Dawn(game.Event, frozen=True, tag="dawn"):
    """It is morning before the judge has said anything: the sky was clear."""


class Sky(game.Event, frozen=True, tag="sky"):
    """The sky, as the judge reports it."""

    was: str


class Wind(game.Event, frozen=True, tag="wind"):
    """The seat to which the wind blows the prize."""

    to: str


Event = Deck | Deal | Sleep | Late | Dawn | Sky | Wind


class Setup(Struct, frozen=True):
    seats: tuple[str, ...]


class State(Struct, frozen=True):
    setup: Setup
    prizes: tuple[str, ...] = ()
    cards: tuple[str, ...] = ()
    night: int = 0
    asleep: bool = False
    sky: str = ""
    since: int = 0
    points: tuple[int, int] = (0, 0)


def totals(state: State) -> tuple[int, int]:
    return state.points[0] + state.cards.count("high"), state.points[1]


def pending(state: State) -> game.Pending:
    if not state.prizes:
        return game.Pending(chance=game.ChanceDue("deck", game.TABLE, (game.Shuffle(PRIZES),)))
    if state.night == NIGHTS:
        red, blue = totals(state)
        return game.Pending(outcome=game.Outcome(SEATS if red == blue else (SEATS[red < blue],), "dawn"))
    clocks = (
        game.Timeout(state.since + DAWN, Dawn(0, 0, game.TABLE)),
        game.Timeout(state.since + SLEEPY, Late(0, 0, game.TABLE)),
    )
    deal = (
        game.ChanceDue("deal", "red", (game.Bag(1, HAND, "red", private=True),))
        if len(state.cards) == state.night
        else None
    )
    if not state.asleep:
        return game.Pending(by=("blue",), chance=deal, timeouts=clocks)
    if deal:
        return game.Pending(chance=deal)
    if not state.sky:
        return game.Pending(by=(game.TABLE,), timeout=clocks[0])
    return game.Pending(chance=game.ChanceDue("wind", game.TABLE, (WIND,)))


def check(state: State, event: Event) -> game.Violation | None:
    due = pending(state)
    if due.outcome:
        return game.Violation("CA-1", "the game is over")
    if isinstance(event, Late | Dawn):
        clocks = (*due.timeouts, *((due.timeout,) if due.timeout else ()))
        at = next((clock.at for clock in clocks if type(clock.event) is type(event)), None)
        rings = at is not None and event.t >= at and event.by == game.TABLE
        return None if rings else game.Violation("CA-2", "that clock has not run out")
    if isinstance(event, Deck | Deal | Wind):
        if (
            due.chance is None
            or due.chance.do != type(event).__struct_config__.tag
            or event.by != due.chance.by
        ):
            return game.Violation("CA-3", "that is not owed now")
        drawn = sorted(event.prizes) == sorted(PRIZES) if isinstance(event, Deck) else True
        drawn = event.card in dict(HAND) if isinstance(event, Deal) else drawn
        drawn = event.to in SEATS if isinstance(event, Wind) else drawn
        return None if drawn else game.Violation("CA-3", "that cannot be drawn")
    if event.by not in due.by or isinstance(event, Sky) != (due.by == (game.TABLE,)):
        return game.Violation("CA-1", "nobody may do that now")
    return (
        None
        if isinstance(event, Sleep) or event.was in ("clear", "storm")
        else game.Violation("CA-4", "the sky is clear or storm")
    )


def apply(state: State, event: Event) -> State:
    match event:
        case Deck(prizes=prizes) if sorted(prizes) == sorted(PRIZES):
            return structs.replace(state, prizes=prizes)
        case Deal(card=card) if card in dict(HAND) and len(state.cards) == state.night < NIGHTS:
            return structs.replace(state, cards=(*state.cards, card))
        case Sleep() | Late():
            return structs.replace(state, asleep=True)
        case Sky(was=was) if was in ("clear", "storm"):
            return structs.replace(state, sky=was)
        case Dawn():
            return structs.replace(state, asleep=True, sky="clear")
        case Wind(to=to) if (
            to in SEATS and state.prizes and state.night < NIGHTS and len(state.cards) > state.night
        ):
            worth = WORTH[state.prizes[state.night]] * (2 if state.sky == "storm" else 1)
            red, blue = state.points
            points = (red + worth, blue) if to == "red" else (red, blue + worth)
            return structs.replace(
                state, night=state.night + 1, asleep=False, sky="", since=event.t, points=points
            )
    raise game.CannotApply("That cannot be done.")


def legal(state: State, seat: str) -> game.Legal:
    if seat not in pending(state).by:
        return game.Legal(())
    return game.Legal(
        tuple(Sky(0, 0, seat, was) for was in ("clear", "storm"))
        if seat == game.TABLE
        else (Sleep(0, 0, seat),)
    )


def chance(state: State, results: game.Results) -> Event:
    drawn = tuple(map(str, results[0]))
    if not state.prizes:
        return Deck(0, 0, game.TABLE, drawn)
    return (
        Deal(0, 0, "red", drawn[0]) if len(state.cards) == state.night else Wind(0, 0, game.TABLE, drawn[0])
    )


def effects(_before: State, _event: Event, after: State) -> tuple[game.Effect, ...]:
    outcome = pending(after).outcome
    return (game.Over(outcome.winners, outcome.reason),) if outcome else ()


def observe(state: State, seat: str | None) -> State:
    if seat in (None, "red") or state.night == NIGHTS:
        return state
    return structs.replace(state, cards=("?",) * len(state.cards))


def seen(event: Event, _before: State, seat: str) -> Event | dict[str, object] | None:
    return game.without(event, "card") if isinstance(event, Deal) and seat != "red" else event


def scene(state: State, _seat: str | None) -> game.Scene:
    ground = game.BoardLayout((game.Cell("tent", 0, 0), game.Cell("hand", 1.5, 0, "tray", seat="red")))
    cards = tuple(game.Piece("hand", "tile", "red", text=card, hidden=card == "?") for card in state.cards)
    return game.Scene(ground, (*((game.Piece("tent", "pawn", "blue"),) if state.asleep else ()), *cards))


def judge(_state: State, seat: str, rng: Random) -> Sky:
    """Choose a sky at random, for simulations."""
    return Sky(0, 0, seat, rng.choice(("clear", "storm")))


def greedy(_state: State, seat: str, _rng: Random) -> Sleep:
    return Sleep(0, 0, seat)


RULES = """# Camp

- **CA-1** There are three nights. In each of them red draws a card, and blue goes to sleep, in whatever order.
- **CA-2** Who is not asleep after a minute falls asleep; half a minute later it is dawn, and the sky was clear.
- **CA-3** Prizes are shuffled once; each night the wind blows one to red or, twice as often, to blue.
- **CA-4** The judge says whether there was a storm, in which prizes count double.
"""

GAME: game.Game[State, Event, Struct, None] = game.Game(
    id="camp",
    title="Camp",
    rules_version="1.0",
    seats={2: SEATS},
    events=(Deck, Deal, Sleep, Late, Dawn, Sky, Wind),
    chance_events=(Deck, Deal, Wind),
    start=lambda _options, _board, seats: State(Setup(seats)),
    pending=pending,
    check=check,
    apply=apply,
    legal=legal,
    chance=chance,
    effects=effects,
    score=lambda state: dict(zip(SEATS, state.points, strict=True)),
    scene=scene,
    observe=observe,
    seen=seen,
    messages={
        "deck": "The prizes come in this order: {prizes}.",
        "deal": "{@by} draws a card.",
        "sleep": "{@by} goes to sleep.",
        "late": "Blue falls asleep.",
        "dawn": "It is dawn.",
        "sky": "The sky was {was}.",
        "wind": "The wind blows the prize to {@to}.",
    },
    bots={"table": judge, "greedy": greedy},
    rules=lambda: RULES,
)
