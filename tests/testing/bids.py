"""A small game for tests of the kit: two players bid at the same time, and each one sees only their own bid."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta, Struct, structs

from gamelog import game
from gamelog.play.contract.game import NoOptions

SEATS = ("red", "blue")
ROUNDS = 8
Coins = Annotated[int, Meta(ge=0, le=10)]


class Bid(game.Event, frozen=True, tag="bid"):
    """A bid of a number of coins, which are paid."""

    coins: int


class State(Struct, frozen=True):
    """The coins that each player has, and the bids of this round."""

    setup: tuple[str, ...] = SEATS
    coins: tuple[Coins, Coins] = (5, 5)
    bids: tuple[Coins | None, Coins | None] = (None, None)
    round: Annotated[int, Meta(ge=1, le=ROUNDS + 1)] = 1


class Boundless(State, frozen=True):
    """A state whose type does not limit the number of coins."""

    coins: tuple[int, int] = (5, 5)


def pending(state: State) -> game.Pending:
    if state.round > ROUNDS:
        return game.Pending(outcome=game.Outcome((), "all rounds"))
    return game.Pending(
        by=tuple(seat for seat, bid in zip(SEATS, state.bids, strict=True) if bid is None), together=True
    )


def check(state: State, event: Bid) -> game.Violation | None:
    if event.by not in pending(state).by:
        return game.Violation("BI-1", "this seat has no bid to make")
    return (
        None
        if 0 <= event.coins <= state.coins[SEATS.index(event.by)]
        else game.Violation("BI-2", "the seat does not have this many coins")
    )


def apply(state: State, event: Bid) -> State:
    if event.by not in SEATS or not 0 <= event.coins <= state.coins[at := SEATS.index(event.by)]:
        raise game.CannotApply("The seat does not have these coins.")
    bids = (*state.bids[:at], event.coins, *state.bids[at + 1 :])
    coins = (*state.coins[:at], state.coins[at] - event.coins, *state.coins[at + 1 :])
    after = structs.replace(state, bids=bids, coins=coins)
    return after if None in bids else structs.replace(after, bids=(None, None), round=state.round + 1)


def legal(state: State, seat: str) -> game.Legal:
    if seat not in pending(state).by:
        return game.Legal(())
    return game.Legal(tuple([Bid(0, 0, seat, coins) for coins in range(state.coins[SEATS.index(seat)] + 1)]))


def seen(event: Bid, _before: State, seat: str) -> Bid | dict[str, Any]:
    return event if event.by == seat else game.without(event, "coins")


GAME: game.Game[State, Bid, NoOptions, None] = game.Game(
    id="bids",
    title="Bids",
    rules_version="1.0",
    seats={2: SEATS},
    events=(Bid,),
    start=lambda *_: State(),
    pending=pending,
    together=True,
    check=check,
    apply=apply,
    legal=legal,
    seen=seen,
    effects=lambda _before, _event, after: (game.Over((), "all rounds"),) if pending(after).outcome else (),
    rules=lambda: (
        "- **BI-1** Each player bids once in a round.\n- **BI-2** No player bids more than they have.\n"
    ),
    scene=lambda *_: game.Scene(game.BoardLayout(())),
    messages={"bid": "{@by} bids {coins}.", "bid?": "{@by} has bid."},
)
