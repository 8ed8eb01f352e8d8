"""A simple bot that captures as much as it can."""

from __future__ import annotations

from random import Random

from gamelog.games.zone_s.choices import Choice, choices, decision, sample
from gamelog.games.zone_s.events import Decision
from gamelog.games.zone_s.state import State
from gamelog.games.zone_s.victory import destroys_base


def greedy(state: State, seat: str, rng: Random) -> Decision:
    """Return the action that destroys the base, captures most, or comes closest to the enemy's base.

    The set-up is random.
    """
    if state.phase != "play":
        return sample(state, seat, rng)
    return decision(
        state, max(choices(state), key=lambda choice: (*_choice_rank(state, choice), rng.random()))
    )


def _choice_rank(state: State, choice: Choice) -> tuple[bool, int, int]:
    """Return the rank of `choice`: a victory, then the captured cost, then the steps towards the base."""
    what, src, dst = choice
    if what in ("pass", "summon"):
        return False, 0, int(what == "summon")
    board, base = state.setup.board, state.bases[1 - state.actor]
    prey = state.setup.roster.kinds[state.pieces[dst]].cost
    if what == "shoot":
        return False, prey, 0
    gain = board.distance(src, base) - board.distance(dst, base)
    return destroys_base(state, state.actor, dst, src), prey, max(0, gain)
