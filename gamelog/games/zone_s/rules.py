"""Which rule forbids an event. Ids are those of RULES.md.

An event is first held against what is due (the phase) and whose turn it is, then against its own
rule. What is not due is refused with the rule that says what is (`gamelog.games.zone_s.due`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gamelog.game import TABLE, Violation, who
from gamelog.games.kit.phases import unknown
from gamelog.games.zone_s import events as ev
from gamelog.games.zone_s.due import late, not_due
from gamelog.games.zone_s.events import Event
from gamelog.games.zone_s.ground import can_act, may_enter
from gamelog.games.zone_s.moves import check_move, check_shoot
from gamelog.games.zone_s.roster import TERRAINS
from gamelog.games.zone_s.state import BASE, OPEN, State, captured, tiles_left


def check(state: State, event: Event) -> Violation | None:
    """The rule that forbids `event` in `state`, or None."""
    return CHECKS[type(event)](state, event)


def _place_base(state: State, event: ev.PlaceBase) -> Violation | None:
    if refused := late(state, event, "base"):
        return refused
    at = state.setup.board.index.get(event.at)
    if at is None:
        return unknown("ZS-2", "slot", event.at)
    if state.setup.board.halves[at] != state.actor:
        return Violation("ZS-2", f"{event.at} is not in {who(event.by)}'s half")
    return None


def _draw_tile(state: State, event: ev.DrawTile) -> Violation | None:
    if state.phase != "draw" or event.by != state.setup.seats[state.actor]:
        return late(state, event, "draw")
    if event.terrain not in TERRAINS or not tiles_left(state, event.terrain):
        return Violation("ZS-3", f"the bag holds no tile {event.terrain}")
    return None


def _place_tile(state: State, event: ev.PlaceTile) -> Violation | None:
    if state.phase != "tile" or event.by != state.setup.seats[state.actor]:
        return late(state, event, "tile")
    at = state.setup.board.index.get(event.at)
    if at is None:
        return unknown("ZS-3", "slot", event.at)
    if state.setup.board.halves[at] != state.actor:
        return Violation("ZS-3", f"{event.at} is not in {who(event.by)}'s half")
    if state.terrain[at] != OPEN:
        return Violation("ZS-3", f"{event.at} is filled already")
    return None


def _deploy(state: State, event: ev.Deploy) -> Violation | None:
    if state.phase != "deploy" or event.by != state.setup.seats[state.actor]:
        return late(state, event, "deploy")
    code = state.setup.roster.codes.get(event.kind, 0)
    if state.setup.roster.sides[code] != state.actor or not state.reserve[code]:
        return Violation("ZS-4", f"{who(event.by)} has no {event.kind} in reserve")
    at = state.setup.board.index.get(event.at)
    if at is None:
        return unknown("ZS-4", "slot", event.at)
    if state.setup.board.halves[at] != state.actor:
        return Violation("ZS-A6", f"{event.at} lies behind the screen, not in {who(event.by)}'s half")
    return _entry(state, event, code, at)


def _coin(state: State, event: ev.Coin) -> Violation | None:
    if state.phase != "coin":
        return not_due(state)
    if event.by != TABLE:
        return Violation("ZS-5", f"the coin is recorded by {TABLE}, not by {who(event.by)}")
    if event.seat not in state.setup.seats:
        return Violation("ZS-5", f"the coin falls for {' or '.join(map(who, state.setup.seats))}")
    return None


def _summon(state: State, event: ev.Summon) -> Violation | None:
    if refused := late(state, event, "play"):
        return refused
    code = state.setup.roster.codes.get(event.kind, 0)
    if state.setup.roster.sides[code] != state.actor or not state.reserve[code]:
        return Violation("ZS-6", f"{who(event.by)} has no {event.kind} in reserve")
    at = state.setup.board.index.get(event.at)
    return unknown("ZS-7", "slot", event.at) if at is None else _entry(state, event, code, at)


def _return_infantry(state: State, event: ev.ReturnInfantry) -> Violation | None:
    if refused := late(state, event, "return"):
        return refused
    roster = state.setup.roster
    code = roster.codes.get(event.kind, 0)
    if roster.sides[code] != state.actor or roster.kinds[code].type != "infantry":
        return Violation("ZS-22", f"{event.kind} is not infantry of {who(event.by)}")
    if not captured(state, code):
        return Violation("ZS-A20", f"no {event.kind} is among the pieces that {who(event.by)} has lost")
    return None


def _pass(state: State, event: ev.Pass) -> Violation | None:
    if refused := late(state, event, "play"):
        return refused
    return (
        Violation("ZS-6", f"{who(event.by)} can act and so has to") if can_act(state, state.actor) else None
    )


CHECKS: dict[type[Event], Callable[[State, Any], Violation | None]] = {
    ev.PlaceBase: _place_base,
    ev.DrawTile: _draw_tile,
    ev.PlaceTile: _place_tile,
    ev.Deploy: _deploy,
    ev.Coin: _coin,
    ev.Move: check_move,
    ev.Shoot: check_shoot,
    ev.Summon: _summon,
    ev.ReturnInfantry: _return_infantry,
    ev.Pass: _pass,
}
"""How an event of each kind is judged."""


def _entry(state: State, event: ev.Summon | ev.Deploy, code: int, at: int) -> Violation | None:
    """Why a piece of kind `code` may not come out of the reserve on `at`."""
    kind, terrain = state.setup.roster.kinds[code], state.terrain[at]
    if state.pieces[at] or terrain == BASE:
        return Violation("ZS-8", f"{event.at} is occupied")
    if terrain == kind.restricted:
        return Violation(
            "ZS-A7", f"{event.at} is {TERRAINS[terrain - 1]}, where the {kind.name} may not stand"
        )
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
