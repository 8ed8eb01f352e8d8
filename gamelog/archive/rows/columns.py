"""Rows as columns. A judge works column by column, over many records at a time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct, structs

Columns = Mapping[str, Sequence[Any]]
"""Values by column, all of the same length. What stands in JSON columns is JSON where it is bytes, and becomes it where not."""


def as_columns(rows: Sequence[Struct]) -> Columns:
    """`rows`, one at least and all of one kind, as columns."""
    return dict(zip(rows[0].__struct_fields__, zip(*map(structs.astuple, rows), strict=True), strict=True))
