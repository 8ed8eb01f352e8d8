"""A reader that answers questions to archives, within limits on memory and time.

A question cannot write, read a file, load an extension or change a setting. The connection closes all of that
before it opens the archive (`gamelog.archive.querying.read_only_connection`).
"""

from __future__ import annotations

import os
from codecs import BOM_UTF8
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from secrets import token_hex
from shutil import copyfileobj, rmtree
from tempfile import mkdtemp
from threading import Timer
from typing import TYPE_CHECKING, Any
from weakref import finalize

import msgspec

from gamelog.archive.querying import (
    adjusted_results,
    dice_tests,
    league_days,
    questions,
    rating_history,
    read_only_connection,
    several_archives,
)
from gamelog.archive.querying.answer_notes import answer_notes
from gamelog.archive.querying.answers import (
    WRITERS,
    ZONED,
    Answer,
    Format,
    as_subquery,
    for_spreadsheets,
    zoned_times_as_text,
)
from gamelog.archive.querying.empty_answers import empty_reason
from gamelog.archive.querying.row_errors import row_errors
from gamelog.archive.rows import copies, near_names
from gamelog.archive.rows import people as persons
from gamelog.archive.schema import connecting
from gamelog.archive.schema.columns import text_constant
from gamelog.errors import ArchiveError, MissingExtra, WriteFailed
from gamelog.question_limits import UNLIMITED, QuestionLimits
from gamelog.record.atomic_files import atomic_file

if TYPE_CHECKING:
    import duckdb

ANSWER_FOLDER = f".gamelog-{token_hex(16)}"
"""Name of the folder, beside the file of an answer, in which an answer is written first.

All readers of this process use the same name, and no other process can guess it.
"""

_ON_DEMAND: Mapping[str, Callable[[duckdb.DuckDBPyConnection], None]] = {
    near_names.TABLE: near_names.create_near_people,
    rating_history.TABLE: rating_history.create_rating_history,
    adjusted_results.ADJUSTED_TABLE: adjusted_results.create_adjusted_results,
    dice_tests.DICE_TABLE: dice_tests.create_dice_tests,
}
"""Tables that are created for the first question that reads them, and their creators."""

INCOMPLETE_NOTE = (
    "Indexing has not ended, so some records may be missing. "
    "When no program indexes records, index them again."
)
"""Note for an archive whose last indexing has not ended."""

OVER_TIME_LIMIT = "The question exceeded the time limit of {:g} s. Ask for less, or raise the limit."
"""Error for a question over the time limit, given in seconds."""

OVER_MEMORY_LIMIT = "The question exceeded its memory limit. Ask for less, or raise the limit."
"""Error for a question over the memory limit."""

NO_OUTPUT_FILE = "No file was named for the answer. Name it with out= when you open the archive."
"""Error for an answer to a file that was not named when the archive was opened."""

Archives = str | os.PathLike[str] | Sequence[str | os.PathLike[str]]
"""The path of one archive, or several paths."""


def archive_paths(archives: Archives) -> tuple[Path, ...]:
    """Return the paths of the archives.

    Raises:
        ArchiveError: There is no path.
    """
    paths = (Path(archives),) if isinstance(archives, (str, os.PathLike)) else tuple(map(Path, archives))
    if not paths:
        raise ArchiveError("No archive is named. Name the archive to ask.")
    return paths


def _part_path(out: str | os.PathLike[str], temp_folder: str = ANSWER_FOLDER) -> Path:
    """Return the path at which an answer for the file `out` is written first."""
    return Path(out).absolute().parent / temp_folder / Path(out).name


def _mark_encoding(part: Path) -> None:
    """Add the byte order mark of UTF-8 to the CSV file `part`, because DuckDB cannot write it.

    Raises:
        ArchiveError: The file cannot be written.
    """
    unmarked = part.with_name(f"{part.name}.plain")
    try:
        part.rename(unmarked)
        with unmarked.open("rb") as rows, part.open("xb") as file:
            file.write(BOM_UTF8)
            copyfileobj(rows, file)
        unmarked.unlink()
    except OSError as error:
        raise ArchiveError(
            f"Cannot write the answer: {error.strerror}. Check the folder and your access to "
            "it, then try again."
        ) from None


