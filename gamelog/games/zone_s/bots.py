"""A player made of a few lines, who grabs what it can."""

from __future__ import annotations

from random import Random

from gamelog.games.zone_s.choices import Choice, choices, decision, sample
from gamelog.games.zone_s.events import Decision
from gamelog.games.zone_s.state import State
from gamelog.games.zone_s.victory import destroys


def greedy(state: State, seat: str, rng: Random) -> Decision:
    """Destroys the base, else captures the dearest, else goes nearer the enemy's base; sets up at random."""
    if state.phase != "play":
        return sample(state, seat, rng)
    return decision(state, max(choices(state), key=lambda choice: (*_greed(state, choice), rng.random())))


def _greed(state: State, choice: Choice) -> tuple[bool, int, int]:
    """Whether the choice wins, the cost of what it captures, how much nearer it comes to the base."""
    what, src, dst = choice
    if what in ("pass", "summon"):
        return False, 0, int(what == "summon")
    board, base = state.setup.board, state.bases[1 - state.actor]
    prey = state.setup.roster.kinds[state.pieces[dst]].cost
    if what == "shoot":
        return False, prey, 0
    gain = board.distance(src, base) - board.distance(dst, base)
    return destroys(state, state.actor, dst, src), prey, max(0, gain)
