"""Legal decisions: the whole list, or one at random."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from gamelog.game import Legal
from gamelog.games.zone_s.abilities import deployments, entries, leaps, shots, slides
from gamelog.games.zone_s.events import (
    Decision,
    Deploy,
    Move,
    Pass,
    PlaceBase,
    PlaceTile,
    ReturnInfantry,
    Shoot,
    Summon,
)
from gamelog.games.zone_s.state import OPEN, State, captured_count


def legal(state: State, seat: str) -> Legal:
    """Return the decisions that are legal for `seat`. While a tile or the coin is due, there are none."""
    to_act = seat == state.setup.seats[state.actor]
    return Legal(tuple(decision(state, choice) for choice in choices(state)) if to_act else ())


def sample(state: State, _seat: str, rng: Random) -> Decision:
    """Return a random legal decision of the seat to act. All decisions have the same probability.

    The choices are counted as numbers, so that only one event is built.

    Raises:
        ValueError: No decision is due in this phase.
    """
    listed = choices(state)
    if not listed:
        raise ValueError(f"no decision is due in phase {state.phase}")
    return decision(state, rng.choice(listed))


Choice = tuple[str, int, int]
"""A decision as numbers: the tag of its event (``slide`` or ``leap`` for a move), then two places, or a
code and a place. Unused numbers are 0.
"""


def choices(state: State) -> list[Choice]:
    """Return all legal decisions as numbers."""
    match state.phase:
        case "play":
            return list(actions(state)) or [("pass", 0, 0)]
        case "base" | "tile":
            half, terrain = state.setup.board.halves, state.terrain
            what = f"place_{state.phase}"
            return [
                (what, at, 0) for at in range(len(terrain)) if half[at] == state.actor and terrain[at] == OPEN
            ]
        case "deploy":
            return [("deploy", code, at) for code, at in deployments(state, state.actor)]
        case "return":
            roster = state.setup.roster
            infantry = [code for code in roster.own[state.actor] if roster.kinds[code].type == "infantry"]
            return [("return_infantry", code, 0) for code in infantry if captured_count(state, code) > 0]
        case _:
            return []


def actions(state: State) -> Iterator[Choice]:
    """Yield the actions of the side to move, passes excluded: pieces in board order, then the reserve."""
    roster, pieces, side = state.setup.roster, state.pieces, state.actor
    for src, code in enumerate(pieces):
        if code and roster.sides[code] == side:
            for dst in slides(state, src):
                yield "slide", src, dst
            special = roster.kinds[code].special
            if special == "leaps_to_hills":
                for dst in leaps(state, src):
                    yield "leap", src, dst
            elif special == "shoots":
                for dst in shots(state, src):
                    yield "shoot", src, dst
    for code in roster.own[side]:
        if state.reserve[code]:
            for at in entries(state, code):
                yield "summon", code, at


def decision(state: State, choice: Choice) -> Decision:
    """Return the event of `choice`."""
    what, a, b = choice
    by, names, kinds = state.setup.seats[state.actor], state.setup.board.names, state.setup.roster.kinds
    match what:
        case "slide":
            return Move(0, 0, by, names[a], names[b])
        case "leap":
            return Move(0, 0, by, names[a], names[b], "leap")
        case "shoot":
            return Shoot(0, 0, by, names[a], names[b])
        case "summon":
            return Summon(0, 0, by, kinds[a].id, names[b])
        case "place_tile":
            return PlaceTile(0, 0, by, names[a])
        case "deploy":
            return Deploy(0, 0, by, kinds[a].id, names[b])
        case "return_infantry":
            return ReturnInfantry(0, 0, by, kinds[a].id)
        case "place_base":
            return PlaceBase(0, 0, by, names[a])
        case _:
            return Pass(0, 0, by)
