"""Asking archives in a process of its own, which can be ended: bounds that hold whatever a question does.

DuckDB looks at its bounds between the steps of a question. One function over a long text is one step, and the
rows of an answer are Python's. So the question runs elsewhere: its process may hold so much memory and take
so long, and no more.
"""

from __future__ import annotations

import os
import signal
import sys
import tempfile
import time
from collections.abc import Mapping
from contextlib import suppress
from multiprocessing import get_context, parent_process
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from shutil import rmtree
from threading import Thread
from typing import Any, NoReturn

from gamelog.archive.asking.answers import Answer, Format
from gamelog.archive.asking.reader import ROOM, TOO_LONG, TOO_MUCH, Archives, Reader, archive_paths, as_placed
from gamelog.bounds import MEMORY, SECONDS, USUAL, QuestionBounds
from gamelog.errors import ArchiveError, GamelogError
from gamelog.signals import accept_signals, signals_deferred

PROGRAMS = 256 << 20
"""What Python and DuckDB themselves may hold beside what a question does."""

_RESERVED = 1 << 30
"""Addresses that threads and allocators set aside without using them."""

_UNITS = {"bytes": 1, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30, "TiB": 1 << 40}

GRACE, GLANCE, START = 0.5, 0.05, 60.0
"""Seconds that DuckDB has to stop by itself, between two looks at the process,
and that a new one has for its programs.
"""

OVER = (
    "The question needs more memory than it may use ({memory}); ask for less, write the answer to a "
    "file, or allow more."
)
DIED = "The question ended the process that it was asked in (status {status}); the archive may be damaged."


class SubprocessReader:
    """Archives, open for questions like `Reader`, in a process that is ended when a question exceeds bounds.

    The next question then has a new one. The process is forked where that is safe (on Linux, from a process
    without threads), else it starts anew and imports the main module, as everywhere in Python: a script does
    its work under ``if __name__ == "__main__"``.
    """

    def __init__(
        self,
        archive: Archives,
        bounds: QuestionBounds = USUAL,
        *,
        out: str | os.PathLike[str] | None = None,
        people: str | os.PathLike[str] | None = None,
    ) -> None:
        """Open the archives. Raises `ArchiveError`.

        Opening, and each question, may take the seconds of `bounds`; the process may hold their memory beside
        256 MB for the programs themselves, where the system bounds and tells it (Linux; elsewhere the bound
        is DuckDB's own). The rest is as `Reader` has it.
        """
        self.paths = archive_paths(archive)
        self.bounds = QuestionBounds(bounds.memory or MEMORY, bounds.timeout or SECONDS, bounds.threads)
        self._out = out
        self._more = {"out": out, "people": people, "room": ROOM}
        self._most = sys.maxsize
        self._process: BaseProcess | None = None
        self._start()

    def _start(self) -> None:
        self._spill = tempfile.mkdtemp(prefix="gamelog-")
        context: Any = get_context("fork" if _may_fork() else "spawn")  # the base class declares no processes
        self._pipe, theirs = context.Pipe()
        given = theirs, self._spill, self.paths, self.bounds, self._more
        process: BaseProcess = context.Process(target=_serve, args=given, daemon=True)
        try:
            with signals_deferred():
                process.start()
                self._process = process
            theirs.close()
            self._most = self._receive(START)
        except BaseException:  # an interrupt, or an archive that cannot be opened: nothing stays behind
            self._end()
            raise

    def ask(
        self, question: str, values: Mapping[str, Any] | None = None, *, limit: int | None = None
    ) -> Answer:
        """As `Reader.ask`."""
        answer: Answer = self._call("ask", question, values, limit=limit)
        return answer

    def notes(self, question: str, values: Mapping[str, Any] | None = None) -> tuple[str, ...]:
        """As `Reader.notes`."""
        notes: tuple[str, ...] = self._call("notes", question, values)
        return notes

    def save(
        self,
        question: str,
        format: Format,
        values: Mapping[str, Any] | None = None,
        *,
        for_spreadsheets: bool = False,
    ) -> None:
        """As `Reader.save`."""
        if self._out is None:
            raise ArchiveError("Say which file to write when opening the archive.")
        with as_placed(Path(self._out), ROOM):
            self._call("write", question, format, values, for_spreadsheets=for_spreadsheets)

    def _call(self, method: str, *given: Any, **named: Any) -> Any:
        if self._process is None:
            self._start()
        try:
            self._pipe.send((method, given, named))
        except OSError:
            self._gone()
        return self._receive()

    def _receive(self, more: float = 0.0) -> Any:
        """What the process says next. Raises `ArchiveError` when it says so, or has to be ended."""
        seconds = self.bounds.timeout or SECONDS
        until = time.monotonic() + seconds + GRACE + more
        try:
            while not self._pipe.poll(GLANCE):
                assert self._process
                if time.monotonic() > until:
                    raise ArchiveError(TOO_LONG.format(seconds))
                if _resident(self._process) > self._most:
                    raise ArchiveError(OVER.format(memory=self.bounds.memory))
            said = self._pipe.recv()
        except (EOFError, ConnectionError):
            self._gone()
        except BaseException:
            self._end()
            raise
        if isinstance(said, GamelogError):
            raise said
        return said

    def _gone(self) -> NoReturn:
        """The process has ended by itself. Raises `ArchiveError`."""
        assert self._process
        self._process.join(GRACE)
        status = self._process.exitcode
        self._end()
        raise ArchiveError(DIED.format(status=status))

    def _end(self) -> None:
        if self._process:
            self._process.kill()
            self._process.join()
            self._process.close()
            self._pipe.close()
            self._process = None
        rmtree(self._spill, ignore_errors=True)

    def close(self) -> None:
        """Let go of the archives, and end the process."""
        self._end()

    def __enter__(self) -> SubprocessReader:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


