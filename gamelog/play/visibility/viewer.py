"""Viewers, and what they know of a position: by `observe`, what each of their seats knows."""

from __future__ import annotations

from functools import reduce
from typing import Any

from msgspec import Struct

from gamelog.play.contract.game import AnyGame, Legal, Pending
from gamelog.play.contract.seats import legal_for
from gamelog.play.fold.fold import Fold


class Viewer(Struct, frozen=True):
    """The seats whose knowledge limits what is shown: none (the whole table), one or several.

    Several seats together see only what each of them knows. Spectators are a viewer with all seats.
    """

    seats: tuple[str, ...] = ()

    @classmethod
    def of(cls, seats: str | tuple[str, ...] | None) -> Viewer:
        """Return the viewer with one seat or several, or the whole table for None."""
        return cls((seats,) if isinstance(seats, str) else seats or ())

    @property
    def seat(self) -> str | None:
        """The seat of the viewer if it is one, or None for several seats and for the whole table."""
        return self.seats[0] if len(self.seats) == 1 else None


WHOLE_TABLE = Viewer()
"""The viewer from whom nothing is hidden: the scorer and the arbiter."""


def observe_as(game: AnyGame, state: Any, viewer: Viewer) -> Any:
    """Return `state` without everything that `viewer` does not know."""
    return reduce(game.observe, viewer.seats, state)


def observed_copy(fold: Fold, viewer: Viewer) -> Fold:
    """Return a copy of `fold` whose last state has only what `viewer` knows."""
    observed = fold.copy()
    observed.states[-1] = observe_as(fold.game, fold.state, viewer)
    return observed


def has_secrets(fold: Fold) -> bool:
    """Return whether the seats still hide information from each other.

    In a running game they do if the game has hidden information. At the end, `observe` decides: if it still
    takes something out of the last state, everything hidden stays hidden.
    """
    game, state = fold.game, fold.state
    if not game.hides or fold.outcome is None:
        return game.hides
    return any(game.observe(state, seat) != state for seat in fold.header.seat_ids)


def public_viewer(fold: Fold) -> Viewer:
    """Return the spectators, who know what all seats know, or the whole table if no seat has secrets."""
    return Viewer(fold.header.seat_ids) if has_secrets(fold) else WHOLE_TABLE


def running_viewer(fold: Fold) -> Viewer:
    """Return the spectators while a game with hidden information is unfinished, else the whole table.

    Archives and published pages show what this viewer sees. After the end of the game they contain
    everything.
    """
    is_running = fold.game.hides and fold.outcome is None
    return Viewer(fold.header.seat_ids) if is_running else WHOLE_TABLE


def legal_in_view(game: AnyGame, state: Any, viewer: Viewer) -> Legal:
    """Return the legal events of all seats that are to act in `state`, as far as `viewer` may know them.

    The events of a seat are left out if they depend on information hidden from `viewer`. The list is then
    cut.
    """
    seats, acting = viewer.seats, game.pending(state).by
    lists = [
        legal_for(game, state, seat)
        for seat in acting
        if not seats or is_list_visible(game, state, seat, viewer)
    ]
    if len(lists) == len(acting) == 1:
        return lists[0]
    events = tuple(event for legal in lists for event in legal.events)
    is_complete = len(lists) == len(acting)
    return Legal(
        events,
        is_complete and all(legal.complete for legal in lists),
        not is_complete or any(legal.cut for legal in lists),
    )


def is_list_visible(game: AnyGame, state: Any, seat: str, viewer: Viewer) -> bool:
    """Return whether the legal events of a seat follow from what the viewer knows.

    Args:
        game: The game.
        state: The state with everything that is hidden.
        seat: The seat whose legal events are asked for.
        viewer: The viewer.
    """
    if viewer.seat == seat:
        return True
    try:
        return legal_for(game, observe_as(game, state, viewer), seat) == legal_for(game, state, seat)
    except Exception:  # a game can fail at a state in which more is hidden than from any one seat
        return False


def pending_for(game: AnyGame, state: Any, pending: Pending, seen: Any) -> Pending:
    """Return the pending decisions as far as they follow from what is visible.

    The chance that is due can depend on what is hidden.

    Args:
        game: The game.
        state: The whole state.
        pending: What is pending in this state.
        seen: The visible part of the state, or the state itself.
    """
    if seen is state or pending.outcome or not (pending.chance or pending.next_timeout):
        return pending
    return game.pending(seen)
