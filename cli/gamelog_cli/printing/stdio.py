"""The standard streams: unknown characters, closed streams and closed pipes are not errors."""

from __future__ import annotations

import io
import locale
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NoReturn, TextIO, cast


def tolerant_streams() -> None:
    """Make the standard streams print characters that their encoding lacks as ``\\U0001f600``.

    A terminal may use cp1252 although names can have any letters. An event that was recorded must not look as
    if it had failed.

    Standard input has the encoding of the terminal, and UTF-8 from a pipe. ``PYTHONIOENCODING`` is about
    output, so it is not used for input. Bytes that are not text become lone surrogates, which records refuse.

    A closed stream (``>&-``) becomes the null device, so that a file that is opened later does not get its
    number.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, os.fdopen(os.open(os.devnull, os.O_RDWR), mode, encoding="utf-8"))
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    if isinstance(sys.stdin, io.TextIOWrapper):
        typed = sys.stdin.isatty()
        terminal = sys.stdin.encoding if os.name == "nt" else locale.getpreferredencoding(False)
        sys.stdin.reconfigure(encoding=terminal if typed else "utf-8", errors="surrogateescape")


class PipeWriter:
    """Standard output that ends the program if the pipe is closed, as by ``gamelog query … | head -1``."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    def write(self, text: str) -> int:
        """Write `text`. Exits with status 0 if the pipe is closed."""
        try:
            return self._stream.write(text)
        except BrokenPipeError:
            self._exit()

    def flush(self) -> None:
        """Flush the stream. Exits with status 0 if the pipe is closed."""
        try:
            self._stream.flush()
        except BrokenPipeError:
            self._exit()

    def _exit(self) -> NoReturn:
        # the rest of the buffer goes to the null device
        os.dup2(os.open(os.devnull, os.O_WRONLY), self._stream.fileno())
        raise SystemExit(0)


class _WithoutGames:
    """Standard output without text that a game prints, which goes to standard error."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    def write(self, text: str) -> int:
        """Write `text` to standard output, or to standard error while the code of an installed game runs."""
        registry = sys.modules.get("gamelog.play.contract.registry")  # without it, no game is loaded
        return (sys.stderr if registry and registry.foreign_code_runs() else self._stream).write(text)


@contextmanager
def redirect_game_output() -> Iterator[None]:
    """Send any text that installed games print to standard error instead of standard output."""
    original = sys.stdout
    sys.stdout = cast(TextIO, _WithoutGames(original))
    try:
        yield
    finally:
        sys.stdout = original


@contextmanager
def exit_on_closed_pipe() -> Iterator[None]:
    """Exit with status 0 if standard output is a pipe and its reader has closed it."""
    if sys.stdout.isatty():
        yield
        return
    pipe, original = PipeWriter(sys.stdout), sys.stdout
    sys.stdout = cast(TextIO, pipe)
    try:
        yield
    finally:
        pipe.flush()
        sys.stdout = original
