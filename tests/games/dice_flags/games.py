"""Whole games of Dice and their boards, for the tests."""

from __future__ import annotations

from functools import cache
from typing import Any

from gamelog.games import dice_flags
from gamelog.games.dice_flags.board import Board
from gamelog.games.dice_flags.state import Options, State, start
from gamelog.play.contract.game import AnyGame
from gamelog.play.fold.fold import Fold
from gamelog.play.recording.series import simulate_game
from gamelog.testing.plays import Play
from tests.games.dice_flags.arrange import arrange

GAME: AnyGame = dice_flags.GAME
"""The game, with events of any type."""


@cache
def board(name: str = "df181") -> Board:
    """Return a board that comes with the game."""
    read: Board = GAME.read_board(GAME.boards[name]())
    return read


def play(index: int, players: int, bot: str = "random", name: str | None = None, **options: Any) -> Play:
    """Return game `index` of a series with the same bot at every seat."""
    header, events = simulate_game(
        GAME, "dice_flags", index, players=players, bots=(bot,), options=options, board=name, dice="table"
    )
    fold = Fold(header, GAME)
    failure = fold.extend(events)
    assert failure is None, failure
    return Play(GAME, header, events, fold.states)


def position(players: int = 2, options: Options | None = None, name: str = "df181", **words: Any) -> State:
    """Return a position from the words of `arrange`."""
    return arrange(start(options or Options(), board(name), GAME.seats[players]), words)
