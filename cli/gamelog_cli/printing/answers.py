"""Rows of an archive on standard output: a table, CSV or JSON."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any, Literal

from gamelog.message import Message
from gamelog_cli.printing.language import text_of
from gamelog_cli.printing.output import emit, print_csv, print_line, print_table, warn
from gamelog_cli.printing.text_table import RangeCell, is_number, round_value

RowFormat = Literal["table", "csv", "json"]
"""A format of rows on standard output."""

Parts = Sequence[tuple[str | Message, tuple[str, ...]]]
"""The columns of a narrow table: the heading, and one column or the two ends of a range."""

NO_ROWS = Message.of("The answer has no rows.")
"""The line that replaces an empty table on a terminal."""


def print_rows(
    columns: Sequence[str],
    rows: Sequence[Sequence[Any]],
    format: RowFormat,
    *,
    parts: Parts = (),
    raw: bool = False,
    headings: bool = True,
    empty: Message = NO_ROWS,
) -> None:
    """Print rows.

    Args:
        columns: The names of the columns.
        rows: The rows.
        format: The format.
        parts: The columns of a table on a terminal; without any, all columns.
        raw: Whether CSV is for other programs than spreadsheets.
        headings: Whether a table has headings.
        empty: The line that replaces an empty table on a terminal.
    """
    if format == "json":
        for row in rows:
            emit(dict(zip(columns, row, strict=True)))
    elif format == "csv":
        from gamelog.archive import spreadsheet_cell

        print_csv(row if raw else map(spreadsheet_cell, row) for row in (columns, *rows))
    elif not sys.stdout.isatty():
        print_table(columns, rows, headings=headings)
    elif not rows:
        print_line(empty)
    else:
        shown = [(text_of(heading), names) for heading, names in parts if set(names) <= set(columns)]
        shown = shown or [(name, (name,)) for name in columns]
        places = [[columns.index(name) for name in names] for _, names in shown]
        cells = [[_cell([row[place] for place in at]) for at in places] for row in rows]
        print_table([heading for heading, _ in shown], cells, headings=headings)
        if {name for _, names in shown for name in names} != set(columns):
            text = "The table has a part of the columns. To get all, add --format csv."
            warn(Message.of(text))


def _cell(values: Sequence[Any]) -> Any:
    """Return the cell of one column, or of the two ends of a range."""
    first = values[0]
    if len(values) > 1 and None not in values:
        return RangeCell(*values)
    if isinstance(first, list):
        return ", ".join(round_value(one) if is_number(one) and one % 1 else _text(one) for one in first)
    return first


def _text(value: Any) -> str:
    return f"{value:.0f}" if isinstance(value, float) else "" if value is None else str(value)
