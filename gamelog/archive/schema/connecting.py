"""Connections to the file of an archive, and error messages for the person who must act."""

from __future__ import annotations

import errno
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from time import monotonic, sleep
from typing import TYPE_CHECKING, Any

import msgspec

from gamelog.archive.schema import tables
from gamelog.archive.schema.columns import text_constant
from gamelog.errors import ArchiveError
from gamelog.message import Message

if TYPE_CHECKING:
    import duckdb

HOLDING_PROCESS = re.compile(r"lock is held in [^\n]*?\bPID (\d+)")
"""The part of DuckDB's message that names the process that has a file open.

The name of the program before the PID is missing if the process has just ended.
"""

_OPEN_HERE = ("different configuration", "already attached")
"""Words of DuckDB's message if this process itself has the file open."""

_MAGIC_AT, _MAGIC = 8, b"DUCK"
"""Position and value of the bytes that identify a DuckDB file."""

_POINTER = re.compile(
    r"^(?P<label>LINE (?P<line>\d+): )(?P<text>.*)\n(?P<pointer> *(?P<carets>\^+))", re.MULTILINE
)
"""The part of DuckDB's message that points at a place in a statement."""

_LATE_ERROR_PATTERN = re.compile(r"^(?:[A-Za-z ]+ Error: )?Async write failed [^{]*(\{.*\})")


class _LateError(msgspec.Struct, frozen=True):
    """The data of an error that DuckDB reports after the write."""

    exception_message: str


_DISK_FULL = tuple(os.strerror(code) for code in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG))
"""The system's words for a full disk. DuckDB passes on the words, but not the error number."""


_READ_ONLY = os.strerror(errno.EROFS)
"""The system's words for a read-only file system."""

WAIT_SECONDS = 10.0
"""Seconds to wait for another process to close an archive. A run of `index` opens it for each commit."""

_RETRY_SECONDS = 0.05
"""Seconds between two attempts to open an archive."""


def disable_progress_bar(connection: duckdb.DuckDBPyConnection) -> None:
    """Keep DuckDB's progress bar out of standard output.

    A notebook without ipywidgets has no such bar, and DuckDB refuses to switch it off there.
    """
    [(shown,)] = connection.execute("SELECT current_setting('enable_progress_bar')").fetchall()
    if shown:
        connection.execute("SET enable_progress_bar = false")


def connect(
    path: str | os.PathLike[str], *, write: bool, patience: float = WAIT_SECONDS
) -> duckdb.DuckDBPyConnection:
    """Return a connection to the DuckDB file at `path`.

    The version of the archive is not checked (see `schema_version`).

    Args:
        path: The path of the archive.
        write: Whether to open the file for writing, and to create it if necessary.
        patience: Largest number of seconds to wait while another process uses the file.

    Raises:
        ArchiveError: The file is not an archive or cannot be opened.
    """
    import duckdb

    until = monotonic() + patience
    while True:
        new = not os.path.lexists(path)
        if not new and _is_foreign(path):
            raise ArchiveError(_not_an_archive(os.fspath(path)))
        try:
            return duckdb.connect(os.fspath(path), read_only=not write)
        except duckdb.Error as error:
            if HOLDING_PROCESS.search(str(error)) and monotonic() < until:
                sleep(_RETRY_SECONDS)
                continue
            _delete_unfinished(path, error, new)
            raise ArchiveError(open_failure(os.fspath(path), str(error), write)) from None


def _delete_unfinished(path: str | os.PathLike[str], error: Exception, new: bool) -> None:
    """Delete a new archive that could not be created, for example on a full disk."""
    if new and not HOLDING_PROCESS.search(str(error)):
        with suppress(OSError):
            os.unlink(path)


def _is_foreign(path: str | os.PathLike[str]) -> bool:
    """Return whether a file has content that DuckDB did not write and, if it is short, would overwrite."""
    try:
        if not os.path.isfile(path):
            return False
        with open(path, "rb") as file:
            begin = file.read(_MAGIC_AT + len(_MAGIC))
    except OSError:  # DuckDB reports the reason when it opens the file
        return False
    return bool(begin) and begin[_MAGIC_AT:] != _MAGIC


def _not_an_archive(path: str) -> str:
    return (
        f"{path} is not an archive. Name another file, or delete this one to create an archive in its place."
    )


