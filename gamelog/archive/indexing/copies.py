"""The search for records of the same game, the names of people, and the records that count.

Two records are of one game if the same people played at the same seats on neighbouring days (UTC), and if one
of these holds:

- Both have the same play.
- One is not finished, and its play is the beginning of the other play.

Short plays are equal by chance. So a play needs enough evidence (the macros `evidence` and
`enough_evidence`), where a roll or a draw counts as several decisions. Records with less evidence, such as
walkovers, are games of their own, and the question `copies` lists pairs of them that may be one game. Games
of bots are never copies.

If several records have the same play, the earliest valid one counts. A record that is a beginning never
counts. `gamelog.archive.rows.people` decides who is one person. `mark_copies` stores in an archive what
follows from its records alone. `recount` works it out when an archive is opened, if there are several
archives, a file of aliases, or an unfinished run.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Annotated, Any

from msgspec import Struct

from gamelog.archive.indexing.beginnings import BEGINNINGS, WEIGHED
from gamelog.archive.indexing.store import FORK, Store
from gamelog.archive.rows.people import identify_people
from gamelog.record.names import name_key

if TYPE_CHECKING:
    import duckdb

_WHITE_SPACE = r"[\s\p{Z}\x{0b}\x{1c}-\x{1f}\x{85}]+"
"""The characters that are white space for Python, as a regular expression of DuckDB."""

_BEST = f"""
  SELECT person, first(player ORDER BY times DESC, player) AS player
  FROM (
    SELECT person, nfc_normalize(trim(regexp_replace(name, '{_WHITE_SPACE}', ' ', 'g'))) AS player,
      count(*) AS times
    FROM %s WHERE starts_with(person, 'name:') GROUP BY ALL
  )
  GROUP BY person
"""
"""The most frequent spelling of the name of each person without an id."""

_SEATED_TABLES = ("seats", "stays")
"""The tables with people."""

_KNOWN_PEOPLE_SQL = """
SELECT DISTINCT key, same_name FROM %(held)sseats UNION SELECT DISTINCT key, same_name FROM %(held)sstays
"""
"""The people from single records."""


class Moved(Struct, frozen=True):
    """A person who is different across records and in a single record."""

    key: Annotated[str, "the person, from one record alone"]
    same_name: Annotated[str, "the name in that record"]
    person: Annotated[str, "the person across records"]
    called: Annotated[str, "name of the person in answers"]


_PERSONS = """
UPDATE {0} SET person = key
WHERE person IS DISTINCT FROM key AND (key, same_name) NOT IN (SELECT (key, same_name) FROM moved);
UPDATE {0} SET person = moved.person FROM moved
WHERE moved.key = {0}.key AND moved.same_name = {0}.same_name AND {0}.person IS DISTINCT FROM moved.person;
UPDATE {0} SET player = substr(person, 4)
WHERE starts_with(person, 'id:') AND player IS DISTINCT FROM substr(person, 4)
"""

_SITTING = "(SELECT person, name FROM seats WHERE sitters = 1 UNION ALL SELECT person, name FROM stays)"

_SPELLING = f"""
UPDATE %(table)s SET player = best.player FROM ({_BEST % _SITTING}) AS best
WHERE best.person = %(table)s.person AND %(table)s.player IS DISTINCT FROM best.player
"""

ORIGINS = f"""
CREATE TEMP TABLE origins AS
SELECT id, origin
FROM (
  SELECT id,
    first_value(id) OVER (
      PARTITION BY play, seated, days ORDER BY whole DESC, valid DESC, started, id
    ) AS origin
  FROM (
    SELECT *, sum(begins) OVER (PARTITION BY play, seated ORDER BY day, id ROWS UNBOUNDED PRECEDING) AS days
    FROM (
      SELECT *, if(day - lag(day) OVER (PARTITION BY play, seated ORDER BY day, id) <= 1, 0, 1) AS begins
      FROM ({WEIGHED}) WHERE play IN (SELECT play FROM games GROUP BY play HAVING count(*) > 1)
    )
  )
)
WHERE id <> origin
"""
"""For each record with the same play and people as another one on neighbouring days, the first such record.
"""

_SAME = """
CREATE TEMP TABLE same AS
WITH longer AS (
  SELECT begun.id, coalesce(origin, longest.longer, begun.longer) AS longer
  FROM begun LEFT JOIN begun AS longest ON longest.id = begun.longer
    LEFT JOIN origins ON origins.id = coalesce(longest.longer, begun.longer)
)
SELECT id, coalesce(own.longer, others.longer, origin) AS same
FROM (SELECT id FROM origins UNION SELECT id FROM begun) LEFT JOIN origins USING (id)
  LEFT JOIN longer AS own USING (id) LEFT JOIN longer AS others ON others.id = origin
"""
"""For each copy, the record that counts instead."""

_FRESH = """
  SELECT games.id, same.same AS copy_of,
    valid AND same.same IS NULL AND (parent IS NULL OR parent NOT IN (SELECT id FROM games))
      AND games.id NOT IN (SELECT id FROM findings WHERE code = $fork AND id IS NOT NULL) AS counted
  FROM games LEFT JOIN same ON same.id = games.id
"""
"""For each record, the record of which it is a copy, and whether it counts."""

_FOUND = (ORIGINS, BEGINNINGS, _SAME)
"""The statements that find copies, in this order."""

_ALIKE = """
SELECT EXISTS (SELECT play FROM games WHERE play IS NOT NULL GROUP BY play HAVING count(*) > 1)
  OR EXISTS (SELECT beginning FROM games WHERE beginning IS NOT NULL GROUP BY beginning
    HAVING count(*) > 1 AND NOT bool_and(finished))
