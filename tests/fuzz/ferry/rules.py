"""The rules of Ferry: the events that are recorded, and their effect."""

from __future__ import annotations

from random import Random
from typing import Annotated, Any, Literal, cast

from msgspec import Meta, Struct
from msgspec.structs import replace

from gamelog.game import TABLE, Bag, CannotApply, ChanceDue, Dice, Event, Legal, Outcome, Pending, Results, Violation


class Row(Event, frozen=True, tag="row"):
    card: int


class Shove(Event, frozen=True, tag="shove"):
    whom: str


class Rest(Event, frozen=True, tag="rest"):
    pass


class Draw(Event, frozen=True, tag="draw"):
    cards: tuple[int, ...]


class Push(Event, frozen=True, tag="push"):
    strong: int
    firm: int


Move = Row | Shove | Rest | Draw | Push


class Options(Struct, frozen=True, kw_only=True):
    hand: Annotated[int, Meta(ge=1, le=3)] = 2
    rounds: Annotated[int, Meta(ge=2, le=40)] = 12
    tie: Literal["shared", "none", "as_asked"] = "as_asked"


class Board(Struct, frozen=True, forbid_unknown_fields=True):
    name: str
    places: Annotated[int, Meta(ge=4, le=40)]


class Setup(Struct, frozen=True):
    seats: tuple[str, ...]
    options: Options
    board: Board


class State(Struct, frozen=True):
    setup: Setup
    hands: tuple[tuple[int, ...], ...]
    at: tuple[int, ...]
    out: tuple[bool, ...]
    actor: int = 0
    turns: int = 0
    shoves: str | None = None


def start(options: Options, board: Board, seats: tuple[str, ...]) -> State:
    return State(Setup(seats, options, board), ((),) * len(seats), (0,) * len(seats), (False,) * len(seats))


def ended(state: State) -> Outcome | None:
    seats, options = state.setup.seats, state.setup.options
    home = [seat for seat, at in zip(seats, state.at, strict=True) if at >= state.setup.board.places - 1]
    if home:
        return Outcome(tuple(home), "home")
    left = [seat for seat, out in zip(seats, state.out, strict=True) if not out]
    if len(left) == 1:
        return Outcome(tuple(left), "alone")
    if state.turns < options.rounds * len(seats) or short(state) is not None:
        return None
    most = max(at for at, out in zip(state.at, state.out, strict=True) if not out)
    best = tuple(seat for seat, at, out in zip(seats, state.at, state.out, strict=True) if at == most and not out)
    return Outcome(best if len(best) == 1 or options.tie != "none" else (), "rounds")


def short(state: State) -> int | None:
    """Return the first seat that lacks cards."""
    hands = enumerate(state.hands)
    return next((i for i, hand in hands if len(hand) < state.setup.options.hand and not state.out[i]), None)


def pending(state: State) -> Pending:
    if over := ended(state):
        return Pending(outcome=over)
    actor = state.setup.seats[state.actor]
    if state.shoves:
        return Pending(chance=ChanceDue("push", actor, (Dice(1, 6, actor), Dice(1, 6, state.shoves))))
    who = short(state)
    if who is not None:
        seat, count = state.setup.seats[who], state.setup.options.hand - len(state.hands[who])
        return Pending(chance=ChanceDue("draw", seat, (Bag(count, (("1", 8), ("2", 8), ("3", 8)), seat),)))
    return Pending(by=(actor,))


def check(state: State, event: Move) -> Violation | None:
    seats = state.setup.seats
    if ended(state):
        return Violation("FE-6", "the game is over")
    if isinstance(event, Draw | Push):
        return due(state, event)
    if pending(state).chance:
        return Violation("FE-4", "cards or dice are owed first")
    if event.by != seats[state.actor]:
        return Violation("FE-5", "it is another seat's turn")
    hand = state.hands[state.actor]
    if isinstance(event, Row):
        return None if event.card in hand else Violation("FE-1", f"there is no {event.card} in the hand")
    if isinstance(event, Shove):
        if event.whom not in seats or state.at[seats.index(event.whom)] != state.at[state.actor] + 1:
            return Violation("FE-2", "nobody of that name is one place ahead")
        return Violation("FE-2", "that boat is out") if state.out[seats.index(event.whom)] else None
    return None if len(set(hand)) == 1 else Violation("FE-3", "the cards are of several kinds")


