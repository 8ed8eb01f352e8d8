"""The state after an event.

`apply` also carries out an illegal event that was played anyway, as it happened on the table: a grey chip is
removed, a chip is in another block, or the cards are handed out wrongly. The turn does not change. Each
function raises `CannotApply` for events that are impossible at a table, such as a chip that is not in the
hand or a second chip on a field. It also raises it for events of another part of the round, and for events
after which the turn cannot end.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import add, sub
from typing import Any

from msgspec.structs import replace

from gamelog.game import TABLE, CannotApply, Results
from gamelog.games.gp02a_territory import events as ev
from gamelog.games.gp02a_territory.chips import count_coloured, has_purple
from gamelog.games.gp02a_territory.events import Chance, Chips, Event
from gamelog.games.gp02a_territory.room import can_lift, count_free, has_loose, has_room_for, to_move
from gamelog.games.gp02a_territory.state import CHIP, EMPTY, LAST_CARD, PURPLE, State
from gamelog.games.gp02a_territory.turns import act, draw_or_end, first_turn, next_turn
from gamelog.games.gp02a_territory.victory import end_game
from gamelog.games.kit.cells import BYTE, put

_HAND_PHASES = frozenset(("chronology", "action", "place"))
"""The phases of a turn in which chips leave a hand. In a movement, the hand is empty."""


def apply(state: State, event: Event) -> State:
    """Return the state after `event`, legal or not.

    Raises:
        CannotApply: The event is impossible at a table, or the turn could not end after it.
    """
    return APPLY[type(event)](state, event)


def chance(state: State, results: Results) -> Chance:
    """Return the chance event that is due, with these results.

    A surplus card goes to the table. A roll that is not a single face gives the value 0.
    """
    seats = state.setup.seats
    (result,) = results
    if state.phase == "deal_cards":
        return ev.DealCards(0, 0, TABLE, dict(zip((*seats, TABLE), map(int, result), strict=False)))
    if state.phase == "draw":
        return ev.Draw(0, 0, seats[state.actor], Chips(**{str(name): result.count(name) for name in result}))
    return ev.Roll(0, 0, seats[state.actor], int(result[0]) if len(result) == 1 else 0)


def _deal_cards(state: State, event: ev.DealCards) -> State:
    if state.phase != "deal_cards":
        raise CannotApply("The deal of the turn cards is not due.")
    main = _cards(state, event.cards).find(LAST_CARD)
    return replace(state, phase="roll", main=main, actor=main)


def _roll(state: State, event: ev.Roll) -> State:
    if state.phase != "roll" or not 1 <= event.value <= 6:
        raise CannotApply("This roll is not due, or it is not a face of a die.")
    if event.value > 1:
        return draw_or_end(replace(state, phase="draw", rolled=event.value))
    if state.one or not has_loose(state.setup.board, state.fields):
        return replace(state, one=True)
    return replace(state, phase="remove", one=True)


def _remove(state: State, event: ev.Remove) -> State:
    """Return the state after one chip was removed before the roll."""
    at, setup = _number(state, event.at), state.setup
    if state.phase != "remove" or state.fields[at] == EMPTY:
        raise CannotApply(f"No chip can be removed from {event.at} now.")
    bag = _with_chip(state.bag, state.fields[at])
    fields = put(state.fields, at, EMPTY)
    actor, last = state.actor, False
    if event.by == setup.seats[actor]:
        actor = (actor + 1) % len(setup.seats)
        last = actor == state.main
    if last or not has_loose(setup.board, fields):
        return replace(state, phase="roll", actor=state.main, bag=bag, fields=fields)
    return replace(state, actor=actor, bag=bag, fields=fields)


def _draw(state: State, event: ev.Draw) -> State:
    """Return the state after a seat drew chips from the bag."""
    setup, actor = state.setup, state.actor
    if state.phase != "draw" or event.by != setup.seats[actor]:
        raise CannotApply("This draw is not due.")
    counts, slot, hands = event.chips.counts(), 5 * actor, state.hands
    try:
        bag = bytes(map(sub, state.bag, counts))
    except ValueError:  # a count would be negative
        raise CannotApply("The bag does not hold these chips.") from None
    hands = hands[:slot] + bytes(map(add, hands[slot : slot + 5], counts)) + hands[slot + 5 :]
    actor = (actor + 1) % len(setup.seats)
    if setup.options.bag_end == "zero" and not any(bag):
        return end_game(replace(state, hands=hands, bag=bag, actor=actor), "bag")
    if actor == state.main:
        return replace(state, phase="distribute", hands=hands, bag=bag, actor=actor)
    return draw_or_end(replace(state, hands=hands, bag=bag, actor=actor))


def _distribute(state: State, event: ev.Distribute) -> State:
    if state.phase != "distribute":
        raise CannotApply("The turn cards cannot be handed out now.")
    return first_turn(replace(state, cards=_cards(state, event.cards)))


def _trade(state: State, event: ev.Trade) -> State:
    """Return the state after two seats exchanged chips."""
    setup = state.setup
    if (
        state.phase not in ("distribute", "chronology")
        or event.by not in setup.seats
        or event.seat not in setup.seats
    ):
        raise CannotApply("This trade is not possible now.")
    hands = list(state.hands)
    one, other = 5 * setup.seats.index(event.by), 5 * setup.seats.index(event.seat)
    for chip, (gives, takes) in enumerate(zip(event.gives.counts(), event.takes.counts(), strict=True)):
        if gives > hands[one + chip] or takes > hands[other + chip]:
            raise CannotApply("The players do not have these chips.")
        hands[one + chip] += takes - gives
        hands[other + chip] += gives - takes
    return _settle(replace(state, hands=bytes(hands)))


def _chronology(state: State, event: ev.Chronology) -> State:
    """Return the state after a chip was put on the chronology."""
    seat = _taking_turn(state, event)
    chip, hands = CHIP[event.colour], state.hands
    slot = 5 * seat + chip
    if not hands[slot] or chip == PURPLE or len(state.chronology) >= state.setup.chronology:
        raise CannotApply(f"The hand has no {event.colour} chip, or the chronology is full.")
    hands = put(hands, slot, hands[slot] - 1)
    chronology = state.chronology + bytes([chip])
    if state.phase == "chronology" and seat == state.actor:
        return act(replace(state, phase="action", hands=hands, chronology=chronology))
    return _settle(replace(state, hands=hands, chronology=chronology))


def _choose_block(state: State, event: ev.ChooseBlock) -> State:
    board, actor = state.setup.board, state.actor
    if event.by != state.setup.seats[actor] or state.phase not in ("chronology", "action", "place"):
        raise CannotApply("A block cannot be chosen now.")
    if not 1 <= event.block <= len(board.spans):
        raise CannotApply(f"The board has no block {event.block}.")
    return _settle(replace(state, phase="place", block=event.block))


def _place(state: State, event: ev.Place) -> State:
    """Return the state after a chip was placed on a free field."""
    at = _number(state, event.at)
    colour = CHIP[event.colour]
    seat = _taking_turn(state, event)
    if colour == PURPLE or state.fields[at] != EMPTY:
        raise CannotApply(f"A {event.colour} chip does not fit on {event.at}.")
    hands, slot = state.hands, 5 * seat + colour
    if not hands[slot]:
        raise CannotApply(f"{event.by} has no {event.colour} chip in hand.")
    fields = state.fields[:at] + BYTE[colour] + state.fields[at + 1 :]
    hands = hands[:slot] + BYTE[hands[slot] - 1] + hands[slot + 1 :]
    after = replace(state, hands=hands, fields=fields)
    if state.phase == "place" and seat == state.actor and any(hands[slot - colour : slot - colour + PURPLE]):
        # the usual case, decided quickly: one chip less and at most one field less, so there is still room
        return after
    return _settle(after)


def _purple(state: State, event: ev.Purple) -> State:
    """Return the state after the purple chip was used. Its chip and the removed chip are in the bag."""
    seat = _taking_turn(state, event)
    if not has_purple(state, seat):
        raise CannotApply(f"{event.by} does not have the purple chip.")
    fields, bag, slot = state.fields, _with_chip(state.bag, PURPLE), 5 * seat + PURPLE
    if event.at is not None:
        at = _number(state, event.at)
        if fields[at] == EMPTY:
            raise CannotApply(f"{event.at} has no chip.")
        bag = _with_chip(bag, fields[at])
        fields = put(fields, at, EMPTY)
    hands = put(state.hands, slot, 0)
    return _settle(
        replace(state, hands=hands, bag=bag, fields=fields, purple=state.purple or seat == state.actor)
    )


def _move_start(state: State, event: ev.MoveStart) -> State:
    actor, moves = state.actor, to_move(state)
    if event.by != state.setup.seats[actor] or state.phase not in ("chronology", "action") or not moves:
        raise CannotApply(f"{event.by} cannot start a movement now.")
    hands, slot = state.hands, 5 * actor
    bag = bytes(map(add, state.bag, hands[slot : slot + 5]))
    hands = hands[:slot] + bytes(5) + hands[slot + 5 :]
    return _settle(replace(state, phase="lift", hands=hands, bag=bag, moves=moves))


def _lift(state: State, event: ev.Lift) -> State:
    at, setup, actor = _number(state, event.at), state.setup, state.actor
    colour = setup.colours[actor]
    if state.phase != "lift" or event.by != setup.seats[actor] or state.fields[at] != colour:
        raise CannotApply(f"{event.by} cannot lift a chip from {event.at} now.")
    fields = put(state.fields, at, EMPTY)
    slot = 5 * actor + colour
    hands = put(state.hands, slot, state.hands[slot] + 1)
    return _settle(replace(state, hands=hands, fields=fields))


def _put(state: State, event: ev.Put) -> State:
    """Return the state after a lifted chip was put on a free field."""
    at, setup, actor = _number(state, event.at), state.setup, state.actor
    colour = setup.colours[actor]
    slot = 5 * actor + colour
    if (
        state.phase != "put"
        or event.by != setup.seats[actor]
        or state.fields[at] != EMPTY
        or not state.hands[slot]
    ):
        raise CannotApply(f"{event.by} cannot put a chip on {event.at} now.")
    fields = put(state.fields, at, colour)
    hands = put(state.hands, slot, state.hands[slot] - 1)
    return _settle(replace(state, hands=hands, fields=fields, block=state.block or setup.board.block[at]))


APPLY: dict[type[Event], Callable[[State, Any], State]] = {
    ev.DealCards: _deal_cards,
    ev.Roll: _roll,
    ev.Remove: _remove,
    ev.Draw: _draw,
    ev.Distribute: _distribute,
    ev.Trade: _trade,
    ev.Chronology: _chronology,
    ev.ChooseBlock: _choose_block,
    ev.Place: _place,
    ev.Purple: _purple,
    ev.MoveStart: _move_start,
    ev.Lift: _lift,
    ev.Put: _put,
}
"""The function that applies each kind of event."""


def _cards(state: State, cards: dict[str, int]) -> bytes:
    """Return the card of each seat.

    Raises:
        CannotApply: `cards` are not the turn cards, one for each seat.
    """
    setup = state.setup
    if sorted(cards.values()) != list(setup.deck) or cards.keys() != set(setup.seats):
        raise CannotApply("These are not the turn cards, one for each seat.")
    return bytes(cards[seat] for seat in setup.seats)


def _settle(state: State) -> State:
    """Return `state` if the turn continues, or the start of the next phase, turn or round.

    Raises:
        CannotApply: The turn could not be completed. Legal events never lead there.
    """
    setup, actor, phase = state.setup, state.actor, state.phase
    board, fields = setup.board, state.fields
    chips = count_coloured(state, actor)
    if phase == "place":
        if not chips and not state.hands[5 * actor + PURPLE]:
            return next_turn(state)
        done = count_free(board, fields, state.block) >= chips
    elif phase == "put":
        if not chips:
            return next_turn(state)
        done = (
            count_free(board, fields, state.block) >= chips
            if state.block
            else has_room_for(board, fields, chips)
        )
    elif phase == "lift":
        left = state.moves - chips
        if left:
            done = can_lift(board, fields, setup.colours[actor], left, chips)
        else:
            state, done = replace(state, phase="put"), has_room_for(board, fields, chips)
    elif phase == "action" or (
        phase == "chronology" and (not chips or len(state.chronology) >= setup.chronology)
    ):
        return act(state)
    else:
        done = True
    if not done:
        raise CannotApply("The turn could not be completed after this event.")
    return state


def _with_chip(bag: bytes, chip: int) -> bytes:
    """Return `bag` with one more chip of kind `chip`."""
    return put(bag, chip, bag[chip] + 1)


def _number(state: State, name: str) -> int:
    """Return the number of the field `name`."""
    at = state.setup.board.index.get(name)
    if at is None:
        raise CannotApply(f'The board has no field "{name}".')
    return at


def _taking_turn(state: State, event: Event) -> int:
    """Return the number of the seat that acts, in a turn that is not a movement."""
    seats = state.setup.seats
    if state.phase not in _HAND_PHASES or event.by not in seats:
        raise CannotApply("Only a seat can do this, in a turn that is not a movement.")
    return seats.index(event.by)
