"""Tests of decisions that seats take together: only the order of these decisions has no meaning."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import msgspec
import pytest
from msgspec import Struct, structs

from gamelog import game
from gamelog.play.contract.game import NoOptions
from gamelog.play.fold.fold import Fold
from gamelog.play.fold.parts.event_list import decoder
from gamelog.play.judging.digest import in_seat_order, play_digest
from gamelog.play.recording.header import new_header
from gamelog.record.envelope import Event, Seat

SEATS = ("red", "blue", "green")


class Show(game.Event, frozen=True, tag="show"):
    """The number of fingers that a seat shows."""

    fingers: int


class Lead(game.Event, frozen=True, tag="lead"):
    """The decision with which the first seat begins the round alone."""


class State(Struct, frozen=True):
    shown: tuple[int, ...] = ()
    waiting: tuple[str, ...] = ()


def pending(state: State) -> game.Pending:
    if len(state.shown) == 2 * len(SEATS) and not state.waiting:
        return game.Pending(outcome=game.Outcome((), "two rounds"))
    return game.Pending(by=state.waiting, together=True) if state.waiting else game.Pending(by=SEATS[:1])


def check(state: State, event: Show | Lead) -> game.Violation | None:
    mine = (
        event.by in state.waiting if isinstance(event, Show) else not state.waiting and event.by == SEATS[0]
    )
    return None if mine else game.Violation("F-1", "it is not due")


def apply(state: State, event: Show | Lead) -> State:
    if isinstance(event, Lead):
        return structs.replace(state, waiting=SEATS)
    left = tuple(seat for seat in state.waiting if seat != event.by)
    return State((*state.shown, event.fingers), left)


FINGERS: game.Game[State, Show | Lead, NoOptions, None] = game.Game(
    id="fingers",
    title="Fingers",
    rules_version="1.0",
    seats={3: SEATS},
    events=(Show, Lead),
    start=lambda *_: State(),
    pending=pending,
    together=True,
    check=check,
    apply=apply,
    legal=lambda *_: game.Legal((), complete=False),
    effects=lambda *_: (),
    rules=lambda: "## F-1. The seat to move\n",
    scene=lambda *_: game.Scene(game.BoardLayout(())),
    messages={"show": "{@by} shows {fingers}.", "lead": "{@by} leads."},
)


def fold_lines(lines: list[dict[str, Any]]) -> tuple[Fold, list[Event]]:
    fold = Fold(
        new_header(FINGERS, [Seat(seat, seat) for seat in SEATS], id="t", started="2026-01-02T03:04:05Z"),
        FINGERS,
    )
    made: list[Event] = [
        decoder(FINGERS).decode(msgspec.json.encode({"n": n, "t": n, **line}))
        for n, line in enumerate(lines, 1)
    ]
    assert fold.extend(made) is None
    return fold, made


LEAD = {"do": "lead", "by": "red"}
NOTE = {"do": "@note", "by": "table", "text": "the waiter comes"}


def shows(order: tuple[str, ...], fingers: int) -> list[dict[str, Any]]:
    return [{"do": "show", "by": seat, "fingers": fingers + SEATS.index(seat)} for seat in order]


@pytest.mark.parametrize("second", [*permutations(SEATS)])
@pytest.mark.parametrize("first", [*permutations(SEATS)])
def test_the_order_of_decisions_taken_together_does_not_change_the_play(
    first: tuple[str, ...], second: tuple[str, ...]
) -> None:
    fold, made = fold_lines(
        [LEAD, *shows(first, 1), LEAD, NOTE, *shows(second, 5)[:1], NOTE, *shows(second, 5)[1:]]
    )
    line = [event for event in in_seat_order(fold, made) if isinstance(event, Show)]
    assert [(event.by, event.fingers) for event in line] == list(
        zip(SEATS * 2, (1, 2, 3, 5, 6, 7), strict=True)
    )
    assert [type(event) for event in in_seat_order(fold, made)] == [type(event) for event in made]
    plain, written = fold_lines([LEAD, *shows(SEATS, 1), LEAD, *shows(SEATS, 5)])
    assert play_digest(fold, made) == play_digest(plain, written)


def test_decisions_of_other_rounds_keep_their_place() -> None:
    some, other = (
        fold_lines([LEAD, *shows(SEATS, 1), LEAD, *shows(SEATS, 5)]),
        fold_lines([LEAD, *shows(SEATS, 5), LEAD, *shows(SEATS, 1)]),
    )
    assert play_digest(*some) != play_digest(*other)
    half = fold_lines([LEAD, *shows(("green", "red"), 1)])
    assert [event.by for event in in_seat_order(*half)] == ["red", "red", "green"]
