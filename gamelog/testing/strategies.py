"""Hypothesis strategies for any game: whole games, positions, and events that may be illegal.

Examples shrink towards the first game of the series and towards its beginning.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from hypothesis import strategies as st
from msgspec import structs

from gamelog.play.contract.game import AnyGame
from gamelog.record.envelope import ARBITER, TABLE, Event
from gamelog.testing.plays import Play, play

_cached = lru_cache(maxsize=256)(play)

_GAMES_PER_COUNT = 20
"""Number of different games for each number of players. Each game is played once and cached."""


def plays(
    game: AnyGame, players: int | None = None, bots: tuple[str, ...] = ("random",)
) -> st.SearchStrategy[Play]:
    """Return a strategy for whole games between bots, by default with any number of players."""
    numbers = st.just(players) if players else st.sampled_from(sorted(game.seats))
    return st.builds(
        lambda index, seats: _cached(game, index, seats, bots), st.integers(0, _GAMES_PER_COUNT - 1), numbers
    )


@st.composite
def positions(draw: st.DrawFn, game: AnyGame, players: int | None = None) -> Any:
    """Draw a state that play can reach."""
    states = draw(plays(game, players)).states
    return states[draw(st.integers(0, len(states) - 1))]


@st.composite
def steps(draw: st.DrawFn, game: AnyGame, players: int | None = None) -> tuple[Any, Event, Any]:
    """Draw a state, the event that follows, and the state after it."""
    play = draw(plays(game, players))
    at = draw(st.integers(0, len(play.events) - 1))
    return play.states[at], play.events[at], play.states[at + 1]


@st.composite
def tries(draw: st.DrawFn, game: AnyGame, players: int | None = None) -> tuple[Any, Event]:
    """Draw a state, and an event by any seat from another place of the game. Few such events are legal."""
    play = draw(plays(game, players))
    state = play.states[draw(st.integers(0, len(play.states) - 1))]
    event = play.events[draw(st.integers(0, len(play.events) - 1))]
    by = draw(st.sampled_from((*play.header.seat_ids, TABLE, ARBITER)))
    return state, structs.replace(event, by=by)
