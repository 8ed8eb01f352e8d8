"""What is told of records, gathered: from one record after the other to one batch of rows a table."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from gamelog.archive.rows.columns import Columns, as_columns
from gamelog.archive.rows.consequences import Consequences, Happened, tables
from gamelog.archive.schema.tables import TABLES

if TYPE_CHECKING:
    from gamelog.archive.rows.arrow import Batch


class RecordRows(Struct):
    """What there is to say of a record: by table few ``rows`` as structs and many as ``columns``, and its ``consequences``."""

    rows: dict[str, list[Struct]]
    columns: dict[str, Columns] = {}
    consequences: Consequences = {}


class RowBatch:
    """What is told of many records. What can wait is made into columns at the end, once for all of them."""

    def __init__(self) -> None:
        self._rows: dict[str, list[Struct]] = defaultdict(list)
        self._columns: dict[str, dict[str, list[Any]]] = defaultdict(lambda: defaultdict(list))
        self._consequences: Consequences = defaultdict(Happened)

    def add(self, told: RecordRows) -> None:
        """Put a record behind those that are there."""
        for name, rows in told.rows.items():
            self._rows[name] += rows
        for name, some in told.columns.items():
            table = self._columns[name]
            for column, values in some.items():
                table[column] += values
        for kind, happened in told.consequences.items():
            self._consequences[kind] += happened

    def batches(self) -> dict[str, Batch]:
        """All of it, by table. Raises what `gamelog.archive.rows.arrow.batch` raises."""
        from gamelog.archive.rows.arrow import batch

        rows = {name: as_columns(rows) for name, rows in self._rows.items() if rows}
        found = {**rows, **self._columns, **tables(self._consequences)}
        return {name: batch(TABLES[name], values) for name, values in found.items()}
