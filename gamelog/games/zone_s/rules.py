"""Who may act, and which rule forbids an event. Ids are those of RULES.md.

An event is first held against what is due (the phase) and whose turn it is, then against its own
rule. What is not due is refused with the rule that says what is.
"""

from __future__ import annotations

from typing import assert_never

from gamelog.chance.draws import Bag
from gamelog.games.zone_s.board import SIDES
from gamelog.games.zone_s.events import (
    Coin,
    Deploy,
    DrawTile,
    Event,
    Move,
    Pass,
    PlaceBase,
    PlaceTile,
    ReturnInfantry,
    Shoot,
    Summon,
)
from gamelog.games.zone_s.ground import backed, can_act, captures, may_enter, protects, slides
from gamelog.games.zone_s.roster import HILLS, TERRAINS, Kind
from gamelog.games.zone_s.state import BASE, OPEN, State, bag, captured, tiles_left
from gamelog.play.game import Owed, Pending, Violation
from gamelog.record.envelope import TABLE

COIN_SIDES = tuple((side, 1) for side in SIDES)

DUE = {
    "base": ("ZS-2", "a base"),
    "draw": ("ZS-3", "a tile out of the bag"),
    "tile": ("ZS-3", "the placing of the tile drawn"),
    "deploy": ("ZS-4", "a piece to be deployed"),
    "coin": ("ZS-5", "the coin"),
    "play": ("ZS-6", "one action: a move, a shot or a summons"),
    "return": ("ZS-22", "the choice of the infantry that comes back"),
}
"""For each phase the rule that says what is due, and the same in words."""

ENDED_BY = {"base": "ZS-25", "passes": "ZS-A26", "repetition": "ZS-A28", "quiet": "ZS-A28", "limit": "ZS-A28"}


def pending(state: State) -> Pending:
    """Who may act, or the tile or coin that is owed, or the outcome."""
    phase = state.phase
    if phase == "over":
        return Pending(outcome=state.outcome)
    if phase == "draw":
        seat = state.setup.seats[state.actor]
        return Pending(chance=Owed("draw_tile", seat, (Bag(1, bag(state), seat),)))
    if phase == "coin":
        return Pending(chance=Owed("coin", TABLE, (Bag(1, COIN_SIDES),)))
    return Pending(by=(state.setup.seats[state.actor],))


def check(state: State, event: Event) -> Violation | None:
    """The rule that forbids `event` in `state`, or None."""
    if type(event) is Move:
        return _move(state, event)
    if type(event) is PlaceTile:
        return _place_tile(state, event)
    if type(event) is DrawTile:
        return _draw_tile(state, event)
    if type(event) is Summon:
        return _summon(state, event)
    if type(event) is Shoot:
        return _shoot(state, event)
    if type(event) is Deploy:
        return _deploy(state, event)
    if type(event) is ReturnInfantry:
        return _return_infantry(state, event)
    if type(event) is Pass:
        return _pass(state, event)
    if type(event) is PlaceBase:
        return _place_base(state, event)
    if type(event) is Coin:
        return _coin(state, event)
    assert_never(event)


def _move(state: State, event: Move) -> Violation | None:
    setup = state.setup
    if state.phase != "play":
        return _not_due(state)
    if event.by != setup.seats[state.actor]:
        return _not_on_turn(state, event)
    board, roster, pieces, terrain = setup.board, setup.roster, state.pieces, state.terrain
    src, dst = board.index.get(event.src), board.index.get(event.dst)
    if src is None or dst is None:
        return _unknown("ZS-9", event.src if src is None else event.dst)
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
        if kind.difficult in ground or kind.restricted in ground or BASE in ground or any(pieces[src + step : dst : step]):
            blocked = _obstacle(state, kind, range(src + step, dst, step))
            if blocked is not None:
                return blocked
        if 0 < kind.range <= len(ground):
            return Violation("ZS-A10", f"the {kind.name} moves {kind.range} tiles at most, {event.dst} is farther away")
    if terrain[dst] == kind.restricted:
        return Violation("ZS-12", f"{event.dst} is {TERRAINS[terrain[dst] - 1]}, where the {kind.name} may not go")
    if terrain[dst] == BASE:
        return Violation("ZS-13", f"a base stands on {event.dst}")
    if there:
        if roster.sides[there] == state.actor:
            return Violation("ZS-13", f"an own piece stands on {event.dst}")
        if protects(state, dst) and not backed(state, src, dst):
            return _protected(state, src, dst)
    return None


