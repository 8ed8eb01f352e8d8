"""Opening an archive's file, and DuckDB's complaints in words for the person who must act."""

from __future__ import annotations

import errno
import os
import re
import shlex
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from time import monotonic, sleep
from typing import TYPE_CHECKING, Any

import msgspec

from gamelog.archive.schema import tables as schema
from gamelog.archive.schema.columns import text_constant
from gamelog.errors import ArchiveError, BrokenGame, own_words
from gamelog.play.fold.game_errors import describe_failure

if TYPE_CHECKING:
    import duckdb

HOLDER = re.compile(r"lock is held in [^\n]*?\bPID (\d+)")
"""Who has a file open, with the name of its program or, when it has just ended, without."""

HERE = ("different configuration", "already attached")
"""How it says that this process itself has a file open."""

MAGIC_AT, _MAGIC = 8, b"DUCK"
"""What stands where in each of its files."""

POINTED = re.compile(
    r"^(?P<label>LINE (?P<line>\d+): )(?P<text>.*)\n(?P<pointer> *(?P<carets>\^+))", re.MULTILINE
)
"""How it points at a place in a statement."""

_LATE = re.compile(r"^(?:[A-Za-z ]+ Error: )?Async write failed [^{]*(\{.*\})")


class _LateError(msgspec.Struct, frozen=True):
    exception_message: str


FULL = tuple(os.strerror(code) for code in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG))
"""How the system says that there is no room; DuckDB passes the words on, not the number."""


_READ_ONLY = os.strerror(errno.EROFS)
"""The system's words for a file system to which nobody can write."""

WAIT_SECONDS = 10.0
"""Seconds to wait for another process to let go of an archive:
whoever indexes opens it for the time of a commit.
"""

BETWEEN_TRIES = 0.05
"""Seconds."""


def disable_progress_bar(connection: duckdb.DuckDBPyConnection) -> None:
    """Keeps DuckDB's progress bar out of the answers, on standard output.

    A notebook without ipywidgets has no such bar, and there DuckDB refuses even to switch it off.
    """
    [(shown,)] = connection.execute("SELECT current_setting('enable_progress_bar')").fetchall()
    if shown:
        connection.execute("SET enable_progress_bar = false")


def connect(
    path: str | os.PathLike[str], *, write: bool, patience: float = WAIT_SECONDS
) -> duckdb.DuckDBPyConnection:
    """A connection to the DuckDB file at `path`; one that writes creates it. Raises `ArchiveError`.

    Another process that uses the file is waited for, `patience` seconds at most.

    Whether the file is an archive of this version is not looked at; see `version`.
    """
    import duckdb

    until = monotonic() + patience
    while True:
        new = not os.path.lexists(path)
        if not new and _foreign(path):
            raise ArchiveError(_no_archive(os.fspath(path)))
        try:
            return duckdb.connect(os.fspath(path), read_only=not write)
        except duckdb.Error as error:
            if HOLDER.search(str(error)) and monotonic() < until:
                sleep(BETWEEN_TRIES)
                continue
            _leave_nothing(path, error, new)
            raise ArchiveError(why_closed(os.fspath(path), str(error), write)) from None


def _leave_nothing(path: str | os.PathLike[str], error: Exception, new: bool) -> None:
    """Delete what a full disk left of a new archive."""
    if new and not HOLDER.search(str(error)):
        with suppress(OSError):
            os.unlink(path)


def _foreign(path: str | os.PathLike[str]) -> bool:
    """Whether a file holds what DuckDB did not write: it takes short ones for empty and writes over them."""
    try:
        if not os.path.isfile(path):
            return False
        with open(path, "rb") as file:
            begin = file.read(MAGIC_AT + len(_MAGIC))
    except OSError:  # opening it as an archive will say why
        return False
    return bool(begin) and begin[MAGIC_AT:] != _MAGIC


def _no_archive(path: str) -> str:
    return f"{path} is not an archive; name another file, or delete this one if it should be."


