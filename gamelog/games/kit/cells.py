"""Positions as bytes, one for each place."""

from __future__ import annotations

BYTE = tuple(bytes([value]) for value in range(256))
"""Each value as a byte string of length one."""


def put(cells: bytes, at: int, value: int) -> bytes:
    """Return `cells` with `value` at the place `at`."""
    return cells[:at] + BYTE[value] + cells[at + 1 :]
