"""What is due: who may act, which tile or coin is owed, and why anything else is not."""

from __future__ import annotations

from gamelog.game import TABLE, Bag, ChanceDue, Event, Message, Pending, Violation, forbids
from gamelog.games.kit import phases
from gamelog.games.zone_s.board import SIDES
from gamelog.games.zone_s.state import DEPLOYED, OPEN, State, bag, deployed

DUE = {
    "base": ("ZS-2", "a base is due"),
    "draw": ("ZS-3", "a tile out of the bag is due"),
    "tile": ("ZS-3", "the placing of the tile drawn is due"),
    "deploy": ("ZS-4", "a piece to be deployed is due"),
    "coin": ("ZS-5", "the coin is due"),
    "play": ("ZS-6", "one action is due: a move, a shot or a summons"),
    "return": ("ZS-22", "the choice of the infantry that comes back is due"),
}
"""For each phase the rule that says what is due, and the same in words."""

ENDED_BY = {"base": "ZS-25", "passes": "ZS-A26", "repetition": "ZS-A28", "quiet": "ZS-A28", "limit": "ZS-A28"}
"""For each reason of an outcome the rule that decided the game."""

COIN_SIDES = tuple((side, 1) for side in SIDES)


def pending(state: State) -> Pending:
    """Who may act, or the tile or coin that is owed, or the outcome."""
    phase = state.phase
    if phase == "over":
        return Pending(outcome=state.outcome)
    if phase == "draw":
        seat = state.setup.seats[state.actor]
        return Pending(chance=ChanceDue("draw_tile", seat, (Bag(1, bag(state), seat),)))
    if phase == "coin":
        return Pending(chance=ChanceDue("coin", TABLE, (Bag(1, COIN_SIDES),)))
    return Pending(by=(state.setup.seats[state.actor],))


def left(state: State) -> str | Message:
    """Return how many tiles or pieces the player to move still has to put down."""
    if state.phase == "tile":
        halves, terrain = state.setup.board.halves, state.terrain
        slots = sum(halves[at] == state.actor and terrain[at] == OPEN for at in range(len(terrain)))
        return Message.of("{n} {n:slot|slots} left to fill", n=slots)
    if state.phase == "deploy":
        pieces = DEPLOYED - deployed(state, state.actor)
        return Message.of("{n} {n:piece|pieces} left to deploy", n=pieces)
    return ""


def late(state: State, event: Event, phase: str) -> Violation | None:
    """Why an event of `phase` cannot come now, or not from `event`'s seat."""
    if state.phase != phase:
        return not_due(state)
    return None if event.by == state.setup.seats[state.actor] else not_on_turn(state, event)


def not_due(state: State) -> Violation:
    """Why an event of another phase is illegal: by the rule that says what is due."""
    return phases.not_due(DUE, state.phase, ENDED_BY, state.outcome if state.phase == "over" else None)


def not_on_turn(state: State, event: Event) -> Violation:
    """It is another seat's duty."""
    rule, _ = DUE[state.phase]
    return forbids(
        rule, "it is for {@turn} to act, not for {@by}", turn=state.setup.seats[state.actor], by=event.by
    )
