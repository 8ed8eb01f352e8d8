"""The end of a count: landing, battle, capture and flags.

No function here checks whether the count was legal.
"""

from __future__ import annotations

from msgspec.structs import replace

from gamelog.game import CannotApply, Outcome
from gamelog.games.dice_flags.army import CARRIERS, MEN
from gamelog.games.dice_flags.battle import Sides, fixed_value, sides
from gamelog.games.dice_flags.board import BUNKER, FLAG, ROAD
from gamelog.games.dice_flags.state import CARRIED, PRISON, State, base_at
from gamelog.games.dice_flags.turns import begin_turn, continue_turn
from gamelog.games.dice_flags.victory import by_flags
from gamelog.games.kit.cells import BYTE


def arrive(state: State, soldier: int, path: bytes, dice: tuple[int, ...], moved: int) -> State:
    """Return the state after `soldier` reaches the end of `path`: it lands, or attacks the soldier there.

    Args:
        state: The state before the move.
        soldier: The number of the soldier, through all armies.
        path: The spaces that it enters, in order. The rules of movement are not checked.
        dice: The dice that are left after this move.
        moved: The soldiers that have moved in this Tao, one bit each, this one included.

    Raises:
        CannotApply: Two soldiers of the army are there already, or a single one on a space without room for
            two.
    """
    places, end = state.places, path[-1]
    standing = places.find(end)
    if standing < 0:
        return land(state, soldier, path, dice, moved, places, state.flags)
    if standing // MEN == soldier // MEN:
        if state.setup.board.kinds[end] not in (ROAD, BUNKER) or places.count(end) > 1:
            raise CannotApply(f"There is no room for another soldier on {state.setup.board.names[end]}.")
        return land(state, soldier, path, dice, moved, places, state.flags)
    fight = sides(state.setup.board, places, soldier, path)
    spent = replace(state, dice=dice, moved=moved)
    if fight.is_walk_in:
        return _after_victory(spent, soldier, path, fight)
    if fight.has_dice:
        return replace(spent, attack=(soldier, path))
    return after_battle(
        spent, soldier, path, fight, fixed_value(fight.attackers) - fixed_value(fight.defenders)
    )


def after_battle(state: State, soldier: int, path: bytes, fight: Sides, lead: int) -> State:
    """Return the state after a battle in which the attackers' sum is larger by `lead`.

    Equal sums are not rolled again here.

    Args:
        state: The state in which the battle was due, with the dice that are left.
        soldier: The number of the soldier that attacked.
        path: The spaces of the attack, the defenders' space last.
        fight: The soldiers on both sides.
        lead: The sum of the attackers minus the sum of the defenders. At 0, the defenders win or nothing
            happens, by the option ``tie``.
    """
    if lead > 0:
        return _after_victory(state, soldier, path, fight)
    if lead == 0 and state.setup.options.tie != "defender":
        return continue_turn(state)
    places, flags = _capture(state, fight.attackers, fight.defenders[0] // MEN)
    after = replace(state, places=places, flags=flags, quiet_since=state.turn + 1)
    outcome = by_flags(after) if flags != state.flags and state.setup.options.win_by_capture else None
    return continue_turn(after) if outcome is None else end_game(after, outcome)


def _after_victory(state: State, soldier: int, path: bytes, fight: Sides) -> State:
    places, flags = _capture(state, fight.defenders, soldier // MEN)
    taken = replace(state, quiet_since=state.turn + 1)
    return land(taken, soldier, path, state.dice, state.moved, places, flags)


def _capture(state: State, soldiers: tuple[int, ...], captor: int) -> tuple[bytes, bytes]:
    """Return places and flags after the army `captor` has captured `soldiers` and their flags (DF-21)."""
    places, flags = bytearray(state.places), state.flags
    for soldier in soldiers:
        places[soldier] = PRISON + captor
        flags = flags.replace(BYTE[CARRIED + soldier], BYTE[state.setup.homes[captor]])
    return bytes(places), flags


def land(
    state: State, soldier: int, path: bytes, dice: tuple[int, ...], moved: int, places: bytes, flags: bytes
) -> State:
    """Return the state after `soldier` lands on the end of `path`.

    Args:
        state: The state before the move.
        soldier: The number of the soldier, through all armies.
        path: The spaces that it enters, in order.
        dice: The dice that are left after this move. Without any, the roll is over.
        moved: The soldiers that have moved in this Tao, one bit each.
        places: The space of each soldier before the landing, but with its captures.
        flags: The place of each flag before the landing, but with its captures.
    """
    setup, end, trail, here = state.setup, path[-1], b"", BYTE[places[soldier]]
    places = places[:soldier] + BYTE[end] + places[soldier + 1 :]
    if dice:
        trail = here + path + state.trail if soldier == state.walker else here + path
    elif (
        state.phase == "act"
        and setup.board.kinds[end] != FLAG
        and flags == state.flags
        and state.roll[0] != state.roll[1]
    ):
        # most moves end here, and this is faster: the roll and the turn are over
        return begin_turn(state, places, flags, state.quiet_since)
    after = replace(
        state,
        places=places,
        flags=flags,
        dice=dice,
        walker=soldier if dice else -1,
        trail=trail,
        moved=moved,
        attack=None,
    )
    if flags != state.flags and setup.options.win_by_capture:
        outcome = by_flags(after)
        if outcome is not None:
            return end_game(after, outcome)
    if setup.board.kinds[end] == FLAG and soldier in CARRIERS:
        return handle_flags(after, soldier)
    return continue_turn(after)


def handle_flags(state: State, soldier: int) -> State:
    """Return the state after a carrier delivers flags or picks up flags on a flag square (DF-25, DF-A16)."""
    setup, flags, own = state.setup, state.flags, BYTE[CARRIED + soldier]
    end, home = state.places[soldier], setup.homes[soldier // MEN]
    base = base_at(setup.board, end)
    if base == home:
        if own in flags:
            state = replace(state, flags=flags.replace(own, BYTE[home]), quiet_since=state.turn + 1)
        outcome = by_flags(state)
        won = outcome is not None and outcome.winners == (setup.seats[soldier // MEN],)
        return end_game(state, outcome) if outcome is not None and won else continue_turn(state)
    lying, room = flags.count(base), setup.options.carry_limit - flags.count(own)
    if 0 < room < lying:
        return replace(state, picker=soldier)
    if lying and room > 0:
        state = replace(state, flags=flags.replace(BYTE[base], own), quiet_since=state.turn + 1)
    return continue_turn(state)


def end_game(state: State, outcome: Outcome) -> State:
    """Return `state` with the game over."""
    return replace(state, phase="over", dice=(), walker=-1, trail=b"", outcome=outcome)
