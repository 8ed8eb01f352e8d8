"""Whole positions that look like a position in front of the screen, for bots that search."""

from __future__ import annotations

from random import Random

from msgspec.structs import replace

from gamelog.games.kit.cells import put
from gamelog.games.zone_s.abilities import deployments
from gamelog.games.zone_s.roster import NUMBERS
from gamelog.games.zone_s.screen import is_up
from gamelog.games.zone_s.state import BASE, DEPLOYED_PIECES, HIDDEN, OPEN, State, bag


def determinise(state: State, seat: str, rng: Random) -> State:
    """Return a position with a random half behind the screen, as far as it must be set up by now.

    The sides put their tiles in turn, and the first side deploys before the second (ZS-2, ZS-4).
    """
    setup, terrain = state.setup, bytearray(state.terrain)
    if not is_up(state) or HIDDEN not in terrain:
        return state
    side = setup.seats.index(seat)
    other = 1 - side
    slots = [at for at, ground in enumerate(terrain) if ground == HIDDEN]
    rng.shuffle(slots)
    bases = list(state.bases)
    if state.phase != "base" or side > 0:
        bases[other] = slots.pop()
        terrain[bases[other]] = BASE
    placed = 0
    if state.phase != "base":
        own = sum(half == side and OPEN < terrain[at] < BASE for at, half in enumerate(setup.board.halves))
        placed = own + side if state.phase == "tile" else len(slots)
    names, counts = zip(*bag(state), strict=True)
    drawn = rng.sample(names, counts=counts, k=placed)
    for number, at in enumerate(slots):
        terrain[at] = NUMBERS[drawn[number]] if number < placed else OPEN
    whole = replace(state, terrain=bytes(terrain), bases=(bases[0], bases[1]))
    for _ in range(DEPLOYED_PIECES if state.phase == "deploy" and side > 0 else 0):
        places = list(deployments(whole, other))
        if places:
            code, at = rng.choice(places)
            reserve = put(whole.reserve, code, whole.reserve[code] - 1)
            whole = replace(whole, pieces=put(whole.pieces, at, code), reserve=reserve)
    return whole
