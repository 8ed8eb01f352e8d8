"""Players made of a few lines."""

from __future__ import annotations

from random import Random

from gamelog.games.dice_flags.choices import sample
from gamelog.games.dice_flags.events import Decision
from gamelog.games.dice_flags.state import State


def random(state: State, seat: str, rng: Random) -> Decision:  # noqa: ARG001 - who is on turn stands in the state
    """Anything legal."""
    return sample(state, rng)
