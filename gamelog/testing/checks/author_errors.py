"""Sentences on exceptions from the code of a tested game, for its author."""

from __future__ import annotations

from traceback import walk_tb

from gamelog.errors import CannotApply, GamelogError, foreign_error_text
from gamelog.play.contract.game import AnyGame
from gamelog.record.envelope import Event, tag_of

_ALLOWED = {
    "check": "check judges any event and never raises an error: for an illegal event, return forbids(…).",
    "apply": "apply also gets illegal events that were played anyway. It may only raise CannotApply "
    "(from gamelog.game), for an illegal event that cannot be carried out.",
}
"""The errors that the contract allows, by the function of the game."""

_OTHERS = "Only apply may raise an error: CannotApply, for an illegal event that cannot be carried out."


def author_error_text(game: AnyGame, error: Exception) -> str | None:
    """Return the function of `game` that raised `error`, the place, the event and what the contract allows.

    Return None if the error does not come from the code of the game.
    """
    if isinstance(error, AssertionError) or (
        isinstance(error, GamelogError) and not isinstance(error, CannotApply)
    ):
        return None
    package = game.start.__module__.partition(".")[0]
    if package == "gamelog":
        package = game.start.__module__.rpartition(".")[0] or package
    steps = [
        (frame, line)
        for frame, line in walk_tb(error.__traceback__)
        if f"{frame.f_globals.get('__name__', '')}.".startswith(f"{package}.")
    ]
    if not steps:
        return None
    (called, _), (frame, line) = steps[0], steps[-1]
    name = called.f_code.co_name
    given = next((value for value in called.f_locals.values() if isinstance(value, Event)), None)
    about = f", for the event {tag_of(type(given))} of the seat {given.by}: {given}" if given else ""
    place = f"{frame.f_code.co_filename}, line {line}"
    return f"{name} raises {foreign_error_text(error)} in {place}{about}. {_ALLOWED.get(name, _OTHERS)}"
