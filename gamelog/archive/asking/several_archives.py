"""Several archives as one: tables with the rows of all archives, in which each record counts once.

The rules are the same as inside one archive. If a record is in several archives, one version represents it:
whole before damaged, long before short. Two versions of one id have forked, and do not count, if neither
continues the other. `gamelog.archive.indexing.copies` settles copies, branches and the spelling of names.
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
from gamelog.archive.schema.columns import text_constant
from gamelog.errors import ArchiveError

if TYPE_CHECKING:
    import duckdb

_REPEATED_RECORDS = """
CREATE TABLE settled.silent AS
SELECT id, place, speaker, path, member FROM (
  SELECT id, place, path, member, row_number() OVER ranked AS rank, first(place) OVER ranked AS speaker
  FROM {games} WHERE id IN (SELECT id FROM {games} GROUP BY id HAVING count(*) > 1)
  WINDOW ranked AS (PARTITION BY id ORDER BY status IN ('torn', 'damaged'), events DESC, member <> '',
    path, member, place)
) WHERE rank > 1
"""
"""The records of each archive, by its number, that another archive represents."""

_REPEATED_FILES = """
CREATE TABLE settled.doubled AS
SELECT path, member, place FROM (
  SELECT path, member, place,
    row_number() OVER (PARTITION BY path, member ORDER BY mtime_ns DESC, place) AS rank
  FROM {files} WHERE (path, member) IN (SELECT (path, member) FROM {files}
    GROUP BY path, member HAVING count(*) > 1)
) WHERE rank > 1
"""
"""Files that are in several archives, without the version that was read last."""

_FORKS = f"""
CREATE TABLE settled.forks AS
WITH pairs AS (
  SELECT other.id, other.place, silent.speaker, other.path, other.member,
    coalesce(other.head <> spoken.head, false) AND other.events >= spoken.events AS as_long,
    (other.head IS NULL) = (spoken.head IS NULL) AS comparable,
    spoken.path || CASE WHEN spoken.member = '' THEN '' ELSE ':' || spoken.member END AS ours,
    (other.game, other.rules, other.board, other.players, other.started, other.dice, other.options::VARCHAR,
      other.parent)
      IS DISTINCT FROM (spoken.game, spoken.rules, spoken.board, spoken.players, spoken.started, spoken.dice,
        spoken.options::VARCHAR, spoken.parent) AS header
  FROM settled.silent JOIN {{games}} AS other ON other.id = silent.id AND other.place = silent.place
    JOIN {{games}} AS spoken ON spoken.id = silent.id AND spoken.place = silent.speaker
  WHERE other.head IS DISTINCT FROM spoken.head OR other.head IS NULL
), parted AS (
  SELECT pairs.id, pairs.place, min(theirs.n) AS n
  FROM pairs JOIN {{events}} AS theirs ON theirs.id = pairs.id AND theirs.place = pairs.place
    JOIN {{events}} AS ours ON ours.id = pairs.id AND ours.place = pairs.speaker AND ours.n = theirs.n
  WHERE (ours.seat, ours.kind, ours.data::VARCHAR)
    IS DISTINCT FROM (theirs.seat, theirs.kind, theirs.data::VARCHAR) AND comparable
  GROUP BY pairs.id, pairs.place
)
SELECT path, member, id, CASE WHEN header THEN 0 ELSE n END AS n, NULL::BIGINT AS byte_offset,
  '{FORK}' AS code,
  'error' AS severity, NULL::VARCHAR AS rule, 'this file and ' || ours || ' both have the record id '
    || id || ', but they differ'
    || CASE WHEN header THEN ' from the header on' WHEN n IS NOT NULL THEN ' from event ' || n
      || ' on' ELSE '' END AS message,
  place
FROM pairs LEFT JOIN parted USING (id, place) WHERE header OR n IS NOT NULL OR as_long
"""
"""Findings on two records of one id that differ.

Only data in the archives is compared. So a difference in times alone is found only if both records are
equally long. A record that cannot be folded has no events in an archive, but it does not count anyway.
"""


def _names(archives: Sequence[Path]) -> list[str]:
    """Return the name of each archive in the column ``archive``.

    The name is the file name without its ending, or the path if several archives have the same file name.
    Raises `ArchiveError` if an archive is named twice.
    """
    if len({os.path.realpath(archive) for archive in archives}) < len(archives):
        raise ArchiveError("The same archive is named twice. Name each archive once.")
    plain = Counter(archive.stem for archive in archives)
    return [archive.stem if plain[archive.stem] == 1 else os.fspath(archive) for archive in archives]


def define_single(connection: duckdb.DuckDBPyConnection) -> None:
    """Create the tables with the rows of the only archive."""
    define(connection, {name: f"SELECT * FROM archive_1.main.{name}" for name in schema.TABLES})


def define_together(connection: duckdb.DuckDBPyConnection, archives: Sequence[Path]) -> None:
    """Create the tables with the rows of all archives.

    Raises:
        ArchiveError: An archive cannot be used with the others.
        duckdb.Error: DuckDB fails.
    """
    names = dict(zip(catalogs(archives), _names(archives), strict=True))
    run = connection.execute
    placed = {name: _all_rows(name, names) for name in ("games", "files", "events")}
    joined = f"{placed['games']} AS g JOIN {placed['files']} AS f USING (place, path, member)"
    # The table games counts no slips; files counts all events in the file.
    lines = f"(SELECT g.* REPLACE (f.events AS events) FROM {joined})"
    run(_REPEATED_RECORDS.format(games=lines))
    run(_REPEATED_FILES.format(files=placed["files"]))
    run(_FORKS.format(games=lines, events=placed["events"]))
    define(connection, {name: _merged_rows(name, names) for name in schema.TABLES}, together=True)


def _all_rows(table: str, names: dict[str, str]) -> str:
    """Return a subquery for the rows of a table in all archives, each with the number of its archive."""
    parts = (f"SELECT *, {at} AS place FROM {catalog}.main.{table}" for at, catalog in enumerate(names))
    return f"({' UNION ALL '.join(parts)})"


def _merged_rows(table: str, names: dict[str, str]) -> str:
    """Return a query for the rows of a table that represent their record, with the name of their archive."""
    kept, key = ("silent", "id") if table in schema.RECORD_TABLES else ("doubled", "path, member")
    parts = [
        f"SELECT *, {text_constant(name)} AS archive FROM {catalog}.main.{table} "
        f"ANTI JOIN (SELECT {key} FROM settled.{kept} WHERE place = {at}) USING ({key})"
        for at, (catalog, name) in enumerate(names.items())
    ]
    if table == "findings":
        places = "".join(f"WHEN {at} THEN {text_constant(name)} " for at, name in enumerate(names.values()))
        parts.append(f"SELECT * EXCLUDE (place), CASE place {places}END AS archive FROM settled.forks")
    return " UNION ALL ".join(parts)
