"""The points, and the ends of the game: all flags on one flag square, and the limits of rounds."""

from __future__ import annotations

from gamelog.game import Outcome
from gamelog.games.dice_flags.army import MEN
from gamelog.games.dice_flags.state import CARRIED, PRISON, State
from gamelog.games.kit.roll_off import leaders

AT_HOME, IN_HAND, CAPTIVE = 200, 40, 1
"""Points for a flag on the own flag square, a carried flag and a prisoner, ordered as in DF-A38."""


def score(state: State) -> dict[str, int]:
    """Return the points of each seat: 200 a flag at home, 40 a carried flag, 1 a prisoner (DF-A38)."""
    setup, flags, captives = state.setup, state.flags, state.places.count
    seats, homes = setup.seats, setup.homes
    points: dict[str, int] = {}
    for army, seat in enumerate(seats):
        points[seat] = AT_HOME * flags.count(homes[army]) + CAPTIVE * captives(PRISON + army)
    for flag in flags:
        if flag >= CARRIED:
            points[seats[(flag - CARRIED) // MEN]] += IN_HAND
    return points


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