"""
"""Whether any two records may be of one game. This query takes a fraction of the time of the search."""

_NO_COPIES = "CREATE TEMP TABLE same (id VARCHAR, same VARCHAR)"

_COUNT_SQL = f"""
UPDATE games SET copy_of = fresh.copy_of, counted = fresh.counted FROM ({_FRESH}) AS fresh
WHERE fresh.id = games.id
  AND (games.copy_of IS DISTINCT FROM fresh.copy_of OR games.counted IS DISTINCT FROM fresh.counted)
"""

_HELD = """
SELECT count(*), count(*) FILTER (counted), count(copy_of), count(*) FILTER (id IN (SELECT id
  FROM findings WHERE code = $fork))
FROM games
"""


def mark_copies(store: Store) -> None:
    """Store the people across records, their names, the copies, and the records that count in an archive."""
    store.create_temporary("moved", Moved, _moved_people(store.sql(_KNOWN_PEOPLE_SQL % {"held": ""}), {}))
    seated = [table for table in _SEATED_TABLES if store.sql(f"SELECT 1 FROM {table} LIMIT 1")]
    for table in seated:
        for statement in _PERSONS.format(table).split(";"):
            store.sql(statement)
    for table in seated:
        store.sql(_SPELLING % {"table": table})
    _find_copies(store.sql)
    store.sql(_COUNT_SQL, fork=FORK)


def _find_copies(rows: Callable[[str], list[tuple[Any, ...]]]) -> None:
    """Create the table ``same`` of copies, with a function that runs a statement and returns its rows."""
    ((has_similar,),) = rows(_ALIKE)
    for statement in _FOUND if has_similar else (_NO_COPIES,):
        rows(statement)


def _moved_people(known: list[tuple[str | None, str]], aliases: Mapping[str, str]) -> list[Moved]:
    """Return the people who are different across records and in a single record."""
    names = {f"alias:{name_key(alias)}": alias for alias in aliases.values()}
    return [
        Moved(key, name, person, names.get(person, person.partition(":")[2]))
        for (key, name), person in identify_people(known, aliases).items()
        if key and person and person != key
    ]


_PEOPLE = """(
  SELECT coalesce(moved.person, stored.key) AS person, stored.name, stored.player
  FROM (
    SELECT key, same_name, name, player FROM memory.main.seats WHERE sitters = 1
    UNION ALL SELECT key, same_name, name, player FROM memory.main.stays
  ) AS stored LEFT JOIN settled.moved ON moved.key = stored.key AND moved.same_name = stored.same_name
)"""

_SPELLED = f"""
CREATE TABLE settled.spelled AS
SELECT DISTINCT best.person, best.player FROM ({_BEST % _PEOPLE}) AS best
  JOIN {_PEOPLE} AS stored USING (person)
WHERE stored.player IS DISTINCT FROM best.player
"""
"""The names of people that differ from the names in an archive."""

_SEATED = """
CREATE TEMP VIEW {0} AS SELECT stored.* REPLACE (
  coalesce(moved.person, stored.key, stored.person) AS person,
  coalesce(moved.called, spelled.player, stored.player) AS player)
FROM memory.main.{0} AS stored
  LEFT JOIN settled.moved ON moved.key = stored.key AND moved.same_name = stored.same_name
  LEFT JOIN settled.spelled ON spelled.person = coalesce(moved.person, stored.key)
"""

_RECOUNTED = f"""
CREATE TABLE settled.recounted AS
SELECT fresh.id, fresh.copy_of, fresh.counted FROM ({_FRESH}) AS fresh JOIN games USING (id)
WHERE games.copy_of IS DISTINCT FROM fresh.copy_of OR games.counted IS DISTINCT FROM fresh.counted
"""
"""The records whose state as a copy, or whether they count, differs from an archive."""

_COUNTED = """
CREATE TEMP VIEW games AS SELECT stored.* REPLACE (
  CASE WHEN recounted.id IS NULL THEN stored.copy_of ELSE recounted.copy_of END AS copy_of,
  CASE WHEN recounted.id IS NULL THEN stored.counted ELSE recounted.counted END AS counted)
FROM memory.main.games AS stored LEFT JOIN settled.recounted ON recounted.id = stored.id
"""


def apply_aliases(connection: duckdb.DuckDBPyConnection, aliases: Mapping[str, str]) -> None:
    """Work out what `mark_copies` stores for the tables of a connection, and use it on this connection only.

    `aliases` are the names from a file of aliases, by key.

    Raises:
        duckdb.Error: DuckDB cannot read or change the tables.
    """
    run = connection.execute
    moved = _moved_people(run(_KNOWN_PEOPLE_SQL % {"held": "memory.main."}).fetchall(), aliases)
    run(
        "CREATE TABLE settled.moved AS SELECT unnest($key::VARCHAR[]) AS key, "
        "unnest($same_name::VARCHAR[]) AS same_name, unnest($person::VARCHAR[]) AS person, "
        "unnest($called::VARCHAR[]) AS called",
        {name: [getattr(person, name) for person in moved] for name in Moved.__struct_fields__},
    )
    run(_SPELLED)
    for table in _SEATED_TABLES:
        run(_SEATED.format(table))
    _find_copies(lambda statement: run(statement).fetchall())
    run(_RECOUNTED, {"fork": FORK})
    for table in ("origins", "begun", "same"):
        run(f"DROP TABLE IF EXISTS temp.{table}")
    run(_COUNTED)


def count_records(store: Store) -> tuple[int, int, int, int]:
    """Return the numbers of records in the archive: all, those that count, copies, and forks."""
    ((records, counted, copies, forks),) = store.sql(_HELD, fork=FORK)
    return records, counted, copies, forks
