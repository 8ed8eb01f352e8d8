"""Positions as bytes, one for each place."""

from __future__ import annotations

BYTE = tuple(bytes([value]) for value in range(256))
"""Each value as it stands in a position."""


def put(cells: bytes, at: int, value: int) -> bytes:
    """`cells` with `value` at the place `at`."""
    return cells[:at] + BYTE[value] + cells[at + 1 :]
