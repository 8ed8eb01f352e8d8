"""The turns: who follows whom, what a turn brings, and which turns are over at once."""

from __future__ import annotations

from collections.abc import Iterator

from gamelog.games.slicewars.land import can_attack, has_room, largest_group
from gamelog.games.slicewars.state import State


def turns(state: State, actor: int, round: int) -> Iterator[tuple[State, int]]:
    """The starts of the turns after `actor`'s in `round`, with incomes, up to the first with a decision.

    A turn in which nothing can be placed and nothing attacked is over at once (SW-A10); seats
    without land are skipped (SW-A22). When the rounds are used up, the last start is one of round
    ``max_rounds + 1``, which is not played (SW-A21). Where `state` is such a start itself, the dice in
    its hand are the income, and nothing is counted again.
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
