"""Asking archives: read-only, cut off from files and network, bounded in memory and time.

Whatever a question says, it cannot write, read a file, load an extension or change a setting: the
connection is closed to all of it before the archive is looked at
(`gamelog.archive.asking.read_only_connection`).
"""

from __future__ import annotations

import os
from codecs import BOM_UTF8
from collections.abc import Iterator, Mapping, Sequence
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

from gamelog.archive.asking import questions, read_only_connection, several_archives
from gamelog.archive.asking.answer_notes import answer_notes
from gamelog.archive.asking.answers import WRITERS, ZONED, Answer, Format, as_text, for_spreadsheets, within
from gamelog.archive.indexing import copies
from gamelog.archive.rows import people as persons
from gamelog.archive.rows.near_names import PEOPLE, KnownPerson, near_people
from gamelog.archive.schema import connecting
from gamelog.archive.schema.columns import text_constant
from gamelog.bounds import UNBOUNDED, QuestionBounds
from gamelog.errors import ArchiveError, MissingExtra, WriteFailed
from gamelog.record.atomic_files import atomic_file

if TYPE_CHECKING:
    import duckdb

ROOM = f".gamelog-{token_hex(16)}"
"""The folder beside an answer in which it is written:
one name for all readers of this process, which nobody else can know.
"""

NEAR_PEOPLE = "settled.near_people"
"""The table of who may be one person, as `gamelog people` says; it is made for the question that reads it."""

INCOMPLETE = "A run of gamelog index has not come to its end: what it has not taken in yet is missing here."

TOO_LONG = "The question took longer than {:g} s; ask for less, or allow more time."

TOO_MUCH = "The question needs more memory than it may use; ask for less, or allow more."

Archives = str | os.PathLike[str] | Sequence[str | os.PathLike[str]]
"""One archive, or several."""


def archive_paths(archives: Archives) -> tuple[Path, ...]:
    """The archives, of which there is one at least. Raises `ArchiveError`."""
    paths = (Path(archives),) if isinstance(archives, (str, os.PathLike)) else tuple(map(Path, archives))
    if not paths:
        raise ArchiveError("Say which archive to ask.")
    return paths


def _beside(out: str | os.PathLike[str], room: str = ROOM) -> Path:
    """Where an answer for the file `out` is written before it takes that name."""
    return Path(out).absolute().parent / room / Path(out).name


def _mark_encoding(part: Path) -> None:
    """Put the mark of UTF-8 before the CSV file `part`; DuckDB cannot write it. Raises `ArchiveError`."""
    plain = part.with_name(f"{part.name}.plain")
    try:
        part.rename(plain)
        with plain.open("rb") as rows, part.open("xb") as file:
            file.write(BOM_UTF8)
            copyfileobj(rows, file)
        plain.unlink()
    except OSError as error:
        raise ArchiveError(f"The answer cannot be written: {error.strerror}.") from None