def attach(connection: duckdb.DuckDBPyConnection, path: str | os.PathLike[str], catalog: str) -> None:
    """Attach the DuckDB file at `path` to `connection` as the database `catalog`, read-only.

    Wait for other processes as `connect` does.

    Raises:
        ArchiveError: The file does not exist, is not an archive or cannot be opened.
    """
    import duckdb

    if not os.path.isfile(path):
        raise ArchiveError(open_failure(os.fspath(path), "", False))
    until = monotonic() + WAIT_SECONDS
    while True:
        try:
            connection.execute(f"ATTACH {quote_path(path)} AS {catalog} (TYPE duckdb, READ_ONLY)")
            return
        except duckdb.Error as error:
            if not HOLDING_PROCESS.search(str(error)) or monotonic() > until:
                raise ArchiveError(open_failure(os.fspath(path), str(error), False)) from None
            sleep(_RETRY_SECONDS)


_TABLES = """
SELECT table_name FROM system.main.duckdb_tables()
WHERE NOT temporary AND NOT internal AND schema_name = 'main'
  AND database_name = coalesce($catalog, system.main.current_database())
"""
"""The base tables of a database. The schema is written out, because a file may define functions of that name.
"""


@contextmanager
def read_errors(path: str | os.PathLike[str]) -> Iterator[None]:
    """Raise `ArchiveError` if DuckDB cannot read a table of the archive at `path`.

    DuckDB has the same errors for a damaged file and a failing disk, so the message names both remedies. A
    lack of memory and an interrupt say nothing about the file. An interrupt is passed on.
    """
    import duckdb

    try:
        yield
    except duckdb.InterruptException:
        raise
    except duckdb.OutOfMemoryException as error:
        text = "There is too little memory to read the archive {=path}: {=error}. Raise the memory limit."
        message = Message.of(text, path=os.fspath(path), error=duckdb_sentence(error))
        raise ArchiveError(message) from None
    except duckdb.Error as error:
        text = (
            "Cannot read the archive {=path}: {=error}. Try again. If that does not help, delete the archive "
            "and index the records again."
        )
        message = Message.of(text, path=os.fspath(path), error=duckdb_sentence(error))
        raise ArchiveError(message) from None


def schema_version(
    connection: duckdb.DuckDBPyConnection, path: str | os.PathLike[str], catalog: str | None = None
) -> int | None:
    """Return the schema's version of an open archive, or None for an empty database.

    No view in the file is read.

    Args:
        connection: A connection to the archive.
        path: The path of the archive, for messages.
        catalog: The name of the database; None for the connection's own.

    Raises:
        ArchiveError: The file has tables, but is not an archive, or cannot be read.
    """
    import duckdb

    text = "{=path} is a DuckDB file, but not an archive of game records. Name another file."
    foreign = Message.of(text, path=os.fspath(path))
    with read_errors(path):
        names = {name for (name,) in connection.execute(_TABLES, {"catalog": catalog}).fetchall()}
        if not names:
            return None
        if "archive" not in names:
            raise ArchiveError(foreign)
        try:
            row = connection.execute(
                f"SELECT version FROM {f'{catalog}.' if catalog else ''}main.archive LIMIT 1"
            ).fetchone()
            return int(row[0]) if row else None
        except (duckdb.BinderException, TypeError, ValueError):  # its columns or values are not an archive's
            raise ArchiveError(foreign) from None


def archive_state(
    connection: duckdb.DuckDBPyConnection, path: str | os.PathLike[str], catalog: str
) -> tuple[bool, bool]:
    """Return two flags of an archive: copies and people are settled, and the last run has ended.

    Raises:
        ArchiveError: DuckDB cannot read the archive.
    """
    with read_errors(path):
        row = connection.execute(f"SELECT settled, complete FROM {catalog}.main.archive LIMIT 1").fetchone()
    return (row[0] is True, row[1] is True) if row else (False, False)


def check_schema_version(version: int | None, path: str | os.PathLike[str]) -> None:
    """Raise `ArchiveError` unless `version` is this release's version of the schema."""
    if version is None:
        raise ArchiveError(
            Message.of("The archive {=path} is empty. Index records to fill it.", path=os.fspath(path))
        )
    if version != tables.SCHEMA_VERSION:
        text = (
            "The archive {=path} has version {version}, but this release needs version {needed}. Delete the "
            "file and index the records again."
        )
        raise ArchiveError(
            Message.of(text, path=os.fspath(path), version=version, needed=tables.SCHEMA_VERSION)
        )


