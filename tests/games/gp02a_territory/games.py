"""Whole games of Territory for tests."""

from __future__ import annotations

from typing import Any

from gamelog.games import gp02a_territory
from gamelog.play.contract.game import AnyGame
from gamelog.play.fold.fold import Fold
from gamelog.play.recording.series import simulate_game
from gamelog.testing.plays import Play

GAME: AnyGame = gp02a_territory.GAME
"""The game, for tests that do not care which of its event types they hold."""


def play(
    index: int, players: int, bots: tuple[str, ...] = ("random",), board: Any = None, **options: Any
) -> Play:
    """Return game `index` of a series."""
    header, events = simulate_game(
        GAME, "territory", index, players=players, bots=bots, options=options, board=board, dice="table"
    )
    fold = Fold(header, GAME)
    failure = fold.extend(events)
    assert failure is None, failure
    return Play(GAME, header, events, fold.states)
