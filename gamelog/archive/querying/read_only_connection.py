"""A connection for questions that reads archives and has access to nothing else.

An archive may come from an untrusted person. Its file is read as tables of rows, and no view or macro in the
file is run. The connection has a database of its own, with this release's views and macros over the tables.
All other access is closed before anything in an archive is read.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gamelog.archive.querying.answers import as_subquery
from gamelog.archive.schema import connecting, macros, tables, views
from gamelog.errors import ArchiveError

if TYPE_CHECKING:
    import duckdb

_CLOSED_SETTINGS = (
    "enable_external_access",
    "autoinstall_known_extensions",
    "autoload_known_extensions",
    "allow_community_extensions",
)
"""Settings that are switched off before the first question."""

_MAX_SPILL = "64GB"
"""Limit of the data that questions write to the disk if memory is short."""

_QUESTIONS = ("SELECT", "MULTI")
"""DuckDB's types of statements that are questions. PIVOT has the type MULTI."""

_MODIFIES = re.compile(r"\b(insert|update|delete|merge)\b", re.IGNORECASE)
"""Words of a question that may write to the reader's own tables in a WITH clause."""

_ONLY_READ = "An archive can only be read. Ask a question that begins with SELECT, FROM or WITH."


def locked_connection(
    archives: Sequence[Path], limits: dict[str, Any], *, spill: Path, writable: Path | None = None
) -> duckdb.DuckDBPyConnection:
    """Return a connection that reads these archives, each attached under its name in `catalogs`.

    Its settings are locked.

    Args:
        archives: The archives to read.
        limits: Limits by DuckDB's name of the setting.
        spill: The folder to which DuckDB writes if memory is short.
        writable: The only file that a statement may write.

    Raises:
        ArchiveError: An archive cannot be opened or has another version.
    """
    import duckdb

    connection = duckdb.connect(":memory:")
    try:
        run = connection.execute
        connecting.disable_progress_bar(connection)
        connecting.set_limits(
            connection, {**limits, "temp_directory": os.fspath(spill), "max_temp_directory_size": _MAX_SPILL}
        )
        for catalog, archive in zip(catalogs(archives), archives, strict=True):
            connecting.attach(connection, archive, catalog)
        if writable:
            run(f"SET allowed_paths = [{connecting.quote_path(writable)}]")
        for name in _CLOSED_SETTINGS:
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
    """Return the name of each archive's database on the connection."""
    return [f"archive_{number}" for number in range(1, len(archives) + 1)]


def _check(connection: duckdb.DuckDBPyConnection, archive: Path, catalog: str) -> None:
    """Raise `ArchiveError` unless the archive has every table of this release, with the same columns."""
    connecting.check_schema_version(connecting.schema_version(connection, archive, catalog), archive)
    for table in tables.TABLES.values():
        with connecting.read_errors(archive):
            described = (
                connection.execute(f"SELECT * FROM {catalog}.main.{table.name} LIMIT 0").description or ()
            )
        if [(column[0], str(column[1])) for column in described] != [
            (column.name, column.sql) for column in table.columns
        ]:
            raise ArchiveError(
                f"The archive {archive} is damaged: its table {table.name} has other columns. Delete the "
                "archive and index the records again."
            )


def check_question(connection: duckdb.DuckDBPyConnection, question: str, values: Mapping[str, Any]) -> None:
    """Raise `ArchiveError` unless `question`, with these parameters, is one statement that only reads."""
    import duckdb

    try:
        statements = connection.extract_statements(question)
    except duckdb.Error as error:
        reason = f"{connecting.duckdb_sentence(error)}{connecting.statement_place(error)}"
        raise ArchiveError(f"The question is not valid SQL: {reason}.") from None
    if not statements:
        raise ArchiveError("The question is empty. Ask in SQL, or name a stock question.")
    if len(statements) > 1:
        raise ArchiveError("The question has several statements. Ask one statement at a time.")
    if statements[0].type.name not in _QUESTIONS:
        raise ArchiveError(_ONLY_READ)
    if _MODIFIES.search(question):  # DuckDB refuses to modify data in a subquery
        try:
            connection.execute(f"DESCRIBE SELECT * FROM {as_subquery(question)}", dict(values) or None)
        except duckdb.Error as error:
            if "data-modifying" in str(error):
                raise ArchiveError(_ONLY_READ) from None


def create_views(
    connection: duckdb.DuckDBPyConnection, sources: dict[str, str], *, together: bool = False
) -> None:
    """Create the tables from these statements by name, and this release's views and macros over them."""
    for name, source in sources.items():
        connection.execute(f"CREATE OR REPLACE VIEW {name} AS {source}")
    connection.execute(macros.macro_statements())
    for view in views.view_statements(together=together):
        connection.execute(view)
