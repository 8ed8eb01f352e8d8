"""The one module that makes pseudo-random generators: for bots and simulations, never for records' dice."""

from __future__ import annotations

from random import Random

__all__ = ["Random", "generator"]


def generator(*seed: str | int) -> Random:
    """A generator that depends on `seed` alone, on every machine and version of Python."""
    return Random("\n".join(map(str, seed)))
