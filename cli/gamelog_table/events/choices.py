"""Decisions at the table as plain data: the choices, rolls, takebacks and answers that a link can make."""

from __future__ import annotations

from typing import Any

from msgspec import structs, to_builtins

from gamelog.chance.draws import Dice, Draw, Weighted, kinds_of, possible_result
from gamelog.play.contract.game import AnyGame
from gamelog.play.contract.scene import Scene
from gamelog.play.contract.seats import legal_for
from gamelog.play.view.board_change import board_change
from gamelog.play.view.record_view import RecordView
from gamelog.play.view.step import SessionChange, StepView
from gamelog.record.envelope import ARBITER, TABLE, Event, as_proposal
from gamelog_table.access.links import Grant
from gamelog_table.access.permissions import permission_refusal, rolling_seats
from gamelog_table.events.taps import tapped_choices

MAX_LISTED = 2_000
"""Maximum number of legal events in an answer."""

MAX_UNDONE = 50
"""Maximum number of events in a list of events that a takeback would undo."""


def decisions(view: RecordView, grant: Grant, now: int) -> dict[str, Any]:
    """Return the decisions that the link of `grant` can make at `now`, in ms since the start.

    These are the legal events with their tokens, the roll that is due, the events that can be undone, and
    offers. `view` is the record as the link can know it.
    """
    members: dict[str, Any] = {
        "n": view.last_number,
        "choices": [],
        "tokens": {},
        "complete": True,
        "chance": None,
        "known": False,
    }
    if grant.role in ("scorer", "seat"):
        events, members["complete"] = legal_choices(view, now)
        members |= tapped_choices(view, events, is_complete=members["complete"])
        members["known"] = view.due_results() is not None
        position = view.current
        chance = position.pending.chance
        if chance and permission_refusal(grant, {"do": chance.do, "by": chance.by}, view) is None:
            draws = [
                _draw(view.game, position.state, chance.draws, index) for index in range(len(chance.draws))
            ]
            members["chance"] = {"do": chance.do, "by": chance.by, "draws": draws}
        members["rolling"] = rolling_seats(view)
        members["resigning"] = [seat for seat in view.resigning_seats() if grant.seat in ("", seat)]
        members["undo"] = _undo(view, grant)
    if grant.role == "seat":
        members["commitments"] = _commitments(view, grant.seat)
    members["offers"] = [_offer(view, n, grant) for n in sorted(view.offers)]
    return members


def next_position(after: RecordView, n: int, grant: Grant, now: int) -> dict[str, Any]:
    """Return the pieces on cells that change after event `n`, and the cells of the next decisions.

    Args:
        after: The view of the record with the event that is tried.
        n: The number of the last event before it.
        grant: The permission of the link.
        now: The time by the server's clock, in ms since the start.
    """
    pieces: dict[str, Any] = {}
    for m in range(n + 1, after.last_number + 1):
        board = after.step(m).board
        if board:
            pieces |= board.pieces
    tokens = decisions(after, grant, now)["tokens"].values()
    return {"pieces": pieces, "cells": sorted({cell for token in tokens for cell in token.cells})}


def legal_choices(view: RecordView, now: int) -> tuple[list[Event], bool]:
    """Return the decisions that the viewer can take `now`, and whether the list is complete."""
    position, seat = view.current, view.viewer.seat
    pending = position.pending
    if pending.next_timeout and view.clock(now) >= pending.next_timeout.at:
        return ([pending.next_timeout.event] if seat is None else []), True
    if not pending.by or (seat is not None and seat not in pending.by):
        return [], True
    legal = legal_for(view.game, position.state, seat)
    return list(legal.events[:MAX_LISTED]), legal.complete and len(legal.events) <= MAX_LISTED


def whole_step(view: RecordView) -> StepView:
    """Return the last event of `view` as a step with the whole position instead of the changes."""
    step, position = view.step(view.last_number), view.current
    board = board_change(Scene(position.scene.ground), position.scene)
    session = SessionChange(names=position.names, penalties=view.penalties, warnings=view.warnings)
    return structs.replace(
        step, board=board, score=position.score, pending=position.pending, table=session, line=None
    )


def _commitments(view: RecordView, seat: str) -> dict[str, Any]:
    """Return the choices that `seat` can commit to by a tap or must open. Its device keeps the salts."""
    position = view.current
    if position.pending.outcome:
        return {"choices": [], "opens": ""}
    commitments = view.game.commitments(position.state, seat)
    choices = [
        {
            "text": choice.text,
            "label": choice.label,
            "commit": as_proposal(choice.commit),
            "open": as_proposal(choice.open),
        }
        for choice in commitments.choices
    ]
    return {"choices": choices, "opens": commitments.opens}


