"""The rows of a pack, and the statement with which DuckDB writes them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from msgspec import Struct

from gamelog.archive.rows.columns import Columns
from gamelog.archive.schema import tables
from gamelog.archive.schema.columns import Column, Table
from gamelog.archive.sources.packs import MARK, PACK_VERSION

_BUFFER = 1 << 20
"""Bytes of records that are written together, unless a single record is longer."""

_GROUP = "4MB"
"""Size of a row group.

A small group makes reading one record cheap, and a large one keeps the table of contents short.
"""

_LEVEL = 8
"""Compression level of zstd. 11 saves 4 % in twice the time; 1 costs 12 % more in a sixth of the time."""

_DERIVED = ("counted", "copy_of", "turns", "duration", "path", "member")
"""Columns of ``games`` that a pack does not have, because they depend on other records or on the whole play.
"""


class Packed(Struct, frozen=True):
    """The row of a record in a pack.

    Attributes:
        size: Number of bytes of the record's file.
        lines: Lines of the record without digests and numbers, or None.
        raw: Bytes of the record instead of the lines, or None.
    """

    name: str
    size: int
    head: str | None
    lines: str | None
    raw: str | None
    game: tables.GameRow | None


_OF_GAME = [column for column in tables.TABLES["games"].columns if column.name not in (*_DERIVED, "head")]

PACK = Table(
    "pack",
    "One record in a pack.",
    (
        Column("name", "VARCHAR", "name of the record"),
        Column("size", "BIGINT", "size of the record in bytes"),
        Column("head", "VARCHAR", "digest of the last line"),
        *_OF_GAME,
        Column("lines", "VARCHAR", "lines of the record, without digests and numbers"),
        Column("raw", "VARCHAR", "bytes of the record in base64, if it has no lines"),
    ),
)
"""The table of records in a pack."""


def group_rows(rows: Iterator[Packed]) -> Iterator[Columns]:
    """Yield `rows` as columns, in groups of about `_BUFFER` bytes whatever the number of jobs."""
    group: list[Packed] = []
    size = 0
    for row in chain(rows, [None]):
        if row is not None:
            group.append(row)
            size += row.size
        if group and (row is None or size >= _BUFFER):
            values = {
                name: [getattr(row, name) for row in group]
                for name in ("name", "size", "head", "lines", "raw")
            }
            yield values | {
                column.name: [getattr(row.game, column.name, None) for row in group] for column in _OF_GAME
            }
            group, size = [], 0


def copy_statement(part: str, *, sort: bool) -> str:
    """Return the statement that writes the rows of ``flow`` to a pack, sorted by name if `sort`."""
    columns = ", ".join(f"{_value(column)} AS {column.name}" for column in PACK.columns)
    return f"""
        COPY (SELECT {columns} FROM flow{" ORDER BY name" if sort else ""}) TO {part} (
          FORMAT parquet, COMPRESSION zstd, COMPRESSION_LEVEL {_LEVEL}, ROW_GROUP_SIZE_BYTES '{_GROUP}',
          KV_METADATA {{{MARK}: '{PACK_VERSION.decode()}'}}
        )"""


def _value(column: Column) -> str:
    """Return the expression for a column of a pack. It is NULL for records without a known game."""
    if column.name == "raw":
        return "from_base64(raw)"
    return (
        f"decode(nullif({column.name}, 'null'::BLOB))::JSON"
        if column.sql == "JSON"
        else f"{column.name}::{column.sql}"
    )
