"""The order of turns, the income of each, and the turns that end at once."""

from __future__ import annotations

from collections.abc import Iterator

from gamelog.games.slicewars.land import can_attack, has_room, largest_group
from gamelog.games.slicewars.state import State


def turns(state: State, actor: int, round: int) -> Iterator[tuple[State, int]]:
    """Yield the starts of the turns that follow `actor`'s turn in `round`, each with its income.

    The last is the first turn that has a decision. A turn without a die to place and without an attack ends
    at once (SW-A10). Seats without land are skipped (SW-A22). After the last round, the last start belongs to
    round ``max_rounds + 1``, which is not played (SW-A21). If `state` is such a start itself, the dice in its
    hand are the income and the group is not counted again.
    """
    setup, owners, dice, first = state.setup, state.owners, state.dice, state.first
    players, last = len(setup.seats), setup.options.max_rounds
    while True:
        actor = (actor + 1) % players
        round += actor == first
        if actor not in owners:
            continue
        if state.hand and actor == state.actor and round == state.round:
            yield state, state.hand
            return
        income = largest_group(state, actor) if 1 < round <= last else 0
        hand = income if has_room(state, actor) else 0
        turn = State(setup, "place" if hand else "attack", round, actor, owners, dice, hand, first)
        yield turn, income
        if hand or round > last or can_attack(turn, actor):
            return
