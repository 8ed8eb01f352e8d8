"""Analyses in an archive: the files beside records, which a run reads if they are new or have changed.

An analysis counts only if it names the id and the head of the record from whose file the archive was filled.
All its numbers are checked before they are used, because the file may come from someone else.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Annotated

import msgspec
from msgspec import Struct

from gamelog.analysis.analysis_path import ANALYSIS_ENDING
from gamelog.archive.indexing.planning import FoundFile
from gamelog.archive.indexing.store import Store
from gamelog.archive.schema.analysis_tables import (
    ANALYSIS_ROW_TYPES,
    AnalysisRow,
    AnalysisTableRow,
    ChanceRow,
    SeatLuckRow,
    SwingRow,
)
from gamelog.archive.schema.columns import text_constant
from gamelog.archive.schema.tables import FindingRow
from gamelog.archive.sources.items import Item, read_contents
from gamelog.errors import RecordError
from gamelog.record.discovery import ENDINGS

if TYPE_CHECKING:
    from gamelog.analysis.analysis import Analysis

STALE = "analysis.stale"
"""Code of a finding: the analysis is of another record, or of another version of the record."""

DAMAGED = "analysis.damaged"
"""Code of a finding: the file is not an analysis, or its numbers cannot be right."""

UNREAD = "analysis.unread"
"""Code of a finding: the file of the analysis could not be read. The next run tries again."""

_SEPARATORS = "/" if os.altsep is None else r"/\\"
"""The signs between folders in a path, for a regular expression."""

_STEM = "regexp_replace({}, '({})$', '')".format(
    "CASE WHEN member = '' THEN path "
    f"ELSE regexp_extract(path, '^.*[{_SEPARATORS}]') || replace(member, '/', '-') END",
    "|".join(ending.replace(".", "[.]") for ending in sorted(ENDINGS, key=len, reverse=True)),
)
"""The path of the analysis of a record without its ending, as `analysis_path` gives it."""

_DUE = f"""
CREATE TEMP TABLE due_analyses AS
SELECT games.id, analyses_found.position
FROM (SELECT *, {_STEM} || {text_constant(ANALYSIS_ENDING)} AS beside FROM games) AS games
  LEFT JOIN analyses_found ON analyses_found.path = games.beside
  LEFT JOIN analyses ON analyses.id = games.id
WHERE (analyses_found.path IS NOT NULL
    AND (analyses.path, analyses.size, analyses.mtime_ns)
      IS DISTINCT FROM (analyses_found.path, analyses_found.size, analyses_found.mtime_ns))
  OR (analyses_found.path IS NULL AND games.path IN (SELECT path FROM found)
    AND (analyses.path IS NOT NULL OR games.id IN (SELECT id FROM findings WHERE code = '{UNREAD}')))
"""
"""The records whose analysis is new, has changed or is gone, with its place in the scan."""

_RECORDS = """
SELECT due_analyses.position, games.id, games.path, games.member, games.head, any_value(files.events),
  list(seat ORDER BY seats.position), list(share ORDER BY seats.position)
FROM due_analyses JOIN games USING (id) JOIN seats USING (id)
  LEFT JOIN files ON files.path = games.path AND files.member = games.member
