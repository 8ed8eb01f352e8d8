"""Which records are the same game told twice, what people are called, and which records count.

Equal play alone makes no copy: a short game may be played again, by others or on another day. Two finished
records are copies when people played, equally, the same at each seat, on one day, and the play holds dice or
draws, or so many decisions that nobody plays them twice by chance. Records of bots are copies only by their
ids, which are the archive's keys.

Who is the same at a seat is said by a file of aliases (`gamelog.archive.rows.people`) before ids, and by ids
before names. An archive keeps what follows from its records alone (`mark_copies`); where several are asked as
one, a file of aliases joins people, a run that brings an archive up to date has not come to its end, it is
worked out when the archive is opened (`recount`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gamelog.archive.indexing.store import FORK, Store

if TYPE_CHECKING:
    import duckdb

DECISIONS = 12
"""So many decisions make a play without chance one that does not come twice."""

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

SHEETS = """
CREATE TEMP TABLE sheets AS
SELECT id, play, day, seated,
  row_number() OVER (PARTITION BY play, day ORDER BY valid DESC, started, id) AS place
FROM (
  SELECT id, play, started::DATE AS day, started, valid, chances,
    count(*) OVER (PARTITION BY play, started::DATE) AS together
  FROM games WHERE finished AND play IS NOT NULL AND started IS NOT NULL
) JOIN (
  SELECT id, sum(decisions) AS decisions, bool_or(bot IS NULL) AS people,
    list({'person': coalesce(person, ''), 'name': same_name} ORDER BY position) AS seated
  FROM seats GROUP BY id
) USING (id)
WHERE together > 1 AND people AND (chances > 0 OR decisions >= $decisions)
"""
"""Records of equal play on one day, in their order, with who sat at each seat."""

KNOWN = "regexp_matches(%s.person, '^(id|alias):')"

_SEATS = 4
"""Seats by which tables that may agree are found, for the ways to name people double with each;
all seats are then compared.
"""

SAID_AS = f"""
  list_reduce(list_transform(seated[:{_SEATS}], lambda one: list_distinct([
    CASE WHEN one.person = 'name:' || one.name THEN 'N' || one.name ELSE 'P' || one.person END,
    CASE WHEN {KNOWN % "one"} THEN '%s' ELSE '%s' END || one.name,
    CASE WHEN {KNOWN % "one"} THEN 'P' || one.person ELSE 'N' || one.name END
  ])), lambda ways, more: flatten(list_transform(ways, lambda way: list_transform(more, lambda next: way
    || chr(0) || next))))
"""
"""All ways to say who sat at the first seats: two tables that agree have one in common.

At each seat the person is the same (``P``), or the name, where neither is known by an id (``N``) or only one
of both is (the other two letters, exchanged between the two sides).
"""

AGREE = f"""
CREATE TEMP TABLE agreed AS
WITH tables AS (SELECT play, day, seated, min(place) AS place FROM sheets GROUP BY ALL),
pairs AS (
  SELECT DISTINCT a.play, a.day, a.place AS first, b.seated, b.place
  FROM (SELECT *, unnest({SAID_AS % ("I", "U")}) AS said FROM tables) AS a
    JOIN (SELECT *, unnest({SAID_AS % ("U", "I")}) AS said FROM tables) AS b USING (play, day, said)
  WHERE list_bool_and(list_transform(list_zip(a.seated, b.seated), lambda pair:
    pair[1].person = pair[2].person OR (pair[1].name = pair[2].name
      AND NOT ({KNOWN % "pair[1]"} AND {KNOWN % "pair[2]"}))))
), firsts AS (SELECT play, day, place AS first FROM pairs GROUP BY ALL HAVING min(pairs.first) = place)
SELECT play, day, seated, min(first) AS place FROM pairs SEMI JOIN firsts USING (play, day, first)
  GROUP BY ALL
"""
"""For the people of each of them, the first record of the same people: by id or alias, or by name where one
of the two has none.

It is not one that is itself a copy: Ana of one club and Ana of another do not become one by a sheet that only
says Ana."""

FRESH = """
  SELECT games.id, nullif(first.id, games.id) AS copy_of,
    valid AND nullif(first.id, games.id) IS NULL AND (parent IS NULL OR parent NOT IN (SELECT id FROM games))
      AND games.id NOT IN (SELECT id FROM findings WHERE code = $fork AND id IS NOT NULL) AS counted
  FROM games
    LEFT JOIN sheets ON sheets.id = games.id
    LEFT JOIN agreed ON agreed.play = sheets.play AND agreed.day = sheets.day
      AND agreed.seated = sheets.seated
    LEFT JOIN sheets AS first ON first.play = agreed.play AND first.day = agreed.day
      AND first.place = agreed.place
"""
"""For each record, of which it is a copy, and whether it counts."""

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
    store.sql(SHEETS, decisions=DECISIONS)
    store.sql(AGREE)
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
    run(SHEETS, {"decisions": DECISIONS})
    run(AGREE)
    run(RECOUNTED, {"fork": FORK})
    for table in ("sheets", "agreed"):
        run(f"DROP TABLE temp.{table}")
    run(_COUNTED)


def held(store: Store) -> tuple[int, int, int, int]:
    """How many records the archive holds, how many of them count, are copies of others, and have forked."""
    ((records, counted, copies, forks),) = store.sql(HELD, fork=FORK)
    return records, counted, copies, forks
