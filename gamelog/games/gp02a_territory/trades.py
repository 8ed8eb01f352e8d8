"""Trades of chips in a negotiation (GP-22, GP-A27, GP-A34)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from math import prod

from gamelog.game import Violation, forbids
from gamelog.games.gp02a_territory.chips import hand
from gamelog.games.gp02a_territory.due import before_first_turn, not_due
from gamelog.games.gp02a_territory.events import Chips, Trade
from gamelog.games.gp02a_territory.room import can_place
from gamelog.games.gp02a_territory.state import CHIPS, PURPLE, State

_MAX_LARGE_TRADES = 20_000
"""Maximum number of combinations that are tried with one player.

Beyond it, only trades of at most one chip each way are listed. Hands that players can draw stay below it.
"""


def trade_violation(state: State, event: Trade) -> Violation | None:
    """Return a violation, or None if the rules allow the trade."""
    setup = state.setup
    if not setup.options.negotiation:
        return forbids("GP-22", "this game is played without negotiation")
    if not can_trade(state):
        if state.outcome:
            return not_due(state)
        return forbids("GP-A27", "a trade is possible only between the draw and the first turn")
    if event.by != setup.seats[state.main]:
        return forbids(
            "GP-22", "only the Main Player, {@main}, can offer a trade", main=setup.seats[state.main]
        )
    if event.seat == event.by or event.seat not in setup.seats:
        return forbids(
            "GP-22",
            "{@by} can trade only with one of the other players, not with {@seat}",
            by=event.by,
            seat=event.seat,
        )
    gives, takes = event.gives.counts(), event.takes.counts()
    if not any(gives) and not any(takes):
        return forbids("GP-A27", "a trade must move at least one chip")
    for seat, out, back in ((event.by, gives, takes), (event.seat, takes, gives)):
        held = hand(state, setup.seats.index(seat))
        if any(count > have for count, have in zip(out, held, strict=True)):
            return forbids("GP-A27", "{@seat} does not have these chips", seat=seat)
        after = [have - lost + won for have, lost, won in zip(held, out, back, strict=True)]
        if sum(after[:PURPLE]) < 1:
            return forbids("GP-A27", "{@seat} would have no coloured chip left for the chronology", seat=seat)
        if _leaves_unplaceable_hand(state, setup.seats.index(seat), held, after):
            return forbids(
                "GP-A34",
                "{@seat} would have {n} coloured {n:chip|chips} that {n:fits|fit} in no block",
                seat=seat,
                n=sum(after[:PURPLE]),
            )
    return None


def can_trade(state: State) -> bool:
    """Return whether a trade is possible now (GP-A27)."""
    return bool(state.setup.options.negotiation) and (state.phase == "distribute" or before_first_turn(state))


def list_small_trades(state: State) -> Iterator[Trade]:
    """Yield each legal trade of at most one chip each way."""
    if not can_trade(state):
        return
    ours = hand(state, state.main)
    for seat, name in _other_seats(state):
        theirs = hand(state, seat)
        for give in (None, *(chip for chip, count in enumerate(ours) if count)):
            for take in (None, *(chip for chip, count in enumerate(theirs) if count)):
                if give != take:
                    moved = [(chip == give) - (chip == take) for chip in range(len(CHIPS))]
                    yield from _trade_if_legal(state, name, moved)


def list_trades(state: State) -> tuple[tuple[Trade, ...], bool]:
    """Return the legal trades, and whether only the small ones are listed.

    Trades that move a colour both ways are left out.
    """
    small = tuple(list_small_trades(state))
    if not can_trade(state):
        return small, False
    ours = hand(state, state.main)
    large: list[Trade] = []
    for seat, name in _other_seats(state):
        ranges = [range(-take, give + 1) for give, take in zip(ours, hand(state, seat), strict=True)]
        if prod(map(len, ranges)) > _MAX_LARGE_TRADES:
            return small, True
        for moved in product(*ranges):
            if (
                sum(chips for chips in moved if chips > 0) > 1
                or sum(chips for chips in moved if chips < 0) < -1
            ):
                large += _trade_if_legal(state, name, moved)
    return (*small, *large), False


def _other_seats(state: State) -> Iterator[tuple[int, str]]:
    """Yield index and name of each seat except the Main Player's."""
    return ((seat, name) for seat, name in enumerate(state.setup.seats) if seat != state.main)


def _trade_if_legal(state: State, other: str, moved: list[int] | tuple[int, ...]) -> Iterator[Trade]:
    """Yield the trade in which the Main Player gives `moved` chips (takes if negative), if it is legal."""
    gives = {name: count for name, count in zip(CHIPS, moved, strict=True) if count > 0}
    takes = {name: -count for name, count in zip(CHIPS, moved, strict=True) if count < 0}
    trade = Trade(0, 0, state.setup.seats[state.main], other, Chips(**gives), Chips(**takes))
    if trade_violation(state, trade) is None:
        yield trade


def _leaves_unplaceable_hand(state: State, seat: int, before: bytes, after: list[int]) -> bool:
    """Return whether a trade would give `seat` a hand that fits in no block (GP-A34).

    A hand that did not fit before may stay as large as it was. One chip is kept for the chronology if it has
    room at the seat's turn. Before the cards are handed out, both cases may be possible, and both are tested.
    """
    setup = state.setup
    if setup.options.negotiation != "fitting":
        return False
    grows = sum(after[:PURPLE]) > sum(before[:PURPLE])

    def fits(chips: bytes | list[int], kept: bool) -> bool:
        return can_place(setup.board, state.fields, sum(chips[:PURPLE]) - kept, chips[PURPLE] > 0)

    return any(
        not fits(after, kept) and (grows or fits(before, kept))
        for kept in _chronology_room_cases(state, seat)
    )


def _chronology_room_cases(state: State, seat: int) -> set[bool]:
    """Return the possible answers to whether the chronology has room at the turn of `seat`.

    Each earlier turn puts one chip there. The Main Player never has the last turn (GP-6).
    """
    setup = state.setup
    if state.phase == "distribute":
        turns_before = (0, len(setup.seats) - (2 if seat == state.main else 1))
    else:
        turns_before = (sum(card < state.cards[seat] for card in state.cards),) * 2
    return {len(state.chronology) + turns < setup.chronology for turns in turns_before}
