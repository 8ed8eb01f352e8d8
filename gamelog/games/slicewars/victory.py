"""The points, and the ends of the game: SW-18 to SW-20, and the guard against endless play."""

from __future__ import annotations

from gamelog.game import Outcome
from gamelog.games.kit.roll_off import leaders
from gamelog.games.slicewars.land import count_dice, count_land, count_valid, has_room, living_seats
from gamelog.games.slicewars.state import OWNERLESS, State


def score(state: State) -> dict[str, int]:
    """Return the number of territories of each seat."""
    count = state.owners.count
    return {name: count(number) for number, name in enumerate(state.setup.seats)}


def victory(state: State) -> Outcome | None:
    """Return the outcome of a position of the rounds, or None if the game continues.

    It is tested after each placed die, each battle and each resignation (SW-A15).
    """
    setup, seats = state.setup, living_seats(state)
    options = setup.options
    if len(seats) == 1 and not (options.must_take_ownerless and OWNERLESS in state.owners):
        return Outcome((setup.seats[seats[0]],), "all")
    full = [seat for seat in seats if not has_room(state, seat)]
    for seat in full:
        if 2 * count_land(state, seat) > count_valid(state) and (
            options.check == "all" or seat == state.actor
        ):
            return Outcome((setup.seats[seat],), "majority_full")
    if full == seats:
        best = leaders({seat: count_land(state, seat) for seat in seats})
        if len(best) == 1 or options.full_tie == "shared":
            return Outcome(tuple(setup.seats[seat] for seat in best), "all_full")
    return None


def by_guard(state: State) -> Outcome:
    """Return the outcome after the last round: most land, then most dice, then shared (SW-A21)."""
    standing = {seat: (count_land(state, seat), count_dice(state, seat)) for seat in living_seats(state)}
    return Outcome(tuple(state.setup.seats[seat] for seat in leaders(standing)), "guard")