def _may_fork() -> bool:
    """Whether a copy of this process would be whole: it has one thread."""
    try:
        return sys.platform == "linux" and len(os.listdir("/proc/self/task")) == 1
    except OSError:
        return False


def _serve(
    pipe: Connection, spill: str, archives: Archives, bounds: QuestionBounds, more: dict[str, Any]
) -> None:
    """Answer until nobody asks any more; what is too large for memory goes to the folder `spill`."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # whoever asked ends this process
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    accept_signals()
    Thread(target=_follow, daemon=True).start()
    tempfile.tempdir = spill
    try:
        with Reader(archives, bounds, **more) as reader:
            pipe.send(_bound(reader))
            while True:
                method, given, named = pipe.recv()
                pipe.send(_answered(reader, method, given, named))
    except (EOFError, ConnectionError):
        pass
    except GamelogError as error:
        pipe.send(error)


def _follow() -> None:
    """End with the process that asked."""
    if parent := parent_process():
        parent.join()
        os._exit(1)


def _answered(reader: Reader, method: str, given: tuple[Any, ...], named: dict[str, Any]) -> Any:
    try:
        return getattr(reader, method)(*given, **named)
    except GamelogError as error:
        return error
    except MemoryError:
        return ArchiveError(TOO_MUCH)


def _bound(reader: Reader) -> int:
    """Bound the addresses of this process, and say how much memory it may hold in all, in bytes."""
    ((text,),) = reader.ask("SELECT current_setting('memory_limit')").rows
    number, unit = text.split()
    memory = int(float(number) * _UNITS[unit])
    with suppress(ImportError, OSError, ValueError):
        import resource

        with open("/proc/self/statm", encoding="ascii") as file:
            mapped = int(file.read().split()[0]) * os.sysconf("SC_PAGE_SIZE")
        most = mapped + memory + _RESERVED
        resource.setrlimit(resource.RLIMIT_AS, (most, most))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    return memory + PROGRAMS


def _resident(process: BaseProcess) -> int:
    """How much memory a process holds, in bytes; 0 where the system does not tell."""
    try:
        with open(f"/proc/{process.pid}/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, IndexError):
        return 0
