"""A reader that answers questions in a process of its own, which can be ended at any moment.

DuckDB checks its limits between the steps of a question. One function over a long text is one step, and the
rows of an answer are Python objects, which DuckDB does not count. A process of its own can be ended when it
exceeds its time or memory.
"""

from __future__ import annotations

import os
import signal
import sys
import tempfile
import time
from collections.abc import Mapping
from contextlib import suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from shutil import rmtree
from threading import Thread
from typing import Any, NoReturn

from gamelog.archive.querying.answers import Answer, Format
from gamelog.archive.querying.reader import (
    ANSWER_FOLDER,
    NO_OUTPUT_FILE,
    OVER_MEMORY_LIMIT,
    OVER_TIME_LIMIT,
    Archives,
    Reader,
    archive_paths,
    atomic_answer,
)
from gamelog.errors import ArchiveError, GamelogError
from gamelog.processes import end_with_parent, has_one_thread
from gamelog.question_limits import MEMORY, SECONDS, USUAL, QuestionLimits
from gamelog.signals import accept_signals, signals_deferred

_PROGRAM_MEMORY = 256 << 20
"""Bytes of memory for Python and DuckDB themselves, in addition to the limit of the question."""

_RESERVED = 1 << 30
"""Bytes of addresses that threads and allocators reserve without using them."""

_UNITS = {"bytes": 1, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30, "TiB": 1 << 40}
"""Bytes of each unit in which DuckDB states an amount of memory."""

_GRACE, _CHECK_INTERVAL, _START_SECONDS = 0.5, 0.05, 60.0
"""Seconds that DuckDB has to stop by itself, between two checks of the process, and to start a process."""

_OVER_MEMORY = (
    "The question exceeded its memory limit of {memory}. Ask for less, write the answer to a file, or raise "
    "the limit."
)
_PROCESS_DIED = (
    "The process that answered the question ended (status {status}). There was too little memory, or the "
    "archive is damaged. Ask for less, or index the records into a new archive."
)


