"""Answers to questions, and the formats in which they are written."""

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
"""Options of DuckDB's COPY for each format. JSON has one object a line. Parquet describes its columns."""

ZONED = re.compile("TIMESTAMP WITH TIME ZONE|TIMESTAMPTZ")
"""SQL types that are returned as text, because DuckDB needs the package pytz to make Python values of them.
"""

_FORMULA_SIGNS = "=+-@\t\r\n＝＋－＠"
"""First characters of a text that a spreadsheet reads as a formula, wide characters included."""


class Answer(Struct, frozen=True):
    """The answer to a question.

    Attributes:
        columns: Names of the columns.
        types: SQL type of each column.
        rows: One value of each column in each row.
        notes: Sentences about what the answer combines and what it leaves out.
    """

    columns: tuple[str, ...]
    types: tuple[str, ...]
    rows: list[tuple[Any, ...]]
    notes: tuple[str, ...] = ()

    def dicts(self) -> list[dict[str, Any]]:
        """Return the rows as mappings from column to value."""
        return [dict(zip(self.columns, row, strict=True)) for row in self.rows]


def as_subquery(sql: str) -> str:
    """Return the question `sql` in brackets, for use in another statement."""
    return f"({sql.rstrip().rstrip(';')}\n)"


def zoned_times_as_text(sql: str, types: tuple[str, ...]) -> str:
    """Return the question `sql` with its columns of zoned times cast to text."""
    names = [f"c{column}" for column in range(len(types))]
    columns = ", ".join(
        f"CAST({name} AS VARCHAR)" if ZONED.search(type) else name
        for name, type in zip(names, types, strict=True)
    )
    return f"SELECT {columns} FROM {as_subquery(sql)} AS asked({', '.join(names)})"


def spreadsheet_cell(value: Any) -> Any:
    """Return `value`, with an apostrophe before a text that a spreadsheet would read as a formula."""
    return f"'{value}" if isinstance(value, str) and value.startswith(tuple(_FORMULA_SIGNS)) else value


def for_spreadsheets(sql: str, columns: Iterable[tuple[str, str]]) -> str:
    """Return the question `sql` with its texts marked as by `spreadsheet_cell`.

    Args:
        sql: The question.
        columns: The name and SQL type of each of its columns.
    """
    names, cells = [], []
    for position, (name, type) in enumerate(columns):
        looks_like_formula = f"regexp_matches(c{position}, '^[{re.escape(_FORMULA_SIGNS)}]')"
        marked = f"CASE WHEN {looks_like_formula} THEN '''' || c{position} ELSE c{position} END"
        quoted = spreadsheet_cell(name).replace('"', '""')
        names.append(f"c{position}")
        cells.append(f'{marked if type == "VARCHAR" else f"c{position}"} AS "{quoted}"')
    return f"SELECT {', '.join(cells)} FROM {as_subquery(sql)} AS asked({', '.join(names)})"