def _off_course(event: Move, kind: Kind) -> Violation:
    if not kind.course:
        return Violation("ZS-16", f"the {kind.name} is a fortification and never moves")
    if event.src == event.dst:
        return Violation("ZS-A32", "a move must lead to another tile")
    words = {1: "along columns and rows", 2: "along diagonals", 3: "in straight lines"}[kind.course]
    return Violation("ZS-9", f"the {kind.name} moves {words} only, {event.src}-{event.dst} is no such line on the board")


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
            return Violation("ZS-12", f"the {kind.name} may not cross {name}, which is {TERRAINS[ground - 1]}")
        if ground == kind.difficult:
            return Violation("ZS-11", f"{name} is {TERRAINS[ground - 1]}, where the {kind.name} has to stop")
        if ground == BASE:
            return Violation("ZS-13", f"the base on {name} stands in the way")
        if there and not (enemy and kind.special == "passes_enemy"):
            return Violation("ZS-13", f"a piece on {name} stands in the way")
        if there and passed:
            return Violation("ZS-20", f"the {kind.name} passes one enemy in a move, the one on {name} would be the second")
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
        return Violation("ZS-24", f"{event.dst} is no hill tile")
    if kind.restricted == HILLS:
        return Violation("ZS-12", f"the {kind.name} may not enter hills")
    if pieces[dst]:
        if roster.sides[pieces[dst]] == kind.side:
            return Violation("ZS-A23", f"an own piece stands on {event.dst}")
        if not captures(state, src, dst):
            return Violation("ZS-A14", f"a leap captures by the same rule as a move: {_protected(state, src, dst).text}")
    if dst in slides(state, src):
        return Violation("ZS-A36", f"a slide leads to {event.dst}, so the move is recorded as one")
    return None


def _shoot(state: State, event: Shoot) -> Violation | None:
    if state.phase != "play":
        return _not_due(state)
    setup, pieces = state.setup, state.pieces
    if event.by != setup.seats[state.actor]:
        return _not_on_turn(state, event)
    src, dst = setup.board.index.get(event.src), setup.board.index.get(event.dst)
    if src is None or dst is None:
        return _unknown("ZS-19", event.src if src is None else event.dst)
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
        return Violation("ZS-A14", f"a shot captures by the same rule as a move: {_protected(state, src, dst).text}")
    return None


def _summon(state: State, event: Summon) -> Violation | None:
    if state.phase != "play":
        return _not_due(state)
    if event.by != state.setup.seats[state.actor]:
        return _not_on_turn(state, event)
    code = state.setup.roster.codes.get(event.kind, 0)
    if state.setup.roster.sides[code] != state.actor or not state.reserve[code]:
        return Violation("ZS-6", f"{event.by} has no {event.kind} in reserve")
    at = state.setup.board.index.get(event.at)
    return _unknown("ZS-7", event.at) if at is None else _entry(state, event, code, at)


def _deploy(state: State, event: Deploy) -> Violation | None:
    if state.phase != "deploy":
        return _not_due(state)
    if event.by != state.setup.seats[state.actor]:
        return _not_on_turn(state, event)
    code = state.setup.roster.codes.get(event.kind, 0)
    if state.setup.roster.sides[code] != state.actor or not state.reserve[code]:
        return Violation("ZS-4", f"{event.by} has no {event.kind} in reserve")
    at = state.setup.board.index.get(event.at)
    if at is None:
        return _unknown("ZS-4", event.at)
    if state.setup.board.halves[at] != state.actor:
        return Violation("ZS-A6", f"{event.at} lies behind the screen, not in {event.by}'s half")
    return _entry(state, event, code, at)


def _entry(state: State, event: Summon | Deploy, code: int, at: int) -> Violation | None:
    """Why a piece of kind `code` may not come out of the reserve on `at`."""
    kind, terrain = state.setup.roster.kinds[code], state.terrain[at]
    if state.pieces[at] or terrain == BASE:
        return Violation("ZS-8", f"{event.at} is occupied")
    if terrain == kind.restricted:
        return Violation("ZS-A7", f"{event.at} is {TERRAINS[terrain - 1]}, where the {kind.name} may not stand")
    if may_enter(state, code, at):
        return None
    if kind.type == "fortification":
        ground = TERRAINS[kind.preferred - 1]
        return Violation("ZS-16", f"the {kind.name} is built on {ground} only and not beside the own base")
    if kind.special == "joins_kind":
        return Violation("ZS-17", f"{event.at} is neither a home tile nor beside another {kind.name}")
    if kind.special == "comes_from_forest":
        return Violation("ZS-18", f"{event.at} is neither a home tile nor forest")
    return Violation("ZS-7", f"{event.at} is no home tile of {event.by}")


