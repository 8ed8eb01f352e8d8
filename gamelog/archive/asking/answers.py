"""What a question gave, and the forms in which it is told or written."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, Literal

from msgspec import Struct

Format = Literal["csv", "json", "parquet"]

WRITERS: dict[Format, str] = {
    "csv": "(FORMAT csv, HEADER)",
    "json": "(FORMAT json)",
    "parquet": "(FORMAT parquet, COMPRESSION zstd, KV_METADATA {{gamelog: {description}}})",
}
"""How DuckDB writes each format. ``json`` is one object a line; ``parquet`` describes its columns."""

ZONED = re.compile("TIMESTAMP WITH TIME ZONE|TIMESTAMPTZ")
"""Types that DuckDB cannot make Python values of without the package pytz; such columns come as text."""

FORMULA = "=+-@\t\r\n＝＋－＠"
"""How text begins that a spreadsheet takes for a formula, by wide characters too."""


class Answer(Struct, frozen=True):
    """What a question gave: names and SQL types of the columns, and the rows.

    ``notes`` are what must be known beside the rows of a stock question: what it takes together, and what it
    leaves out.
    """

    columns: tuple[str, ...]
    types: tuple[str, ...]
    rows: list[tuple[Any, ...]]
    notes: tuple[str, ...] = ()

    def dicts(self) -> list[dict[str, Any]]:
        """The rows as mappings from column to value."""
        return [dict(zip(self.columns, row, strict=True)) for row in self.rows]


def within(sql: str) -> str:
    """The question `sql` in brackets, to stand in another."""
    return f"({sql.rstrip().rstrip(';')}\n)"


def as_text(sql: str, types: tuple[str, ...]) -> str:
    """The question `sql`, its columns of zoned times as text."""
    names = [f"c{at}" for at in range(len(types))]
    told = ", ".join(
        f"CAST({name} AS VARCHAR)" if ZONED.search(type) else name
        for name, type in zip(names, types, strict=True)
    )
    return f"SELECT {told} FROM {within(sql)} AS asked({', '.join(names)})"


def spreadsheet_cell(value: Any) -> Any:
    """`value`, marked with an apostrophe if it is text that a spreadsheet would take for a formula."""
    return f"'{value}" if isinstance(value, str) and value.startswith(tuple(FORMULA)) else value


def for_spreadsheets(sql: str, columns: Iterable[tuple[str, str]]) -> str:
    """The question `sql` with these columns (name, type), texts marked as `spreadsheet_cell` does."""
    names, cells = [], []
    for at, (name, type) in enumerate(columns):
        marked = (
            f"CASE WHEN regexp_matches(c{at}, '^[{re.escape(FORMULA)}]') THEN '''' || c{at} ELSE c{at} END"
        )
        quoted = spreadsheet_cell(name).replace('"', '""')
        names.append(f"c{at}")
        cells.append(f'{marked if type == "VARCHAR" else f"c{at}"} AS "{quoted}"')
    return f"SELECT {', '.join(cells)} FROM {within(sql)} AS asked({', '.join(names)})"