def _draw(game: AnyGame, state: Any, draws: tuple[Draw, ...], index: int) -> dict[str, Any]:
    """Return a draw for the page's keys: dice, a bag (a deck is drawn to its end), or a bag that refills."""
    draw = draws[index]
    plain: dict[str, Any] = {
        "count": draw.count,
        "seat": draw.seat,
        "pairs": is_orderless(game, state, draws, index),
        "receivers": _receivers(game, state, draws, index),
    }
    if isinstance(draw, Dice):
        return plain | {"kind": "dice", "sides": draw.sides}
    return plain | {
        "kind": "weighted" if isinstance(draw, Weighted) else "bag",
        "things": list(kinds_of(draw).items()),
    }


def is_orderless(game: AnyGame, state: Any, draws: tuple[Draw, ...], index: int) -> bool:
    """Return whether the order of draw `index` does not matter, so that two things can be tapped at a time.

    Args:
        game: The game.
        state: The state in which the draws are due, as far as the viewer may know it.
        draws: The draws of the chance event.
        index: The index of the draw, from 0.
    """
    results = [possible_result(draw) for draw in draws]
    turned = [*results[:index], results[index][::-1], *results[index + 1 :]]
    if results == turned:
        return False
    canonical, chance = game.canonical, game.chance
    return bool(canonical(chance(state, tuple(results))) == canonical(chance(state, tuple(turned))))


def _receivers(game: AnyGame, state: Any, draws: tuple[Draw, ...], index: int) -> list[str]:
    """Return the seat that gets each die or thing of draw `index`, or an empty list if this is unknown.

    The draw has no seat of its own, and its event has a member with the results by seat, as for a deal.
    """
    results = tuple(possible_result(draw) for draw in draws)
    drawn = [str(thing) for thing in results[index]]
    if draws[index].seat or len(set(drawn)) < len(drawn):
        return []
    seats = {seat for names in game.seats.values() for seat in names}
    for member in to_builtins(game.chance(state, results)).values():
        if isinstance(member, dict) and seats.issuperset(member):
            given = [
                (seat, part if isinstance(part, (list, tuple)) else [part]) for seat, part in member.items()
            ]
            receivers = {str(thing): seat for seat, part in given for thing in part}
            if receivers.keys() >= set(drawn):
                return [receivers[thing] for thing in drawn]
    return []


def _undo(view: RecordView, grant: Grant) -> dict[str, Any] | None:
    """Return the proposed takeback of the last step with the undone events, or None if nothing can be undone.

    A roll at the table is taken back alone. A seat can propose takebacks only if takebacks are agreed. If
    others must agree, they are asked about a slip, unless a player takes back their own decision.
    """
    to, is_roll = view.before_last_step(), False
    if undone := undone_events(view, to):
        last = undone[-1]["n"]
        if view.header.dice.source == "table" and isinstance(view.whole_event(last), view.game.chance_events):
            to = last - 1  # the roll can be mistyped, and the decision before it is right
            is_roll = True
    undone, takebacks = undone_events(view, to), view.header.takebacks
    if not undone or (grant.role == "seat" and takebacks != "agreed"):
        return None
    if any(view.event(undone_event["n"]).get("by") == ARBITER for undone_event in undone):
        return None  # only the arbiter goes back behind a decision of the arbiter
    event: dict[str, Any] = {"do": "@takeback", "by": grant.seat or TABLE, "to": to}
    if takebacks != "scorer" and (is_roll or grant.role == "scorer"):
        event["slip"] = True  # the dice were rolled, and the scorer takes no move back
    return {"event": event, "undone": undone}


def undone_events(view: RecordView, to: int) -> list[dict[str, Any]]:
    """Return the events that a takeback to event `to` would undo now, each with its sentence."""
    return [{"n": n, "text": view.sentence(n)} for n in view.undone_by_return(to)[:MAX_UNDONE]]


def _offer(view: RecordView, n: int, grant: Grant) -> dict[str, Any]:
    """Return an open offer: its sentence, the seats that answer with this link, and if it can withdraw."""
    offer = view.offers[n]
    waiting = sorted(offer.waiting)
    whose = {"scorer": view.header.seat_ids, "arbiter": (ARBITER,)}.get(grant.role, (grant.seat,))
    answers = [seat for seat in waiting if seat in whose]
    undone = [] if offer.to is None else undone_events(view, offer.to)
    withdrawal = {"do": "@withdraw", "by": offer.by, "about": n}
    return {
        "n": n,
        "by": offer.by,
        "text": view.sentence(n),
        "waiting": waiting,
        "answers": answers,
        "can_withdraw": permission_refusal(grant, withdrawal, view) is None,
        "undone": len(undone),
        "events": undone,
    }
