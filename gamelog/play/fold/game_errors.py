"""Whose code failed: a game's, which anybody may have written, or this package's own.

A game's functions raise nothing but what the contract says. When one does, the people at the table
are told whose game it is, in a sentence, and other records go on. What fails in the code around a
built-in game is ours, and stays an error.
"""

from __future__ import annotations

from traceback import walk_tb
from types import FrameType

from gamelog.errors import BrokenGame, CannotApply, GamelogError, own_words
from gamelog.finding import Finding
from gamelog.message import Message
from gamelog.play.contract.game import AnyGame
from gamelog.play.contract.registry import distribution, owner

BROKEN = "play.broken_game"
"""The finding that a game's code failed: no fault of the record's."""


def describe_failure(error: BaseException, game: AnyGame | None = None) -> Message | None:
    """Return which game has failed, where and how, in a clause without a full stop; None if no game is to
    blame.

    A third party's `game` that was asked is to blame for whatever went wrong meanwhile, a wrong type
    handed on included; else it is the game through whose code the error came.
    """
    if isinstance(error, GamelogError) and not isinstance(error, CannotApply):
        return None
    steps = [*walk_tb(error.__traceback__)]
    owners = [owner(str(frame.f_globals.get("__name__", ""))) for frame, _ in steps]
    at = max((at for at, whose in enumerate(owners) if whose), default=None)
    whose = None if at is None else owners[at]
    if game is not None and not game.start.__module__.startswith("gamelog."):
        whose = game.title, distribution(game)
    if whose is None:
        return None
    return _failure(*whose, own_words(error), "" if at is None else _place(*steps[at]))


def _place(frame: FrameType, line: int) -> str:
    return f"{frame.f_globals.get('__name__', '')}.{frame.f_code.co_qualname}, line {line}"


def broken(game: AnyGame, why: str) -> BrokenGame:
    """Return the error that the code of `game` failed, and why."""
    return BrokenGame(Message.of("{failure}.", failure=_failure(game.title, distribution(game), why)))


def _failure(title: str, origin: str, why: str, place: str = "") -> Message:
    args = {"game": title, "origin": origin, "error": why}
    if place:
        text = "the code of the game {=game}, which comes with {=origin}, failed in {=place}: {=error}"
        return Message(text, args | {"place": place})
    return Message("the code of the game {=game}, which comes with {=origin}, failed: {=error}", args)


def failure_finding(error: Exception, game: AnyGame | None = None, n: int | None = None) -> Finding:
    """The finding that a game's code failed over event `n`. Raises `error` where no game is to blame."""
    text = error.clause if isinstance(error, BrokenGame) else describe_failure(error, game)
    if text is None:
        raise error
    return Finding.of(BROKEN, text, n=n)
