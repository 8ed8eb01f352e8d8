"""Views for the most frequent questions, with the game and the player in each row.

Most columns are columns of the tables, named ``table.column``. A few are computed.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from gamelog.archive.schema.columns import Column, Table
from gamelog.archive.schema.tables import TABLES


class _View(NamedTuple):
    """A view described as a table, the list of its SELECT, and its FROM clause."""

    table: Table
    select_list: str
    source: str
    archive_table: str
    """The table in `source` whose column ``archive`` the rows have, for several archives."""


def _view(
    name: str, meaning: str, source: str, *columns: str | tuple[Column, str], archived: str = "games"
) -> _View:
    """Return the view `name` with these columns. `archived` is the table of the column ``archive``."""
    described: list[Column] = []
    chosen: list[str] = []
    for column in columns:
        if isinstance(column, str):
            table, _, column_name = column.partition(".")
            described.append(
                next(
                    table_column for table_column in TABLES[table].columns if table_column.name == column_name
                )
            )
            chosen.append(column)
        else:
            described.append(column[0])
            chosen.append(f"{column[1]} AS {column[0].name}")
    return _View(Table(name, meaning, tuple(described)), ", ".join(chosen), source, archived)


_SITTINGS = (
    "(SELECT *, 0 AS from_n, NULL::BIGINT AS to_n FROM seats WHERE sitters = 1 "
    "UNION ALL BY NAME SELECT * FROM stays)"
)

_AT_SEAT = (
    "{0}.id = {1}.id AND {0}.seat = {1}.seat AND {1}.n >= {0}.from_n AND {1}.n <= coalesce({0}.to_n, {1}.n)"
)
"""Join condition for the person at the seat at the time of an event."""

_VIEWS = (
    _view(
        "sittings",
        "One person at one seat of one record. The person sat there at event n "
        "if n >= from_n and n <= coalesce(to_n, n).",
        f"FROM {_SITTINGS} AS stays",
        *(f"stays.{column.name}" for column in TABLES["stays"].columns),
        archived="stays",
    ),
    _view(
        "results",
        "One seat of one finished game that counts, with its player and its result. "
        "The player is null if several people decided something at the seat.",
        "FROM credited('none') AS seats JOIN games USING (id) WHERE counted AND finished",
        "games.id",
        "games.game",
        "games.started",
        "games.players",
        "seats.seat",
        "seats.turn_order",
        "seats.player",
        "seats.bot",
        "seats.won",
        "seats.share",
        "seats.score",
        "games.reason",
        "games.turns",
        (Column("minutes", "DOUBLE", "time of play, without pauses, in minutes"), "games.duration / 60000"),
    ),
    _view(
        "moves",
        "One decision of a game that counts, with its player and thinking time. "
        "Undone decisions are left out.",
        "FROM events JOIN games USING (id) "
        f"LEFT JOIN sittings AS seats ON {_AT_SEAT.format('seats', 'events')} "
        "WHERE games.counted AND events.decision IS NOT NULL",
        "games.id",
        "games.game",
        "events.n",
        "events.turn",
        "events.decision",
        "events.seat",
        "seats.player",
        "seats.bot",
        "events.kind",
        (
            Column("seconds", "DOUBLE", "time of play since the last event of play, in seconds"),
            "events.elapsed_ms / 1000",
        ),
        "events.data",
    ),
    _view(
        "dice",
        "One die of one roll of a game that counts. Undone rolls are included.",
        "FROM (SELECT *, unnest(faces) AS face FROM rolls) AS rolls JOIN games USING (id) "
        f"LEFT JOIN sittings AS seats ON {_AT_SEAT.format('seats', 'rolls')} WHERE games.counted",
        "games.id",
        "games.game",
        (Column("source", "VARCHAR", "source of chance: table, seeded or commit-reveal"), "games.dice"),
        "rolls.n",
        "rolls.seat",
        "seats.player",
        "rolls.sides",
        (Column("face", "BIGINT", "face of the die"), "rolls.face"),
        "rolls.stands",
    ),
    _view(
        "league_seats",
        "One seat of one game that counts in the league, with its player and points. The player is null if "
        "the result of the seat counts for no one.",
        "FROM league_results() AS results LEFT JOIN games ON games.id = results.id",
        (Column("id", "VARCHAR", "id of the record; correction and its number without one"), "results.id"),
        (Column("round", "VARCHAR", "name of the round; null without rounds"), "results.round"),
        (Column("day", "DATE", "day of the start, UTC"), "results.day"),
        (Column("game", "VARCHAR", "id of the game; null without a record"), "results.game"),
        (Column("players", "BIGINT", "number of seats"), "results.players"),
        (Column("seat", "VARCHAR", "name of the seat; null without a record"), "results.seat"),
        (Column("player", "VARCHAR", "name of the person in answers"), "results.player"),
        (Column("place", "BIGINT", "place by the rules of the league, from 1"), "results.place"),
        (Column("won", "BOOLEAN", "whether the seat has the first place and others have not"), "results.won"),
        (Column("drawn", "BOOLEAN", "whether all seats have the same place"), "results.drawn"),
        (Column("walkover", "BOOLEAN", "whether the game was a walkover or a forfeit"), "results.walkover"),
        (Column("points", "DOUBLE", "points in the league"), "results.points"),
        (
            Column("result", "VARCHAR", "result_by of the game, or the decision: result or forfeit"),
            "results.result",
        ),
        (
            Column("reason", "VARCHAR", "reason of the organiser's decision; null without one"),
            "results.reason",
        ),
    ),
)

VIEWS: dict[str, Table] = {view.table.name: view.table for view in _VIEWS}
"""The views by name, described as tables."""


def view_statements(*, together: bool = False) -> Iterator[str]:
    """Yield the statements that create the views.

    With `together`, for several archives, the rows have a column ``archive``.
    """
    for view in _VIEWS:
        chosen = f"{view.select_list}, {view.archive_table}.archive" if together else view.select_list
        yield f"CREATE VIEW {view.table.name} AS SELECT {chosen} {view.source}"
