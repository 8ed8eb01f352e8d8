"""Asking an archive: read-only, cut off from files and network, bounded in memory and time.

Whatever a question says, it cannot write, read a file, load an extension or change a setting:
the connection is closed to all of it before the question is looked at.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from secrets import token_hex
from threading import Timer
from types import TracebackType
from typing import TYPE_CHECKING, Any, Literal

from msgspec import Struct

from gamelog.archive import opening, stock
from gamelog.archive.people import join
from gamelog.archive.remarks import remarks
from gamelog.errors import ArchiveError, MissingExtra, WriteFailed
from gamelog.record.placing import placed

if TYPE_CHECKING:
    import duckdb

Format = Literal["csv", "json", "parquet"]

WRITERS: dict[Format, str] = {
    "csv": "(FORMAT csv, HEADER)",
    "json": "(FORMAT json)",
    "parquet": "(FORMAT parquet, COMPRESSION zstd)",
}
"""How DuckDB writes each format. ``json`` is one object a line."""


ZONED = "TIMESTAMP WITH TIME ZONE"
"""A type that DuckDB cannot make Python values of without the package pytz; such columns come as text."""

ROOM = f".gamelog-{token_hex(16)}"
"""The folder beside an answer in which it is written: one name for all readers of this process, which nobody else can know."""

FORMULA = r"^[=+\-@\t\r]"
"""How text begins that a spreadsheet takes for a formula."""

QUESTIONS = ("SELECT", "MULTI")
"""The kinds of statements that are questions, as DuckDB calls them; PIVOT is of the second."""


class Answer(Struct, frozen=True):
    """What a question gave: names and SQL types of the columns, and the rows.

    ``notes`` are what must be known beside the rows of a stock question: what it takes together, and what it leaves out.
    """

    columns: tuple[str, ...]
    types: tuple[str, ...]
    rows: list[tuple[Any, ...]]
    notes: tuple[str, ...] = ()

    def dicts(self) -> list[dict[str, Any]]:
        """The rows as mappings from column to value."""
        return [dict(zip(self.columns, row, strict=True)) for row in self.rows]


def _as_text(sql: str, types: tuple[str, ...]) -> str:
    """The question `sql`, its columns of zoned times as text."""
    names = [f"c{at}" for at in range(len(types))]
    told = ", ".join(f"CAST({name} AS VARCHAR)" if ZONED in type else name for name, type in zip(names, types, strict=True))
    return f"SELECT {told} FROM ({sql.rstrip().rstrip(';')}\n) AS asked({', '.join(names)})"


class Reader:
    """An archive, open for questions; any number of processes may read it at once."""

    def __init__(
        self,
        archive: str | os.PathLike[str],
        *,
        memory: str | None = None,
        seconds: float | None = None,
        threads: int | None = None,
        out: str | os.PathLike[str] | None = None,
        people: str | os.PathLike[str] | None = None,
    ) -> None:
        """Open the archive. Raises `ArchiveError`.

        `memory` (``512MB``) bounds what DuckDB holds in memory before it spills to disk, `seconds`
        the time of each question, `threads` the processors it uses. `out` is the one file that
        `save` may write. `people` is a file of aliases (`gamelog.archive.people`); without it the one
        called ``people.toml`` beside the archive, if there is one. Readers of one archive in one process
        share its bounds and `out`, so the later ones may not ask for others than the first; `seconds`
        and `people` are each reader's own, and each is closed by itself.
        """
        self.path = Path(archive)
        self.seconds = seconds
        self.out = None if out is None else Path(out)
        self._notes: dict[str, tuple[str, ...]] = {}
        self._connection = opening.connect(self.path, write=False)
        try:
            opening.agree(opening.version(self._connection, self.path), self.path)
            join(self._connection, self.path, people)
            self._lock({"memory_limit": memory, "threads": threads})
        except BaseException:
            self._connection.close()
            raise

    def _lock(self, bounds: dict[str, Any]) -> None:
        """Shut everything but the archive itself, and set the bounds. Nothing of it can be changed on this connection again."""
        run = self._connection.execute
        if opening.setting(self._connection, "lock_configuration"):
            self._share(bounds)
            return
        run(opening.QUIET)
        opening.bind(self._connection, bounds)
        if self.out:
            run(f"SET allowed_paths = [{opening.quoted(self._beside)}]")
        for name in ("enable_external_access", "autoinstall_known_extensions", "autoload_known_extensions"):
            run(f"SET {name} = false")
        run("SET lock_configuration = true")

    def _share(self, bounds: dict[str, Any]) -> None:
        """Be content with the bounds of the reader that this process has open. Raises `ArchiveError` where they differ."""
        import duckdb

        with duckdb.connect() as wished:  # says sizes as the archive's connection does
            opening.bind(wished, bounds)
            asked = [name for name, value in bounds.items() if value is not None]
            same = all(opening.setting(wished, name) == opening.setting(self._connection, name) for name in asked)
        if not same or (self.out and os.fspath(self._beside) not in opening.setting(self._connection, "allowed_paths")):
            what = "within other bounds" if not same else "by a reader that may not write that file"
            raise ArchiveError(f"{self.path} is being read by this process already, {what}; close that reader first.")

    def ask(self, question: str, values: Mapping[str, Any] | None = None, *, limit: int | None = None) -> Answer:
        """The answer to an SQL question, or to a stock question asked by its name.

        `values` are the parameters (``$name`` in SQL). At most `limit` rows come back. Raises
        `ArchiveError`, in one sentence, for anything DuckDB objects to.
        """
        sql, bound = self._prepared(question, values or {})
        with self._bounded():
            result = self._connection.execute(sql, bound or None)
            columns = tuple(column[0] for column in result.description or ())
            types = tuple(str(column[1]) for column in result.description or ())
            if any(ZONED in type for type in types):
                result = self._connection.execute(_as_text(sql, types), bound or None)
            rows = result.fetchall() if limit is None else result.fetchmany(limit)
        return Answer(columns, types, rows, self.notes(question, values))

    def notes(self, question: str, values: Mapping[str, Any] | None = None) -> tuple[str, ...]:
        """What must be known beside the answer to a stock question, in sentences; nothing about SQL."""
        known = stock.all_questions().get(question.strip())
        if known is None:
            return ()
        bound = known.values(values or {})
        chosen = repr([bound.get(parameter.name) for parameter in (*stock.CHOICE, stock.UNCOUNTED)]) + str(known.groups)
        if chosen not in self._notes:
            with self._bounded():
                self._notes[chosen] = remarks(self._connection, known, bound)
        return self._notes[chosen]

    @property
    def _beside(self) -> Path:
        """Where `save` writes before the file takes its name."""
        assert self.out is not None
        return self.out.absolute().parent / ROOM / self.out.name

    def save(
        self, question: str, format: Format, values: Mapping[str, Any] | None = None, *, for_spreadsheets: bool = False
    ) -> None:
        """Write the answer to the file that the reader was opened for, whole or not at all. Raises `ArchiveError`.

        DuckDB writes it row by row, so an answer may be larger than memory. A link of the file's name is replaced, not
        followed. In a CSV `for_spreadsheets`, text that one would take for a formula begins with an apostrophe.
        """
        if self.out is None:
            raise ArchiveError("Say which file to write when opening the archive.")
        sql, bound = self._prepared(question, values or {})
        try:
            with placed(self.out, room=ROOM) as part, self._bounded():
                if for_spreadsheets and format == "csv":
                    sql = self._for_spreadsheets(sql, bound)
                self._connection.execute(
                    f"COPY ({sql.rstrip().rstrip(';')}\n) TO {opening.quoted(part)} {WRITERS[format]}", bound or None
                )
        except WriteFailed as error:
            raise ArchiveError(str(error)) from None

    def _for_spreadsheets(self, sql: str, bound: dict[str, Any]) -> str:
        """The question `sql`, its texts marked where they begin as a formula does."""
        described = self._connection.execute(f"DESCRIBE ({sql.rstrip().rstrip(';')}\n)", bound or None).fetchall()
        cells = []
        for at, (name, type, *_) in enumerate(described):
            marked = f"CASE WHEN regexp_matches(c{at}, '{FORMULA}') THEN '''' || c{at} ELSE c{at} END"
            quoted = name.replace('"', '""')
            cells.append(f'{marked if type == "VARCHAR" else f"c{at}"} AS "{quoted}"')
        names = ", ".join(f"c{at}" for at in range(len(described)))
        return f"SELECT {', '.join(cells)} FROM ({sql.rstrip().rstrip(';')}\n) AS asked({names})"

    def relation(self, question: str, values: Mapping[str, Any] | None = None) -> duckdb.DuckDBPyRelation:
        """The answer as a DuckDB relation, to filter, join and aggregate further. Raises `ArchiveError`.

        It is worked out when its rows are asked for, while this reader is open: without its bound
        on time, and what goes wrong then comes as DuckDB's own error. It is as shut in as any question.
        """
        sql, bound = self._prepared(question, values or {})
        with self._bounded():
            relation: duckdb.DuckDBPyRelation | None = self._connection.sql(sql, params=bound or None)
        if relation is None:
            raise ArchiveError("That gives no rows; ask with SELECT.")
        return relation

    def arrow(self, question: str, values: Mapping[str, Any] | None = None) -> Any:
        """The answer as a ``pyarrow.Table``. Raises `ArchiveError`, and `MissingExtra`."""
        return self._framed("to_arrow_table", ("pyarrow",), question, values)

    def polars(self, question: str, values: Mapping[str, Any] | None = None) -> Any:
        """The answer as a ``polars.DataFrame``. Raises `ArchiveError`, and `MissingExtra`."""
        return self._framed("pl", ("polars", "pyarrow"), question, values)

    def pandas(self, question: str, values: Mapping[str, Any] | None = None) -> Any:
        """The answer as a ``pandas.DataFrame``. Raises `ArchiveError`, and `MissingExtra`."""
        return self._framed("df", ("pandas",), question, values)

    def _framed(self, method: str, packages: tuple[str, ...], question: str, values: Mapping[str, Any] | None) -> Any:
        for package in packages:
            try:
                import_module(package)
            except ImportError:
                raise MissingExtra(f"An answer for {packages[0]}", "frames") from None
        relation = self.relation(question, values)
        with self._bounded():
            return getattr(relation, method)()

    def _prepared(self, question: str, values: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
        """The SQL and its parameters. Raises `ArchiveError` unless it is one statement."""
        import duckdb

        known = stock.all_questions().get(question.strip())
        if known:
            given = known.values(values)
            return known.statement(given), given
        if meant := stock.meant(question):
            raise ArchiveError(meant)
        try:
            statements = self._connection.extract_statements(question)
        except duckdb.Error as error:
            raise ArchiveError(f"That is no SQL: {opening.sentence(error)}{opening.where(error)}.") from None
        if len(statements) != 1:
            raise ArchiveError(
                "Ask one question." if statements else "The question is empty; gamelog query --list shows what can be asked."
            )
        if statements[0].type.name not in QUESTIONS:
            raise ArchiveError("An archive is only read: ask a question, which begins with SELECT, FROM or WITH.")
        return question, dict(values)

    @contextmanager
    def _bounded(self) -> Iterator[None]:
        import duckdb

        timer = Timer(self.seconds, self._connection.interrupt) if self.seconds is not None else None
        if timer:
            timer.daemon = True
            timer.start()
        try:
            yield
        except duckdb.InterruptException:
            raise ArchiveError(f"The question took longer than {self.seconds:g} s; ask for less, or allow more time.") from None
        except duckdb.OutOfMemoryException:
            raise ArchiveError("The question needs more memory than it may use; ask for less, or allow more.") from None
        except duckdb.Error as error:
            raise ArchiveError(f"The archive cannot answer that: {opening.sentence(error)}{opening.where(error)}.") from None
        finally:
            if timer:
                timer.cancel()

    def close(self) -> None:
        """Let go of the archive."""
        self._connection.close()

    def __enter__(self) -> Reader:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()
