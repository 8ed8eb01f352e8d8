"""The screen: the parts of a position that a seat cannot see until the coin is tossed (ZS-1, ZS-5, ZS-A5)."""

from __future__ import annotations

from msgspec.structs import replace

from gamelog.games.zone_s.events import Event
from gamelog.games.zone_s.state import HIDDEN, NOWHERE, State


def observe(state: State, seat: str | None) -> State:
    """Return `state` as `seat` sees it: without the half and the drawn tile behind the screen.

    While the screen is up, all pieces of the other side seem to be in its reserve, and the number of
    tiles behind the screen is unknown.
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
        pieces=state.pieces.translate(bytes.maketrans(bytes(own), bytes(len(own)))),
        reserve=bytes(
            count if code in own else state.reserve[code] for code, count in enumerate(setup.roster.counts)
        ),
        bases=(bases[0], bases[1]),
        hand=HIDDEN if state.hand and state.actor == other else state.hand,
    )


def seen_event(event: Event, before: State, seat: str) -> Event | None:
    """Return `event`, played in `before`, as `seat` sees it: None for an event behind the screen (ZS-1)."""
    behind = is_up(before) and event.by in before.setup.seats and event.by != seat
    return None if behind else event


def is_up(state: State) -> bool:
    """Return whether the screen is up."""
    return state.phase not in ("play", "return", "over")


def hides_half(state: State, side: int) -> bool:
    """Return whether `state` is an observed state that hides the half of `side`."""
    return state.terrain[state.setup.board.halves.find(side)] == HIDDEN
