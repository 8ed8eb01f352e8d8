"""Pseudo-random generators for bots and simulations. The dice of records never use them."""

from __future__ import annotations

import random
from random import Random

__all__ = ["Random", "generator", "reseed_shared_generator"]


def generator(*seed: str | int) -> Random:
    """Return a generator that depends only on `seed`, on every machine and version of Python."""
    return Random("\n".join(map(str, seed)))


def reseed_shared_generator() -> None:
    """Seed Python's shared generator again, so that code which uses it becomes noticeable."""
    random.seed()
