"""Players that every game can have."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from gamelog.game import Bot, Event


def anything(sample: Callable[[Any, Random], Event]) -> Bot:
    """The bot that does whatever `sample` picks of what is legal."""
    return lambda state, _seat, rng: sample(state, rng)
