"""Protection of the running program against a game's code, which may only raise errors.

A game may come from anyone. It may call `sys.exit` or `os._exit` or raise `KeyboardInterrupt`. Then a command
would end without a message, perhaps with the status of success. Instead each of these becomes an error of the
game.

This contains Python code. It does not contain native code, or code that tries to evade it: such a game can
end the process. `gamelog.archive` runs foreign games in processes that may end.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterator
from functools import WRAPPER_ASSIGNMENTS, wraps
from types import FrameType
from typing import Any, NoReturn, TypeVar, cast

from gamelog.errors import Stopped, foreign_error_text

FunctionT = TypeVar("FunctionT", bound=Callable[..., Any])


class ForbiddenCall(RuntimeError):
    """A game called a function that no game may call. The message quotes nothing of the game."""


_OWN_PREFIX = "gamelog."
"""Beginning of the names of this package's own modules."""

SIGNALS: list[int] = []
"""Signals that ended this process, in the order of their arrival. The program's handler adds them."""


def exits_as_errors(function: FunctionT) -> FunctionT:
    """Return `function` of a game, changed to raise RuntimeError instead of ending the program.

    Functions of this package and already contained functions are returned unchanged.
    """
    if getattr(function, "__module__", None) is None or hasattr(function, "contained"):
        return function
    return function if f"{function.__module__}.".startswith(_OWN_PREFIX) else raise_only_errors(function)


def raise_only_errors(function: FunctionT) -> FunctionT:
    """Wrap `function`, which may run a game's code, so that it raises only errors."""

    @wraps(function, [name for name in WRAPPER_ASSIGNMENTS if hasattr(function, name)], ())
    def run(*args: Any, **kwargs: Any) -> Any:
        """Call the function, and raise RuntimeError for an exception that is neither an error nor a stop."""
        try:
            return function(*args, **kwargs)
        except Exception:
            raise
        except BaseException as error:
            if is_stop(error):
                raise
            contained = RuntimeError(
                f"it raised {foreign_error_text(error)}, but a game must not raise this exception"
            )
            # The traceback shows whose code raised it.
            raise contained.with_traceback(error.__traceback__) from error

    run.contained = True  # type: ignore[attr-defined]  # functions accept any attribute
    return cast("FunctionT", run)


def is_stop(error: BaseException) -> bool:
    """Return whether `error` is a request of a person or the system to stop.

    A `KeyboardInterrupt` is such a request if the program's handler has seen its signal. If Python's own
    handler is active, the error cannot be distinguished from one that a game raises. For `Stopped`, only
    subclasses count, because this package raises only subclasses.
    """
    if isinstance(error, KeyboardInterrupt):
        return signal.SIGINT in SIGNALS or signal.getsignal(signal.SIGINT) is signal.default_int_handler
    return isinstance(error, Stopped) and type(error) is not Stopped


def modules_running() -> Iterator[str]:
    """Yield the names of the modules whose code runs in this thread, the innermost first."""
    frame: FrameType | None = sys._getframe(1)
    while frame:
        yield str(frame.f_globals.get("__name__", ""))
        frame = frame.f_back


def forbid_exit(foreign_code_runs: Callable[[], bool]) -> None:
    """Make `os._exit` raise RuntimeError in this process while `foreign_code_runs`.

    A process that a game has forked may end as before.
    """
    leave, home = os._exit, os.getpid()
    if hasattr(leave, "contained"):
        return

    def exit_unless_foreign(status: int) -> NoReturn:
        if os.getpid() == home and foreign_code_runs():
            raise ForbiddenCall(f"it called os._exit({status}), but a game must not call this function")
        leave(status)

    exit_unless_foreign.contained = True  # type: ignore[attr-defined]  # functions accept any attribute
    for module in (os, sys.modules.get("posix"), sys.modules.get("nt")):
        if module is not None:
            module._exit = exit_unless_foreign  # type: ignore[attr-defined]
