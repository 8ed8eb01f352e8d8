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
counts. `gamelog.archive.rows.people` decides who is one person. `gamelog.archive.indexing.marks` stores in an
archive what follows from its records alone. `apply_aliases` works it out when an archive is opened, if there
are several archives, a file of aliases, or an unfinished run.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Annotated, Any

from msgspec import Struct

from gamelog.archive.rows.people import identify_people
from gamelog.archive.schema.statements import Statements
from gamelog.record.names import name_key

if TYPE_CHECKING:
    import duckdb

SEATED_TABLES = ("seats", "stays")
"""The tables with people."""

FORK = "archive.fork"
"""Code of a finding: two files have the same record id, and neither continues the other.

The record does not count.
"""

SQL = Statements("gamelog.archive.rows", "copies.sql", "beginnings.sql")
"""The statements of the search."""


class ReassignedPerson(Struct, frozen=True):
    """A person who is different across records and in a single record."""

    key: Annotated[str, "the person, from one record alone"]
    same_name: Annotated[str, "the name in that record"]
    person: Annotated[str, "the person across records"]
    called: Annotated[str, "name of the person in answers"]


def find_copies(rows: Callable[[str], list[tuple[Any, ...]]]) -> None:
    """Create the table ``same`` of copies, with a function that runs a statement and returns its rows."""
    rows(SQL.text("repeated"))
    rows(SQL.text("beginnings"))
    ((has_similar,),) = rows(SQL.text("has_similar"))
    if has_similar:
        rows(SQL.text("origins", similar="repeated"))
        rows(SQL.text("begun", similar="beginnings"))
    rows(SQL.text("same" if has_similar else "no_copies"))
    for table in ("repeated", "beginnings", "origins", "begun"):
        rows(f"DROP TABLE IF EXISTS temp.{table}")


def moved_people(known: list[tuple[str | None, str]], aliases: Mapping[str, str]) -> list[ReassignedPerson]:
    """Return the people who are different across records and in a single record."""
    names = {f"alias:{name_key(alias)}": alias for alias in aliases.values()}
    return [
        ReassignedPerson(key, name, person, names.get(person, person.partition(":")[2]))
        for (key, name), person in identify_people(known, aliases).items()
        if key and person and person != key
    ]


def apply_aliases(connection: duckdb.DuckDBPyConnection, aliases: Mapping[str, str]) -> None:
    """Work out the copies for the tables of a connection, and use them on this connection only.

    `gamelog.archive.indexing.marks.mark_copies` stores the same in an archive.

    `aliases` are the names from a file of aliases, by key.

    Raises:
        duckdb.Error: DuckDB cannot read or change the tables.
    """
    run = connection.execute
    moved = moved_people(run(SQL.text("known_people", schema="memory.main.")).fetchall(), aliases)
    run(
        "CREATE TABLE settled.moved AS SELECT unnest($key::VARCHAR[]) AS key, "
        "unnest($same_name::VARCHAR[]) AS same_name, unnest($person::VARCHAR[]) AS person, "
        "unnest($called::VARCHAR[]) AS called",
        {name: [getattr(person, name) for person in moved] for name in ReassignedPerson.__struct_fields__},
    )
    run(SQL.text("spelled", sitters=SQL.text("stored_people")))
    for table in SEATED_TABLES:
        run(SQL.text("seated", table=table))
    find_copies(lambda statement: run(statement).fetchall())
    run(SQL.text("recounted"), {"fork": FORK})
    run("DROP TABLE temp.same")
    run(SQL.text("counted"))
