"""What a game's code may do to the program that runs it: raise errors, and nothing else.

A game is anybody's code. It may call `sys.exit` or `os._exit` or raise `KeyboardInterrupt`. A command would
then end without a word, perhaps with the status of one that has found nothing wrong. Instead each of these
becomes an error of the game.

Python code is contained. Native code, and code that looks for a way round, is not: such a game can end the
process. `gamelog.archive` runs games that are not Gamelog's own in processes that may end.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterator
from functools import WRAPPER_ASSIGNMENTS, wraps
from types import FrameType
from typing import Any, NoReturn, TypeVar, cast

from gamelog.errors import Stopped, own_words

FunctionT = TypeVar("FunctionT", bound=Callable[..., Any])

_OWN = "gamelog."
"""How the names of modules begin whose functions are this package's own."""

SIGNALS: list[int] = []
"""The signals that ended this process, in order: the program's handler adds them."""


def exits_as_errors(function: FunctionT) -> FunctionT:
    """Return `function` of a game so that it raises RuntimeError instead of what would end the program.

    Our own functions, and those that are contained already, are given back.
    """
    if getattr(function, "__module__", None) is None or hasattr(function, "contained"):
        return function
    return function if f"{function.__module__}.".startswith(_OWN) else contain(function)


def contain(function: FunctionT) -> FunctionT:
    """Return any `function` in which a game's code may run, so that it raises only errors."""

    @wraps(function, [name for name in WRAPPER_ASSIGNMENTS if hasattr(function, name)], ())
    def run(*args: Any, **named: Any) -> Any:
        try:
            return function(*args, **named)
        except Exception:
            raise
        except BaseException as error:
            if is_stop(error):
                raise
            told = RuntimeError(f"it raised {own_words(error)}, which no game may")
            raise told.with_traceback(error.__traceback__) from error  # it shows whose code it came through

    run.contained = True  # type: ignore[attr-defined]  # a function takes any
    return cast("FunctionT", run)


def is_stop(error: BaseException) -> bool:
    """Return whether `error` stops what runs here because a person or the system asks for it.

    A `KeyboardInterrupt` does if the program's handler has seen its signal. If Python's own handler is in
    place, nothing can tell it from one that a game raises. Only subclasses of `Stopped` are ever raised here.
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


def refuse_exit(strange_code_runs: Callable[[], bool]) -> None:
    """Let `os._exit` raise RuntimeError in this process while `strange_code_runs`.

    A process that a game has forked ends as it likes.
    """
    leave, home = os._exit, os.getpid()
    if hasattr(leave, "contained"):
        return

    def leave_unless_strange(status: int) -> NoReturn:
        if os.getpid() == home and strange_code_runs():
            raise RuntimeError(f"it called os._exit({status}), which no game may")
        leave(status)

    leave_unless_strange.contained = True  # type: ignore[attr-defined]  # a function takes any
    for module in (os, sys.modules.get("posix"), sys.modules.get("nt")):
        if module is not None:
            module._exit = leave_unless_strange  # type: ignore[attr-defined]
