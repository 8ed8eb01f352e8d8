"""The turns and rounds: what is due next, and the ends of the game that are found there."""

from __future__ import annotations

from msgspec.structs import replace

from gamelog.games.gp02a_territory.chips import coloured, holds_purple
from gamelog.games.gp02a_territory.room import can_place, may_move
from gamelog.games.gp02a_territory.state import LAST_CARD, State
from gamelog.games.gp02a_territory.victory import over


def draw_or_end(state: State) -> State:
    """The draw of the actor, if the bag has enough for it (GP-15)."""
    return over(state, "bag") if sum(state.bag) < state.rolled else state


def act(state: State) -> State:
    """The actor's chip is on the chronology: his choice, or the end if he can do neither (GP-17, GP-A10)."""
    chips, purple = coloured(state, state.actor), holds_purple(state, state.actor)
    if not chips and not purple:
        return next_turn(state)
    if state.phase != "action":
        state = replace(state, phase="action")
    possible = can_place(state.setup.board, state.fields, chips, purple) or may_move(state)
    return state if possible else over(state, "territory")


def next_turn(state: State) -> State:
    """The turn of the next card; after the last a round, or the end by the chronology (GP-7, GP-16)."""
    cards = state.cards
    for card in range(cards[state.actor] + 1, LAST_CARD + 1):
        seat = cards.find(card)
        if seat >= 0:
            return begin_turn(state, seat)
    if len(state.chronology) >= state.setup.chronology:
        return over(state, "chronology")
    main = cards.find(LAST_CARD)
    setup, cards = state.setup, bytes(len(cards))
    return State(
        setup,
        "roll",
        state.round + 1,
        main,
        main,
        cards,
        state.hands,
        state.bag,
        state.chronology,
        state.fields,
    )


def first_turn(state: State) -> State:
    """The turn of card 1."""
    return begin_turn(state, state.cards.find(1))


def begin_turn(state: State, seat: int) -> State:
    """The seat's chip for the chronology, or its choice if there is no field left there (GP-9, GP-A9)."""
    if len(state.chronology) < state.setup.chronology and coloured(state, seat):
        return replace(state, phase="chronology", actor=seat, block=0, moves=0, purple=False)
    return act(replace(state, phase="action", actor=seat, block=0, moves=0, purple=False))