def _return_infantry(state: State, event: ReturnInfantry) -> Violation | None:
    if state.phase != "return":
        return _not_due(state)
    if event.by != state.setup.seats[state.actor]:
        return _not_on_turn(state, event)
    roster = state.setup.roster
    code = roster.codes.get(event.kind, 0)
    if roster.sides[code] != state.actor or roster.kinds[code].type != "infantry":
        return Violation("ZS-22", f"{event.kind} is no infantry of {event.by}")
    if not captured(state, code):
        return Violation("ZS-A20", f"no {event.kind} is among the pieces that {event.by} has lost")
    return None


def _pass(state: State, event: Pass) -> Violation | None:
    if state.phase != "play":
        return _not_due(state)
    if event.by != state.setup.seats[state.actor]:
        return _not_on_turn(state, event)
    return Violation("ZS-6", f"{event.by} can act and so has to") if can_act(state, state.actor) else None


def _place_base(state: State, event: PlaceBase) -> Violation | None:
    if state.phase != "base":
        return _not_due(state)
    if event.by != state.setup.seats[state.actor]:
        return _not_on_turn(state, event)
    at = state.setup.board.index.get(event.at)
    if at is None:
        return _unknown("ZS-2", event.at)
    if state.setup.board.halves[at] != state.actor:
        return Violation("ZS-2", f"{event.at} is not in {event.by}'s half")
    return None


def _draw_tile(state: State, event: DrawTile) -> Violation | None:
    if state.phase != "draw":
        return _not_due(state)
    if event.by != state.setup.seats[state.actor]:
        return _not_on_turn(state, event)
    if event.terrain not in TERRAINS or not tiles_left(state, event.terrain):
        return Violation("ZS-3", f"the bag holds no tile {event.terrain}")
    return None


def _place_tile(state: State, event: PlaceTile) -> Violation | None:
    if state.phase != "tile":
        return _not_due(state)
    if event.by != state.setup.seats[state.actor]:
        return _not_on_turn(state, event)
    at = state.setup.board.index.get(event.at)
    if at is None:
        return _unknown("ZS-3", event.at)
    if state.setup.board.halves[at] != state.actor:
        return Violation("ZS-3", f"{event.at} is not in {event.by}'s half")
    if state.terrain[at] != OPEN:
        return Violation("ZS-3", f"{event.at} is filled already")
    return None


def _coin(state: State, event: Coin) -> Violation | None:
    if state.phase != "coin":
        return _not_due(state)
    if event.by != TABLE:
        return Violation("ZS-5", f"the coin is recorded by {TABLE}, not by {event.by}")
    if event.seat not in state.setup.seats:
        return Violation("ZS-5", f"the coin falls for {' or '.join(state.setup.seats)}")
    return None


def _protected(state: State, src: int, dst: int) -> Violation:
    """Why the piece on `src` may not capture the one on `dst`: for its terrain, for its neighbour, for its friends."""
    kinds, pieces, name = state.setup.roster.kinds, state.pieces, state.setup.board.names[dst]
    prey = kinds[pieces[dst]]
    if kinds[pieces[src]].special == "counts_double":
        return Violation("ZS-A15", f"the protected {prey.name} on {name} has a friend beside it: it takes a second piece")
    if state.terrain[dst] == prey.preferred:
        return Violation("ZS-10", f"the {prey.name} on {name} stands on preferred terrain: it takes a second piece beside it")
    return Violation("ZS-23", f"the {prey.name} on {name} is sheltered by a neighbour: it takes a second piece beside it")


def _not_due(state: State) -> Violation:
    """Why an event of another phase is illegal: by the rule that says what is due."""
    if state.phase == "over":
        return Violation(ENDED_BY[state.outcome.reason] if state.outcome else "ZS-25", "the game is over")
    rule, due = DUE[state.phase]
    return Violation(rule, f"what is due is {due}")


def _not_on_turn(state: State, event: Event) -> Violation:
    rule, _ = DUE[state.phase]
    return Violation(rule, f"it is for {state.setup.seats[state.actor]} to act, not for {event.by}")


def _not_own(state: State, event: Move | Shoot, src: int) -> Violation:
    what = "the enemy's piece stands" if state.pieces[src] else "no piece stands"
    return Violation("ZS-6", f"{what} on {event.src}, not one of {event.by}'s")


def _unknown(rule: str, name: str) -> Violation:
    return Violation(rule, f'the board has no slot "{name}"')
