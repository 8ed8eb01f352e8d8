"""What hangs on how a piece walks: events said by dragging it, ways that only the next event tells apart,
what stays in hand.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from msgspec import structs

from gamelog.errors import CannotApply
from gamelog.play.contract.choices import legal_for
from gamelog.play.contract.tapping import Tapping, is_other_way
from gamelog.play.contract.violation import Violation
from gamelog.play.fold.common import COMMON
from gamelog.play.fold.fold import Fold
from gamelog.play.fold.in_hand import last_decided
from gamelog.record.envelope import TABLE, Event
from gamelog_table.views import View, observed

MOST_CELLS, MOST_TRIED, MOST_AT_ONCE = 64, 200, 9
"""Cells of one drag, events that are tried of what it may mean, and how often an event is said at once."""


def tapping_in(fold: Fold, state: Any, view: View) -> Tapping:
    """The taps in `state`, which is one that `view` may know."""
    return Tapping(
        fold.game, state, fold.game.scene(state, view[0] if len(view) == 1 else None), fold.header.seat_ids
    )


class Walk:
    """A drag over the board, from cell to cell, in the position at the end of `fold` as `view` may know
    it.
    """

    def __init__(self, fold: Fold, view: View) -> None:
        self._fold, self._view = fold, view
        self._tried = 0
        self.refused: Violation | None = None

    def events(self, cells: Sequence[str]) -> list[Event]:
        """The events that are said by dragging over `cells`: one way, or several steps. Else none, and
        `refused` may say why.
        """
        if not 1 < len(cells) <= MOST_CELLS:
            return []
        return self._from(observed(self._fold, self._fold.n, self._view), self._view, tuple(cells)) or []

    def _from(self, state: Any, seats: tuple[str, ...], cells: tuple[str, ...]) -> list[Event] | None:
        """The events from `state` on, of `seats` or else whoever is to act; None where the rest of the
        drag says nothing.
        """
        if len(cells) == 1:
            return []
        for seat in self._fold.game.pending(state).by:
            for event in (
                self._strides(state, seat, cells) if seat in (seats or (seat,)) and seat != TABLE else ()
            ):
                refused, self._tried = self._fold.game.check(state, event), self._tried + 1
                if refused is not None or self._tried > MOST_TRIED:
                    self.refused = self.refused or refused
                    continue
                way = _way(event, cells)
                rest = self._from(
                    self._fold.game.apply(state, event),
                    (seat,),
                    cells[len(getattr(event, way)) if way else 1 :],
                )
                if rest is not None:
                    return [event, *rest]
        return None

    def _strides(self, state: Any, seat: str, cells: tuple[str, ...]) -> Iterator[Event]:
        """What the beginning of the drag may mean: the same as events that are listed, but for the way."""
        tapping = tapping_in(self._fold, state, self._view)
        told: list[Event] = []
        for event in legal_for(self._fold.game, state, seat).events:
            taps = tapping.of(event)
            if not taps or tapping.places(taps[:-1]) != {cells[0]}:
                continue
            way = _way(event, taps[-1:])
            if way is None and taps[-1] == cells[1]:
                yield event
            elif way is not None and len(getattr(event, way)) < len(cells):
                walked = structs.replace(event, **{way: cells[1 : len(getattr(event, way)) + 1]})
                if walked not in told:
                    told.append(walked)
                    yield walked


def _way(event: Event, ends: Sequence[str]) -> str | None:
    """The member that is a way to one of `ends`."""
    ways = (name for name in event.__struct_fields__ if isinstance(getattr(event, name), tuple))
    return next((name for name in ways if getattr(event, name) and getattr(event, name)[-1] in ends), None)


def reopened(fold: Fold, events: Sequence[Event], view: View) -> Iterator[tuple[Event, Event]]:
    """Decisions that would be legal if the last of `events` had gone another way between its ends: each with
    that other event.

    Only where the scorer's takebacks are in force at once, and only while nothing else has happened.
    """
    last = events[-1] if events else None
    if last is None or view or type(last) in COMMON or last.as_played or fold.header.takebacks != "scorer":
        return
    game, before = fold.game, fold.states[fold.n - 1]
    if type(last) in game.chance_events or fold.pending.by != (last.by,):
        return
    taps = frozenset(tapping_in(fold, before, ()).of(last))
    others = [
        one
        for one in legal_for(game, before, last.by).events
        if type(one) is type(last) and is_other_way(one, last)
    ]
    for other in others[:MOST_TRIED]:
        if frozenset(tapping_in(fold, before, ()).of(other)) == taps:
            state = game.apply(before, structs.replace(other, n=last.n, t=last.t))
            if game.pending(state).by == (last.by,):
                yield from ((other, event) for event in legal_for(game, state, last.by).events)


def in_hand(fold: Fold, events: Sequence[Event], view: View) -> tuple[str, ...]:
    """The taps of the last decision of whoever is to act: what is likeliest to walk on, or to be placed
    again.
    """
    event = last_decided(fold, events)
    return () if event is None else tapping_in(fold, observed(fold, event.n - 1, view), view).of(event)


def times(fold: Fold, event: Event) -> int:
    """How often `event` may be said one time after the other now."""
    game, state = fold.game, fold.state
    for count in range(1, MOST_AT_ONCE + 1):
        try:
            state = game.apply(state, event)
        except CannotApply:
            return count
        if game.pending(state).by != (event.by,) or game.check(state, event) is not None:
            return count
    return MOST_AT_ONCE
