"""What the table's page shows, as plain data: the board once, positions one after the other,
and what may be decided.
"""

from __future__ import annotations

from typing import Any

import msgspec
from gamelog_reports.replay.page_data import game_words, message_templates
from gamelog_reports.seat_style import seat_styles
from msgspec import structs

from gamelog.chance.draws import Dice, Draw, Weighted, kinds_of
from gamelog.play.contract.scene import Scene
from gamelog.play.contract.violation import said
from gamelog.play.fold.common import COMMON
from gamelog.play.fold.fold import Fold
from gamelog.play.recording.recorder import EventRecorder
from gamelog.record.envelope import ARBITER, TABLE, Event, proposal
from gamelog_table.links import Grant
from gamelog_table.taps import Taps
from gamelog_table.views import (
    View,
    choices,
    event_told,
    names_now,
    observed,
    pending_told,
    results_known,
    scene_of,
    score_told,
)
from gamelog_table.ways import Walk, in_hand, reopened, tapping_in, times

MOST_REPEATED = 200
"""Decisions of which it is asked how often they may be repeated: longer lists have none of the kind."""

MOST_UNDONE = 50
"""Events that are named of those that a takeback would undo."""


def setting(recorder: EventRecorder, language: str) -> dict[str, Any]:
    """What never changes: the game, its seats and their looks, the ground, the words."""
    fold = recorder.fold
    game, seats = fold.game, fold.header.seat_ids
    ground = game.scene(fold.states[0], None).ground
    return {
        "game": game.title,
        "unit": game.unit,
        "takebacks": fold.header.takebacks,
        "resigning": game.retire is not None or len(seats) == 2,
        "seats": [
            {"seat": seat, **structs.asdict(look)}
            for seat, look in zip(seats, seat_styles(seats), strict=True)
        ],
        "cells": [msgspec.to_builtins(cell) for cell in ground.cells],
        "links": [msgspec.to_builtins(link) for link in ground.links],
        "rim": [(word.text, word.x, word.y) for word in ground.words],
        "legend": ground.legend,
        "remark": ground.remark,
        "templates": message_templates(game, language),
        "words": game_words(game, language),
    }


def picture(recorder: EventRecorder, n: int, last: int, view: View) -> dict[str, Any]:
    """The position after event `n`, as far as `view` may know it, and what happened there;
    `last` is the last that is shown.
    """
    fold = recorder.fold
    scene, session = scene_of(fold, n, view), fold.session_at(min(n, fold.n))
    told = (
        event_told(fold, recorder.events[n - 1], view)
        if n
        else {"event": None, "effects": [], "phrase": "", "text": ""}
    )
    seats = {seat: at for at, seat in enumerate(fold.header.seat_ids)}
    return {
        "n": n,
        "last": last,
        **told,
        **_laid(scene, seats),
        "captions": [msgspec.to_builtins(caption) for caption in scene.captions],
        "score": score_told(fold, min(n, fold.n), view),
        "names": names_now(fold, n),
        "pending": msgspec.to_builtins(pending_told(fold, n, view)),
        "clock": {"played": fold.clock_at(min(n, fold.n)), "running": session.paused_at is None},
        "result": session.declared is not None,
        "stands": not n or fold.stands(n) or type(recorder.events[n - 1]) in COMMON,
    }


def _laid(scene: Scene, seats: dict[str, int]) -> dict[str, Any]:
    """What lies on each cell, by its number: pieces as the pages write them, the seat that owns it, marks."""
    cells = {cell.id: str(at) for at, cell in enumerate(scene.ground.cells)}
    pieces: dict[str, list[Any]] = {}
    for one in scene.pieces:
        look = [one.kind, seats.get(one.seat or "", -1), one.text, int(one.hidden), one.id]
        pieces.setdefault(cells[one.at], []).append(look)
    marks: dict[str, list[Any]] = {}
    for mark in scene.marks:
        marks.setdefault(cells[mark.at], []).append([mark.kind, mark.text])
    return {
        "pieces": pieces,
        "fills": {cells[at]: seats[seat] for at, seat in scene.fills if seat in seats},
        "marks": marks,
    }


def decisions(recorder: EventRecorder, grant: Grant) -> dict[str, Any]:
    """What the link of `grant` may decide now:
    legal events with their tokens, the roll due, what can be undone, offers.
    """
    fold = recorder.fold
    told: dict[str, Any] = {
        "n": recorder.n,
        "choices": [],
        "tokens": {},
        "complete": True,
        "chance": None,
        "known": False,
    }
    if grant.role in ("scorer", "seat"):
        seat = grant.seat or None
        events, told["complete"] = choices(fold, recorder.now(), seat)
        told |= told_choices(fold, recorder.events, events, (grant.seat,) if seat else ())
        told["known"] = results_known(fold) is not None
        chance = fold.pending.chance
        if chance and (seat is None or (told["known"] and chance.by == seat)):
            told["chance"] = {
                "do": chance.do,
                "by": chance.by,
                "draws": [_draw(fold, at) for at in range(len(chance.draws))],
            }
        told["undo"] = _undo(recorder, grant, (grant.seat,) if seat else ())
    if grant.role == "seat":
        told["commitments"] = _commitments(fold, grant.seat)
    told["offers"] = [_offer(recorder, n, grant) for n in sorted(fold.offers)]
    return told


