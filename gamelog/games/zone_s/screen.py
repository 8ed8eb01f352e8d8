"""The screen: what a seat cannot see until the coin has fallen (ZS-1, ZS-5, ZS-A5)."""

from __future__ import annotations

from msgspec.structs import replace

from gamelog.games.zone_s.events import Event
from gamelog.games.zone_s.state import HIDDEN, NOWHERE, State


def observe(state: State, seat: str | None) -> State:
    """`state` as `seat` sees it: behind the screen without the other half, and the tile drawn there.

    All pieces of the other side are in its reserve then, and nobody knows how many tiles lie there.
    """
    seats = state.setup.seats
    if seat not in seats or state.phase in ("play", "return", "over"):
        return state
    other = 1 - seats.index(seat)
    setup, own = state.setup, state.setup.roster.own[other]
    halves = setup.board.halves
    bases = list(state.bases)
    bases[other] = NOWHERE
    return replace(
        state,
        terrain=bytes(
            HIDDEN if half == other else ground for half, ground in zip(halves, state.terrain, strict=True)
        ),
        pieces=bytes(0 if code in own else code for code in state.pieces),
        reserve=bytes(
            count if code in own else state.reserve[code] for code, count in enumerate(setup.roster.counts)
        ),
        bases=(bases[0], bases[1]),
        hand=HIDDEN if state.hand and state.actor == other else state.hand,
    )


def seen(event: Event, before: State, seat: str) -> Event | None:
    """`event`, which found `before`, as `seat` sees it: without what is done behind the screen (ZS-1)."""
    behind = is_up(before) and event.by in before.setup.seats and event.by != seat
    return None if behind else event


def is_up(state: State) -> bool:
    """Whether the screen stands."""
    return state.phase not in ("play", "return", "over")


def unseen(state: State, side: int) -> bool:
    """Whether `state` is one that has been observed, with what belongs to `side` taken out."""
    return state.terrain[state.setup.board.halves.find(side)] == HIDDEN
