"""An archive that is being written: rows go in by the file, and all of it in one transaction."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from importlib.resources import files
from pathlib import Path
from tempfile import TemporaryDirectory, gettempdir
from types import TracebackType
from typing import Any, BinaryIO

import msgspec
from msgspec import Struct

from gamelog.archive import opening, schema, views
from gamelog.archive.judging import Judged
from gamelog.errors import ArchiveError

FORK = "archive.fork"
"""Code of a finding: two files call themselves the same record, and neither extends the other. The record does not count."""

MEMORY = "200MB"
"""What DuckDB may hold before it writes to the archive or spills."""

SPOOL = 32 << 20
"""Bytes of waiting rows from which on they are loaded."""


class Store:
    """An archive, open for writing; nobody else can open it meanwhile.

    Used as a context: leaving it well commits, leaving it by an error undoes everything, and so
    does a process that ends in the middle. DuckDB's own errors come out as `ArchiveError`.
    """

    def __init__(self, path: str | os.PathLike[str], *, threads: int = 1) -> None:
        """Open or create the archive at `path`. Raises `ArchiveError`."""
        self.path = Path(path)
        self._new = not self.path.exists()
        self._encoder = msgspec.json.Encoder()
        self._waiting: dict[str, BinaryIO] = {}
        self._weight = 0
        self._connection = opening.connect(self.path, write=True)
        self._threads = threads

    def __enter__(self) -> Store:
        try:
            found = opening.version(self._connection, self.path)
            if found is not None:
                opening.agree(found, self.path)
            self.sql(opening.QUIET)
            self.sql(f"SET threads = {self._threads}")
            self.sql(f"SET memory_limit = '{MEMORY}'")
            self.sql("BEGIN")
            if found is None:
                self._create()
            with self._disk():
                self._spool = TemporaryDirectory(prefix="gamelog-")
        except BaseException:
            self._close(undo=True)
            raise
        return self

    @contextmanager
    def _disk(self) -> Iterator[None]:
        """Where rows wait before they are loaded: what the system refuses there comes out as `ArchiveError`."""
        try:
            yield
        except OSError as error:
            folder = gettempdir()
            raise ArchiveError(f"Rows cannot wait in {folder}: {error.strerror}; make room, or set TMPDIR elsewhere.") from None

    def _create(self) -> None:
        for table in schema.TABLES.values():
            self.sql(table.create)
        for view in views.STATEMENTS:
            self.sql(view)
        self.sql(files("gamelog.archive").joinpath("macros.sql").read_text("utf-8"))
        self.sql("CREATE TABLE archive (version BIGINT)")
        self.sql(f"INSERT INTO archive VALUES ({schema.VERSION})")

    def sql(self, statement: str, **values: Any) -> list[tuple[Any, ...]]:
        """Run a statement and give its rows. Raises `ArchiveError`."""
        import duckdb

        try:
            return self._connection.execute(statement, values or None).fetchall()
        except duckdb.Error as error:
            raise ArchiveError(f"The archive {self.path} cannot be written: {opening.reason(error)}.") from error

    def add(self, table: str, lines: bytes) -> None:
        """Take in rows of `table` as JSON lines; they are in the table after `load` at the latest."""
        with self._disk():
            if table not in self._waiting:
                self._waiting[table] = Path(self._spool.name, table).open("wb")  # noqa: SIM115 - load closes it
            self._waiting[table].write(lines)
        self._weight += len(lines)
        if self._weight >= SPOOL:
            self.load()

    def load(self) -> None:
        """Put all waiting rows into their tables."""
        for table, file in self._waiting.items():
            with self._disk():
                file.close()
            self.sql(schema.TABLES[table].insert, path=opening.literal(file.name))
        self._waiting = {}
        self._weight = 0

    def take(self, judged: Judged) -> None:
        """Take in what came of a batch."""
        for table, lines in judged.lines.items():
            self.add(table, lines)
        self.add("files", self._encoder.encode_lines(judged.files))

    def temporary(self, name: str, kind: type[Struct], rows: Sequence[Struct]) -> None:
        """Make a table of `rows` that lives as long as the connection; `kind` declares its columns."""
        table = schema.table(name, kind)
        self.sql(table.create.replace("CREATE", "CREATE TEMP", 1))
        path = Path(self._spool.name, name)
        with self._disk():
            path.write_bytes(self._encoder.encode_lines(rows))
        self.sql(table.insert, path=opening.literal(path))

    def forget(self, ids: str) -> None:
        """Delete the records whose ids stand in the table `ids`, and what is found about their being several."""
        for table in schema.RECORD_TABLES:
            self.sql(f"DELETE FROM {table} WHERE id IN (FROM {ids})")
        self.sql(f"DELETE FROM findings WHERE id IN (FROM {ids}) AND code = $fork", fork=FORK)

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        try:
            if kind is None:
                self.load()
                self.sql("COMMIT")
        except BaseException:
            kind = ArchiveError
            raise
        finally:
            for file in self._waiting.values():
                with suppress(OSError):  # a full disk; what waits there is thrown away
                    file.close()
            self._spool.cleanup()
            self._close(undo=kind is not None)

    def _close(self, *, undo: bool) -> None:
        """Close; an open transaction is rolled back, and files that were not there go while nobody else can open them."""
        log = Path(f"{self.path}.wal")
        with suppress(OSError):
            if undo and (self._new or not log.stat().st_size):  # a full disk leaves an empty one
                log.unlink()
        with suppress(OSError):
            if undo and self._new:
                self.path.unlink()
        self._connection.close()
