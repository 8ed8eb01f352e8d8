"""Writing to an archive: one process, with batches of rows in one transaction."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import islice
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any

import portalocker
from msgspec import Struct

from gamelog.archive.rows.columns import as_columns
from gamelog.archive.rows.copies import FORK
from gamelog.archive.schema import connecting, macros, tables, views
from gamelog.archive.schema.columns import Table, declared_table
from gamelog.archive.workers.judge_batch import Judged
from gamelog.errors import ArchiveError

if TYPE_CHECKING:
    from gamelog.archive.rows.arrow import Batch

_MEMORY = "96MB"
"""Memory that DuckDB may use before it writes to the archive or spills to disk."""

_MAX_QUEUED_ROWS = 500_000
"""Number of waiting rows that are loaded together. Each load costs a statement for each table."""


_ROWS_TOGETHER = 20_000
"""Number of rows that are in memory together when a temporary table is filled or an answer is read."""


class Store:
    """An archive, open for writing. No other process can open it meanwhile.

    It is used as a context: leaving the context commits, and an error undoes everything, as does the end of
    the process. DuckDB's own errors are raised as `ArchiveError`.

    Attributes:
        is_new: Whether the file did not exist.
        is_empty: Whether the archive has no tables yet.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        *,
        threads: int = 1,
        patience: float = connecting.WAIT_SECONDS,
        make: bool = True,
    ) -> None:
        """Open or create an archive.

        Args:
            path: The path of the archive.
            threads: The number of threads for DuckDB.
            patience: Seconds to wait for another process that uses the archive.
            make: Whether to create missing tables.

        Raises:
            ArchiveError: The archive cannot be opened.
        """
        self.path = Path(path)
        self.is_new = not self.path.exists()
        self._waiting_rows: dict[str, list[Batch]] = defaultdict(list)
        self._count = 0
        self._connection = connecting.connect(self.path, write=True, patience=patience)
        self._undo = False
        self._threads = threads
        self._make = make
        self.is_empty = False

    def __enter__(self) -> Store:
        """Begin the transaction, and create the missing tables if the store may make them."""
        try:
            version = connecting.schema_version(self._connection, self.path)
            if version is not None:
                connecting.check_schema_version(version, self.path)
            with self._write_errors():
                connecting.disable_progress_bar(self._connection)
            self.sql(f"SET threads = {self._threads}")
            self.sql(f"SET memory_limit = '{_MEMORY}'")
            self.sql("BEGIN")
            self.is_empty = version is None and not self._make
            if version is None and self._make:
                self._create()
        except BaseException:
            self._close(undo=True)
            raise
        return self

    def _create(self) -> None:
        """Create the tables, macros and views, each with its description."""
        for table in tables.TABLES.values():
            self.sql(table.create)
        self.sql(macros.macro_statements())
        for view in views.view_statements():
            self.sql(view)
        self.sql("CREATE TABLE archive (version BIGINT, settled BOOLEAN, complete BOOLEAN, judges VARCHAR[])")
        for table in tables.TABLES.values():
            self.sql(";".join(table.comments("TABLE")))
        for described in views.VIEWS.values():
            self.sql(";".join(described.comments("VIEW")))
        self.sql(f"INSERT INTO archive VALUES ({tables.SCHEMA_VERSION}, true, true, [])")

    @contextmanager
    def _write_errors(self) -> Iterator[None]:
        """Raise `ArchiveError` for each error of DuckDB."""
        import duckdb

        try:
            yield
        except duckdb.Error as error:
            raise ArchiveError(
                f"Cannot write the archive {self.path}: {connecting.write_failure(error)}."
            ) from error

    def sql(self, statement: str, **values: Any) -> list[tuple[Any, ...]]:
        """Run a statement and return its rows.

        Raises:
            ArchiveError: The statement fails.
        """
        with self._write_errors():
            return self._connection.execute(statement, values or None).fetchall()

    def read(self, statement: str, **values: Any) -> Iterator[tuple[Any, ...]]:
        """Run a statement and yield its rows. Meanwhile, the store cannot run another statement.

        Raises:
            ArchiveError: The statement fails.
        """
        with self._write_errors():
            self._connection.execute(statement, values or None)
            while rows := self._connection.fetchmany(_ROWS_TOGETHER):
                yield from rows

    def add_judged(self, judged: Judged) -> None:
        """Add the rows of some records. They are in the tables after the next `load`."""
        for batch in judged.batches:
            for name, rows in batch.items():
                self._queue(name, rows)
        self.add("files", judged.files)

    def add(self, table: str, rows: Sequence[Struct]) -> None:
        """Add rows to `table`. They are in the table after the next `load`."""
        if rows:
            self._queue(table, _as_batch(tables.TABLES[table], rows))

    def _queue(self, table: str, rows: Batch) -> None:
        self._waiting_rows[table].append(rows)
        self._count += len(rows)
        if self._count >= _MAX_QUEUED_ROWS:
            self.load()

    def load(self) -> None:
        """Insert all waiting rows into their tables."""
        for name, batches in self._waiting_rows.items():
            self._insert(tables.TABLES[name], batches)
        self._waiting_rows.clear()
        self._count = 0

    def create_temporary(self, name: str, kind: type[Struct], rows: Iterable[Struct]) -> None:
        """Create a temporary table of `rows`, with the columns that `kind` declares."""
        table = declared_table(name, kind)
        self.sql(table.create.replace("CREATE", "CREATE TEMP", 1))
        remaining = iter(rows)
        while group := [*islice(remaining, _ROWS_TOGETHER)]:
            self._insert(table, [_as_batch(table, group)])

    def _insert(self, table: Table, batches: Sequence[Batch]) -> None:
        """Insert rows into a table.

        DuckDB finds the rows by the name of the variable, in half the time that a relation takes. Registered
        rows would stay in memory until the transaction ends.
        """
        from gamelog.archive.rows.arrow import duckdb_rows

        with self._write_errors():
            arrow_rows = duckdb_rows(batches)  # noqa: F841 - DuckDB reads the variable by its name
            self._connection.execute(f"INSERT INTO {table.name} SELECT {table.values} FROM arrow_rows")

    def undo_changes(self) -> None:
        """Undo all changes at the end of the context."""
        self._undo = True

    def forget(self, ids: str) -> None:
        """Delete the records whose ids are in the table `ids`, and findings on forks of these records."""
        for table in tables.RECORD_TABLES:
            self.sql(f"DELETE FROM {table} WHERE id IN (FROM {ids})")
        self.sql(f"DELETE FROM findings WHERE id IN (FROM {ids}) AND code = $fork", fork=FORK)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Commit the rows, or undo everything after an error, and close the archive."""
        try:
            if kind is None and not self._undo:
                self.load()
                self.sql("COMMIT")
        except BaseException:
            kind = ArchiveError
            raise
        finally:
            self._close(undo=self._undo or kind is not None)

    def _close(self, *, undo: bool) -> None:
        """Close the archive. With `undo`, delete a new archive first, while no other process can open it.

        DuckDB rolls back an open transaction.
        """
        log = Path(f"{self.path}.wal")
        with suppress(OSError):
            if undo and (self.is_new or not log.stat().st_size):  # a full disk leaves an empty log
                log.unlink()
        with suppress(OSError):
            if undo and self.is_new:
                self.path.unlink()
        self._connection.close()


def _as_batch(table: Table, rows: Sequence[Struct]) -> Batch:
    from gamelog.archive.rows.arrow import batch

    return batch(table, as_columns(rows))


@contextmanager
def sole_writer(archive: str | os.PathLike[str]) -> Iterator[None]:
    """Keep other processes from indexing into `archive`, by a locked file beside it.

    The system unlocks the file when this process ends.

    Raises:
        ArchiveError: Another process has the lock, or the archive cannot be created.
    """
    path = f"{os.fspath(archive)}.lock"
    try:
        file = open(path, "a+")  # noqa: SIM115  (closed below, after a yield in the except clause)
    except OSError as error:
        if not os.path.lexists(archive):
            raise ArchiveError(
                connecting.open_failure(os.fspath(archive), error.strerror or "", True)
            ) from None
        yield  # opening the archive reports the reason
        return
    with file:
        try:
            portalocker.lock(file, portalocker.LOCK_EX | portalocker.LOCK_NB)
        except portalocker.LockException:
            file.seek(0)
            holder = file.read(20).strip()
            holder_text = "this process" if holder == str(os.getpid()) else f"another process (PID {holder})"
            raise ArchiveError(
                f"The archive {archive} is in use by {holder_text}. Try again when that process has finished."
            ) from None
        file.truncate(0)
        file.write(f"{os.getpid()}\n")
        file.flush()
        try:
            yield
        finally:
            with suppress(OSError):  # Windows does not delete open files
                os.unlink(path)