class Reader:
    """One archive or several, open for questions. Several processes can read an archive at the same time."""

    def __init__(
        self,
        archive: Archives,
        limits: QuestionLimits = UNLIMITED,
        *,
        out: str | os.PathLike[str] | None = None,
        people: str | os.PathLike[str] | None = None,
        temp_folder: str = ANSWER_FOLDER,
    ) -> None:
        """Open one archive, or several as one.

        With several archives, each table has the rows of all, and a column ``archive`` with the name of the
        file. Each record counts once (`gamelog.archive.querying.several_archives`).

        DuckDB keeps the `limits` in this process. It checks them between the steps of a question, so a single
        function over a long text, or the rows in Python, may exceed them. `gamelog.archive.SubprocessReader`
        runs questions in a process of its own, which keeps all limits.

        Args:
            archive: The path of the archive, or several paths.
            limits: Limits on the memory that DuckDB uses before it writes to disk, the time of each question,
                and the number of processors. By default, there are none.
            out: The only file that `save` may write.
            people: A file of aliases (`gamelog.archive.rows.people`). By default, ``people.toml`` beside the
                archive, if there is such a file.
            temp_folder: The name of the folder beside `out` in which the answer is written first.

        Raises:
            ArchiveError: An archive cannot be opened.
        """
        self.paths = archive_paths(archive)
        self.limits = limits
        self.out = None if out is None else Path(out)
        self._temp_folder = temp_folder
        self._notes: dict[str, tuple[str, ...]] = {}
        self._created = set[str]()
        self._league_days: dict[str, set[str]] = {macro: set() for macro in league_days.MACROS}
        spill = mkdtemp(prefix="gamelog-")
        self._remove_spill = finalize(self, rmtree, spill, ignore_errors=True)
        settings = {"memory_limit": limits.memory, "threads": limits.threads}
        writable = None if out is None else _part_path(out, temp_folder)
        try:
            self._connection = read_only_connection.locked_connection(
                self.paths, settings, spill=Path(spill), writable=writable
            )
        except BaseException:
            self._remove_spill()
            raise
        try:
            with self._within_limits():  # opening may have to find out which records count
                self._open(people)
        except BaseException:
            self.close()
            raise

    def _open(self, people: str | os.PathLike[str] | None) -> None:
        """Create the tables, and work out what the archives leave open: copies, people, counted records."""
        run, several = self._connection, len(self.paths) > 1
        states = [
            connecting.archive_state(run, *path_and_catalog)
            for path_and_catalog in zip(self.paths, read_only_connection.catalogs(self.paths), strict=True)
        ]
        if several:
            several_archives.create_merged_tables(run, self.paths)
        else:
            several_archives.create_single_archive_tables(run)
        people_file = persons.people_file(self.paths, people)
        names_by_person, aliases = persons.read_aliases(people_file, named=people is not None)
        self._archive_notes = persons.unknown_names(run, people_file, names_by_person)
        if people_file is None:
            aliases = persons.league_aliases(run)
        if not all(complete for _, complete in states):
            self._archive_notes = (INCOMPLETE_NOTE, *self._archive_notes)
        if several or aliases or people_file or not all(settled for settled, _ in states):
            copies.apply_aliases(run, aliases)

    def ask(
        self, question: str, values: Mapping[str, Any] | None = None, *, limit: int | None = None
    ) -> Answer:
        """Return the answer to a question in SQL, or to a stock question by its name.

        Args:
            question: SQL, or the name of a stock question.
            values: The parameters (``$name`` in SQL).
            limit: The largest number of rows to return.

        Raises:
            ArchiveError: DuckDB refuses or cannot answer the question.
        """
        sql, bound = self._prepare(question, values or {})
        with self._within_limits():
            result = self._connection.execute(sql, bound or None)
            columns = tuple(column[0] for column in result.description or ())
            types = tuple(str(column[1]) for column in result.description or ())
            if any(ZONED.search(type) for type in types):
                result = self._connection.execute(zoned_times_as_text(sql, types), bound or None)
            rows = result.fetchall() if limit is None else result.fetchmany(limit)
        return Answer(columns, types, rows, self.notes(question, values))

    def notes(self, question: str, values: Mapping[str, Any] | None = None) -> tuple[str, ...]:
        """Return the notes to an answer, as sentences. For SQL, only notes on the whole archive."""
        stock_question = questions.all_questions().get(question.strip())
        if stock_question is None:
            return self._archive_notes
        bound = stock_question.values(values or {})
        self._create_on_demand(stock_question.sql, bound)
        choice_names = [parameter.name for parameter in (*questions.GAME_PARAMETERS, questions.UNCOUNTED)]
        chosen = repr(
            (
                stock_question.name if "by" in bound else "",
                stock_question.is_about_groups,
                stock_question.part,
                stock_question.name == "standings",
                [bound.get(name) for name in (*choice_names, "by", "credit")],
            )
        )
        with self._within_limits(), row_errors(self.paths):
            if chosen not in self._notes:
                self._notes[chosen] = answer_notes(self._connection, stock_question, bound)
            reasons = empty_reason(self._connection, stock_question, bound)
            return (*self._archive_notes, *self._notes[chosen], *reasons)

    def save(
        self,
        question: str,
        format: Format,
        values: Mapping[str, Any] | None = None,
        *,
        for_spreadsheets: bool = False,
    ) -> None:
        """Write the answer to the file `out` of this reader, all of it or nothing.

        DuckDB writes row by row, so an answer may be larger than memory. If `out` is a link, the link is
        replaced.

        Args:
            question: SQL that only reads, or the name of a stock question.
            format: The format of the file.
            values: The values of the parameters of a stock question, by name; None and missing names mean the
                defaults.
            for_spreadsheets: Whether a CSV file begins with a byte order mark, and text that a spreadsheet
                would read as a formula begins with an apostrophe. Other formats ignore it.

        Raises:
            ArchiveError: This reader has no `out`, the question fails, or the file cannot be written.
        """
        if self.out is None:
            raise ArchiveError(NO_OUTPUT_FILE)
        with atomic_answer(self.out, self._temp_folder):
            self.write(question, format, values, for_spreadsheets=for_spreadsheets)

    def write(
        self,
        question: str,
        format: Format,
        values: Mapping[str, Any] | None = None,
        *,
        for_spreadsheets: bool = False,
    ) -> None:
        """Write the answer to the file that `save` renames when it is whole.

        Args:
            question: SQL that only reads, or the name of a stock question.
            format: The format of the file.
            values: The values of the parameters, as in `save`.
            for_spreadsheets: Whether a CSV file is prepared for spreadsheets, as in `save`.

        Raises:
            ArchiveError: The question fails, or the file cannot be written.
        """
        assert self.out is not None
        sql, bound = self._prepare(question, values or {})
        marked, part = for_spreadsheets and format == "csv", _part_path(self.out, self._temp_folder)
        with self._within_limits():
            if marked:
                sql = self._for_spreadsheets(sql, bound)
            copy_options = WRITERS[format]
            if format == "parquet":
                copy_options = copy_options.format(
                    description=text_constant(self._description(question, sql, bound))
                )
            with self._full_disk_errors():
                self._connection.execute(
                    f"COPY {as_subquery(sql)} TO {connecting.quote_path(part)} {copy_options}", bound or None
                )
        if marked:
            _mark_encoding(part)

    @contextmanager
    def _full_disk_errors(self) -> Iterator[None]:
        """Raise `ArchiveError` if the answer cannot be written because the disk is full."""
        import duckdb

        try:
            yield
        except duckdb.IOException as error:
            if connecting.is_disk_full(error):
                raise ArchiveError(f"Cannot write {self.out}: {connecting.write_failure(error)}.") from None
            raise

    def _for_spreadsheets(self, sql: str, bound: dict[str, Any]) -> str:
        return for_spreadsheets(sql, self._columns(sql, bound))

    def _columns(self, sql: str, bound: dict[str, Any]) -> list[tuple[str, str]]:
        """Return the names and SQL types of the answer's columns."""
        described = self._connection.execute(f"DESCRIBE {as_subquery(sql)}", bound or None).fetchall()
        return [(name, type) for name, type, *_ in described]

    def _description(self, question: str, sql: str, bound: dict[str, Any]) -> str:
        """Return the metadata of a Parquet file, as JSON: the question and the meanings of its columns."""
        known = questions.all_questions().get(question.strip())
        about = {"question": known.title, "description": known.text} if known else {}
        columns = questions.meanings(sql, self._columns(sql, bound))
        return msgspec.json.encode(about | {"columns": columns}).decode()

    def relation(self, question: str, values: Mapping[str, Any] | None = None) -> duckdb.DuckDBPyRelation:
        """Return the answer as a DuckDB relation, to filter, join and aggregate.

        DuckDB computes the relation when you ask for its rows, while this reader is open. The limit on time
        does not apply then, and errors are DuckDB's own. The relation has no more access than a question.

        Raises:
            ArchiveError: The question fails.
        """
        sql, bound = self._prepare(question, values or {})
        with self._within_limits():
            relation: duckdb.DuckDBPyRelation | None = self._connection.sql(sql, params=bound or None)
        if relation is None:
            raise ArchiveError("The statement returns no rows. Ask a question that begins with SELECT.")
        return relation

    def arrow(self, question: str, values: Mapping[str, Any] | None = None) -> Any:
        """Return the answer as a ``pyarrow.Table``.

        Raises:
            ArchiveError: The question fails.
            MissingExtra: The package is not installed.
        """
        return self._data_frame("to_arrow_table", ("pyarrow",), question, values)

    def polars(self, question: str, values: Mapping[str, Any] | None = None) -> Any:
        """Return the answer as a ``polars.DataFrame``.

        Raises:
            ArchiveError: The question fails.
            MissingExtra: The package is not installed.
        """
        return self._data_frame("pl", ("polars", "pyarrow"), question, values)

    def pandas(self, question: str, values: Mapping[str, Any] | None = None) -> Any:
        """Return the answer as a ``pandas.DataFrame``.

        Raises:
            ArchiveError: The question fails.
            MissingExtra: The package is not installed.
        """
        return self._data_frame("df", ("pandas",), question, values)

    def _data_frame(
        self, method: str, packages: tuple[str, ...], question: str, values: Mapping[str, Any] | None
    ) -> Any:
        """Return the answer as a data frame, made by DuckDB's `method` with the `packages`.

        Raises:
            MissingExtra: One of the packages is not installed.
        """
        for package in packages:
            try:
                import_module(package)
            except ImportError:
                raise MissingExtra(f"An answer for {packages[0]}", "frames") from None
        relation = self.relation(question, values)
        with self._within_limits():
            return getattr(relation, method)()

    def _prepare(self, question: str, values: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
        """Return the SQL of the question and its parameters.

        Raises:
            ArchiveError: The question does more than read.
        """
        known = questions.all_questions().get(question.strip())
        if known:
            given = known.values(values)
            self._create_on_demand(known.sql, given)
            return known.statement(given), given
        if suggestion := questions.suggestion_for(question):
            raise ArchiveError(suggestion)
        read_only_connection.check_question(self._connection, question, values)
        self._create_on_demand(question, values)
        return question, dict(values)

    def _create_on_demand(self, sql: str, values: Mapping[str, Any]) -> None:
        """Create the tables that a statement reads, if they do not exist yet."""
        for table, create in _ON_DEMAND.items():
            if table in sql and table not in self._created:
                with self._within_limits():
                    create(self._connection)
                self._created.add(table)
        for macro in league_days.macros_in(sql):
            days, day = self._league_days[macro], values.get("as_of")
            if str(day) not in days:
                with self._within_limits():
                    league_days.keep_league_day(self._connection, macro, day, is_first=not days)
                days.add(str(day))

    @contextmanager
    def _within_limits(self) -> Iterator[None]:
        """Interrupt DuckDB at the time limit.

        Raises:
            ArchiveError: DuckDB fails, or the time limit is reached.
        """
        import duckdb

        seconds = self.limits.timeout
        timer = Timer(seconds, self._connection.interrupt) if seconds is not None else None
        if timer:
            timer.daemon = True
            timer.start()
        try:
            yield
        except duckdb.InterruptException:
            raise ArchiveError(OVER_TIME_LIMIT.format(seconds)) from None
        except (duckdb.OutOfMemoryException, MemoryError):
            raise ArchiveError(OVER_MEMORY_LIMIT) from None
        except duckdb.Error as error:
            raise ArchiveError(
                "The archive cannot answer this question: "
                f"{connecting.duckdb_sentence(error)}{connecting.statement_place(error)}. Correct the "
                "question and try again."
            ) from None
        finally:
            if timer:
                timer.cancel()

    def close(self) -> None:
        """Close the archives."""
        self._connection.close()
        self._remove_spill()

    def __enter__(self) -> Reader:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


@contextmanager
def atomic_answer(out: Path, temp_folder: str) -> Iterator[None]:
    """Create the folder for an unfinished answer, and rename the answer to `out` when it is whole.

    Raises:
        ArchiveError: The folder or the answer cannot be written.
    """
    try:
        with atomic_file(out, temp_folder=temp_folder):
            yield
    except WriteFailed as error:
        raise ArchiveError(str(error)) from None
