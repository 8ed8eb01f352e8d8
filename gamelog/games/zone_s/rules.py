"""The rules that forbid events, by their ids in RULES.md.

`check` first compares an event with the phase and the seat to act, then applies the rules of the
event's kind. An event of another phase is refused by the rule that names the next event
(`gamelog.games.zone_s.due`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gamelog.game import TABLE, Violation, forbids
from gamelog.games.kit.phases import unknown_place
from gamelog.games.zone_s import events as ev
from gamelog.games.zone_s.abilities import can_act, can_enter
from gamelog.games.zone_s.due import not_due, turn_refusal
from gamelog.games.zone_s.events import Event
from gamelog.games.zone_s.moves import move_violation, shoot_violation
from gamelog.games.zone_s.roster import TERRAINS
from gamelog.games.zone_s.state import BASE, OPEN, State, captured_count, tiles_left


def check(state: State, event: Event) -> Violation | None:
    """Return the rule that forbids `event` in `state`, or None."""
    return CHECKS[type(event)](state, event)


def _place_base(state: State, event: ev.PlaceBase) -> Violation | None:
    if refused := turn_refusal(state, event, "base"):
        return refused
    at = state.setup.board.index.get(event.at)
    if at is None:
        return unknown_place("ZS-2", "slot", event.at)
    if state.setup.board.halves[at] != state.actor:
        return forbids("ZS-2", "{at} is not in {@by}'s half", at=event.at, by=event.by)
    return None


def _draw_tile(state: State, event: ev.DrawTile) -> Violation | None:
    if state.phase != "draw" or event.by != state.setup.seats[state.actor]:
        return turn_refusal(state, event, "draw")
    if event.terrain not in TERRAINS or not tiles_left(state, event.terrain):
        return forbids("ZS-3", "the bag has no {terrain} tile left", terrain=event.terrain)
    return None


def _place_tile(state: State, event: ev.PlaceTile) -> Violation | None:
    """Return the violation of the placement of a tile (ZS-3), or None."""
    if state.phase != "tile" or event.by != state.setup.seats[state.actor]:
        return turn_refusal(state, event, "tile")
    at = state.setup.board.index.get(event.at)
    if at is None:
        return unknown_place("ZS-3", "slot", event.at)
    if state.setup.board.halves[at] != state.actor:
        return forbids("ZS-3", "{at} is not in {@by}'s half", at=event.at, by=event.by)
    if state.terrain[at] != OPEN:
        return forbids("ZS-3", "{at} already has a tile or a base", at=event.at)
    return None


def _deploy(state: State, event: ev.Deploy) -> Violation | None:
    """Return the violation of a deployment (ZS-4, ZS-A6, or a rule on entering the board), or None."""
    if state.phase != "deploy" or event.by != state.setup.seats[state.actor]:
        return turn_refusal(state, event, "deploy")
    code = state.setup.roster.codes.get(event.kind, 0)
    if state.setup.roster.sides[code] != state.actor or not state.reserve[code]:
        return forbids("ZS-4", "{@by} has no {kind} in reserve", by=event.by, kind=event.kind)
    at = state.setup.board.index.get(event.at)
    if at is None:
        return unknown_place("ZS-4", "slot", event.at)
    if state.setup.board.halves[at] != state.actor:
        return forbids("ZS-A6", "{at} is behind the screen, not in {@by}'s half", at=event.at, by=event.by)
    return _entry(state, event, code, at)


def _coin(state: State, event: ev.Coin) -> Violation | None:
    if state.phase != "coin":
        return not_due(state)
    if event.by != TABLE:
        return forbids("ZS-5", "the table must record the coin toss, not {@by}", by=event.by)
    if event.seat not in state.setup.seats:
        return forbids(
            "ZS-5", "the winner of the coin toss must be one of {@seats}", seats=list(state.setup.seats)
        )
    return None


def _summon(state: State, event: ev.Summon) -> Violation | None:
    if refused := turn_refusal(state, event, "play"):
        return refused
    code = state.setup.roster.codes.get(event.kind, 0)
    if state.setup.roster.sides[code] != state.actor or not state.reserve[code]:
        return forbids("ZS-6", "{@by} has no {kind} in reserve", by=event.by, kind=event.kind)
    at = state.setup.board.index.get(event.at)
    return unknown_place("ZS-7", "slot", event.at) if at is None else _entry(state, event, code, at)


def _return_infantry(state: State, event: ev.ReturnInfantry) -> Violation | None:
    if refused := turn_refusal(state, event, "return"):
        return refused
    roster = state.setup.roster
    code = roster.codes.get(event.kind, 0)
    if roster.sides[code] != state.actor or roster.kinds[code].type != "infantry":
        return forbids("ZS-22", "{kind} is not an infantry piece of {@by}", kind=event.kind, by=event.by)
    if not captured_count(state, code):
        return forbids("ZS-A20", "{@by} has no captured {kind} that can return", kind=event.kind, by=event.by)
    return None


def _pass(state: State, event: ev.Pass) -> Violation | None:
    if refused := turn_refusal(state, event, "play"):
        return refused
    if can_act(state, state.actor):
        return forbids("ZS-6", "{@by} has a legal action and must take it", by=event.by)
    return None


CHECKS: dict[type[Event], Callable[[State, Any], Violation | None]] = {
    ev.PlaceBase: _place_base,
    ev.DrawTile: _draw_tile,
    ev.PlaceTile: _place_tile,
    ev.Deploy: _deploy,
    ev.Coin: _coin,
    ev.Move: move_violation,
    ev.Shoot: shoot_violation,
    ev.Summon: _summon,
    ev.ReturnInfantry: _return_infantry,
    ev.Pass: _pass,
}
"""By kind of event: the function that checks it."""


def _entry(state: State, event: ev.Summon | ev.Deploy, code: int, at: int) -> Violation | None:
    """Return why a piece of kind `code` may not enter from the reserve on `at`."""
    kind, terrain = state.setup.roster.kinds[code], state.terrain[at]
    if state.pieces[at] or terrain == BASE:
        return forbids("ZS-8", "{at} is occupied", at=event.at)
    if terrain == kind.restricted:
        return forbids(
            "ZS-A7",
            "the {kind} cannot be placed on {at}: {terrain} is restricted for it",
            at=event.at,
            terrain=TERRAINS[terrain - 1],
            kind=kind.name,
        )
    if can_enter(state, code, at):
        return None
    if kind.type == "fortification":
        ground = TERRAINS[kind.preferred - 1]
        return forbids(
            "ZS-16",
            "the {kind} can be summoned only on {terrain}, and not next to its own base",
            kind=kind.name,
            terrain=ground,
        )
    if kind.special == "joins_kind":
        return forbids(
            "ZS-17", "{at} is neither a home tile nor next to another {kind}", at=event.at, kind=kind.name
        )
    if kind.special == "comes_from_forest":
        return forbids("ZS-18", "{at} is neither a home tile nor a forest tile", at=event.at)
    return forbids("ZS-7", "{at} is not a home tile of {@by}", at=event.at, by=event.by)
