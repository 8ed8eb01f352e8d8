"""Whose code failed: a game's, which anybody may have written, or this package's own.

A game's functions raise nothing but what the contract says. When one does, the people at the table
are told whose game it is, in a sentence, and other records go on. What fails in the code around a
built-in game is ours, and stays an error.
"""

from __future__ import annotations

from traceback import walk_tb

from gamelog.errors import CannotApply, GamelogError, own_words
from gamelog.play.contract.game import AnyGame
from gamelog.play.contract.registry import distribution, owner
from gamelog.play.fold.findings import Finding

BROKEN = "play.broken_game"
"""The finding that a game's code failed: no fault of the record's."""


def failure(error: BaseException, game: AnyGame | None = None) -> str | None:
    """Which game has failed, and how, in a sentence without its full stop; None where no game is to blame.

    A third party's `game` that was asked is to blame for whatever went wrong meanwhile, a wrong type
    handed on included; else it is the game through whose code the error came.
    """
    if isinstance(error, GamelogError) and not isinstance(error, CannotApply):
        return None
    frames = [str(frame.f_globals.get("__name__", "")) for frame, _ in walk_tb(error.__traceback__)]
    whose = next(filter(None, map(owner, reversed(frames))), None)
    if game is not None and not game.start.__module__.startswith("gamelog."):
        whose = game.title, distribution(game)
    if whose is None:
        return None
    return f"the code of the game {whose[0]}, which comes with {whose[1]}, failed: {own_words(error)}"


def finding(error: Exception, game: AnyGame | None = None, n: int | None = None) -> Finding:
    """The finding that a game's code failed over event `n`. Raises `error` where no game is to blame."""
    text = failure(error, game)
    if text is None:
        raise error
    return Finding(BROKEN, text, n=n)
