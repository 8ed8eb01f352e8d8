"""Who may act, and which rule forbids an event. Ids are those of RULES.md.

An event is first held against what is due (the phase) and whose turn it is, then against its own
rule. What is not due is refused with the rule that says what is.
"""

from __future__ import annotations

from typing import assert_never

from gamelog.game import TABLE, Bag, ChanceDue, Pending, Violation, many, who
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
from gamelog.games.zone_s.ground import can_act, may_enter
from gamelog.games.zone_s.moves import check_move, check_shoot
from gamelog.games.zone_s.refusals import not_due, not_on_turn, unknown
from gamelog.games.zone_s.roster import TERRAINS
from gamelog.games.zone_s.state import BASE, DEPLOYED, OPEN, State, bag, captured, deployed, tiles_left

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


def left(state: State) -> str:
    """How many tiles or pieces the one on turn has left to put down, in words."""
    if state.phase == "tile":
        halves, terrain = state.setup.board.halves, state.terrain
        slots = sum(halves[at] == state.actor and terrain[at] == OPEN for at in range(len(terrain)))
        return f"{many(slots, 'slot')} left to fill"
    if state.phase == "deploy":
        pieces = DEPLOYED - deployed(state, state.actor)
        return f"{many(pieces, 'piece')} left to deploy"
    return ""


def check(state: State, event: Event) -> Violation | None:
    """The rule that forbids `event` in `state`, or None."""
    if type(event) is Move:
        return check_move(state, event)
    if type(event) is PlaceTile:
        return _place_tile(state, event)
    if type(event) is DrawTile:
        return _draw_tile(state, event)
    if type(event) is Summon:
        return _summon(state, event)
    if type(event) is Shoot:
        return check_shoot(state, event)
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


def _summon(state: State, event: Summon) -> Violation | None:
    if state.phase != "play":
        return not_due(state)
    if event.by != state.setup.seats[state.actor]:
        return not_on_turn(state, event)
    code = state.setup.roster.codes.get(event.kind, 0)
    if state.setup.roster.sides[code] != state.actor or not state.reserve[code]:
        return Violation("ZS-6", f"{who(event.by)} has no {event.kind} in reserve")
    at = state.setup.board.index.get(event.at)
    return unknown("ZS-7", event.at) if at is None else _entry(state, event, code, at)


def _deploy(state: State, event: Deploy) -> Violation | None:
    if state.phase != "deploy":
        return not_due(state)
    if event.by != state.setup.seats[state.actor]:
        return not_on_turn(state, event)
    code = state.setup.roster.codes.get(event.kind, 0)
    if state.setup.roster.sides[code] != state.actor or not state.reserve[code]:
        return Violation("ZS-4", f"{who(event.by)} has no {event.kind} in reserve")
    at = state.setup.board.index.get(event.at)
    if at is None:
        return unknown("ZS-4", event.at)
    if state.setup.board.halves[at] != state.actor:
        return Violation("ZS-A6", f"{event.at} lies behind the screen, not in {who(event.by)}'s half")
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
    return Violation("ZS-7", f"{event.at} is not a home tile of {who(event.by)}")


def _return_infantry(state: State, event: ReturnInfantry) -> Violation | None:
    if state.phase != "return":
        return not_due(state)
    if event.by != state.setup.seats[state.actor]:
        return not_on_turn(state, event)
    roster = state.setup.roster
    code = roster.codes.get(event.kind, 0)
    if roster.sides[code] != state.actor or roster.kinds[code].type != "infantry":
        return Violation("ZS-22", f"{event.kind} is not infantry of {who(event.by)}")
    if not captured(state, code):
        return Violation("ZS-A20", f"no {event.kind} is among the pieces that {who(event.by)} has lost")
    return None


def _pass(state: State, event: Pass) -> Violation | None:
    if state.phase != "play":
        return not_due(state)
    if event.by != state.setup.seats[state.actor]:
        return not_on_turn(state, event)
    return Violation("ZS-6", f"{who(event.by)} can act and so has to") if can_act(state, state.actor) else None


def _place_base(state: State, event: PlaceBase) -> Violation | None:
    if state.phase != "base":
        return not_due(state)
    if event.by != state.setup.seats[state.actor]:
        return not_on_turn(state, event)
    at = state.setup.board.index.get(event.at)
    if at is None:
        return unknown("ZS-2", event.at)
    if state.setup.board.halves[at] != state.actor:
        return Violation("ZS-2", f"{event.at} is not in {who(event.by)}'s half")
    return None


def _draw_tile(state: State, event: DrawTile) -> Violation | None:
    if state.phase != "draw":
        return not_due(state)
    if event.by != state.setup.seats[state.actor]:
        return not_on_turn(state, event)
    if event.terrain not in TERRAINS or not tiles_left(state, event.terrain):
        return Violation("ZS-3", f"the bag holds no tile {event.terrain}")
    return None


def _place_tile(state: State, event: PlaceTile) -> Violation | None:
    if state.phase != "tile":
        return not_due(state)
    if event.by != state.setup.seats[state.actor]:
        return not_on_turn(state, event)
    at = state.setup.board.index.get(event.at)
    if at is None:
        return unknown("ZS-3", event.at)
    if state.setup.board.halves[at] != state.actor:
        return Violation("ZS-3", f"{event.at} is not in {who(event.by)}'s half")
    if state.terrain[at] != OPEN:
        return Violation("ZS-3", f"{event.at} is filled already")
    return None


def _coin(state: State, event: Coin) -> Violation | None:
    if state.phase != "coin":
        return not_due(state)
    if event.by != TABLE:
        return Violation("ZS-5", f"the coin is recorded by {TABLE}, not by {who(event.by)}")
    if event.seat not in state.setup.seats:
        return Violation("ZS-5", f"the coin falls for {' or '.join(map(who, state.setup.seats))}")
    return None
