"""Several archives as one: tables with the rows of all archives, in which each record counts once.

The rules are the same as inside one archive. If a record is in several archives, one version represents it:
whole before damaged, long before short. Two versions of one id have forked, and do not count, if neither
continues the other. `gamelog.archive.rows.copies` settles copies, branches and the spelling of names. If
several archives have a league, the league of the first of them counts.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from gamelog.archive.querying.read_only_connection import catalogs, create_views
from gamelog.archive.rows.copies import FORK
from gamelog.archive.schema import tables
from gamelog.archive.schema.columns import text_constant
from gamelog.archive.schema.league_tables import LEAGUE_TABLES
from gamelog.errors import ArchiveError

if TYPE_CHECKING:
    import duckdb

_REPEATED_RECORDS = """
CREATE TABLE settled.represented AS
SELECT id, archive_index, representative, path, member FROM (
  SELECT id, archive_index, path, member, row_number() OVER ranked AS rank,
    first(archive_index) OVER ranked AS representative
  FROM {games} WHERE id IN (SELECT id FROM {games} GROUP BY id HAVING count(*) > 1)
  WINDOW ranked AS (PARTITION BY id ORDER BY status IN ('torn', 'damaged'), events DESC, member <> '',
    path, member, archive_index)
) WHERE rank > 1
"""
"""The records of each archive that a version in another archive represents."""

_REPEATED_FILES = """
CREATE TABLE settled.superseded AS
SELECT path, member, archive_index FROM (
  SELECT path, member, archive_index,
    row_number() OVER (PARTITION BY path, member ORDER BY mtime_ns DESC, archive_index) AS rank
  FROM {files} WHERE (path, member) IN (SELECT (path, member) FROM {files}
    GROUP BY path, member HAVING count(*) > 1)
) WHERE rank > 1
"""
"""Files that are in several archives, without the version with the latest ``mtime_ns``."""

_FORKS = f"""
CREATE TABLE settled.forks AS
WITH pairs AS (
  SELECT other.id, other.archive_index, represented.representative, other.path, other.member,
    coalesce(other.head <> chosen.head, false) AND other.events >= chosen.events AS as_long,
    (other.head IS NULL) = (chosen.head IS NULL) AS comparable,
    chosen.path || CASE WHEN chosen.member = '' THEN '' ELSE ':' || chosen.member END AS ours,
    (other.game, other.rules, other.board, other.players, other.started, other.dice, other.options::VARCHAR,
      other.parent)
      IS DISTINCT FROM (chosen.game, chosen.rules, chosen.board, chosen.players, chosen.started, chosen.dice,
        chosen.options::VARCHAR, chosen.parent) AS header
  FROM settled.represented JOIN {{games}} AS other
      ON other.id = represented.id AND other.archive_index = represented.archive_index
    JOIN {{games}} AS chosen
      ON chosen.id = represented.id AND chosen.archive_index = represented.representative
  WHERE other.head IS DISTINCT FROM chosen.head OR other.head IS NULL
), parted AS (
  SELECT pairs.id, pairs.archive_index, min(theirs.n) AS n
  FROM pairs JOIN {{events}} AS theirs ON theirs.id = pairs.id AND theirs.archive_index = pairs.archive_index
    JOIN {{events}} AS ours
      ON ours.id = pairs.id AND ours.archive_index = pairs.representative AND ours.n = theirs.n
  WHERE (ours.seat, ours.kind, ours.data::VARCHAR)
    IS DISTINCT FROM (theirs.seat, theirs.kind, theirs.data::VARCHAR) AND comparable
  GROUP BY pairs.id, pairs.archive_index
)
SELECT path, member, id, CASE WHEN header THEN 0 ELSE n END AS n, NULL::BIGINT AS byte_offset,
  '{FORK}' AS code,
  'error' AS severity, NULL::VARCHAR AS rule, 'this file and ' || ours || ' both have the record id '
    || id || ', but they differ'
    || CASE WHEN header THEN ' from the header on' WHEN n IS NOT NULL THEN ' from event ' || n
      || ' on' ELSE '' END AS message,
  archive_index
