"""Which rule forbids a move, a leap or a shot.

A move is judged along its line alone: nothing else that could be played is looked at.
"""

from __future__ import annotations

from gamelog.game import Violation, forbids
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
            return forbids(
                "ZS-A10",
                "the {kind} moves {n} tiles at most, {at} is farther away",
                kind=kind.name,
                n=kind.range,
                at=event.dst,
            )
    if terrain[dst] == kind.restricted:
        return forbids(
            "ZS-12",
            "{at} is {terrain}, where the {kind} may not go",
            at=event.dst,
            terrain=TERRAINS[terrain[dst] - 1],
            kind=kind.name,
        )
    if terrain[dst] == BASE:
        return forbids("ZS-13", "a base stands on {at}", at=event.dst)
    if there:
        if roster.sides[there] == state.actor:
            return forbids("ZS-13", "an own piece stands on {at}", at=event.dst)
        if not captures(state, src, dst):
            return _protected(state, src, dst)
    return None


def _off_course(event: Move, kind: Kind) -> Violation:
    if not kind.course:
        return forbids("ZS-16", "the {kind} is a fortification and never moves", kind=kind.name)
    if event.src == event.dst:
        return forbids("ZS-A32", "a move must lead to another tile")
    return forbids("ZS-9", _COURSES[kind.course], kind=kind.name, src=event.src, dst=event.dst)


_COURSES = {
    1: "the {kind} moves along columns and rows only, {src}-{dst} is not such a line on the board",
    2: "the {kind} moves along diagonals only, {src}-{dst} is not such a line on the board",
    3: "the {kind} moves in straight lines only, {src}-{dst} is not such a line on the board",
}
"""Why a move is off a piece's course, by the course."""


def _obstacle(state: State, kind: Kind, way: range) -> Violation | None:
    """What stops the piece on the slots of `way` before it comes to its target (ZS-11 to ZS-13, ZS-20)."""
    sides, names = state.setup.roster.sides, state.setup.board.names
    passed = False
    for at in way:
        ground, there, name = state.terrain[at], state.pieces[at], names[at]
        enemy = bool(there) and sides[there] != kind.side
        if enemy and kind.special == "passes_enemy" and ground in (kind.difficult, kind.restricted):
            return forbids(
                "ZS-A17",
                "the {kind} cannot pass the enemy on {at}: the tile stops him",
                kind=kind.name,
                at=name,
            )
        if ground == kind.restricted:
            return forbids(
                "ZS-12",
                "the {kind} may not cross {at}, which is {terrain}",
                kind=kind.name,
                at=name,
                terrain=TERRAINS[ground - 1],
            )
        if ground == kind.difficult:
            return forbids(
                "ZS-11",
                "{at} is {terrain}, where the {kind} has to stop",
                at=name,
                terrain=TERRAINS[ground - 1],
                kind=kind.name,
            )
        if ground == BASE:
            return forbids("ZS-13", "the base on {at} stands in the way", at=name)
        if there and not (enemy and kind.special == "passes_enemy"):
            return forbids("ZS-13", "a piece on {at} stands in the way", at=name)
        if there and passed:
            return forbids(
                "ZS-20",
                "the {kind} passes one enemy in a move, the one on {at} would be the second",
                kind=kind.name,
                at=name,
            )
        passed = passed or bool(there)
    return None


def _leap(state: State, event: Move, src: int, dst: int) -> Violation | None:
    roster, pieces = state.setup.roster, state.pieces
    kind = roster.kinds[pieces[src]]
    if kind.special != "leaps_to_hills":
        return forbids("ZS-24", "the {kind} does not leap", kind=kind.name)
    if src == dst:
        return forbids("ZS-A32", "a move must lead to another tile")
    if state.terrain[dst] != HILLS:
        return forbids("ZS-24", "{at} is not a hill tile", at=event.dst)
    if kind.restricted == HILLS:
        return forbids("ZS-12", "the {kind} may not enter hills", kind=kind.name)
    if pieces[dst]:
        if roster.sides[pieces[dst]] == kind.side:
            return forbids("ZS-A23", "an own piece stands on {at}", at=event.dst)
        if not captures(state, src, dst):
            return forbids(
                "ZS-A14",
                "a leap captures by the same rule as a move: {remark}",
                remark=_protected(state, src, dst).message,
            )
    if dst in slides(state, src):
        return forbids("ZS-A36", "a slide leads to {at}, so the move is recorded as one", at=event.dst)
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
        return forbids("ZS-19", "the {kind} does not shoot", kind=kind.name)
    if dst not in setup.board.neighbours[src]:
        return forbids("ZS-19", "{dst} is not beside {src}", dst=event.dst, src=event.src)
    if setup.roster.sides[pieces[dst]] != 1 - state.actor:
        return forbids("ZS-19", "no enemy stands on {at}", at=event.dst)
    if not captures(state, src, dst):
        return forbids(
            "ZS-A14",
            "a shot captures by the same rule as a move: {remark}",
            remark=_protected(state, src, dst).message,
        )
    return None


def _not_own(state: State, event: Move | Shoot, src: int) -> Violation:
    """No piece of the side on turn stands on `src`."""
    if state.pieces[src]:
        text = "the enemy's piece stands on {at}, not one of {@by}'s"
    else:
        text = "no piece stands on {at}, not one of {@by}'s"
    return forbids("ZS-6", text, at=event.src, by=event.by)


def _protected(state: State, src: int, dst: int) -> Violation:
    """Why the piece on `src` may not capture the one on `dst`: its terrain, its neighbour, or its friends."""
    kinds, pieces, name = state.setup.roster.kinds, state.pieces, state.setup.board.names[dst]
    prey = kinds[pieces[dst]]
    if kinds[pieces[src]].special == "counts_double":
        return forbids(
            "ZS-A15",
            "the protected {kind} on {at} has a friend beside it: it takes a second piece",
            kind=prey.name,
            at=name,
        )
    if state.terrain[dst] == prey.preferred:
        return forbids(
            "ZS-10",
            "the {kind} on {at} stands on preferred terrain: it takes a second piece beside it",
            kind=prey.name,
            at=name,
        )
    return forbids(
        "ZS-23",
        "the {kind} on {at} is sheltered by a neighbour: it takes a second piece beside it",
        kind=prey.name,
        at=name,
    )