def _commitments(fold: Fold, seat: str) -> dict[str, Any]:
    """What `seat` can commit itself to by a tap, or has to open; its device draws and keeps the salts."""
    if fold.outcome:
        return {"choices": [], "opens": ""}
    found = fold.game.commitments(observed(fold, fold.n, (seat,)), seat)
    choices = [
        {"text": one.text, "label": one.label, "commit": proposal(one.commit), "open": proposal(one.open)}
        for one in found.choices
    ]
    return {"choices": choices, "opens": found.opens}


def told_choices(fold: Fold, events: list[Event], legal: list[Event], view: View) -> dict[str, Any]:
    """The decisions `legal` after `events` as they are tapped, as far as `view` may know:
    their tokens, and which are in hand.
    """
    taps = Taps(tapping_in(fold, observed(fold, fold.n, view), view))
    listed = taps.choices(legal)
    if len(listed) <= MOST_REPEATED:
        listed = [
            structs.replace(one, times=times(fold, event))
            for one, event in zip(listed, taps.events, strict=True)
        ]
    for other, event in reopened(fold, events, view):
        first = ({"do": "@takeback", "by": TABLE, "to": fold.n - 1, "slip": True}, proposal(other))
        listed += taps.choices([event], first)
    return {"choices": listed, "tokens": taps.tokens, "kept": taps.known(in_hand(fold, events, view))}


def dragged(recorder: EventRecorder, grant: Grant, cells: list[str]) -> dict[str, Any]:
    """The events that are said by dragging over `cells`;
    without any, the rule that forbids it where there is one.
    """
    fold = recorder.fold
    walk = Walk(fold, (grant.seat,) if grant.role == "seat" else ())
    events, refused = [proposal(event) for event in walk.events(cells)], walk.refused
    names = names_now(fold, fold.n)
    return {
        "events": events,
        "text": said(refused.text, lambda seat: names.get(seat, seat)) if refused and not events else "",
    }


def _draw(fold: Fold, at: int) -> dict[str, Any]:
    """A draw as the page's pad takes it: dice, a bag (a deck is one that is drawn to its end),
    or one that refills.
    """
    assert fold.pending.chance
    draw = fold.pending.chance.draws[at]
    told: dict[str, Any] = {
        "count": draw.count,
        "seat": draw.seat,
        "pairs": is_orderless(fold, fold.pending.chance.draws, at),
    }
    if isinstance(draw, Dice):
        return told | {"kind": "dice", "sides": draw.sides}
    return told | {
        "kind": "weighted" if isinstance(draw, Weighted) else "bag",
        "things": list(kinds_of(draw).items()),
    }


def is_orderless(fold: Fold, draws: tuple[Draw, ...], at: int) -> bool:
    """Whether it is the same play in which order draw `at` comes out,
    so that two may be touched at a time.
    """
    results = [tuple(_some(draw)) for draw in draws]
    turned = [*results[:at], results[at][::-1], *results[at + 1 :]]
    if results == turned:
        return False
    canonical, chance = fold.game.canonical, fold.game.chance
    return bool(canonical(chance(fold.state, tuple(results))) == canonical(chance(fold.state, tuple(turned))))


def _some(draw: Draw) -> list[int | str]:
    """What `draw` might be: as many different faces or things as it can have, the first of them in front."""
    if isinstance(draw, Dice):
        return [n % draw.sides + 1 for n in range(draw.count)]
    counts = kinds_of(draw)
    rounds = max(counts.values()) if not isinstance(draw, Weighted) else draw.count
    spread = [
        kind
        for n in range(rounds)
        for kind, count in counts.items()
        if count > n or isinstance(draw, Weighted)
    ]
    return list(spread[: draw.count])


def _undo(recorder: EventRecorder, grant: Grant, view: View) -> dict[str, Any] | None:
    """The takeback of the last step, as it is proposed, and what it undoes;
    None where there is nothing, or not for this link.
    """
    to = recorder.before_last_step()
    undone = what_is_undone(recorder, to, view)
    if not undone or (grant.role == "seat" and recorder.fold.header.takebacks != "agreed"):
        return None
    by = grant.seat or ("table" if recorder.fold.header.takebacks == "scorer" else recorder.events[to].by)
    return {"event": {"do": "@takeback", "by": by, "to": to}, "undone": undone}


def what_is_undone(recorder: EventRecorder, to: int, view: View) -> list[dict[str, Any]]:
    """The events that a takeback to event `to` would undo now,
    each with its sentence as far as `view` may know it.
    """
    line = (n for n in recorder.fold.mainline() if n > to)
    found = [n for n in line if recorder.is_step(n) or type(recorder.events[n - 1]) not in COMMON]
    return [
        {"n": n, "text": event_told(recorder.fold, recorder.events[n - 1], view)["text"]}
        for n in found[:MOST_UNDONE]
    ]


def _offer(recorder: EventRecorder, n: int, grant: Grant) -> dict[str, Any]:
    """An open offer: what it says, and who of those that the link answers for is waited for."""
    offer = recorder.fold.offers[n]
    waiting = sorted(offer.waiting)
    whose = {"scorer": recorder.fold.header.seat_ids, "arbiter": (ARBITER,)}.get(grant.role, (grant.seat,))
    answers = [seat for seat in waiting if seat in whose]
    return {"n": n, "by": offer.by, "text": recorder.text(n), "waiting": waiting, "answers": answers}


def told_from(fold: Fold, events: list[Any], view: View) -> list[dict[str, Any]]:
    """Events for the list beside the board."""
    return [
        event_told(fold, event, view) | {"stands": type(event) in COMMON or fold.stands(event.n)}
        for event in events
    ]
