"""What a game's functions may raise: errors. What would end the program instead becomes one.

A game is anybody's code, and may call `sys.exit` or raise what is not an `Exception`: a command would then
end without a word, with the status of one that has found nothing wrong.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import WRAPPER_ASSIGNMENTS, wraps
from typing import Any, TypeVar, cast

from gamelog.errors import Stopped, own_words

FunctionT = TypeVar("FunctionT", bound=Callable[..., Any])

_OWN = "gamelog."
"""How the names of modules begin whose functions are this package's own."""

_OURS = (Exception, KeyboardInterrupt, Stopped)
"""What a game's function lets through: errors, and what is put into it from outside."""


def contained(function: FunctionT) -> FunctionT:
    """`function` of a game, which raises RuntimeError instead of what is neither an error nor ours. Our own
    functions, and those that are contained already, are given back.
    """
    if getattr(function, "__module__", None) is None or hasattr(function, "contained"):
        return function
    if f"{function.__module__}.".startswith(_OWN):
        return function

    @wraps(function, [name for name in WRAPPER_ASSIGNMENTS if hasattr(function, name)], ())
    def run(*args: Any, **named: Any) -> Any:
        try:
            return function(*args, **named)
        except _OURS:
            raise
        except BaseException as error:
            told = RuntimeError(f"it raised {own_words(error)}, which no game may")
            raise told.with_traceback(error.__traceback__) from error  # it shows whose code it came through

    run.contained = True  # type: ignore[attr-defined]  # a function takes any
    return cast("FunctionT", run)
