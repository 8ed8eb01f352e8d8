"""The standard streams: they show what they can and fail over nothing, nor when nobody reads any more."""

from __future__ import annotations

import io
import locale
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NoReturn, TextIO, cast


def tolerant_streams() -> None:
    """Make the standard streams show what their encoding lacks as ``\\U0001f600`` instead of raising; called
    once, at the start.

    A terminal or a redirect may speak cp1252 while names are anybody's; what was written to a record
    must not look as if it had failed. Standard input is read as the terminal writes it, and as UTF-8 from
    anywhere else: ``PYTHONIOENCODING`` says what can be shown, not what is typed. Bytes that are not text
    there become lone surrogates, which whoever writes a record refuses.

    A stream that is closed (``>&-``) becomes the null device, so that no file which is opened later takes
    its place.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, os.fdopen(os.open(os.devnull, os.O_RDWR), mode, encoding="utf-8"))
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    if isinstance(sys.stdin, io.TextIOWrapper):
        typed = sys.stdin.isatty()
        spoken = sys.stdin.encoding if os.name == "nt" else locale.getpreferredencoding(False)
        sys.stdin.reconfigure(encoding=spoken if typed else "utf-8", errors="surrogateescape")


class PipeWriter:
    """Standard output whose reader may leave: ``gamelog query … | head -1`` has had enough."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    def write(self, text: str) -> int:
        try:
            return self._stream.write(text)
        except BrokenPipeError:
            self._leave()

    def flush(self) -> None:
        try:
            self._stream.flush()
        except BrokenPipeError:
            self._leave()

    def _leave(self) -> NoReturn:
        # what is still buffered goes nowhere
        os.dup2(os.open(os.devnull, os.O_WRONLY), self._stream.fileno())
        raise SystemExit(0)


class _AnswersAlone:
    """Standard output without what a game prints: that goes to standard error."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    def write(self, text: str) -> int:
        registry = sys.modules.get("gamelog.play.contract.registry")  # without it no game is there
        return (sys.stderr if registry and registry.foreign_code_runs() else self._stream).write(text)


@contextmanager
def answers_alone() -> Iterator[None]:
    """Let what games that are not Gamelog's own print go to standard error."""
    behind = sys.stdout
    sys.stdout = cast(TextIO, _AnswersAlone(behind))
    try:
        yield
    finally:
        sys.stdout = behind


@contextmanager
def exit_on_closed_pipe() -> Iterator[None]:
    """End with status 0 when standard output is a pipe that nobody reads any more."""
    if sys.stdout.isatty():
        yield
        return
    pipe, behind = PipeWriter(sys.stdout), sys.stdout
    sys.stdout = cast(TextIO, pipe)
    try:
        yield
    finally:
        pipe.flush()
        sys.stdout = behind
