"""Rows as columns. A judge works column by column, over many records at a time."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from msgspec import Struct, structs

Columns = Mapping[str, Sequence[Any]]
"""Values by column, all of the same length. What stands in JSON columns is JSON where it is bytes,
and becomes it where not.
"""


def as_columns(rows: Sequence[Struct]) -> Columns:
    """`rows`, one at least and all of one kind, as columns."""
    return dict(zip(rows[0].__struct_fields__, zip(*map(structs.astuple, rows), strict=True), strict=True))


def flat(parts: Iterable[Iterable[Any]]) -> list[Any]:
    """All values, part by part. Lists that grow in turn are moved about in memory; so each is made alone."""
    found: list[Any] = []
    for part in parts:
        found += part
    return found


def in_one(some: Sequence[Columns]) -> Columns:
    """The rows of `some`, one at least, one after the other."""
    return {name: flat(one[name] for one in some) for name in some[0]}
