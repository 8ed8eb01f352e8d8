"""Which rule forbids a move, a leap or a shot.

A move is judged along its line alone: nothing else that could be played is looked at.
"""

from __future__ import annotations

from gamelog.game import Violation, who
from gamelog.games.kit.phases import unknown
from gamelog.games.zone_s.due import late
from gamelog.games.zone_s.events import Move, Shoot
from gamelog.games.zone_s.ground import captures, slides
from gamelog.games.zone_s.roster import HILLS, TERRAINS, Kind
from gamelog.games.zone_s.state import BASE, State


def check_move(state: State, event: Move) -> Violation | None:
    """The rule that forbids a move, sliding or leaping, or None."""
    setup = state.setup
    if state.phase != "play" or event.by != setup.seats[state.actor]:
        return late(state, event, "play")
    board, roster, pieces, terrain = setup.board, setup.roster, state.pieces, state.terrain
    src, dst = board.index.get(event.src), board.index.get(event.dst)
    if src is None or dst is None:
        return unknown("ZS-9", "slot", event.src if src is None else event.dst)
    kind = roster.kinds[pieces[src]]
    if kind.side != state.actor:
        return _not_own(state, event, src)
    if event.via == "leap":
        return _leap(state, event, src, dst)
    line = src * board.size + dst
    if not board.courses[line] & kind.course:
        return _off_course(event, kind)
    step, there = board.steps[line], pieces[dst]
    if src + step != dst:
        ground = terrain[src + step : dst : step]
        if (
            kind.difficult in ground
            or kind.restricted in ground
            or BASE in ground
            or any(pieces[src + step : dst : step])
        ):
            blocked = _obstacle(state, kind, range(src + step, dst, step))
            if blocked is not None:
                return blocked
        if 0 < kind.range <= len(ground):
            return Violation(
                "ZS-A10", f"the {kind.name} moves {kind.range} tiles at most, {event.dst} is farther away"
            )
    if terrain[dst] == kind.restricted:
        return Violation(
            "ZS-12", f"{event.dst} is {TERRAINS[terrain[dst] - 1]}, where the {kind.name} may not go"
        )
    if terrain[dst] == BASE:
        return Violation("ZS-13", f"a base stands on {event.dst}")
    if there:
        if roster.sides[there] == state.actor:
            return Violation("ZS-13", f"an own piece stands on {event.dst}")
        if not captures(state, src, dst):
            return _protected(state, src, dst)
    return None


def _off_course(event: Move, kind: Kind) -> Violation:
    if not kind.course:
        return Violation("ZS-16", f"the {kind.name} is a fortification and never moves")
    if event.src == event.dst:
        return Violation("ZS-A32", "a move must lead to another tile")
    words = {1: "along columns and rows", 2: "along diagonals", 3: "in straight lines"}[kind.course]
    return Violation(
        "ZS-9", f"the {kind.name} moves {words} only, {event.src}-{event.dst} is not such a line on the board"
    )


def _obstacle(state: State, kind: Kind, way: range) -> Violation | None:
    """What stops the piece on the slots of `way` before it comes to its target (ZS-11 to ZS-13, ZS-20)."""
    sides, names = state.setup.roster.sides, state.setup.board.names
    passed = False
    for at in way:
        ground, there, name = state.terrain[at], state.pieces[at], names[at]
        enemy = bool(there) and sides[there] != kind.side
        if enemy and kind.special == "passes_enemy" and ground in (kind.difficult, kind.restricted):
            return Violation("ZS-A17", f"the {kind.name} cannot pass the enemy on {name}: the tile stops him")
        if ground == kind.restricted:
            return Violation(
                "ZS-12", f"the {kind.name} may not cross {name}, which is {TERRAINS[ground - 1]}"
            )
        if ground == kind.difficult:
            return Violation("ZS-11", f"{name} is {TERRAINS[ground - 1]}, where the {kind.name} has to stop")
        if ground == BASE:
            return Violation("ZS-13", f"the base on {name} stands in the way")
        if there and not (enemy and kind.special == "passes_enemy"):
            return Violation("ZS-13", f"a piece on {name} stands in the way")
        if there and passed:
            return Violation(
                "ZS-20", f"the {kind.name} passes one enemy in a move, the one on {name} would be the second"
            )
        passed = passed or bool(there)
    return None


def _leap(state: State, event: Move, src: int, dst: int) -> Violation | None:
    roster, pieces = state.setup.roster, state.pieces
    kind = roster.kinds[pieces[src]]
    if kind.special != "leaps_to_hills":
        return Violation("ZS-24", f"the {kind.name} does not leap")
    if src == dst:
        return Violation("ZS-A32", "a move must lead to another tile")
    if state.terrain[dst] != HILLS:
        return Violation("ZS-24", f"{event.dst} is not a hill tile")
    if kind.restricted == HILLS:
        return Violation("ZS-12", f"the {kind.name} may not enter hills")
    if pieces[dst]:
        if roster.sides[pieces[dst]] == kind.side:
            return Violation("ZS-A23", f"an own piece stands on {event.dst}")
        if not captures(state, src, dst):
            return Violation(
                "ZS-A14", f"a leap captures by the same rule as a move: {_protected(state, src, dst).text}"
            )
    if dst in slides(state, src):
        return Violation("ZS-A36", f"a slide leads to {event.dst}, so the move is recorded as one")
    return None


def check_shoot(state: State, event: Shoot) -> Violation | None:
    """The rule that forbids a shot, or None."""
    setup, pieces = state.setup, state.pieces
    if state.phase != "play" or event.by != setup.seats[state.actor]:
        return late(state, event, "play")
    src, dst = setup.board.index.get(event.src), setup.board.index.get(event.dst)
    if src is None or dst is None:
        return unknown("ZS-19", "slot", event.src if src is None else event.dst)
    kind = setup.roster.kinds[pieces[src]]
    if kind.side != state.actor:
        return _not_own(state, event, src)
    if kind.special != "shoots":
        return Violation("ZS-19", f"the {kind.name} does not shoot")
    if dst not in setup.board.neighbours[src]:
        return Violation("ZS-19", f"{event.dst} is not beside {event.src}")
    if setup.roster.sides[pieces[dst]] != 1 - state.actor:
        return Violation("ZS-19", f"no enemy stands on {event.dst}")
    if not captures(state, src, dst):
        return Violation(
            "ZS-A14", f"a shot captures by the same rule as a move: {_protected(state, src, dst).text}"
        )
    return None


def _not_own(state: State, event: Move | Shoot, src: int) -> Violation:
    """No piece of the side on turn stands on `src`."""
    what = "the enemy's piece stands" if state.pieces[src] else "no piece stands"
    return Violation("ZS-6", f"{what} on {event.src}, not one of {who(event.by)}'s")


def _protected(state: State, src: int, dst: int) -> Violation:
    """Why the piece on `src` may not capture the one on `dst`: its terrain, its neighbour, or its friends."""
    kinds, pieces, name = state.setup.roster.kinds, state.pieces, state.setup.board.names[dst]
    prey = kinds[pieces[dst]]
    if kinds[pieces[src]].special == "counts_double":
        return Violation(
            "ZS-A15", f"the protected {prey.name} on {name} has a friend beside it: it takes a second piece"
        )
    if state.terrain[dst] == prey.preferred:
        return Violation(
            "ZS-10",
            f"the {prey.name} on {name} stands on preferred terrain: it takes a second piece beside it",
        )
    return Violation(
        "ZS-23", f"the {prey.name} on {name} is sheltered by a neighbour: it takes a second piece beside it"
    )
