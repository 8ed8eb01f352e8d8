"""A connection for questions: archives read-only, everything else shut before anything in them is read.

An archive may come from anybody. What stands in its file is read as tables of rows and never run: the
connection's own database holds this release's views and macros over those tables, and no name is looked up in
the file itself.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gamelog.archive.asking.answers import within
from gamelog.archive.schema import connecting, views
from gamelog.archive.schema import tables as schema
from gamelog.errors import ArchiveError

if TYPE_CHECKING:
    import duckdb

SHUT = (
    "enable_external_access",
    "autoinstall_known_extensions",
    "autoload_known_extensions",
    "allow_community_extensions",
)
"""Settings that are off before anything is asked."""

SPILL = "64GB"
"""The most that questions may write to the disk for want of memory."""

_QUESTIONS = ("SELECT", "MULTI")
"""The kinds of statements that are questions, as DuckDB calls them; PIVOT is of the second."""

_MODIFIES = re.compile(r"\b(insert|update|delete|merge)\b", re.IGNORECASE)
"""What stands in a question that may write to the reader's own tables, in a WITH clause."""

ONLY_READ = "An archive is only read: ask a question, which begins with SELECT, FROM or WITH."


def locked_connection(
    archives: Sequence[Path], bounds: dict[str, Any], *, spill: Path, writable: Path | None = None
) -> duckdb.DuckDBPyConnection:
    """A connection that reads these archives, each attached under its `catalogs` name, within `bounds`.

    It writes to `spill`, a folder, for want of memory, and to the file `writable`. Nothing of it can be
    changed again. Raises `ArchiveError`.
    """
    import duckdb

    connection = duckdb.connect(":memory:")
    try:
        run = connection.execute
        connecting.disable_progress_bar(connection)
        connecting.bind(
            connection, {**bounds, "temp_directory": os.fspath(spill), "max_temp_directory_size": SPILL}
        )
        for catalog, archive in zip(catalogs(archives), archives, strict=True):
            connecting.attach(connection, archive, catalog)
        if writable:
            run(f"SET allowed_paths = [{connecting.quoted(writable)}]")
        for name in SHUT:
            run(f"SET {name} = false")
        run("SET lock_configuration = true")
        run("CREATE SCHEMA settled")
        for catalog, archive in zip(catalogs(archives), archives, strict=True):
            _check(connection, archive, catalog)
    except BaseException:
        connection.close()
        raise
    return connection


def catalogs(archives: Sequence[Path]) -> list[str]:
    """What each archive's database is called on the connection."""
    return [f"archive_{at}" for at in range(1, len(archives) + 1)]


def _check(connection: duckdb.DuckDBPyConnection, archive: Path, catalog: str) -> None:
    """See that every table of this release is a table there, with its columns. Raises `ArchiveError`."""
    connecting.check_schema_version(connecting.version(connection, archive, catalog), archive)
    for table in schema.TABLES.values():
        with _spoken(archive):
            found = connection.execute(f"SELECT * FROM {catalog}.main.{table.name} LIMIT 0").description or ()
        if [(column[0], str(column[1])) for column in found] != [
            (column.name, column.sql) for column in table.columns
        ]:
            raise ArchiveError(
                f"{archive} is not whole: its table {table.name} is another; delete it and index the "
                "records again."
            )


@contextmanager
def _spoken(archive: Path) -> Iterator[None]:
    """What DuckDB has against an archive comes out as `ArchiveError`."""
    import duckdb

    try:
        yield
    except duckdb.Error as error:
        raise ArchiveError(
            f"{archive} is not whole: {connecting.duckdb_sentence(error)}; delete it and index the records "
            "again."
        ) from None


def check_question(connection: duckdb.DuckDBPyConnection, question: str, values: Mapping[str, Any]) -> None:
    """Raises `ArchiveError` unless `question`, with these parameters, is one statement that only reads."""
    import duckdb

    try:
        statements = connection.extract_statements(question)
    except duckdb.Error as error:
        said = f"{connecting.duckdb_sentence(error)}{connecting.where(error)}"
        raise ArchiveError(f"That is not SQL: {said}.") from None
    if not statements:
        raise ArchiveError("The question is empty; gamelog query --list shows what can be asked.")
    if len(statements) > 1:
        raise ArchiveError("Ask one question.")
    if statements[0].type.name not in _QUESTIONS:
        raise ArchiveError(ONLY_READ)
    if _MODIFIES.search(question):  # inside another question nothing may be modified
        try:
            connection.execute(f"DESCRIBE SELECT * FROM {within(question)}", dict(values) or None)
        except duckdb.Error as error:
            if "data-modifying" in str(error):
                raise ArchiveError(ONLY_READ) from None


def define(connection: duckdb.DuckDBPyConnection, tables: dict[str, str], *, together: bool = False) -> None:
    """Let the tables be what these statements give, and make this release's views and macros over them."""
    for name, source in tables.items():
        connection.execute(f"CREATE OR REPLACE VIEW {name} AS {source}")
    connection.execute(files("gamelog.archive.schema").joinpath("macros.sql").read_text("utf-8"))
    for view in views.statements(together=together):
        connection.execute(view)
