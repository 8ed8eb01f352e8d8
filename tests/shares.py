"""The share of long grids and of examples that an ordinary run tries; `make fuzz` tries all."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from hypothesis import settings

GRID = 8
"""One case in so many of a test marked ``grid`` is in the ordinary run, always the same, and of each test one at least.

``@pytest.mark.grid(keeps=("zone_s",))`` names cases that come first: those that take less than the others for the same.
"""

GAMES_PER_PLAYER_COUNT = 3
"""Random games of each number of players that the kit looks at in the ordinary run."""

MAX_SLOW_POSITIONS, MAX_TRIED_STATES, MAX_UNPLAYED_EVENTS = 12, 10, 20
"""States of one of these games that its slow checks look at there; those in which it tries strange events, and how many."""

EXAMPLES = 100
"""Examples of a property in a full run, where it names no number of its own."""

settings.register_profile(
    "full", deadline=None, max_examples=EXAMPLES
)  # no test fails because the machine was busy
settings.register_profile("gamelog", deadline=None, max_examples=EXAMPLES // 8)


def examples(most: int) -> int:
    """Return the number of examples to try: `most` in a full run, else an eighth, but at least five."""
    return max(min(most, 5), most * settings().max_examples // EXAMPLES)


@contextmanager
def share_of_kit(config: pytest.Config) -> Iterator[None]:
    """Reduce the kit to a share of its random games, states and malformed events. It still tries each option."""
    from gamelog.testing.checks import random_games

    with pytest.MonkeyPatch.context() as patch:
        if not config.getoption("--grids"):
            for name in (
                "GAMES_PER_PLAYER_COUNT",
                "MAX_SLOW_POSITIONS",
                "MAX_TRIED_STATES",
                "MAX_UNPLAYED_EVENTS",
            ):
                patch.setattr(random_games, name, globals()[name])
        yield
