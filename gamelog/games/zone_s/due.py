"""The next events: the seat to act, the tile or coin that is due, and the refusal of other events."""

from __future__ import annotations

from gamelog.game import TABLE, Bag, ChanceDue, Event, Message, Pending, Violation
from gamelog.games.kit import phases
from gamelog.games.zone_s.board import SIDES
from gamelog.games.zone_s.state import DEPLOYED_PIECES, OPEN, State, bag, deployed_count

DUE = {
    "base": ("ZS-2", "a base must be placed next"),
    "draw": ("ZS-3", "a tile must be drawn from the bag next"),
    "tile": ("ZS-3", "the drawn tile must be placed next"),
    "deploy": ("ZS-4", "one of the first pieces must be placed next"),
    "coin": ("ZS-5", "the coin must be tossed next"),
    "play": ("ZS-6", "an action must be taken next: a move, a shot or a summons"),
    "return": ("ZS-22", "the infantry piece that returns must be chosen next"),
}
"""By phase: the rule that names the next event, and a sentence for it."""

ENDED_BY = {"base": "ZS-25", "passes": "ZS-A26", "repetition": "ZS-A28", "quiet": "ZS-A28", "limit": "ZS-A28"}
"""By reason of an outcome: the rule that ended the game."""

_COIN_SIDES = tuple((side, 1) for side in SIDES)


def pending(state: State) -> Pending:
    """Return the seat to act, the tile or coin that is due, or the outcome."""
    phase = state.phase
    if phase == "over":
        return Pending(outcome=state.outcome)
    if phase == "draw":
        seat = state.setup.seats[state.actor]
        return Pending(chance=ChanceDue("draw_tile", seat, (Bag(1, bag(state), seat),)))
    if phase == "coin":
        return Pending(chance=ChanceDue("coin", TABLE, (Bag(1, _COIN_SIDES),)))
    return Pending(by=(state.setup.seats[state.actor],))


def remaining_text(state: State) -> str | Message:
    """Return the number of tiles or pieces that the side to act still has to place."""
    if state.phase == "tile":
        halves, terrain = state.setup.board.halves, state.terrain
        slots = sum(halves[at] == state.actor and terrain[at] == OPEN for at in range(len(terrain)))
        return Message.of("{n} {n:slot|slots} left to fill", n=slots)
    if state.phase == "deploy":
        pieces = DEPLOYED_PIECES - deployed_count(state, state.actor)
        return Message.of("{n} {n:piece|pieces} left to place", n=pieces)
    return ""


def turn_refusal(state: State, event: Event, phase: str) -> Violation | None:
    """Return why `event`, an event of `phase`, is too early or too late, or from the wrong seat."""
    if state.phase != phase:
        return not_due(state)
    return None if event.by == state.setup.seats[state.actor] else out_of_turn(state, event)


def not_due(state: State) -> Violation:
    """Return why an event of another phase is illegal: the rule that names the next event."""
    return phases.not_due(DUE, state.phase, ENDED_BY, state.outcome if state.phase == "over" else None)


def out_of_turn(state: State, event: Event) -> Violation:
    """Return why `event` is illegal: another seat must act."""
    return phases.out_of_turn(DUE[state.phase][0], state.setup.seats[state.actor], event)
