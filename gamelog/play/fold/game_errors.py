"""Attribution of errors to a game's code or to this package.

A game's functions raise only what the contract allows. If a function raises something else, the people at
the table read which game failed, and other records continue. An error in this package's own code is not
attributed to a game and stays an error.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from enum import Enum
from traceback import walk_tb
from types import FrameType

from gamelog.errors import BrokenGame, CannotApply, GamelogError, foreign_error_text
from gamelog.finding import Finding
from gamelog.message import Message
from gamelog.play.contract.game import AnyGame
from gamelog.play.contract.game_calls import ForbiddenCall
from gamelog.play.contract.registry import Installed, distribution_of, games_of_module

BROKEN = "play.broken_game"
"""Code of the finding that a game's code failed. The record is not at fault."""


class Audience(Enum):
    """The people who read about an error."""

    ANYONE = "anyone"
    """Also people from whom the game hides information."""

    ALL_SEEING = "all-seeing"
    """Only people who may see everything: the scorer, the arbiter, the author of a game."""


def describe_failure(
    error: BaseException, game: AnyGame | None = None, audience: Audience = Audience.ANYONE
) -> Message | None:
    """Return a clause on the game that failed, the place and the error, or None if no game is to blame.

    If a foreign `game` was called, it is to blame for anything that went wrong meanwhile, including a value
    of a wrong type that it returned. Otherwise the innermost game in the traceback is to blame. The clause
    has the place, and the error as in `error_text`.
    """
    if isinstance(error, GamelogError) and not isinstance(error, CannotApply):
        return None
    steps = [*walk_tb(error.__traceback__)]
    owners = [games_of_module(str(frame.f_globals.get("__name__", ""))) for frame, _ in steps]
    index = max((index for index, owner in enumerate(owners) if owner), default=None)
    if game is not None and not game.start.__module__.startswith("gamelog."):
        title, origin = game.title, distribution_of(game)
    elif index is not None:
        title, origin = _title(owners[index][0]), owners[index][0].origin
    else:
        return None
    games = [owner.game for several in owners for owner in several]
    quotes = _may_quote(error, [*games, game] if game else games, audience)
    place = "" if index is None or not quotes else _code_place(*steps[index])
    return _failure_message(
        title, origin, foreign_error_text(error) if quotes else type(error).__name__, place
    )


@contextmanager
def errors_of(game: AnyGame) -> Iterator[None]:
    """Raise `BrokenGame` for errors of the game's code, because a traceback does not leave the process."""
    try:
        yield
    except (GamelogError, MemoryError):
        raise
    except Exception as error:
        failure = describe_failure(error, game, Audience.ALL_SEEING)
        if failure is None:
            raise
        raise BrokenGame(f"{failure}.") from error


def error_text(error: BaseException, game: AnyGame | None, audience: Audience = Audience.ANYONE) -> str:
    """Return the type and the words of `error`, or only its type if the words can reveal hidden values.

    A forbidden call always has its words, which quote nothing of the game.

    Args:
        error: The error.
        game: The game of the record, or None if it is unknown. An unknown game can hide information.
        audience: The readers.
    """
    return foreign_error_text(error) if _may_quote(error, [game], audience) else type(error).__name__


def _may_quote(error: BaseException, games: Iterable[AnyGame | None], audience: Audience) -> bool:
    """Return whether the words of `error` contain nothing that one of `games` hides from `audience`."""
    return (
        audience is Audience.ALL_SEEING
        or isinstance(error, ForbiddenCall)
        or not any(game is None or game.hides for game in games)
    )


def _title(installed: Installed) -> str:
    return installed.game.title if installed.game else installed.name


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
    error: Exception,
    game: AnyGame | None = None,
    n: int | None = None,
    audience: Audience = Audience.ANYONE,
) -> Finding:
    """Return the finding that a game's code failed.

    Args:
        error: The error.
        game: The game that was called, or None.
        n: The number of the event, or None.
        audience: The readers of the finding.

    Raises:
        Exception: No game is to blame for `error`, which is raised again.
    """
    text = error.clause if isinstance(error, BrokenGame) else describe_failure(error, game, audience)
    if text is None:
        raise error
    return Finding.of(BROKEN, text, n=n)
