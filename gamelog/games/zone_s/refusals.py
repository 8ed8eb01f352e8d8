"""Refusals that several events share, each with the rule it cites."""

from __future__ import annotations

from gamelog.game import Violation, who
from gamelog.games.zone_s.events import Event, Move, Shoot
from gamelog.games.zone_s.state import State

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


def protected(state: State, src: int, dst: int) -> Violation:
    """Why the piece on `src` may not capture the one on `dst`: for its terrain, for its neighbour, for its friends."""
    kinds, pieces, name = state.setup.roster.kinds, state.pieces, state.setup.board.names[dst]
    prey = kinds[pieces[dst]]
    if kinds[pieces[src]].special == "counts_double":
        return Violation("ZS-A15", f"the protected {prey.name} on {name} has a friend beside it: it takes a second piece")
    if state.terrain[dst] == prey.preferred:
        return Violation("ZS-10", f"the {prey.name} on {name} stands on preferred terrain: it takes a second piece beside it")
    return Violation("ZS-23", f"the {prey.name} on {name} is sheltered by a neighbour: it takes a second piece beside it")


def not_due(state: State) -> Violation:
    """Why an event of another phase is illegal: by the rule that says what is due."""
    if state.phase == "over":
        return Violation(ENDED_BY[state.outcome.reason] if state.outcome else "ZS-25", "the game is over")
    rule, due = DUE[state.phase]
    return Violation(rule, due)


def not_on_turn(state: State, event: Event) -> Violation:
    """It is another seat's duty."""
    rule, _ = DUE[state.phase]
    return Violation(rule, f"it is for {who(state.setup.seats[state.actor])} to act, not for {who(event.by)}")


def not_own(state: State, event: Move | Shoot, src: int) -> Violation:
    """No piece of the side on turn stands on `src`."""
    what = "the enemy's piece stands" if state.pieces[src] else "no piece stands"
    return Violation("ZS-6", f"{what} on {event.src}, not one of {who(event.by)}'s")


def unknown(rule: str, name: str) -> Violation:
    """There is no such slot."""
    return Violation(rule, f'the board has no slot "{name}"')
