"""The ends of the game: all flags on one flag square, and the limits of rounds."""

from __future__ import annotations

from gamelog.game import Outcome
from gamelog.games.dice_flags.army import MEN
from gamelog.games.dice_flags.state import CARRIED, PRISON, State
from gamelog.games.kit.roll_off import leaders


def by_flags(state: State) -> Outcome | None:
    """Return the outcome if all flags are on the flag square of an army that has not resigned (DF-26)."""
    setup, flags = state.setup, state.flags
    home = flags[0]
    if flags.count(home) < len(flags) or home not in setup.homes:
        return None
    army = setup.homes.index(home)
    return None if army in state.surrendered else Outcome((setup.seats[army],), "flags")


def final_standing(state: State, army: int) -> tuple[int, int, int, int]:
    """Return the numbers that decide without a win by flags (DF-A38).

    They are: flags at home, carried flags, prisoners, free soldiers.
    """
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
    """Return the outcome when a limit of rounds is reached.

    The army with the best standing wins. Tied armies share the victory.
    """
    seats = state.setup.seats
    ranks = {army: final_standing(state, army) for army in range(len(seats)) if army not in state.surrendered}
    return Outcome(tuple(seats[army] for army in leaders(ranks)), reason)
