"""The one module that makes pseudo-random generators: for bots and simulations, never for records' dice."""

from __future__ import annotations

import random
from random import Random

__all__ = ["Random", "disturb", "generator"]


def generator(*seed: str | int) -> Random:
    """A generator that depends on `seed` alone, on every machine and version of Python."""
    return Random("\n".join(map(str, seed)))


def disturb() -> None:
    """Seed Python's shared generator anew: who asks it, not the generator he was given, is found out."""
    random.seed()
