"""How the game ends: all flags in one flag square, and the guards against endless war."""

from __future__ import annotations

from gamelog.game import Outcome
from gamelog.games.dice_flags.army import MEN
from gamelog.games.dice_flags.state import CARRIED, PRISON, State
from gamelog.games.kit.roll_off import leaders


def by_flags(state: State) -> Outcome | None:
    """The outcome when all flags lie in the flag square of one army that plays on (DF-26), else None."""
    setup, flags = state.setup, state.flags
    home = flags[0]
    if flags.count(home) < len(flags) or home not in setup.homes:
        return None
    army = setup.homes.index(home)
    return None if army in state.surrendered else Outcome((setup.seats[army],), "flags")


def standing(state: State, army: int) -> tuple[int, int, int, int]:
    """What decides when nobody has won by flags (DF-A38): flags home, carried, prisoners, free soldiers."""
    flags, places = state.flags, state.places
    first, end = army * MEN, army * MEN + MEN
    home = state.setup.homes[army]
    return (
        flags.count(home),
        sum([first <= flag - CARRIED < end for flag in flags]),
        places.count(PRISON + army),
        sum([place < PRISON for place in places[first:end]]),
    )


def by_guard(state: State, reason: str) -> Outcome:
    """The outcome when a guard ends the game: the best standing, shared by equals."""
    seats = state.setup.seats
    ranks = {army: standing(state, army) for army in range(len(seats)) if army not in state.surrendered}
    return Outcome(tuple(seats[army] for army in leaders(ranks)), reason)
