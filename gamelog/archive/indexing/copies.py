"""Which records are the same game told twice, what people are called, and which records count.

Two records are one game if people played it, the same at each seat, on neighbouring days (UTC), and one of

- both have the same play, or
- one is not finished, and all it has is the beginning of the other's play.

Short plays come twice by chance. So a play has to have as much to tell it by as 12 decisions, where each
roll or draw counts as 3 (the macro `evidence`). Records with less are games of their own, walkovers among
them; the question `copies` lists which of them may be one game. Records of bots are copies only by their
ids, which are the archive's keys.

Of records with the same play the earliest valid one counts; a record that is a beginning never does. Who is
who is said in `gamelog.archive.rows.people`. An archive keeps what follows from its records alone
(`mark_copies`); where several are asked as one, a file of aliases joins people, a run that brings an archive
up to date has not come to its end, it is worked out when the archive is opened (`recount`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Annotated, Any

from msgspec import Struct

from gamelog.archive.indexing.beginnings import BEGINNINGS, WEIGHED
from gamelog.archive.indexing.store import FORK, Store
from gamelog.archive.rows.people import who_is_who
from gamelog.record.names import same_name

if TYPE_CHECKING:
    import duckdb

SPACES = r"[\s\p{Z}\x{0b}\x{1c}-\x{1f}\x{85}]+"
"""What Python calls white space, for DuckDB."""

BEST = f"""
  SELECT person, first(player ORDER BY times DESC, player) AS player
  FROM (
    SELECT person, nfc_normalize(trim(regexp_replace(name, '{SPACES}', ' ', 'g'))) AS player,
      count(*) AS times
    FROM %s WHERE starts_with(person, 'name:') GROUP BY ALL
  )
  GROUP BY person
"""
"""How most records spell the name of each person who is known by name alone."""

SEATED_TABLES = ("seats", "stays")
"""The tables that say who somebody is."""

KNOWN = """
SELECT DISTINCT key, same_name FROM %(held)sseats UNION SELECT DISTINCT key, same_name FROM %(held)sstays
"""
"""Who there is by single records."""


class Moved(Struct, frozen=True):
    """Somebody who is another person across records than by a record alone."""

    key: Annotated[str, "who it is by a record alone"]
    same_name: Annotated[str, "the name there"]
    person: Annotated[str, "who it is across records"]
    called: Annotated[str, "what that person is called"]


PERSONS = """
UPDATE {0} SET person = key
WHERE person IS DISTINCT FROM key AND (key, same_name) NOT IN (SELECT (key, same_name) FROM moved);
UPDATE {0} SET person = moved.person FROM moved
WHERE moved.key = {0}.key AND moved.same_name = {0}.same_name AND {0}.person IS DISTINCT FROM moved.person;
UPDATE {0} SET player = substr(person, 4)
WHERE starts_with(person, 'id:') AND player IS DISTINCT FROM substr(person, 4)
"""

_SITTING = "(SELECT person, name FROM seats WHERE sitters = 1 UNION ALL SELECT person, name FROM stays)"

SPELLING = f"""
UPDATE %(table)s SET player = best.player FROM ({BEST % _SITTING}) AS best
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
"""Of each record with the play of another, of the same people on days that follow each other, the first."""

SAME = """
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
"""Of each copy, the record that counts instead."""

FRESH = """
  SELECT games.id, same.same AS copy_of,
    valid AND same.same IS NULL AND (parent IS NULL OR parent NOT IN (SELECT id FROM games))
      AND games.id NOT IN (SELECT id FROM findings WHERE code = $fork AND id IS NOT NULL) AS counted
  FROM games LEFT JOIN same ON same.id = games.id
"""
"""For each record, of which it is a copy, and whether it counts."""

_FOUND = (ORIGINS, BEGINNINGS, SAME)
"""The statements that find copies, in this order."""

_ALIKE = """
SELECT EXISTS (SELECT play FROM games WHERE play IS NOT NULL GROUP BY play HAVING count(*) > 1)
  OR EXISTS (SELECT beginning FROM games WHERE beginning IS NOT NULL GROUP BY beginning
    HAVING count(*) > 1 AND NOT bool_and(finished))
"""
"""Whether any two records may be one game, which costs a fraction of the search."""

_NO_COPIES = "CREATE TEMP TABLE same (id VARCHAR, same VARCHAR)"

COUNT = f"""
UPDATE games SET copy_of = fresh.copy_of, counted = fresh.counted FROM ({FRESH}) AS fresh
WHERE fresh.id = games.id
  AND (games.copy_of IS DISTINCT FROM fresh.copy_of OR games.counted IS DISTINCT FROM fresh.counted)
"""

HELD = """
SELECT count(*), count(*) FILTER (counted), count(copy_of), count(*) FILTER (id IN (SELECT id
  FROM findings WHERE code = $fork))
