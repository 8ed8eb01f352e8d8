"""Hypothesis strategies for anybody's game: whole plays, positions, and events that may not fit.

They shrink towards the first game of the series and towards its beginning.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from hypothesis import strategies as st
from msgspec import structs

from gamelog.play.contract.game import AnyGame
from gamelog.record.envelope import ARBITER, TABLE, Event
from gamelog.testing.random_play import Play, play

_cached = lru_cache(maxsize=256)(play)

SERIES = 20
"""Different games that are drawn for each number of players; each is played once and kept."""


def plays(
    game: AnyGame, players: int | None = None, bots: tuple[str, ...] = ("random",)
) -> st.SearchStrategy[Play]:
    """Whole games between bots, of any number of players unless one is asked for."""
    numbers = st.just(players) if players else st.sampled_from(sorted(game.seats))
    return st.builds(
        lambda index, seats: _cached(game, index, seats, bots), st.integers(0, SERIES - 1), numbers
    )


@st.composite
def positions(draw: st.DrawFn, game: AnyGame, players: int | None = None) -> Any:
    """A state that play can reach."""
    states = draw(plays(game, players)).states
    return states[draw(st.integers(0, len(states) - 1))]


@st.composite
def steps(draw: st.DrawFn, game: AnyGame, players: int | None = None) -> tuple[Any, Event, Any]:
    """A state, the event that followed, and the state after it."""
    found = draw(plays(game, players))
    at = draw(st.integers(0, len(found.events) - 1))
    return found.states[at], found.events[at], found.states[at + 1]


@st.composite
def tries(draw: st.DrawFn, game: AnyGame, players: int | None = None) -> tuple[Any, Event]:
    """A state, and an event of the same game from somewhere else in it, by anybody: legal only by chance."""
    found = draw(plays(game, players))
    state = found.states[draw(st.integers(0, len(found.states) - 1))]
    event = found.events[draw(st.integers(0, len(found.events) - 1))]
    by = draw(st.sampled_from((*found.header.seat_ids, TABLE, ARBITER)))
    return state, structs.replace(event, by=by)
