"""The rows of a pack, and how DuckDB writes them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from msgspec import Struct

from gamelog.archive.rows.columns import Columns
from gamelog.archive.schema import tables as schema
from gamelog.archive.schema.columns import Column, Table
from gamelog.archive.sources.packs import MARK, PACK_VERSION

BUFFER = 1 << 20
"""Bytes of records that go into the pack together, or the longest of them."""

_GROUP = "4MB"
"""How much lies together: small, to read little of the rest with one record;
large, so that the table of contents stays short.
"""

_LEVEL = 8
"""Of zstd: 11 takes twice the time for a twenty-fifth fewer bytes, 1 a sixth of it for an eighth more."""

DERIVED = ("counted", "copy_of", "turns", "duration", "path", "member")
"""Columns of ``games`` that a pack does not have: they depend on other records or on the whole play."""


class Packed(Struct, frozen=True):
    """A record on its way into a pack: its ``lines`` without digests and numbers,
    or its bytes as they are (base64).
    """

    name: str
    size: int
    head: str | None
    lines: str | None
    raw: str | None
    game: schema.GameRow | None


_OF_GAME = [column for column in schema.TABLES["games"].columns if column.name not in (*DERIVED, "head")]

PACK = Table(
    "pack",
    "a record in a pack",
    (
        Column("name", "VARCHAR", "what it is called"),
        Column("size", "BIGINT", "its bytes"),
        Column("head", "VARCHAR", "digest of its last line"),
        *_OF_GAME,
        Column("lines", "VARCHAR", "its lines without digests and numbers"),
        Column("raw", "VARCHAR", "its bytes as they are, base64"),
    ),
)


def groups(rows: Iterator[Packed]) -> Iterator[Columns]:
    """`rows` as columns, so many together as have `BUFFER` bytes, however many make them."""
    group: list[Packed] = []
    size = 0
    for row in chain(rows, [None]):
        if row is not None:
            group.append(row)
            size += row.size
        if group and (row is None or size >= BUFFER):
            own = {
                name: [getattr(one, name) for one in group]
                for name in ("name", "size", "head", "lines", "raw")
            }
            yield own | {
                column.name: [getattr(one.game, column.name, None) for one in group] for column in _OF_GAME
            }
            group, size = [], 0


def copy_to(part: str) -> str:
    """The statement that makes a pack of what flows."""
    columns = ", ".join(f"{_value(column)} AS {column.name}" for column in PACK.columns)
    return f"""
        COPY (SELECT {columns} FROM flow) TO {part} (
          FORMAT parquet, COMPRESSION zstd, COMPRESSION_LEVEL {_LEVEL}, ROW_GROUP_SIZE_BYTES '{_GROUP}',
          KV_METADATA {{{MARK}: '{PACK_VERSION.decode()}'}}
        )"""


def _value(column: Column) -> str:
    """A column of a pack, of what flows, where nothing is known of some records' games."""
    if column.name == "raw":
        return "from_base64(raw)"
    return (
        f"decode(nullif({column.name}, 'null'::BLOB))::JSON"
        if column.sql == "JSON"
        else f"{column.name}::{column.sql}"
    )