WHERE due_analyses.position IS NOT NULL
GROUP BY due_analyses.position, games.id, games.path, games.member, games.head ORDER BY due_analyses.position
"""


class _Analysed(Struct, frozen=True):
    """A record with an analysis beside it.

    Attributes:
        path: Path of the record or of its pack.
        member: Name of the record in its pack.
        events: Number of event lines.
        seats: Names of the seats.
        shares: Share of the victory of each seat; None while the game is unfinished.
    """

    position: Annotated[int, "place of the analysis in the scan"]
    id: str
    path: str
    member: str
    head: str | None
    events: int | None
    seats: list[str]
    shares: list[float | None]


class _UnusableError(Exception):
    """The reason why an analysis is not used: the code of the finding, and a sentence without its end."""

    def __init__(self, code: str, reason: str) -> None:
        super().__init__(reason)
        self.code = code


def update_analyses(store: Store, found: Sequence[Item]) -> int:
    """Bring the analyses of the scanned records up to date, and return the number of analyses in use.

    The temporary table ``found`` has the scanned files with records.

    Args:
        store: The archive, with the records of this run.
        found: The files of analyses in the scan.
    """
    if not found and not store.sql("SELECT 1 FROM analyses LIMIT 1"):
        return 0
    rows = [FoundFile(position, item.name, item.size, item.mtime_ns) for position, item in enumerate(found)]
    store.create_temporary("analyses_found", FoundFile, rows)
    store.sql(_DUE)
    for table in ANALYSIS_ROW_TYPES:
        store.sql(f"DELETE FROM {table} WHERE id IN (SELECT id FROM due_analyses)")
    store.sql(
        "DELETE FROM findings WHERE id IN (SELECT id FROM due_analyses) AND code IN "
        "(SELECT unnest($codes::VARCHAR[]))",
        codes=[STALE, DAMAGED, UNREAD],
    )
    for record in (_Analysed(*row) for row in store.sql(_RECORDS)):
        _add_analysis(store, record, found[record.position])
    store.load()
    ((count,),) = store.sql("SELECT count(*) FROM analyses WHERE used")
    return int(count)


def _add_analysis(store: Store, record: _Analysed, item: Item) -> None:
    """Add the rows of the analysis in the file `item`, or a finding about the record if it is not used."""
    added = AnalysisRow(id=record.id, path=item.name, size=item.size, mtime_ns=item.mtime_ns, used=False)
    try:
        analysis = _read(item, record)
    except _UnusableError as error:
        finding = FindingRow(
            path=record.path,
            member=record.member,
            id=record.id,
            code=error.code,
            severity="warning",
            message=f"{item.name} is not used: {error}",
        )
        store.add("findings", [finding])
        if error.code != UNREAD:  # otherwise the next run reads it again
            store.add("analyses", [added])
        return
    tables: dict[str, list[AnalysisTableRow]] = {name: [] for name in ANALYSIS_ROW_TYPES}
    for row in (_used(added, analysis), *_rows(analysis)):
        tables[_TABLE_OF[type(row)]].append(row)
    for table, rows in tables.items():
        store.add(table, rows)


_TABLE_OF = {row: name for name, row in ANALYSIS_ROW_TYPES.items()}


def _read(item: Item, record: _Analysed) -> Analysis:
    """Return the analysis of a record in a file.

    Raises:
        _UnusableError: The file cannot be read, is not an analysis, or is not of this version of the record.
    """
    from gamelog.analysis.analysis_file import (
        AnalysedRecord,
        UnusableAnalysisError,
        decode_analysis,
        largest_size,
        too_large,
    )

    events = record.events or 0
    result = [share for share in record.shares if share is not None]
    is_over = len(result) == len(record.seats)
    expected = AnalysedRecord(
        record.id, record.head, tuple(record.seats), events, result if is_over else None
    )
    try:
        if item.size > largest_size(events):
            raise too_large(events)
        ((_, data),) = read_contents([item])
        if isinstance(data, RecordError):
            raise _UnusableError(UNREAD, str(data).rstrip("."))
        analysis = decode_analysis(data, expected)
    except UnusableAnalysisError as error:
        raise _UnusableError(STALE if error.is_stale else DAMAGED, str(error)) from None
    return analysis


def _used(added: AnalysisRow, analysis: Analysis) -> AnalysisRow:
    """Return the row of an analysis that is used."""
    return msgspec.structs.replace(
        added,
        used=True,
        bot=analysis.bot,
        fit_games=analysis.fit_games,
        checked_games=analysis.checked_games,
        slope=analysis.slope,
        playouts=analysis.playouts,
        large=analysis.large,
        examined=analysis.examined,
    )


def _rows(analysis: Analysis) -> Iterator[AnalysisTableRow]:
    """Yield the rows of an analysis, without the one of its file."""
    id, seats = analysis.record, analysis.seats
    for total, luck in zip(analysis.totals, analysis.feature_luck or [[]] * len(seats), strict=True):
        yield SeatLuckRow(
            id=id,
            seat=total.seat,
            initial=total.initial,
            result=total.final,
            luck=total.luck,
            choices=total.choices,
            other=total.rest,
            error=total.error,
            feature_luck=tuple(luck),
        )
    start = analysis.points[0]
    for seat, chance in zip(seats, start.chances, strict=True):
        yield ChanceRow(id=id, n=0, seat=seat, chance=chance, error=start.error, cause="other")
    for before, point in pairwise(analysis.points):
        for seat, chance, earlier in zip(seats, point.chances, before.chances, strict=True):
            yield ChanceRow(
                id=id,
                n=point.n,
                seat=seat,
                chance=chance,
                change=chance - earlier,
                error=point.error,
                cause=point.cause,
                decider=point.by,
            )
    for swing in analysis.turning_points:
        change, seat = max(zip(swing.swing, seats, strict=True), key=lambda one: (abs(one[0]), one[0]))
        other = swing.alternative
        yield SwingRow(
            id=id,
            n=swing.n,
            seat=seat,
            change=change,
            error=swing.error,
            threshold=swing.limit,
            cause=swing.cause,
            decider=swing.by,
            alternative=msgspec.json.encode(other.event).decode() if other else None,
            alternative_chance=other.chance if other else None,
            alternative_error=other.error if other else None,
            gain=other.gain if other else None,
            is_better=other.is_better if other else None,
        )
