"""Rows as columns, the form in which a judge makes the rows of many records at once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from msgspec import Struct, structs

Columns = Mapping[str, Sequence[Any]]
"""Values by column, all of the same length. In a JSON column, bytes are JSON; other values get encoded."""


def as_columns(rows: Sequence[Struct]) -> Columns:
    """Return one or more `rows` of one type as columns."""
    return dict(zip(rows[0].__struct_fields__, zip(*map(structs.astuple, rows), strict=True), strict=True))


def flatten(parts: Iterable[Iterable[Any]]) -> list[Any]:
    """Return all values of all parts.

    The list is built alone, because lists that grow in turn are moved in memory again and again.
    """
    values: list[Any] = []
    for part in parts:
        values += part
    return values


def concatenate(sets: Sequence[Columns]) -> Columns:
    """Return the rows of one or more sets of columns as one set."""
    return {name: flatten(columns[name] for columns in sets) for name in sets[0]}
