"""How much of what can be tried without end is tried: all of it by `make fuzz`, a share in the ordinary run."""

from __future__ import annotations

from hypothesis import settings

GRID = 6
"""One case in so many of a test marked ``grid`` is in the ordinary run, always the same, and of each test one at least.

``@pytest.mark.grid(keeps=("zone_s",))`` names cases that come first: those that take less than the others for the same.
"""

GAMES = 3
"""Random games of each number of players that the kit looks at in the ordinary run."""

SLOW, STATES_TRIED, UNPLAYED = 12, 10, 20
"""States of one of these games that its slow checks look at there; those in which it tries strange events, and how many."""

EXAMPLES = 100
"""Examples of a property in a full run, where it names no number of its own."""

settings.register_profile(
    "full", deadline=None, max_examples=EXAMPLES
)  # no test fails because the machine was busy
settings.register_profile("gamelog", deadline=None, max_examples=EXAMPLES // 5)


def examples(most: int) -> int:
    """How many examples to try of a property that has so many in a full run: a fifth in the ordinary run, five at least."""
    return max(min(most, 5), most * settings().max_examples // EXAMPLES)
