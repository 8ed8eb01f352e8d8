"""The rules that forbid moves, leaps and shots.

A move is judged along its line only, without a list of all legal moves.
"""

from __future__ import annotations

from gamelog.game import Violation, forbids
from gamelog.games.kit.phases import unknown_place
from gamelog.games.zone_s.abilities import can_capture, slides
from gamelog.games.zone_s.due import turn_refusal
from gamelog.games.zone_s.events import Move, Shoot
from gamelog.games.zone_s.roster import HILLS, TERRAINS, Kind
from gamelog.games.zone_s.state import BASE, State


def move_violation(state: State, event: Move) -> Violation | None:
    """Return the rule that forbids a move, slide or leap, or None."""
    setup = state.setup
    if state.phase != "play" or event.by != setup.seats[state.actor]:
        return turn_refusal(state, event, "play")
    board, roster, pieces, terrain = setup.board, setup.roster, state.pieces, state.terrain
    src, dst = board.index.get(event.src), board.index.get(event.dst)
    if src is None or dst is None:
        return unknown_place("ZS-9", "slot", event.src if src is None else event.dst)
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
                "the {kind} moves at most {n} {n:tile|tiles}, and {at} is farther away",
                kind=kind.name,
                n=kind.range,
                at=event.dst,
            )
    if terrain[dst] == kind.restricted:
        return forbids(
            "ZS-12",
            "the {kind} cannot enter {at}: {terrain} is restricted for it",
            at=event.dst,
            terrain=TERRAINS[terrain[dst] - 1],
            kind=kind.name,
        )
    if terrain[dst] == BASE:
        return forbids("ZS-13", "a base is on {at}", at=event.dst)
    if there:
        if roster.sides[there] == state.actor:
            return forbids("ZS-13", "a piece of the same side is on {at}", at=event.dst)
        if not can_capture(state, src, dst):
            return _protection_violation(state, src, dst)
    return None


def _off_course(event: Move, kind: Kind) -> Violation:
    if not kind.course:
        return forbids("ZS-16", "the {kind} is a fortification and never moves", kind=kind.name)
    if event.src == event.dst:
        return forbids("ZS-A32", "a move must lead to another tile")
    return forbids("ZS-9", _COURSES[kind.course], kind=kind.name, src=event.src, dst=event.dst)


_COURSES = {
    1: "the {kind} moves only along columns and rows, and no such line on the board joins {src} and {dst}",
    2: "the {kind} moves only along diagonals, and no such line on the board joins {src} and {dst}",
    3: "the {kind} moves only in straight lines, and no such line on the board joins {src} and {dst}",
}
"""By course: the reason why a move does not follow it."""


def _obstacle(state: State, kind: Kind, between: range) -> Violation | None:
    """Return a violation, or None if nothing stops a piece of `kind` on the way (ZS-11 to ZS-13, ZS-20)."""
    sides, names = state.setup.roster.sides, state.setup.board.names
    passed = False
    for at in between:
        ground, there, name = state.terrain[at], state.pieces[at], names[at]
        enemy = bool(there) and sides[there] != kind.side
        if enemy and kind.special == "passes_enemy" and ground in (kind.difficult, kind.restricted):
            return forbids(
                "ZS-A17",
                "the {kind} cannot pass the enemy on {at}: {terrain} is difficult or restricted for it",
                kind=kind.name,
                at=name,
                terrain=TERRAINS[ground - 1],
            )
        if ground == kind.restricted:
            return forbids(
                "ZS-12",
                "the {kind} cannot cross {at}: {terrain} is restricted for it",
                kind=kind.name,
                at=name,
                terrain=TERRAINS[ground - 1],
            )
        if ground == kind.difficult:
            return forbids(
                "ZS-11",
                "the {kind} must stop on {at}: {terrain} is difficult for it",
                at=name,
                terrain=TERRAINS[ground - 1],
                kind=kind.name,
            )
        if ground == BASE:
            return forbids("ZS-13", "the base on {at} blocks the way", at=name)
        if there and not (enemy and kind.special == "passes_enemy"):
            return forbids("ZS-13", "a piece on {at} blocks the way", at=name)
        if there and passed:
            return forbids(
                "ZS-20",
                "the {kind} can pass only one enemy in a move, and the enemy on {at} would be the second",
                kind=kind.name,
                at=name,
            )
        passed = passed or bool(there)
    return None


