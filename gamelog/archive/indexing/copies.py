"""Which records are the same game told twice, what people are called, and which records count.

Two records are one game if people played it, the same at each seat, on neighbouring days (UTC), and one of

- both have the same play, or
- one is not finished, and all it has is the beginning of the other's play.

Short plays come twice by chance. So a play has to have as much to tell it by as 12 decisions, where each
roll or draw counts as 3 (`EVIDENCE`). Records with less are games of their own, walkovers among them; the
question `copies` lists which of them may be one game. Records of bots are copies only by their ids, which are
the archive's keys.

Of records with the same play the earliest valid one counts; a record that is a beginning never does. Who is
the same at a seat is said by a file of aliases (`gamelog.archive.rows.people`) before ids, and by ids before
names. An archive keeps what follows from its records alone (`mark_copies`); where several are asked as one, a
file of aliases joins people, a run that brings an archive up to date has not come to its end, it is worked
out when the archive is opened (`recount`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gamelog.archive.indexing.beginnings import BEGUN
from gamelog.archive.indexing.same_people import SAID_AS, WEIGHED, agree
from gamelog.archive.indexing.store import FORK, Store

if TYPE_CHECKING:
    import duckdb

SPACES = r"[\s\p{Z}\x{0b}\x{1c}-\x{1f}\x{85}]+"
"""What Python calls white space, for DuckDB."""

BEST = f"""
  SELECT person, first(player ORDER BY times DESC, player) AS player
  FROM (
    SELECT person, nfc_normalize(trim(regexp_replace(name, '{SPACES}', ' ', 'g'))) AS player,
      count(*) AS times
    FROM (
      SELECT person, name FROM %(held)sseats WHERE sitters = 1
      UNION ALL SELECT person, name FROM %(held)sstays
    )
    WHERE starts_with(person, 'name:') GROUP BY ALL
  )
  GROUP BY person
"""
"""How most records spell the name of each person who is known by name alone."""

SEATED_TABLES = ("seats", "stays")
"""The tables that say who somebody is."""

SPELLING = f"""
UPDATE %(table)s SET player = best.player FROM ({BEST % {"held": ""}}) AS best
WHERE best.person = %(table)s.person AND %(table)s.player IS DISTINCT FROM best.player
"""

SHEETS = f"""
CREATE TEMP TABLE sheets AS
SELECT id, play, days, seated,
  row_number() OVER (PARTITION BY play, days ORDER BY whole DESC, valid DESC, started, id) AS place
FROM (
  SELECT *, count(*) OVER (PARTITION BY play, days) AS together
  FROM (
    SELECT *, sum(begins) OVER (PARTITION BY play ORDER BY day, id ROWS UNBOUNDED PRECEDING) AS days
    FROM (
      SELECT *, if(day - lag(day) OVER (PARTITION BY play ORDER BY day, id) <= 1, 0, 1) AS begins
      FROM ({WEIGHED})
    )
  )
)
WHERE together > 1
"""
"""Records of equal play on days that follow each other, in their order, with who sat at each seat."""

AGREE = f"""
CREATE TEMP TABLE agreed AS
WITH tables AS (SELECT play, days, seated, min(place) AS place FROM sheets GROUP BY ALL),
pairs AS (
  SELECT DISTINCT a.play, a.days, a.place AS first, b.seated, b.place
  FROM (SELECT *, unnest({SAID_AS % ("I", "U")}) AS said FROM tables) AS a
    JOIN (SELECT *, unnest({SAID_AS % ("U", "I")}) AS said FROM tables) AS b USING (play, days, said)
  WHERE {agree("a.seated", "b.seated")}
), firsts AS (SELECT play, days, place AS first FROM pairs GROUP BY ALL HAVING min(pairs.first) = place)
SELECT play, days, seated, min(first) AS place FROM pairs SEMI JOIN firsts USING (play, days, first)
  GROUP BY ALL
"""
"""For the people of each of them, the first record of the same people: by id or alias, or by name where one
of the two has none.

It is not one that is itself a copy: Ana of one club and Ana of another do not become one by a sheet that only
says Ana."""

ORIGINS = """
CREATE TEMP TABLE origins AS
SELECT sheets.id, first.id AS origin FROM sheets
  JOIN agreed ON agreed.play = sheets.play AND agreed.days = sheets.days AND agreed.seated = sheets.seated
  JOIN sheets AS first ON first.play = agreed.play AND first.days = agreed.days AND first.place = agreed.place
WHERE first.id <> sheets.id
"""
"""Of each record with the play of another, which one that is."""

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

FOUND = (SHEETS, AGREE, ORIGINS, BEGUN, SAME)
"""What finds copies, in this order."""

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
    """Say of each record what its people are called, whether it is a copy and of which,
    and whether it counts.
    """
    for table in SEATED_TABLES:
        store.sql(SPELLING % {"table": table})
    for statement in FOUND:
        store.sql(statement)
    store.sql(COUNT, fork=FORK)


SPELLED = f"""
CREATE TABLE settled.spelled AS
SELECT DISTINCT best.person, best.player FROM ({BEST % {"held": "memory.main."}}) AS best
JOIN (
  SELECT person, player FROM memory.main.seats UNION ALL SELECT person, player FROM memory.main.stays
) AS told USING (person) WHERE told.player IS DISTINCT FROM best.player
"""
"""What people are called otherwise than an archive says."""

SEATED = """
CREATE TEMP VIEW {0} AS SELECT told.* REPLACE (
  coalesce(aliases.joined, told.person) AS person,
    coalesce(aliases.called, spelled.player, told.player) AS player)
FROM memory.main.{0} AS told
  LEFT JOIN settled.spelled ON spelled.person = told.person
    LEFT JOIN settled.aliases ON aliases.person = told.person
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


def recount(connection: duckdb.DuckDBPyConnection) -> None:
    """Say the same on a connection for questions, of whatever its tables hold: for this connection alone,
    before it is asked.

    Its ``settled.aliases`` say whom a file joins. Raises DuckDB's own errors.
    """
    run = connection.execute
    run(SPELLED)
    for table in SEATED_TABLES:
        run(SEATED.format(table))
    for statement in FOUND:
        run(statement)
    run(RECOUNTED, {"fork": FORK})
    for table in ("sheets", "agreed", "origins", "begun", "same"):
        run(f"DROP TABLE temp.{table}")
    run(_COUNTED)


def held(store: Store) -> tuple[int, int, int, int]:
    """How many records the archive holds, how many of them count, are copies of others, and have forked."""
    ((records, counted, copies, forks),) = store.sql(HELD, fork=FORK)
    return records, counted, copies, forks
