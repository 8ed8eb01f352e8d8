"""Attribution of errors to a game's code or to this package.

A game's functions raise only what the contract allows. If a function raises something else, a sentence tells
the people at the table which game failed, and other records continue. An error in this package's own code is
not attributed to a game and stays an error.
"""

from __future__ import annotations

from traceback import walk_tb
from types import FrameType

from gamelog.errors import BrokenGame, CannotApply, GamelogError, foreign_error_text
from gamelog.finding import Finding
from gamelog.message import Message
from gamelog.play.contract.game import AnyGame
from gamelog.play.contract.game_calls import ForbiddenCall
from gamelog.play.contract.registry import distribution_of, game_of_module

BROKEN = "play.broken_game"
"""Code of the finding that a game's code failed. The record is not at fault."""


def describe_failure(
    error: BaseException, game: AnyGame | None = None, *, quotes: bool = True
) -> Message | None:
    """Return a clause on the game that failed, the place and the error, or None if no game is to blame.

    If a foreign `game` was called, it is to blame for anything that went wrong meanwhile, including a value
    of a wrong type that it returned. Otherwise the innermost game in the traceback is to blame. Without
    `quotes`, the clause has only the type of the error, because the rest can depend on hidden values. A
    forbidden call is always named.
    """
    if isinstance(error, GamelogError) and not isinstance(error, CannotApply):
        return None
    steps = [*walk_tb(error.__traceback__)]
    owners = [game_of_module(str(frame.f_globals.get("__name__", ""))) for frame, _ in steps]
    at = max((at for at, owner in enumerate(owners) if owner), default=None)
    owner = None if at is None else owners[at]
    if game is not None and not game.start.__module__.startswith("gamelog."):
        owner = game.title, distribution_of(game)
    if owner is None:
        return None
    if not quotes and not isinstance(error, ForbiddenCall):
        return _failure_message(*owner, type(error).__name__)
    return _failure_message(*owner, foreign_error_text(error), "" if at is None else _code_place(*steps[at]))


def _code_place(frame: FrameType, line: int) -> str:
    return f"{frame.f_globals.get('__name__', '')}.{frame.f_code.co_qualname}, line {line}"


def broken_game(game: AnyGame, why: str) -> BrokenGame:
    """Return the error that the code of `game` failed, with the reason."""
    return BrokenGame(
        Message.of("{failure}.", failure=_failure_message(game.title, distribution_of(game), why))
    )


def _failure_message(title: str, origin: str, why: str, place: str = "") -> Message:
    args = {"game": title, "origin": origin, "error": why}
    if place:
        text = "the code of the game {=game}, from the package {=origin}, failed in {=place}: {=error}"
        return Message(text, args | {"place": place})
    return Message("the code of the game {=game}, from the package {=origin}, failed: {=error}", args)


def failure_finding(
    error: Exception, game: AnyGame | None = None, n: int | None = None, *, quotes: bool = False
) -> Finding:
    """Return the finding that a game's code failed.

    Args:
        error: The error.
        game: The game that was called, or None.
        n: The number of the event, or None.
        quotes: Whether the finding quotes the error of a game with hidden information, too. Findings for
            viewers and archives do not.

    Raises:
        Exception: No game is to blame for `error`, which is raised again.
    """
    text = (
        error.clause
        if isinstance(error, BrokenGame)
        else describe_failure(error, game, quotes=quotes or game is None or not game.hides)
    )
    if text is None:
        raise error
    return Finding.of(BROKEN, text, n=n)
