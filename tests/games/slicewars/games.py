"""Whole games of SliceWars for tests."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from gamelog.games.slicewars import GAME
from gamelog.play.contract.game import Bot
from gamelog.play.fold.fold import Fold
from gamelog.play.recording.series import simulate_game
from gamelog.testing.plays import Play


def play(
    index: int, players: int, bot: str | Bot = "random", board: str | None = None, **options: Any
) -> Play:
    """Return game `index` of a series. The same bot, a name or a function, plays at every seat."""
    game, name = (GAME, bot) if isinstance(bot, str) else (replace(GAME, bots={"it": bot}), "it")
    header, events = simulate_game(
        game, "slicewars", index, players=players, bots=(name,), options=options, board=board, dice="table"
    )
    fold = Fold(header, GAME)
    failure = fold.extend(events)
    assert failure is None, failure
    return Play(GAME, header, events, fold.states)
