"""Several archives as one: their tables side by side, with what lies in several of them counted once.

The rules are those inside one archive. A record that is in several has one that speaks for it: whole before
damaged, long before short. Two of one id of which neither extends the other have forked and do not count.
What follows for copies, branches and the spelling of names is said by `gamelog.archive.indexing.copies`.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from gamelog.archive.asking.read_only_connection import catalogs, define
from gamelog.archive.indexing.store import FORK
from gamelog.archive.schema import tables as schema
from gamelog.archive.schema.connecting import quoted
from gamelog.errors import ArchiveError

if TYPE_CHECKING:
    import duckdb

SILENT = """
CREATE TABLE settled.silent AS
SELECT id, place, speaker, path, member FROM (
  SELECT id, place, path, member, row_number() OVER ranked AS rank, first(place) OVER ranked AS speaker
  FROM {games} WHERE id IN (SELECT id FROM {games} GROUP BY id HAVING count(*) > 1)
  WINDOW ranked AS (PARTITION BY id ORDER BY status IN ('torn', 'damaged'), events DESC, member <> '',
    path, member, place)
) WHERE rank > 1
"""
"""The records of each archive (by its place among them) for which another one speaks."""

DOUBLED = """
CREATE TABLE settled.doubled AS
SELECT path, member, place FROM (
  SELECT path, member, place,
    row_number() OVER (PARTITION BY path, member ORDER BY mtime_ns DESC, place) AS rank
  FROM {files} WHERE (path, member) IN (SELECT (path, member) FROM {files}
    GROUP BY path, member HAVING count(*) > 1)
) WHERE rank > 1
"""
"""Files that are in several archives; the one that was read last stays."""

FORKS = f"""
CREATE TABLE settled.forks AS
WITH pairs AS (
  SELECT other.id, other.place, silent.speaker, other.path, other.member,
    other.events >= spoken.events AS as_long,
    spoken.path || CASE WHEN spoken.member = '' THEN '' ELSE ':' || spoken.member END AS ours,
    (other.game, other.rules, other.board, other.players, other.started, other.dice, other.options::VARCHAR,
      other.parent)
      IS DISTINCT FROM (spoken.game, spoken.rules, spoken.board, spoken.players, spoken.started, spoken.dice,
        spoken.options::VARCHAR, spoken.parent) AS header
  FROM settled.silent JOIN {{games}} AS other ON other.id = silent.id AND other.place = silent.place
    JOIN {{games}} AS spoken ON spoken.id = silent.id AND spoken.place = silent.speaker
  WHERE other.head IS DISTINCT FROM spoken.head
), parted AS (
  SELECT pairs.id, pairs.place, min(theirs.n) AS n
  FROM pairs JOIN {{events}} AS theirs ON theirs.id = pairs.id AND theirs.place = pairs.place
    JOIN {{events}} AS ours ON ours.id = pairs.id AND ours.place = pairs.speaker AND ours.n = theirs.n
  WHERE (ours.seat, ours.kind, ours.data::VARCHAR)
    IS DISTINCT FROM (theirs.seat, theirs.kind, theirs.data::VARCHAR)
  GROUP BY pairs.id, pairs.place
)
SELECT path, member, id, CASE WHEN header THEN 0 ELSE n END AS n, NULL::BIGINT AS byte_offset,
  '{FORK}' AS code,
  'error' AS severity, NULL::VARCHAR AS rule, 'this file and ' || ours || ' are both record ' || id
    || ', but they differ'
    || CASE WHEN header THEN ' from the header on' WHEN n IS NOT NULL THEN ' from event ' || n
      || ' on' ELSE '' END AS message,
  place
FROM pairs LEFT JOIN parted USING (id, place) WHERE header OR n IS NOT NULL OR as_long
"""
"""Findings that two records of one id part. Only what archives hold is compared, so a difference in times
alone is seen where both are equally long; a record that does not fold has no events to compare, and does not
count anyway."""


def _names(archives: Sequence[Path]) -> list[str]:
    """What each archive is called in the column ``archive``: its file's name without the ending, or its path
    where that is not enough to tell them apart. Raises `ArchiveError` where one is named twice."""
    if len({os.path.realpath(archive) for archive in archives}) < len(archives):
        raise ArchiveError("The same archive is named twice; name each once.")
    plain = Counter(archive.stem for archive in archives)
    return [archive.stem if plain[archive.stem] == 1 else os.fspath(archive) for archive in archives]


def define_one(connection: duckdb.DuckDBPyConnection) -> None:
    """Let the tables be those of the one archive there is."""
    define(connection, {name: f"SELECT * FROM archive_1.main.{name}" for name in schema.TABLES})


def define_together(connection: duckdb.DuckDBPyConnection, archives: Sequence[Path]) -> None:
    """Let the tables be those of all archives. Raises `ArchiveError`, and DuckDB's own errors."""
    called = dict(zip(catalogs(archives), _names(archives), strict=True))
    run = connection.execute
    placed = {name: _every(name, called) for name in ("games", "files", "events")}
    joined = f"{placed['games']} AS g JOIN {placed['files']} AS f USING (place, path, member)"
    lines = f"(SELECT g.* REPLACE (f.events AS events) FROM {joined})"  # as many as lie in the file
    run(SILENT.format(games=lines))
    run(DOUBLED.format(files=placed["files"]))
    run(FORKS.format(games=lines, events=placed["events"]))
    define(connection, {name: _source(name, called) for name in schema.TABLES}, together=True)


def _every(table: str, called: dict[str, str]) -> str:
    """All rows of a table in brackets, with the place of their archive."""
    parts = (f"SELECT *, {at} AS place FROM {catalog}.main.{table}" for at, catalog in enumerate(called))
    return f"({' UNION ALL '.join(parts)})"


def _source(table: str, called: dict[str, str]) -> str:
    """The rows of a table that are told, with the name of their archive."""
    kept, key = ("silent", "id") if table in schema.RECORD_TABLES else ("doubled", "path, member")
    parts = [
        f"SELECT *, {quoted(name)} AS archive FROM {catalog}.main.{table} "
        f"ANTI JOIN (SELECT {key} FROM settled.{kept} WHERE place = {at}) USING ({key})"
        for at, (catalog, name) in enumerate(called.items())
    ]
    if table == "findings":
        places = "".join(f"WHEN {at} THEN {quoted(name)} " for at, name in enumerate(called.values()))
        parts.append(f"SELECT * EXCLUDE (place), CASE place {places}END AS archive FROM settled.forks")
    return " UNION ALL ".join(parts)