def attach(connection: duckdb.DuckDBPyConnection, path: str | os.PathLike[str], catalog: str) -> None:
    """Let `connection` read the DuckDB file at `path` as the database `catalog`, waiting as `connect` does.

    Raises `ArchiveError`; see also `version`.
    """
    import duckdb

    if not os.path.isfile(path):
        raise ArchiveError(why_closed(os.fspath(path), "", False))
    if _foreign(path):
        raise ArchiveError(_no_archive(os.fspath(path)))
    until = monotonic() + WAIT_SECONDS
    while True:
        try:
            connection.execute(f"ATTACH {quoted(path)} AS {catalog} (TYPE duckdb, READ_ONLY)")
            return
        except duckdb.Error as error:
            if not HOLDER.search(str(error)) or monotonic() > until:
                raise ArchiveError(why_closed(os.fspath(path), str(error), False)) from None
            sleep(BETWEEN_TRIES)


_TABLES = """
SELECT table_name FROM system.main.duckdb_tables()
WHERE NOT temporary AND NOT internal AND schema_name = 'main'
  AND database_name = coalesce($catalog, system.main.current_database())
"""
"""The base tables of a database, by DuckDB's own function: one of that name may stand in the file."""


def version(
    connection: duckdb.DuckDBPyConnection, path: str | os.PathLike[str], catalog: str | None = None
) -> int | None:
    """The schema's version of an open archive, None of an empty database. Raises `ArchiveError` otherwise.

    No view in the file is looked at. `catalog` is the database's name, None for the connection's own.
    """
    import duckdb

    tables = {name for (name,) in connection.execute(_TABLES, {"catalog": catalog}).fetchall()}
    if not tables:
        return None
    if "archive" not in tables:
        raise ArchiveError(f"{path} is a DuckDB file, but not an archive of game records; name another file.")
    try:
        row = connection.execute(
            f"SELECT version FROM {f'{catalog}.' if catalog else ''}main.archive LIMIT 1"
        ).fetchone()
        return int(row[0]) if row else None
    except (duckdb.Error, TypeError, ValueError):
        raise ArchiveError(
            f"{path} is a DuckDB file, but not an archive of game records; name another file."
        ) from None


def state(
    connection: duckdb.DuckDBPyConnection, path: str | os.PathLike[str], catalog: str
) -> tuple[bool, bool]:
    """Whether what many records say together is settled in an archive, and whether its last run has ended.

    Raises `ArchiveError`.
    """
    import duckdb

    try:
        row = connection.execute(f"SELECT settled, complete FROM {catalog}.main.archive LIMIT 1").fetchone()
    except duckdb.Error as error:
        raise ArchiveError(
            f"{path} is not whole, or was not read: {duckdb_sentence(error)}. Try again; if that does not "
            "help, delete it and index the records again."
        ) from None
    return (row[0] is True, row[1] is True) if row else (False, False)


def check_schema_version(found: int | None, path: str | os.PathLike[str]) -> None:
    """Raise `ArchiveError` unless `found` is this release's version of the schema."""
    if found is None:
        raise ArchiveError(
            f"{path} holds no archive yet; fill it with: "
            f"gamelog index PATH --archive {shlex.quote(os.fspath(path))}"
        )
    if found != schema.SCHEMA_VERSION:
        raise ArchiveError(
            f"{path} is an archive of version {found}, this release has version {schema.SCHEMA_VERSION}; "
            "delete the file and index the records again."
        )


def bind(connection: duckdb.DuckDBPyConnection, bounds: dict[str, Any]) -> None:
    """Set those bounds that are not None. Raises `ArchiveError`."""
    import duckdb

    try:
        for name, value in bounds.items():
            if value is not None:
                connection.execute(f"SET {name} = {quoted(str(value))}")
    except duckdb.Error as error:
        raise ArchiveError(
            f"The archive cannot be read within these bounds: {duckdb_sentence(error)}."
        ) from None