FROM pairs LEFT JOIN parted USING (id, archive_index) WHERE header OR n IS NOT NULL OR as_long
"""
"""Findings on two records of one id that differ.

Only data in the archives is compared. So a difference in times alone is found only if both records are
equally long. A record that cannot be folded has no events in an archive, but it does not count anyway.
"""


def _names(archives: Sequence[Path]) -> list[str]:
    """Return the name of each archive in the column ``archive``.

    The name is the file name without its ending, or the path if several archives have the same file name.

    Raises:
        ArchiveError: An archive is named twice.
    """
    if len({os.path.realpath(archive) for archive in archives}) < len(archives):
        raise ArchiveError("The same archive is named twice. Name each archive once.")
    counts_by_stem = Counter(archive.stem for archive in archives)
    return [archive.stem if counts_by_stem[archive.stem] == 1 else os.fspath(archive) for archive in archives]


def create_single_archive_tables(connection: duckdb.DuckDBPyConnection) -> None:
    """Create the tables with the rows of the only archive."""
    create_views(connection, {name: f"SELECT * FROM archive_1.main.{name}" for name in tables.TABLES})


def create_merged_tables(connection: duckdb.DuckDBPyConnection, archives: Sequence[Path]) -> None:
    """Create the tables with the rows of all archives.

    Raises:
        ArchiveError: An archive cannot be used with the others.
        duckdb.Error: DuckDB fails.
    """
    names = dict(zip(catalogs(archives), _names(archives), strict=True))
    all_rows = {name: _all_rows(name, names) for name in ("games", "files", "events")}
    joined = f"{all_rows['games']} AS g JOIN {all_rows['files']} AS f USING (archive_index, path, member)"
    # The table games counts no slips; files counts all events in the file.
    games = f"(SELECT g.* REPLACE (f.events AS events) FROM {joined})"
    connection.execute(_REPEATED_RECORDS.format(games=games))
    connection.execute(_REPEATED_FILES.format(files=all_rows["files"]))
    connection.execute(_FORKS.format(games=games, events=all_rows["events"]))
    sources = {name: _merged_rows(name, names) for name in tables.ROW_TYPES}
    create_views(connection, {**sources, **_league_rows(connection, names)}, together=True)


def _league_rows(connection: duckdb.DuckDBPyConnection, names: dict[str, str]) -> dict[str, str]:
    """Return a query for each table about a league: the rows of the first archive that has a league."""
    leagues = (
        catalog
        for catalog in names
        if connection.execute(f"SELECT 1 FROM {catalog}.main.league LIMIT 1").fetchall()
    )
    catalog = next(leagues, next(iter(names)))
    archive = text_constant(names[catalog])
    return {name: f"SELECT *, {archive} AS archive FROM {catalog}.main.{name}" for name in LEAGUE_TABLES}


def _all_rows(table: str, names: dict[str, str]) -> str:
    """Return a subquery for the rows of a table in all archives, each with the number of its archive."""
    parts = (
        f"SELECT *, {position} AS archive_index FROM {catalog}.main.{table}"
        for position, catalog in enumerate(names)
    )
    return f"({' UNION ALL '.join(parts)})"


def _merged_rows(table: str, names: dict[str, str]) -> str:
    """Return a query for the rows of a table that represent their record, with the name of their archive."""
    left_out, key = ("represented", "id") if table in tables.RECORD_TABLES else ("superseded", "path, member")
    parts = [
        f"SELECT *, {text_constant(name)} AS archive FROM {catalog}.main.{table} "
        f"ANTI JOIN (SELECT {key} FROM settled.{left_out} WHERE archive_index = {position}) USING ({key})"
        for position, (catalog, name) in enumerate(names.items())
    ]
    if table == "findings":
        places = "".join(
            f"WHEN {position} THEN {text_constant(name)} " for position, name in enumerate(names.values())
        )
        parts.append(
            f"SELECT * EXCLUDE (archive_index), CASE archive_index {places}END AS archive FROM settled.forks"
        )
    return " UNION ALL ".join(parts)
