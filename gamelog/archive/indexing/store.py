"""An archive that is being written, by one process: rows go in by the batch, in one transaction."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from importlib.resources import files
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any

import portalocker
from msgspec import Struct

from gamelog.archive.judging.worker import Judged
from gamelog.archive.rows.columns import as_columns
from gamelog.archive.schema import connecting, views
from gamelog.archive.schema import tables as schema
from gamelog.archive.schema.columns import Table, declared_table
from gamelog.errors import ArchiveError

if TYPE_CHECKING:
    from gamelog.archive.rows.arrow import Batch

FORK = "archive.fork"
"""Code of a finding: two files call themselves the same record, and neither extends the other.
The record does not count.
"""

_MEMORY = "160MB"
"""What DuckDB may hold before it writes to the archive or spills."""

TOGETHER = 500_000
"""Waiting rows from which on they are loaded: as many as a commit has; a load costs a statement a table."""


class Store:
    """An archive, open for writing; nobody else can open it meanwhile.

    Used as a context: leaving it well commits, leaving it by an error undoes everything, and so
    does a process that ends in the middle. ``new`` says whether there was no file, ``empty`` whether there
    are no tables yet. DuckDB's own errors come out as `ArchiveError`.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        *,
        threads: int = 1,
        patience: float = connecting.WAIT_SECONDS,
        make: bool = True,
    ) -> None:
        """Open or create the archive at `path`, waiting `patience` seconds for whoever uses it; its tables
        are there if `make`.

        Raises `ArchiveError`.
        """
        self.path = Path(path)
        self.new = not self.path.exists()
        self._waiting: dict[str, list[Batch]] = defaultdict(list)
        self._count = 0
        self._connection = connecting.connect(self.path, write=True, patience=patience)
        self._undo = False
        self._threads = threads
        self._make = make
        self.empty = False

    def __enter__(self) -> Store:
        try:
            found = connecting.schema_version(self._connection, self.path)
            if found is not None:
                connecting.check_schema_version(found, self.path)
            with self._written():
                connecting.disable_progress_bar(self._connection)
            self.sql(f"SET threads = {self._threads}")
            self.sql(f"SET memory_limit = '{_MEMORY}'")
            self.sql("BEGIN")
            self.empty = found is None and not self._make
            if found is None and self._make:
                self._create()
        except BaseException:
            self._close(undo=True)
            raise
        return self

    def _create(self) -> None:
        for table in schema.TABLES.values():
            self.sql(table.create)
        self.sql(files("gamelog.archive.schema").joinpath("macros.sql").read_text("utf-8"))
        for view in views.statements():
            self.sql(view)
        self.sql("CREATE TABLE archive (version BIGINT, settled BOOLEAN, complete BOOLEAN, judges VARCHAR[])")
        for table in schema.TABLES.values():
            self.sql(";".join(table.comments("TABLE")))
        for described in views.VIEWS.values():
            self.sql(";".join(described.comments("VIEW")))
        self.sql(f"INSERT INTO archive VALUES ({schema.SCHEMA_VERSION}, true, true, [])")

    @contextmanager
    def _written(self) -> Iterator[None]:
        """What DuckDB has against it comes out as `ArchiveError`."""
        import duckdb

        try:
            yield
        except duckdb.Error as error:
            raise ArchiveError(
                f"Cannot write the archive {self.path}: {connecting.write_failure(error)}."
            ) from error

    def sql(self, statement: str, **values: Any) -> list[tuple[Any, ...]]:
        """Run a statement and give its rows. Raises `ArchiveError`."""
        with self._written():
            return self._connection.execute(statement, values or None).fetchall()

    def take(self, judged: Judged) -> None:
        """Take in what came of some records; it is in the tables after `load` at the latest."""
        for tables in judged.batches:
            for name, rows in tables.items():
                self._wait(name, rows)
        self.add("files", judged.files)

    def add(self, table: str, rows: Sequence[Struct]) -> None:
        """Take in rows of `table`, likewise."""
        if rows:
            self._wait(table, _batch(schema.TABLES[table], rows))

    def _wait(self, table: str, rows: Batch) -> None:
        self._waiting[table].append(rows)
        self._count += len(rows)
        if self._count >= TOGETHER:
            self.load()

    def load(self) -> None:
        """Put all waiting rows into their tables."""
        for name, batches in self._waiting.items():
            self._insert(schema.TABLES[name], batches)
        self._waiting.clear()
        self._count = 0

    def temporary(self, name: str, kind: type[Struct], rows: Sequence[Struct]) -> None:
        """Make a table of `rows` that lives as long as the connection; `kind` declares its columns."""
        table = declared_table(name, kind)
        self.sql(table.create.replace("CREATE", "CREATE TEMP", 1))
        if rows:
            self._insert(table, [_batch(table, rows)])

    def _insert(self, table: Table, batches: Sequence[Batch]) -> None:
        """Put rows into a table. DuckDB finds them by the variable's name, in half the time a relation takes.
        Rows that were registered by name would stay in memory until the transaction ends.
        """
        from gamelog.archive.rows.arrow import duckdb_rows

        with self._written():
            arrow_rows = duckdb_rows(batches)  # noqa: F841 - the statement reads it
            self._connection.execute(f"INSERT INTO {table.name} SELECT {table.values} FROM arrow_rows")

    def undo(self) -> None:
        """Let nothing of what was done remain, when it is left."""
        self._undo = True

    def forget(self, ids: str) -> None:
        """Delete the records whose ids stand in the table `ids`,
        and what is found about their being several.
        """
        for table in schema.RECORD_TABLES:
            self.sql(f"DELETE FROM {table} WHERE id IN (FROM {ids})")
        self.sql(f"DELETE FROM findings WHERE id IN (FROM {ids}) AND code = $fork", fork=FORK)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
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
        """Close; an open transaction is rolled back,
        and files that were not there go while nobody else can open them.
        """
        log = Path(f"{self.path}.wal")
        with suppress(OSError):
            if undo and (self.new or not log.stat().st_size):  # a full disk leaves an empty one
                log.unlink()
        with suppress(OSError):
            if undo and self.new:
                self.path.unlink()
        self._connection.close()


def _batch(table: Table, rows: Sequence[Struct]) -> Batch:
    from gamelog.archive.rows.arrow import batch

    return batch(table, as_columns(rows))


@contextmanager
def sole_writer(archive: str | os.PathLike[str]) -> Iterator[None]:
    """Keep others from indexing into `archive`, by a locked file beside it; the system unlocks it when this
    process ends.

    Raises `ArchiveError` if another process does so already, or if the archive cannot be created.
    """
    path = f"{os.fspath(archive)}.lock"
    try:
        file = open(path, "a+")  # noqa: SIM115  (closed below; the yield of the other way out is between)
    except OSError as error:
        if not os.path.lexists(archive):
            raise ArchiveError(
                connecting.open_failure(os.fspath(archive), error.strerror or "", True)
            ) from None
        yield  # opening the archive will say why
        return
    with file:
        try:
            portalocker.lock(file, portalocker.LOCK_EX | portalocker.LOCK_NB)
        except portalocker.LockException:
            file.seek(0)
            holder = file.read(20).strip()
            who = "this process" if holder == str(os.getpid()) else f"another process (PID {holder})"
            raise ArchiveError(
                f"The archive {archive} is in use by {who}. Try again when that process has finished."
            ) from None
        file.truncate(0)
        file.write(f"{os.getpid()}\n")
        file.flush()
        try:
            yield
        finally:
            with suppress(OSError):  # Windows does not delete what is open
                os.unlink(path)