def due(state: State, event: Draw | Push) -> Violation | None:
    """Return why these cards or dice are not the ones that are due."""
    owed = pending(state).chance
    if owed is None or event.by != owed.by or event.__struct_config__.tag != owed.do:
        return Violation("FE-4", "nothing of the kind is owed here")
    if isinstance(event, Push):
        fair = {event.strong, event.firm} <= set(range(1, 7))
        return None if fair else Violation("FE-4", "a die shows 1 to 6")
    if len(event.cards) != owed.draws[0].count or not set(event.cards) <= {1, 2, 3}:
        return Violation("FE-4", "these are not the cards that are owed")
    return None


def put(row: tuple[Any, ...], i: int, value: Any) -> tuple[Any, ...]:
    return (*row[:i], value, *row[i + 1 :])


def following(state: State) -> State:
    actor = state.actor
    for _ in state.out:
        actor = (actor + 1) % len(state.out)
        if not state.out[actor]:
            break
    return replace(state, actor=actor, turns=state.turns + 1, shoves=None)


def apply(state: State, event: Move) -> State:
    seats = state.setup.seats
    if event.by not in seats:
        raise CannotApply("Nobody sits there.")
    me = seats.index(event.by)
    if isinstance(event, Draw):
        return replace(state, hands=put(state.hands, me, tuple(sorted((*state.hands[me], *event.cards)))))
    if isinstance(event, Rest):
        return following(state)
    if isinstance(event, Shove):
        if event.whom not in seats:
            raise CannotApply("Nobody of that name plays.")
        return replace(state, shoves=event.whom)
    if isinstance(event, Push):
        if state.shoves is None:
            raise CannotApply("Nobody is shoved.")
        it = seats.index(state.shoves)
        back = state.at[it] - 2 if event.strong > event.firm else state.at[it]
        return following(replace(state, at=put(state.at, it, max(0, back)), out=put(state.out, it, back < 0)))
    if event.card not in state.hands[me]:
        raise CannotApply("That card is not in the hand.")
    hand = list(state.hands[me])
    hand.remove(event.card)
    there = min(state.setup.board.places - 1, state.at[me] + event.card)
    return following(replace(state, hands=put(state.hands, me, tuple(hand)), at=put(state.at, me, there)))


def legal(state: State, seat: str) -> Legal:
    if seat not in pending(state).by:
        return Legal(())
    hand = state.hands[state.actor]
    events: list[Move] = [Row(0, 0, seat, card) for card in sorted(set(hand))]
    for whom, at, out in zip(state.setup.seats, state.at, state.out, strict=True):
        if at == state.at[state.actor] + 1 and not out:
            events.append(Shove(0, 0, seat, whom))
    if len(set(hand)) == 1:
        events.append(Rest(0, 0, seat))
    return Legal(tuple(events))


def sample(state: State, seat: str, rng: Random) -> Move:
    return cast(Move, rng.choice(legal(state, seat).events))


def chance(state: State, results: Results) -> Move:
    owed = pending(state).chance
    by = owed.by if owed else TABLE
    if owed and owed.do == "push":
        return Push(0, 0, by, int(results[0][0]), int(results[1][0]))
    return Draw(0, 0, by, tuple(sorted(int(card) for card in results[0])))


def retire(state: State, seat: str) -> State | Violation:
    me = state.setup.seats.index(seat)
    if state.out[me]:
        return Violation("FE-5", "that seat is out already")
    if state.shoves:
        return Violation("FE-4", "the dice of the shove are owed first")
    gone = replace(state, out=put(state.out, me, True))
    return gone if ended(gone) or state.actor != me else following(gone)
