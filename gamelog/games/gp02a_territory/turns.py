"""Turns and rounds: the next phase, and the ends of the game that come with it."""

from __future__ import annotations

from msgspec.structs import replace

from gamelog.games.gp02a_territory.chips import count_coloured, has_purple
from gamelog.games.gp02a_territory.room import can_move, can_place
from gamelog.games.gp02a_territory.state import LAST_CARD, State
from gamelog.games.gp02a_territory.victory import end_game


def draw_or_end(state: State) -> State:
    """Return `state`, or the end of the game if the bag has too few chips for the actor's draw (GP-15)."""
    return end_game(state, "bag") if sum(state.bag) < state.rolled else state


def act(state: State) -> State:
    """Return the actor's choice after the chip for the chronology, or the end of the game (GP-17, GP-A10)."""
    chips, purple = count_coloured(state, state.actor), has_purple(state, state.actor)
    if not chips and not purple:
        return next_turn(state)
    if state.phase != "action":
        state = replace(state, phase="action")
    possible = can_place(state.setup.board, state.fields, chips, purple) or can_move(state)
    return state if possible else end_game(state, "territory")


def next_turn(state: State) -> State:
    """Return the turn of the next card, or the next round, or the end by the chronology (GP-7, GP-16)."""
    cards = state.cards
    for card in range(cards[state.actor] + 1, LAST_CARD + 1):
        seat = cards.find(card)
        if seat >= 0:
            return begin_turn(state, seat)
    if len(state.chronology) >= state.setup.chronology:
        return end_game(state, "chronology")
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
    """Return the turn of the player with card 1."""
    return begin_turn(state, state.cards.find(1))


def begin_turn(state: State, seat: int) -> State:
    """Return the start of the seat's turn, without a chronology chip if it is full (GP-9, GP-A9)."""
    if len(state.chronology) < state.setup.chronology and count_coloured(state, seat):
        return replace(state, phase="chronology", actor=seat, block=0, moves=0, purple=False)
    return act(replace(state, phase="action", actor=seat, block=0, moves=0, purple=False))
