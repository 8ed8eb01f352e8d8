"""Players."""

from __future__ import annotations

from random import Random

from gamelog.games.gp02a_territory.choices import sample
from gamelog.games.gp02a_territory.events import Decision
from gamelog.games.gp02a_territory.state import State


def random(state: State, seat: str, rng: Random) -> Decision:  # noqa: ARG001 - who is on turn stands in the state
    """Anything legal."""
    return sample(state, rng)


greedy = random
strong = random