class Reader:
    """One archive or several, open for questions; any number of processes may read them at once."""

    def __init__(
        self,
        archive: Archives,
        bounds: QuestionBounds = UNBOUNDED,
        *,
        out: str | os.PathLike[str] | None = None,
        people: str | os.PathLike[str] | None = None,
        room: str = ROOM,
    ) -> None:
        """Open the archive, or several side by side. Raises `ArchiveError`.

        Of several, each table holds the rows of all, and a column ``archive`` with the name of its file;
        what lies in several of them counts once (`gamelog.archive.asking.several_archives`), which is worked
        out now.

        The `bounds` are on what DuckDB holds in memory before it spills to disk, the time of each question,
        and the processors it uses. They are kept by DuckDB in this process: they cover neither
        what a single function of SQL makes of a long text nor rows that are Python's, and without them there
        are none. `gamelog.archive.SubprocessReader` asks in a process of its own, which bounds those too.

        `out` is the one file that `save` may write, by way of the folder `room` beside it. `people` is a file
        of aliases (`gamelog.archive.rows.people`); without it the one called ``people.toml`` beside the
        archive, if there is one.
        """
        self.paths = archive_paths(archive)
        self.bounds = bounds
        self.out = None if out is None else Path(out)
        self._room = room
        self._notes: dict[str, tuple[str, ...]] = {}
        self._near_people_known = False
        spill = mkdtemp(prefix="gamelog-")
        self._tidy = finalize(self, rmtree, spill, ignore_errors=True)
        limits = {"memory_limit": bounds.memory, "threads": bounds.threads}
        writable = None if out is None else _beside(out, room)
        try:
            self._connection = read_only_connection.locked_connection(
                self.paths, limits, spill=Path(spill), writable=writable
            )
        except BaseException:
            self._tidy()
            raise
        try:
            with self._bounded():  # what counts once may have to be worked out, which takes its time
                self._open(people)
        except BaseException:
            self.close()
            raise

    def _open(self, people: str | os.PathLike[str] | None) -> None:
        """Define the tables and whatever of them does not stand in the archives."""
        run, several = self._connection, len(self.paths) > 1
        states = [
            connecting.state(run, *named)
            for named in zip(self.paths, read_only_connection.catalogs(self.paths), strict=True)
        ]
        if several:
            several_archives.define_together(run, self.paths)
        else:
            several_archives.define_one(run)
        joining = persons.chosen(self.paths, people)
        others, aliases = persons.read_aliases(joining, named=people is not None)
        self._told = persons.unknown_names(run, joining, others)
        if not all(complete for _, complete in states):
            self._told = (INCOMPLETE, *self._told)
        if several or joining or not all(settled for settled, _ in states):
            copies.recount(run, aliases)

    def ask(
        self, question: str, values: Mapping[str, Any] | None = None, *, limit: int | None = None
    ) -> Answer:
        """The answer to an SQL question, or to a stock question asked by its name.

        `values` are the parameters (``$name`` in SQL). At most `limit` rows come back. Raises
        `ArchiveError`, in one sentence, for anything DuckDB objects to.
        """
        sql, bound = self._prepared(question, values or {})
        with self._bounded():
            result = self._connection.execute(sql, bound or None)
            columns = tuple(column[0] for column in result.description or ())
            types = tuple(str(column[1]) for column in result.description or ())
            if any(ZONED.search(type) for type in types):
                result = self._connection.execute(as_text(sql, types), bound or None)
            rows = result.fetchall() if limit is None else result.fetchmany(limit)
        return Answer(columns, types, rows, self.notes(question, values))

    def notes(self, question: str, values: Mapping[str, Any] | None = None) -> tuple[str, ...]:
        """What must be known beside an answer, in sentences: of SQL, what holds for the whole archive."""
        known = questions.all_questions().get(question.strip())
        if known is None:
            return self._told
        bound = known.values(values or {})
        named = [one.name for one in (*questions.CHOICE, questions.UNCOUNTED)]
        chosen = repr(
            (
                known.groups,
                known.part,
                known.name == "standings",
                [bound.get(name) for name in (*named, "by", "credit")],
            )
        )
        if chosen not in self._notes:
            with self._bounded(), connecting.row_errors(self.paths):
                self._notes[chosen] = answer_notes(self._connection, known, bound)
        return (*self._told, *self._notes[chosen])

    def save(
        self,
        question: str,
        format: Format,
        values: Mapping[str, Any] | None = None,
        *,
        for_spreadsheets: bool = False,
    ) -> None:
        """Write the answer to the file that the reader was opened for, whole or not. Raises `ArchiveError`.

        DuckDB writes it row by row, so an answer may be larger than memory. A link of the file's name is
        replaced, not followed. A CSV `for_spreadsheets` begins with the mark of its encoding, and text in it
        that would be a formula begins with an apostrophe.
        """
        if self.out is None:
            raise ArchiveError("Say which file to write when opening the archive.")
        with as_placed(self.out, self._room):
            self.write(question, format, values, for_spreadsheets=for_spreadsheets)

    def write(
        self,
        question: str,
        format: Format,
        values: Mapping[str, Any] | None = None,
        *,
        for_spreadsheets: bool = False,
    ) -> None:
        """Write the answer where `save` has it before it takes its name. Raises `ArchiveError`."""
        assert self.out is not None
        sql, bound = self._prepared(question, values or {})
        marked, part = for_spreadsheets and format == "csv", _beside(self.out, self._room)
        with self._bounded():
            if marked:
                sql = self._for_spreadsheets(sql, bound)
            how = WRITERS[format]
            if format == "parquet":
                how = how.format(description=text_constant(self._description(question, sql, bound)))
            with self._writing():
                self._connection.execute(
                    f"COPY {within(sql)} TO {connecting.quoted(part)} {how}", bound or None
                )
        if marked:
            _mark_encoding(part)

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """Say of a full disk that the answer cannot be written. Raises `ArchiveError`."""
        import duckdb

        try:
            yield
        except duckdb.IOException as error:
            if connecting.is_full(error):
                raise ArchiveError(f"{self.out} cannot be written: {connecting.reason(error)}.") from None
            raise

    def _for_spreadsheets(self, sql: str, bound: dict[str, Any]) -> str:
        return for_spreadsheets(sql, self._columns(sql, bound))

    def _columns(self, sql: str, bound: dict[str, Any]) -> list[tuple[str, str]]:
        """The names and SQL types of what the question gives."""
        described = self._connection.execute(f"DESCRIBE {within(sql)}", bound or None).fetchall()
        return [(name, type) for name, type, *_ in described]

    def _description(self, question: str, sql: str, bound: dict[str, Any]) -> str:
        """What a Parquet file says of itself, as JSON."""
        known = questions.all_questions().get(question.strip())
        about = {"question": known.title, "description": known.text} if known else {}
        columns = questions.meanings(sql, self._columns(sql, bound))
        return msgspec.json.encode(about | {"columns": columns}).decode()

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

    def _framed(
        self, method: str, packages: tuple[str, ...], question: str, values: Mapping[str, Any] | None
    ) -> Any:
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
        known = questions.all_questions().get(question.strip())
        if known:
            given = known.values(values)
            if NEAR_PEOPLE in known.sql:
                self._find_near_people()
            return known.statement(given), given
        if meant := questions.meant(question):
            raise ArchiveError(meant)
        read_only_connection.check_question(self._connection, question, values)
        return question, dict(values)

    def _find_near_people(self) -> None:
        """Make the table of who may be the same person as who, once."""
        if self._near_people_known:
            return
        with self._bounded():
            rows = self._connection.execute(PEOPLE).fetchall()
            near = near_people([KnownPerson(person, player, names) for person, player, _, names in rows])
            pairs = [(person, other) for person, others in near.items() for other in sorted(others)]
            self._connection.execute(
                f"CREATE TABLE {NEAR_PEOPLE} AS SELECT unnest($person::VARCHAR[]) AS person, "
                "unnest($other::VARCHAR[]) AS other",
                {"person": [one for one, _ in pairs], "other": [other for _, other in pairs]},
            )
        self._near_people_known = True

    @contextmanager
    def _bounded(self) -> Iterator[None]:
        import duckdb

        seconds = self.bounds.timeout
        timer = Timer(seconds, self._connection.interrupt) if seconds is not None else None
        if timer:
            timer.daemon = True
            timer.start()
        try:
            yield
        except duckdb.InterruptException:
            raise ArchiveError(TOO_LONG.format(seconds)) from None
        except (duckdb.OutOfMemoryException, MemoryError):
            raise ArchiveError(TOO_MUCH) from None
        except duckdb.Error as error:
            raise ArchiveError(
                "The archive cannot answer that: "
                f"{connecting.duckdb_sentence(error)}{connecting.where(error)}."
            ) from None
        finally:
            if timer:
                timer.cancel()

    def close(self) -> None:
        """Let go of the archives."""
        self._connection.close()
        self._tidy()

    def __enter__(self) -> Reader:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


@contextmanager
def as_placed(out: Path, room: str) -> Iterator[None]:
    """The folder in which the answer for `out` is written, and its name when whole. Raises `ArchiveError`."""
    try:
        with atomic_file(out, room=room):
            yield
    except WriteFailed as error:
        raise ArchiveError(str(error)) from None