def set_limits(connection: duckdb.DuckDBPyConnection, limits: dict[str, Any]) -> None:
    """Set the limits that are not None.

    Raises:
        ArchiveError: DuckDB refuses a limit.
    """
    import duckdb

    try:
        for name, value in limits.items():
            if value is not None:
                connection.execute(f"SET {name} = {text_constant(str(value))}")
    except duckdb.Error as error:
        raise ArchiveError(f"These limits are not possible: {duckdb_sentence(error)}.") from None


def duckdb_sentence(error: Exception) -> str:
    """Return DuckDB's message in one line, without its class name and the picture of the statement."""
    text = str(error).split("\n\n")[0]
    if late := _LATE_ERROR_PATTERN.search(
        text
    ):  # a thread that writes in the background reports its error as JSON
        text = msgspec.json.decode(late[1], type=_LateError).exception_message
    text = re.sub(r"^[A-Za-z ]+ Error: ", "", text)
    lines = [line.strip() for line in text.splitlines() if line.strip() and not line.startswith("LINE ")]
    return " ".join(line for line in lines if set(line) != {"^"}).rstrip(".")


def statement_place(error: Exception) -> str:
    """Return the place in a statement that DuckDB points at, in brackets, or an empty text."""
    match = _POINTER.search(str(error))
    if not match:
        return ""
    begin = len(match["pointer"]) - len(match["carets"]) - len(match["label"])
    place = match["text"][begin : begin + max(len(match["carets"]), 1)].strip()
    return f' (line {match["line"]}, at "{place}")' if place else ""


def write_failure(error: Exception) -> str:
    """Return why DuckDB could not write a file, with advice if there is any."""
    import duckdb

    if is_disk_full(error):
        return f"{duckdb_sentence(error)}; free some disk space and try again"
    if isinstance(error, duckdb.OutOfMemoryException):
        return f"DuckDB needs more memory than it may use: {duckdb_sentence(error)}"
    return f"{duckdb_sentence(error)}. Check the folder and your access to it, then try again"


def is_disk_full(error: Exception) -> bool:
    """Return whether DuckDB could not write because the disk is full."""
    return any(words in str(error) for words in _DISK_FULL)


def escape_pattern(path: str | os.PathLike[str]) -> str:
    """Return a path for DuckDB's readers, with brackets, asterisks and question marks escaped."""
    return re.sub(r"([\[*?])", r"[\1]", os.fspath(path))


def quote_path(path: str | os.PathLike[str]) -> str:
    """Return a path as a string constant in SQL."""
    return text_constant(os.fspath(path))


def open_failure(path: str, message: str, write: bool) -> str | Message:
    """Return the error for an archive that cannot be opened.

    Args:
        path: The path of the archive.
        message: The message of the system or of DuckDB.
        write: Whether the archive was to be written.
    """
    holder = HOLDING_PROCESS.search(message)
    if holder or any(words in message for words in _OPEN_HERE):
        holder_text = f"another process (PID {holder[1]})" if holder else "this process"
        return f"The archive {path} is in use by {holder_text}. Try again when that process has finished."
    if os.path.isdir(path):
        file = os.path.join(path, "archive.duckdb")
        return f"{path} is a folder, but an archive is one file. Name a file, for example {file}."
    if not os.path.exists(path):
        folder = os.path.dirname(os.path.abspath(path))
        if write and not os.path.isdir(folder):
            return f"The folder {folder} does not exist. Create it first."
        if write and _READ_ONLY in message:
            return _on_read_only_disk(path, "create")
        if write:
            return f"Cannot create the archive {path}: {write_failure(Exception(message))}."
        return Message.of("There is no archive at {=path}. Index records to create one.", path=path)
    if "not a valid DuckDB" in message:
        return _not_an_archive(path)
    if write and _READ_ONLY in message:
        return _on_read_only_disk(path, "write")
    if not os.access(path, os.W_OK if write else os.R_OK):
        return f"You have no permission to {'write' if write else 'read'} {path}. Ask its owner."
    return f"Cannot open the archive {path}: {write_failure(Exception(message))}."


def _on_read_only_disk(path: str, action: str) -> Message:
    text = "Cannot {action} the archive {=path}: its file system is read-only. Name another file."
    return Message.of(text, action=action, path=path)
