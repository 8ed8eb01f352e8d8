"""The turns: the army to move, the end of a roll and of a turn, and the next army."""

from __future__ import annotations

from msgspec.structs import replace

from gamelog.games.dice_flags.army import MEN
from gamelog.games.dice_flags.moves import can_rescue, can_tao, can_use, count_captives, has_men
from gamelog.games.dice_flags.state import RESERVE, Phase, State
from gamelog.games.dice_flags.victory import by_guard


def army_to_move(state: State) -> int:
    """Return the army to move. In the deployment, it is the first army with most soldiers in reserve."""
    armies = len(state.setup.seats)
    if state.phase != "deploy":
        return (state.first + state.turn) % armies
    order = [(state.first + after) % armies for after in range(armies)]
    return max(order, key=lambda army: state.places.count(RESERVE, army * MEN, army * MEN + MEN))


def round_of(state: State) -> int:
    """Return the number of the current or last round, from 1, or 0 before the first turn."""
    if state.phase in ("start_roll", "deploy"):
        return 0
    guarded = state.outcome is not None and state.outcome.reason in ("rounds", "quiet")
    return (state.turn - guarded) // len(state.setup.seats) + 1


def continue_turn(state: State) -> State:
    """Return `state` if its army can still act, or the state that follows. No battle or choice is open."""
    setup, places, phase = state.setup, state.places, state.phase
    if phase == "act":
        if state.dice:
            army = (state.first + state.turn) % len(setup.seats)
            for die in state.dice:
                if can_use(setup, places, army, die, state.walker, state.trail):
                    return state
        return end_roll(state)
    if phase == "tao":
        return state if can_tao(setup, places, army_to_move(state), state.moved) else next_turn(state)
    if phase == "orders":
        return state if can_rescue(setup, places, army_to_move(state)) else replace(state, phase="roll")
    return state


def allows_tao(state: State) -> bool:
    """Return whether the roll allows the Tao (DF-15): 1 and 2, no die used, and no soldier captive."""
    return (
        state.dice in ((1, 2), (2, 1))
        and state.phase == "act"
        and not count_captives(state.places, army_to_move(state))
    )


def end_roll(state: State) -> State:
    """Return the state after a roll: a new roll after a used double, or otherwise the next turn."""
    roll = state.roll
    if len(roll) == 2 and roll[0] == roll[1] and len(state.dice) < 2:
        most = state.setup.options.max_doubles
        if (most is None or state.again < most) and has_men(state.places, army_to_move(state)):
            return replace(state, phase="roll", roll=(), dice=(), walker=-1, trail=b"", again=state.again + 1)
    return next_turn(state)


def next_turn(state: State) -> State:
    """Return the start of the next turn of an army with a free soldier, or the end by a limit (DF-A38)."""
    return begin_turn(state, state.places, state.flags, state.quiet_since)


def begin_turn(state: State, places: bytes, flags: bytes, quiet_since: int) -> State:
    """Return the state at the start of the next turn, or at the end of the game.

    Armies without soldiers, and armies that have resigned, are skipped.

    Args:
        state: The state in the turn that ends.
        places: The space of each soldier at the start of the next turn.
        flags: The place of each flag at the start of the next turn.
        quiet_since: The number of the turn after the last capture, rescue or moved flag (DF-A38).
    """
    setup, turn, first, surrendered = state.setup, state.turn, state.first, state.surrendered
    options, armies = setup.options, len(setup.seats)
    last, quiet = options.max_rounds * armies, quiet_since + options.quiet_rounds * armies
    while True:
        turn += 1
        army = (first + turn) % armies
        over = turn >= last or turn >= quiet
        if over or (army not in surrendered and has_men(places, army)):
            phase: Phase = "orders" if not over and can_rescue(setup, places, army) else "roll"
            after = State(setup, phase, turn, first, places, flags, quiet_since, surrendered=surrendered)
            if over:
                return replace(
                    after, phase="over", outcome=by_guard(after, "rounds" if turn >= last else "quiet")
                )
            return after
