"""Whole games of Zone Control for tests."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import Any

from gamelog.games.zone_control import GAME
from gamelog.games.zone_control.board import SIDES, Board
from gamelog.games.zone_control.state import Options, State, start
from gamelog.play.contract.game import Bot
from gamelog.play.fold.fold import Fold
from gamelog.play.recording.series import simulate_game
from gamelog.testing.plays import Play
from tests.games.zone_control.arrange import arrange

UNTIMED: dict[str, Any] = {"clock_minutes": None, "turn_limit": 120}


def board() -> Board:
    """Return the built-in board."""
    return GAME.read_board(GAME.boards["zc289"]())


def begin_game(**options: Any) -> State:
    """Return the start of a game on the built-in board."""
    return start(Options(**options), board(), SIDES)


def position(options: dict[str, Any] | None = None, **words: Any) -> State:
    """Return the position that `words` describe (see `arrange`)."""
    return arrange(begin_game(**options or {}), words)


def play(index: int, *bots: str | Bot, layout: dict[str, Any] | None = None, **options: Any) -> Play:
    """Return game `index` of a series.

    The bots, names or functions, play at the seats in turn. Without them, random bots play.
    """
    known = {f"bot{at}": bot for at, bot in enumerate(bots) if not isinstance(bot, str)}
    names = tuple(bot if isinstance(bot, str) else f"bot{at}" for at, bot in enumerate(bots)) or ("random",)
    game = replace(GAME, bots={**GAME.bots, **known})
    header, events = simulate_game(
        game, "zones", index, players=4, bots=names, options=options, board=layout, dice="table"
    )
    fold = Fold(header, GAME)
    failure = fold.extend(events)
    assert failure is None, failure
    return Play(GAME, header, events, fold.states)


@lru_cache(maxsize=64)
def kept(index: int, bot: str, options: tuple[tuple[str, Any], ...]) -> Play:
    """Return a game that is played once and shared by many tests."""
    return play(index, bot, **dict(options))
