"""What is told of records, gathered: from one record after the other to one batch of rows a table."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from msgspec import Struct

from gamelog.archive.rows.columns import Columns, as_columns, in_one
from gamelog.archive.rows.consequences import Consequences, EffectRows, tables
from gamelog.archive.schema.tables import TABLES

if TYPE_CHECKING:
    from gamelog.archive.rows.arrow import Batch


class RecordRows(Struct):
    """What there is to say of a record: by table few ``rows`` as structs and many as ``columns``,
    and its ``consequences``.
    """

    rows: dict[str, list[Struct]]
    columns: dict[str, Columns] = {}
    consequences: Consequences = {}


class RowBatch:
    """What is told of many records. It is put together at the end, once for all of them."""

    def __init__(self) -> None:
        self._rows: dict[str, list[Struct]] = defaultdict(list)
        self._columns: dict[str, list[Columns]] = defaultdict(list)
        self._consequences: dict[type, list[EffectRows]] = defaultdict(list)

    def add(self, told: RecordRows) -> None:
        """Put a record behind those that are there."""
        for name, rows in told.rows.items():
            self._rows[name] += rows
        for name, some in told.columns.items():
            self._columns[name].append(some)
        for kind, happened in told.consequences.items():
            self._consequences[kind].append(happened)

    def batches(self) -> dict[str, Batch]:
        """All of it, by table. Raises what `gamelog.archive.rows.arrow.batch` raises."""
        from gamelog.archive.rows.arrow import batch

        found: dict[str, Columns] = {name: as_columns(rows) for name, rows in self._rows.items() if rows}
        found |= {name: in_one(some) for name, some in self._columns.items()}
        found |= tables(self._consequences)
        return {name: batch(TABLES[name], values) for name, values in found.items()}