class SubprocessReader:
    """Archives, open for questions, in a process that is ended if a question exceeds its limits.

    The next question starts a new process. On Linux, the process is forked if this process has one thread.
    Otherwise it is started fresh and imports the main module, so a script must do its work under
    ``if __name__ == "__main__"``.
    """

    def __init__(
        self,
        archive: Archives,
        limits: QuestionLimits = USUAL,
        *,
        out: str | os.PathLike[str] | None = None,
        people: str | os.PathLike[str] | None = None,
    ) -> None:
        """Open the archives.

        Args:
            archive: The path of the archive, or several paths.
            limits: Limits for opening and for each question; None in it means the usual limit. On Linux, the
                process may use the memory of `limits` and 256 MB for the programs themselves. On other
                systems, only DuckDB keeps the limit on memory.
            out: The only file that `save` may write, or None if nothing is saved.
            people: A file of aliases, as in `Reader`.

        Raises:
            ArchiveError: The archives cannot be opened.
        """
        self.paths = archive_paths(archive)
        self.limits = QuestionLimits(limits.memory or MEMORY, limits.timeout or SECONDS, limits.threads)
        self._out = out
        self._reader_options = {"out": out, "people": people, "temp_folder": ANSWER_FOLDER}
        self._max_memory = sys.maxsize
        self._process: BaseProcess | None = None
        self._start()

    def _start(self) -> None:
        """Start the process that reads the archives. After an error, no process is left."""
        self._spill = tempfile.mkdtemp(prefix="gamelog-")
        # the base class of contexts declares no Process
        context: Any = get_context("fork" if has_one_thread() else "spawn")
        self._pipe, child_pipe = context.Pipe()
        arguments = child_pipe, self._spill, self.paths, self.limits, self._reader_options
        process: BaseProcess = context.Process(target=_serve, args=arguments, daemon=True)
        try:
            with signals_deferred():
                process.start()
                self._process = process
            child_pipe.close()
            self._max_memory = self._receive(_START_SECONDS)
        except BaseException:  # an interrupt, or an archive that cannot be opened: leave no process behind
            self._end()
            raise

    def ask(
        self, question: str, values: Mapping[str, Any] | None = None, *, limit: int | None = None
    ) -> Answer:
        """Answer a question, as `Reader.ask` does."""
        answer: Answer = self._call("ask", question, values, limit=limit)
        return answer

    def notes(self, question: str, values: Mapping[str, Any] | None = None) -> tuple[str, ...]:
        """Return the notes to an answer, as `Reader.notes` does."""
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
        """Write an answer to the file `out`, as `Reader.save` does.

        Args:
            question: SQL that only reads, or the name of a stock question.
            format: The format of the file.
            values: The values of the parameters of a stock question, by name.
            for_spreadsheets: Whether a CSV file is prepared for spreadsheets.

        Raises:
            ArchiveError: This reader has no `out`, the question fails or exceeds its limits, or the file
                cannot be written.
        """
        if self._out is None:
            raise ArchiveError(NO_OUTPUT_FILE)
        with atomic_answer(Path(self._out), ANSWER_FOLDER):
            self._call("write", question, format, values, for_spreadsheets=for_spreadsheets)

    def _call(self, method: str, *arguments: Any, **keywords: Any) -> Any:
        if self._process is None:
            self._start()
        try:
            self._pipe.send((method, arguments, keywords))
        except OSError:
            self._report_death()
        return self._receive()

    def _receive(self, more: float = 0.0) -> Any:
        """Return the next result of the process, which has `more` seconds in addition to the time limit.

        Raises:
            ArchiveError: The result is this error, or the process exceeded its limits and was ended.
        """
        seconds = self.limits.timeout or SECONDS
        until = time.monotonic() + seconds + _GRACE + more
        try:
            while not self._pipe.poll(_CHECK_INTERVAL):
                assert self._process
                if time.monotonic() > until:
                    raise ArchiveError(OVER_TIME_LIMIT.format(seconds))
                if _resident(self._process) > self._max_memory:
                    raise ArchiveError(_OVER_MEMORY.format(memory=self.limits.memory))
            result = self._pipe.recv()
        except (EOFError, ConnectionError):
            self._report_death()
        except BaseException:
            self._end()
            raise
        if isinstance(result, GamelogError):
            raise result
        return result

    def _report_death(self) -> NoReturn:
        """Raise `ArchiveError` after the process has ended by itself."""
        assert self._process
        self._process.join(_GRACE)
        status = self._process.exitcode
        self._end()
        raise ArchiveError(_PROCESS_DIED.format(status=status))

    def _end(self) -> None:
        if self._process:
            self._process.kill()
            self._process.join()
            self._process.close()
            self._pipe.close()
            self._process = None
        rmtree(self._spill, ignore_errors=True)

    def close(self) -> None:
        """End the process, and close the archives."""
        self._end()

    def __enter__(self) -> SubprocessReader:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


def _serve(
    pipe: Connection, spill: str, archives: Archives, limits: QuestionLimits, more: dict[str, Any]
) -> None:
    """Answer questions from `pipe` until it is closed. Temporary files go to the folder `spill`."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the asking process ends this one
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    accept_signals()
    Thread(target=end_with_parent, daemon=True).start()
    tempfile.tempdir = spill
    try:
        with Reader(archives, limits, **more) as reader:
            pipe.send(_limit_memory(reader))
            while True:
                method, arguments, keywords = pipe.recv()
                pipe.send(_call_reader(reader, method, arguments, keywords))
    except (EOFError, ConnectionError):
        pass
    except GamelogError as error:
        pipe.send(error)


def _call_reader(reader: Reader, method: str, arguments: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
    try:
        return getattr(reader, method)(*arguments, **keywords)
    except GamelogError as error:
        return error
    except MemoryError:
        return ArchiveError(OVER_MEMORY_LIMIT)


def _limit_memory(reader: Reader) -> int:
    """Limit the addresses of this process, and return the bytes of memory that it may use in all."""
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
    return memory + _PROGRAM_MEMORY


def _resident(process: BaseProcess) -> int:
    """Return the memory that a process uses, in bytes; 0 if the system does not report it."""
    try:
        with open(f"/proc/{process.pid}/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, IndexError):
        return 0
