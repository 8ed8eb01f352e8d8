"""The search for records of the same game, the names of people, and the records that count.

Two records are of one game if the same people played at the same seats on neighbouring days (UTC), and if one
of these holds:

- Both have the same play.
- One is not finished, and its play is the beginning of the other play.

Short plays are equal by chance. So a play needs enough evidence (the macros ``evidence`` and
``enough_evidence``), where a roll or a draw counts as several decisions. Records with less evidence, such as
walkovers, are games of their own, and the question `copies` lists pairs of them that may be one game. Games
of bots are never copies.

If several records have the same play, the earliest valid one counts. A record that is a beginning never
counts. `gamelog.archive.rows.people` decides who is one person. `mark_copies` stores in an archive what
follows from its records alone. `apply_aliases` works it out when an archive is opened, if there are several
archives, a file of aliases, or an unfinished run.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Annotated, Any

from msgspec import Struct

from gamelog.archive.indexing.store import FORK, Store
from gamelog.archive.rows.people import identify_people
from gamelog.archive.schema.statements import Statements
from gamelog.record.names import name_key

if TYPE_CHECKING:
    import duckdb

_SEATED_TABLES = ("seats", "stays")
"""The tables with people."""

_SQL = Statements("gamelog.archive.indexing", "copies.sql", "beginnings.sql")
"""The statements of the search."""


class ReassignedPerson(Struct, frozen=True):
    """A person who is different across records and in a single record."""

    key: Annotated[str, "the person, from one record alone"]
    same_name: Annotated[str, "the name in that record"]
    person: Annotated[str, "the person across records"]
    called: Annotated[str, "name of the person in answers"]


def mark_copies(store: Store) -> None:
    """Store the people across records, their names, the copies, and the records that count in an archive."""
    known = store.sql(_SQL.text("known_people", schema=""))
    store.create_temporary("moved", ReassignedPerson, _moved_people(known, {}))
    seated = [table for table in _SEATED_TABLES if store.sql(f"SELECT 1 FROM {table} LIMIT 1")]
    for table in seated:
        for statement in _SQL.text("persons", table=table).split(";"):
            store.sql(statement)
    for table in seated:
        store.sql(_SQL.text("spelling", table=table, sitters=_SQL.text("sitting")))
    _find_copies(store.sql)
    store.sql(_SQL.text("count"), fork=FORK)


def _find_copies(rows: Callable[[str], list[tuple[Any, ...]]]) -> None:
    """Create the table ``same`` of copies, with a function that runs a statement and returns its rows."""
    ((has_similar,),) = rows(_SQL.text("has_similar"))
    for name in ("origins", "begun", "same") if has_similar else ("no_copies",):
        rows(_SQL.text(name))


def _moved_people(known: list[tuple[str | None, str]], aliases: Mapping[str, str]) -> list[ReassignedPerson]:
    """Return the people who are different across records and in a single record."""
    names = {f"alias:{name_key(alias)}": alias for alias in aliases.values()}
    return [
        ReassignedPerson(key, name, person, names.get(person, person.partition(":")[2]))
        for (key, name), person in identify_people(known, aliases).items()
        if key and person and person != key
    ]


def apply_aliases(connection: duckdb.DuckDBPyConnection, aliases: Mapping[str, str]) -> None:
    """Work out what `mark_copies` stores for the tables of a connection, and use it on this connection only.

    `aliases` are the names from a file of aliases, by key.

    Raises:
        duckdb.Error: DuckDB cannot read or change the tables.
    """
    run = connection.execute
    moved = _moved_people(run(_SQL.text("known_people", schema="memory.main.")).fetchall(), aliases)
    run(
        "CREATE TABLE settled.moved AS SELECT unnest($key::VARCHAR[]) AS key, "
        "unnest($same_name::VARCHAR[]) AS same_name, unnest($person::VARCHAR[]) AS person, "
        "unnest($called::VARCHAR[]) AS called",
        {name: [getattr(person, name) for person in moved] for name in ReassignedPerson.__struct_fields__},
    )
    run(_SQL.text("spelled", sitters=_SQL.text("stored_people")))
    for table in _SEATED_TABLES:
        run(_SQL.text("seated", table=table))
    _find_copies(lambda statement: run(statement).fetchall())
    run(_SQL.text("recounted"), {"fork": FORK})
    for table in ("origins", "begun", "same"):
        run(f"DROP TABLE IF EXISTS temp.{table}")
    run(_SQL.text("counted"))


def count_records(store: Store) -> tuple[int, int, int, int]:
    """Return the numbers of records in the archive: all, those that count, copies, and forks."""
    ((records, counted, copies, forks),) = store.sql(_SQL.text("numbers"), fork=FORK)
    return records, counted, copies, forks