@contextmanager
def row_errors(paths: Sequence[Path]) -> Iterator[None]:
    """While rows are told: a file may hold some that no run of `gamelog index` writes, nulls say.

    Raises `ArchiveError` when something fails over them, and `BrokenGame` when a game's code does.
    """
    try:
        yield
    except (TypeError, ValueError, AttributeError, ArithmeticError, LookupError) as error:
        failed = describe_failure(error)
        if failed is not None:
            raise BrokenGame(f"{failed}.") from error
        raise ArchiveError(
            f"What {', '.join(map(os.fspath, paths))} holds cannot be told ({own_words(error)}); "
            "index the records again into a new archive."
        ) from error


def duckdb_sentence(error: Exception) -> str:
    """What DuckDB says of a statement, without its class name, pictures of the statement and line ends."""
    text = str(error).split("\n\n")[0]
    if late := _LATE.search(text):  # from a thread that writes behind the statement's back, as JSON
        text = msgspec.json.decode(late[1], type=_LateError).exception_message
    text = re.sub(r"^[A-Za-z ]+ Error: ", "", text)
    lines = [line.strip() for line in text.splitlines() if line.strip() and not line.startswith("LINE ")]
    return " ".join(line for line in lines if set(line) != {"^"}).rstrip(".")


def where(error: Exception) -> str:
    """The place in a statement that DuckDB points at, to follow `duckdb_sentence`; empty without one."""
    found = POINTED.search(str(error))
    if not found:
        return ""
    begin = len(found["pointer"]) - len(found["carets"]) - len(found["label"])
    at = found["text"][begin : begin + max(len(found["carets"]), 1)].strip()
    return f' (line {found["line"]}, at "{at}")' if at else ""


def reason(error: Exception) -> str:
    """The same of a file that cannot be written, with what helps where a full disk is the reason."""
    said = duckdb_sentence(error)
    return f"{said}; make room and try again" if is_full(error) else said


def is_full(error: Exception) -> bool:
    """Whether DuckDB could not write because there is no room."""
    return any(words in str(error) for words in FULL)


def literal(path: str | os.PathLike[str]) -> str:
    """A path for DuckDB's readers, which take brackets, asterisks and question marks for patterns."""
    return re.sub(r"([\[*?])", r"[\1]", os.fspath(path))


def quoted(path: str | os.PathLike[str]) -> str:
    """A path as it stands in a statement."""
    return text_constant(os.fspath(path))


def why_closed(path: str, said: str, write: bool) -> str:
    """Return why the archive at `path` cannot be opened, as a sentence; `said` are the system's words."""
    holder = HOLDER.search(said)
    if holder or any(words in said for words in HERE):
        who = f"another process (PID {holder[1]})" if holder else "this process"
        return f"{path} is being used by {who}; try again when that is done."
    if os.path.isdir(path):
        return f"{path} is a folder; an archive is one file, {os.path.join(path, 'archive.duckdb')} say."
    if not os.path.exists(path):
        folder = os.path.dirname(os.path.abspath(path))
        if write and not os.path.isdir(folder):
            return f"The folder {folder} does not exist; make it first."
        if write and _READ_ONLY in said:
            return _on_read_only_disk(path, "created")
        if write:
            return f"{path} cannot be created: {reason(Exception(said))}."
        return (
            f"There is no archive at {path}; make one with: gamelog index PATH --archive {shlex.quote(path)}"
        )
    if "not a valid DuckDB" in said:
        return _no_archive(path)
    if write and _READ_ONLY in said:
        return _on_read_only_disk(path, "written")
    if not os.access(path, os.W_OK if write else os.R_OK):
        return f"{path} may not be {'written' if write else 'read'} by you; ask its owner."
    return f"{path} cannot be opened: {reason(Exception(said))}."


def _on_read_only_disk(path: str, done: str) -> str:
    return f"{path} cannot be {done}: its file system is read-only. Name an archive elsewhere with --archive."