FROM games
"""


def mark_copies(store: Store) -> None:
    """Say of each record who its people are and what they are called, whether it is a copy and of which,
    and whether it counts.
    """
    store.temporary("moved", Moved, _moved(store.sql(KNOWN % {"held": ""}), {}))
    seated = [table for table in SEATED_TABLES if store.sql(f"SELECT 1 FROM {table} LIMIT 1")]
    for table in seated:
        for statement in PERSONS.format(table).split(";"):
            store.sql(statement)
    for table in seated:
        store.sql(SPELLING % {"table": table})
    _find_copies(store.sql)
    store.sql(COUNT, fork=FORK)


def _find_copies(rows: Callable[[str], list[tuple[Any, ...]]]) -> None:
    """Make the table ``same`` of copies, with a function that runs a statement and returns its rows."""
    ((alike,),) = rows(_ALIKE)
    for statement in _FOUND if alike else (_NO_COPIES,):
        rows(statement)


def _moved(known: list[tuple[str | None, str]], aliases: Mapping[str, str]) -> list[Moved]:
    """Return those who are other people across records."""
    names = {f"alias:{same_name(called)}": called for called in aliases.values()}
    return [
        Moved(key, name, person, names.get(person, person.partition(":")[2]))
        for (key, name), person in who_is_who(known, aliases).items()
        if key and person and person != key
    ]


_TOLD = """(
  SELECT coalesce(moved.person, told.key) AS person, told.name, told.player
  FROM (
    SELECT key, same_name, name, player FROM memory.main.seats WHERE sitters = 1
    UNION ALL SELECT key, same_name, name, player FROM memory.main.stays
  ) AS told LEFT JOIN settled.moved ON moved.key = told.key AND moved.same_name = told.same_name
)"""

SPELLED = f"""
CREATE TABLE settled.spelled AS
SELECT DISTINCT best.person, best.player FROM ({BEST % _TOLD}) AS best JOIN {_TOLD} AS told USING (person)
WHERE told.player IS DISTINCT FROM best.player
"""
"""What people are called otherwise than an archive says."""

SEATED = """
CREATE TEMP VIEW {0} AS SELECT told.* REPLACE (
  coalesce(moved.person, told.key, told.person) AS person,
  coalesce(moved.called, spelled.player, told.player) AS player)
FROM memory.main.{0} AS told
  LEFT JOIN settled.moved ON moved.key = told.key AND moved.same_name = told.same_name
  LEFT JOIN settled.spelled ON spelled.person = coalesce(moved.person, told.key)
"""

RECOUNTED = f"""
CREATE TABLE settled.recounted AS
SELECT fresh.id, fresh.copy_of, fresh.counted FROM ({FRESH}) AS fresh JOIN games USING (id)
WHERE games.copy_of IS DISTINCT FROM fresh.copy_of OR games.counted IS DISTINCT FROM fresh.counted
"""
"""What counts otherwise than an archive says."""

_COUNTED = """
CREATE TEMP VIEW games AS SELECT told.* REPLACE (
  CASE WHEN recounted.id IS NULL THEN told.copy_of ELSE recounted.copy_of END AS copy_of,
  CASE WHEN recounted.id IS NULL THEN told.counted ELSE recounted.counted END AS counted)
FROM memory.main.games AS told LEFT JOIN settled.recounted ON recounted.id = told.id
"""


def recount(connection: duckdb.DuckDBPyConnection, aliases: Mapping[str, str]) -> None:
    """Say the same on a connection for questions, of whatever its tables hold: for this connection alone,
    before it is asked.

    `aliases` say whom a file joins. Raises DuckDB's own errors.
    """
    run = connection.execute
    moved = _moved(run(KNOWN % {"held": "memory.main."}).fetchall(), aliases)
    run(
        "CREATE TABLE settled.moved AS SELECT unnest($key::VARCHAR[]) AS key, "
        "unnest($same_name::VARCHAR[]) AS same_name, unnest($person::VARCHAR[]) AS person, "
        "unnest($called::VARCHAR[]) AS called",
        {name: [getattr(one, name) for one in moved] for name in Moved.__struct_fields__},
    )
    run(SPELLED)
    for table in SEATED_TABLES:
        run(SEATED.format(table))
    _find_copies(lambda statement: run(statement).fetchall())
    run(RECOUNTED, {"fork": FORK})
    for table in ("origins", "begun", "same"):
        run(f"DROP TABLE IF EXISTS temp.{table}")
    run(_COUNTED)


def held(store: Store) -> tuple[int, int, int, int]:
    """How many records the archive holds, how many of them count, are copies of others, and have forked."""
    ((records, counted, copies, forks),) = store.sql(HELD, fork=FORK)
    return records, counted, copies, forks