def _leap(state: State, event: Move, src: int, dst: int) -> Violation | None:
    """Return the violation of a leap (ZS-12, ZS-24, ZS-A14, ZS-A23, ZS-A32, ZS-A36), or None."""
    roster, pieces = state.setup.roster, state.pieces
    kind = roster.kinds[pieces[src]]
    if kind.special != "leaps_to_hills":
        return forbids("ZS-24", "the {kind} cannot leap", kind=kind.name)
    if src == dst:
        return forbids("ZS-A32", "a move must lead to another tile")
    if state.terrain[dst] != HILLS:
        return forbids("ZS-24", "{at} is not a hill tile", at=event.dst)
    if kind.restricted == HILLS:
        return forbids("ZS-12", "the {kind} cannot enter hills: they are restricted for it", kind=kind.name)
    if pieces[dst]:
        if roster.sides[pieces[dst]] == kind.side:
            return forbids("ZS-A23", "a piece of the same side is on {at}", at=event.dst)
        if not can_capture(state, src, dst):
            return forbids(
                "ZS-A14",
                "a leap captures by the same rule as a move: {problem}",
                problem=_protection_violation(state, src, dst).message,
            )
    if dst in slides(state, src):
        return forbids("ZS-A36", "the piece can slide to {at}, so record this move as a slide", at=event.dst)
    return None


def shoot_violation(state: State, event: Shoot) -> Violation | None:
    """Return the rule that forbids a shot, or None."""
    setup, pieces = state.setup, state.pieces
    if state.phase != "play" or event.by != setup.seats[state.actor]:
        return turn_refusal(state, event, "play")
    src, dst = setup.board.index.get(event.src), setup.board.index.get(event.dst)
    if src is None or dst is None:
        return unknown_place("ZS-19", "slot", event.src if src is None else event.dst)
    kind = setup.roster.kinds[pieces[src]]
    if kind.side != state.actor:
        return _not_own(state, event, src)
    if kind.special != "shoots":
        return forbids("ZS-19", "the {kind} cannot shoot", kind=kind.name)
    if dst not in setup.board.neighbours[src]:
        return forbids("ZS-19", "{dst} is not next to {src}", dst=event.dst, src=event.src)
    if setup.roster.sides[pieces[dst]] != 1 - state.actor:
        return forbids("ZS-19", "no enemy piece is on {at}", at=event.dst)
    if not can_capture(state, src, dst):
        return forbids(
            "ZS-A14",
            "a shot captures by the same rule as a move: {problem}",
            problem=_protection_violation(state, src, dst).message,
        )
    return None


def _not_own(state: State, event: Move | Shoot, src: int) -> Violation:
    """Return why `event` is illegal: the side to move has no piece on `src`."""
    if state.pieces[src]:
        return forbids("ZS-6", "the piece on {at} does not belong to {@by}", at=event.src, by=event.by)
    return forbids("ZS-6", "there is no piece on {at}", at=event.src)


def _protection_violation(state: State, src: int, dst: int) -> Violation:
    """Return the violation of a capture of the protected piece on `dst` by the piece on `src`."""
    kinds, pieces, name = state.setup.roster.kinds, state.pieces, state.setup.board.names[dst]
    prey = kinds[pieces[dst]]
    if kinds[pieces[src]].special == "counts_double":
        return forbids(
            "ZS-A15",
            "the {kind} on {at} is protected and has a friend next to it, so the captor needs "
            "support from another piece next to {at}",
            kind=prey.name,
            at=name,
        )
    if state.terrain[dst] == prey.preferred:
        return forbids(
            "ZS-10",
            "the {kind} on {at} is protected by its terrain, so the captor needs support from "
            "another piece next to {at}",
            kind=prey.name,
            at=name,
        )
    return forbids(
        "ZS-23",
        "the {kind} on {at} is protected by a neighbour, so the captor needs support from "
        "another piece next to {at}",
        kind=prey.name,
        at=name,
    )
