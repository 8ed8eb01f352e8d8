"""Legal decisions: the whole list, or one at random."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations
from random import Random

from gamelog.game import Legal
from gamelog.games.gp02a_territory import events as ev
from gamelog.games.gp02a_territory.chips import count_coloured, hand, has_purple
from gamelog.games.gp02a_territory.events import Decision
from gamelog.games.gp02a_territory.room import (
    can_lift,
    can_move,
    count_free,
    has_loose,
    has_room_for,
    is_loose,
    to_place,
)
from gamelog.games.gp02a_territory.state import CHIPS, EMPTY, LAST_CARD, PURPLE, State
from gamelog.games.gp02a_territory.trades import list_small_trades, list_trades

_WITHOUT_DECISIONS = ("deal_cards", "roll", "draw", "over")
"""The phases without decisions."""


def legal(state: State, seat: str) -> Legal:
    """Return the legal decisions of `seat`: none while chance is due or after the game.

    Several trades can have the same result, because chips can go both ways. Only the smallest is listed.
    """
    if state.phase in _WITHOUT_DECISIONS:
        return Legal(())
    seats = state.setup.seats
    listed, cut = list_trades(state) if seat == seats[state.main] else ((), False)
    own = _decisions(state) if seat == seats[state.actor] else ()
    return Legal((*own, *listed), complete=not listed, cut=cut)


def sample(state: State, seat: str, rng: Random) -> Decision:
    """Return a random legal decision of `seat`.

    If possible, it is a movement one time in four and a use of the purple chip one time in ten. The Main
    Player trades one time in ten before handing out the cards, and always while another player is to move.
    """
    by, names = state.setup.seats[state.actor], state.setup.board.names
    phase = state.phase
    if seat != by:
        return rng.choice(list(list_small_trades(state)))
    if phase == "distribute":
        trades = list(list_small_trades(state)) if rng.random() < 0.1 else []
        if trades:
            return rng.choice(trades)
        deck = list(state.setup.deck)
        rng.shuffle(deck)
        cards = dict(zip(state.setup.seats, deck, strict=True))
        if cards[by] == LAST_CARD:
            other = rng.choice([seat for seat in cards if seat != by])
            cards[by], cards[other] = cards[other], cards[by]
        return ev.Distribute(0, 0, by, cards)
    if phase == "remove":
        return ev.Remove(0, 0, by, names[rng.choice(list(removable_fields(state)))])
    if phase == "lift":
        return ev.Lift(0, 0, by, names[rng.choice(list(liftable_fields(state)))])
    if phase == "put":
        return ev.Put(0, 0, by, names[rng.choice(list(landing_fields(state)))])
    held = _colours(state)
    blocks = list(blocks_with_room(state)) if held and phase == "action" else []
    if phase == "action" and can_move(state) and (not blocks or rng.random() < 0.25):
        return ev.MoveStart(0, 0, by)
    placing = bool(blocks if phase == "action" else held)
    if has_purple(state, state.actor) and (not placing or rng.random() < 0.1):
        at = list(purple_targets(state))
        if at:
            return ev.Purple(0, 0, by, names[rng.choice(at)])
        if can_return_alone(state):
            return ev.Purple(0, 0, by)
    if phase == "action":
        return ev.ChooseBlock(0, 0, by, rng.choice(blocks))
    colour = CHIPS[rng.choice(held)]
    if phase == "chronology":
        return ev.Chronology(0, 0, by, colour)
    return ev.Place(0, 0, by, colour, names[rng.choice(list(free_fields(state, state.block)))])


def _decisions(state: State) -> Iterator[Decision]:
    """Yield each legal decision of the actor, without trades."""
    by, names, phase = state.setup.seats[state.actor], state.setup.board.names, state.phase
    if phase == "distribute":
        seats = state.setup.seats
        deals = (dict(zip(seats, cards, strict=True)) for cards in permutations(state.setup.deck))
        yield from (ev.Distribute(0, 0, by, cards) for cards in deals if cards[by] != LAST_CARD)
    elif phase == "remove":
        yield from (ev.Remove(0, 0, by, names[at]) for at in removable_fields(state))
    elif phase == "lift":
        yield from (ev.Lift(0, 0, by, names[at]) for at in liftable_fields(state))
    elif phase == "put":
        yield from (ev.Put(0, 0, by, names[at]) for at in landing_fields(state))
    else:
        yield from _turn(state, by)


def _turn(state: State, by: str) -> Iterator[Decision]:
    """Yield each legal decision of a turn in which no movement has begun."""
    setup, phase = state.setup, state.phase
    names = setup.board.names
    if phase == "chronology":
        yield from (ev.Chronology(0, 0, by, CHIPS[colour]) for colour in _colours(state))
    elif phase == "place":
        for colour in _colours(state):
            yield from (
                ev.Place(0, 0, by, CHIPS[colour], names[at]) for at in free_fields(state, state.block)
            )
    else:
        if count_coloured(state, state.actor):
            yield from (ev.ChooseBlock(0, 0, by, block) for block in blocks_with_room(state))
        if can_move(state):
            yield ev.MoveStart(0, 0, by)
    if has_purple(state, state.actor):
        yield from (ev.Purple(0, 0, by, names[at]) for at in purple_targets(state))
        if can_return_alone(state):
            yield ev.Purple(0, 0, by)


def removable_fields(state: State) -> Iterator[int]:
    """Return the white fields that have a chip."""
    return (at for at in range(len(state.fields)) if is_loose(state.setup.board, state.fields, at))


def free_fields(state: State, block: int) -> Iterator[int]:
    """Return the free fields of `block`."""
    first, _, end = state.setup.board.spans[block - 1]
    return (at for at in range(first, end) if state.fields[at] == EMPTY)


def blocks_with_room(state: State) -> Iterator[int]:
    """Return the blocks with room for the coloured chips of the actor."""
    board, chips = state.setup.board, count_coloured(state, state.actor)
    return (
        block for block in range(1, len(board.spans) + 1) if count_free(board, state.fields, block) >= chips
    )


def purple_targets(state: State) -> Iterator[int]:
    """Return the fields whose chip the purple chip may remove, so that the placement is possible (GP-A12)."""
    board, fields, chips = state.setup.board, state.fields, to_place(state)
    if state.phase == "place" or has_room_for(board, fields, chips):
        return removable_fields(state)
    return (at for at in removable_fields(state) if count_free(board, fields, board.block[at]) + 1 >= chips)


def can_return_alone(state: State) -> bool:
    """Return whether the purple chip may return alone (GP-A16)."""
    board, fields = state.setup.board, state.fields
    return not has_loose(board, fields) and (
        state.phase == "place" or has_room_for(board, fields, to_place(state))
    )


def liftable_fields(state: State) -> Iterator[int]:
    """Yield the fields whose chip the actor may lift, so that the movement is possible (GP-A18)."""
    setup, actor = state.setup, state.actor
    board, fields, colour = setup.board, bytearray(state.fields), setup.colours[actor]
    lifted = count_coloured(state, actor) + 1
    for first, grey, _ in board.spans:
        at = fields.find(colour, first, grey)
        if at < 0:
            continue
        fields[at] = EMPTY  # every chip of a block leaves the same room, so one of them is tried
        possible = can_lift(board, bytes(fields), colour, state.moves - lifted, lifted)
        fields[at] = colour
        if possible:
            yield from (at for at in range(first, grey) if fields[at] == colour)


def landing_fields(state: State) -> Iterator[int]:
    """Yield the free fields on which a lifted chip may be put down."""
    for block in (state.block,) if state.block else blocks_with_room(state):
        yield from free_fields(state, block)


def _colours(state: State) -> list[int]:
    """Return the colours in the hand of the actor."""
    return [colour for colour, count in enumerate(hand(state, state.actor)[:PURPLE]) if count]
