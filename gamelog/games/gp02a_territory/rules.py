"""Which rule forbids an event. Ids are those of RULES.md.

An event is first held against what is due (the phase) and whose turn it is, then against its own
rule. What is not due is refused with the rule that says what is.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from gamelog.game import TABLE, Violation, who
from gamelog.games.gp02a_territory import events as ev
from gamelog.games.gp02a_territory.chips import coloured, holds_purple
from gamelog.games.gp02a_territory.due import late, not_due, not_in_hand, not_on_turn
from gamelog.games.gp02a_territory.events import Event
from gamelog.games.gp02a_territory.room import (
    any_loose,
    can_free,
    can_lift,
    fits,
    free,
    may_move,
    to_move,
    to_place,
)
from gamelog.games.gp02a_territory.state import CHIP, CHIPS, EMPTY, LAST_CARD, MOVING_CARDS, PURPLE, State
from gamelog.games.gp02a_territory.trades import refused
from gamelog.games.kit.cells import put
from gamelog.games.kit.dice import check_face
from gamelog.games.kit.phases import unknown


def check(state: State, event: Event) -> Violation | None:
    """The rule that forbids `event` in `state`, or None."""
    return CHECKS[type(event)](state, event)


def _deal_cards(state: State, event: ev.DealCards) -> Violation | None:
    if state.phase != "deal_cards":
        return not_due(state)
    if event.by != TABLE:
        return Violation("GP-2", f"the deal is recorded by {TABLE}, not by {who(event.by)}")
    return _not_the_deck(state, "GP-2", event.cards)


def _roll(state: State, event: ev.Roll) -> Violation | None:
    if state.phase != "roll":
        return not_due(state)
    main = state.setup.seats[state.main]
    if event.by != main:
        return Violation(
            "GP-8" if state.round > 1 else "GP-2",
            f"{who(main)} is the Main Player and rolls, not {who(event.by)}",
        )
    return check_face("GP-3", (event.value,))


def _remove(state: State, event: ev.Remove) -> Violation | None:
    if state.phase == "roll" and state.one:
        return Violation("GP-4", "a further 1 removes nothing")
    if refused := late(state, event, "remove"):
        return refused
    return _not_loose(state, "GP-3", event.at, state.setup.board.index.get(event.at))


def _draw(state: State, event: ev.Draw) -> Violation | None:
    if state.phase != "draw" or event.by != state.setup.seats[state.actor]:
        return late(state, event, "draw")
    blue, red, green, yellow, purple = counts = event.chips.counts()
    drawn = blue + red + green + yellow + purple
    if drawn != state.rolled:
        return Violation("GP-5", f"{state.rolled} chips are drawn, not {drawn}")
    bag = state.bag
    if blue <= bag[0] and red <= bag[1] and green <= bag[2] and yellow <= bag[3] and purple <= bag[4]:
        return None
    name, left, count = next(row for row in zip(CHIPS, bag, counts, strict=True) if row[1] < row[2])
    return Violation("GP-5", f"the bag holds {left} {name}, not {count}")


def _distribute(state: State, event: ev.Distribute) -> Violation | None:
    if state.phase != "distribute":
        return not_due(state)
    main = state.setup.seats[state.main]
    if event.by != main:
        return Violation(
            "GP-6", f"{who(main)} is the Main Player and hands out the cards, not {who(event.by)}"
        )
    problem = _not_the_deck(state, "GP-6", event.cards)
    if problem is None and event.cards[main] == LAST_CARD:
        return Violation(
            "GP-6", f"{who(main)} may not keep card {LAST_CARD}: nobody is Main Player twice in a row"
        )
    return problem


def _chronology(state: State, event: ev.Chronology) -> Violation | None:
    full = len(state.chronology) >= state.setup.chronology
    if full and state.phase in ("action", "place", "lift", "put"):
        return Violation("GP-A9", "the chronology is full; who comes later plays without it")
    if state.phase in ("action", "place"):
        return Violation("GP-9", "one chip a turn goes on the chronology")
    if state.phase != "chronology" or event.by != state.setup.seats[state.actor]:
        return late(state, event, "chronology")
    colour = CHIP[event.colour]
    if colour == PURPLE:
        return Violation("GP-9", "the purple chip does not go on the chronology")
    return None if state.hands[5 * state.actor + colour] else not_in_hand("GP-9", event)


def _choose_block(state: State, event: ev.ChooseBlock) -> Violation | None:
    if state.phase == "place":
        return Violation("GP-10", f"block {state.block} is chosen already")
    if state.phase != "action" or event.by != state.setup.seats[state.actor]:
        return late(state, event, "action")
    board, actor = state.setup.board, state.actor
    if not 1 <= event.block <= len(board.spans):
        return Violation("GP-10", f"the board has blocks 1 to {len(board.spans)}, not {event.block}")
    chips, room = coloured(state, actor), free(board, state.fields, event.block)
    if not chips:
        return Violation("GP-A16", "only the purple chip is left, which is used without a block")
    if room >= chips:
        return None
    text = f"block {event.block} has {room} free, and {chips} chips are to be placed"
    if holds_purple(state, actor) and room + 1 == chips:
        text += "; the purple chip has to free a field before the choice"
    return Violation("GP-10", text)


def _place(state: State, event: ev.Place) -> Violation | None:
    if state.phase != "place" or event.by != state.setup.seats[state.actor]:
        return late(state, event, "place")
    setup = state.setup
    colour, at = CHIP[event.colour], setup.board.index.get(event.at)
    if colour == PURPLE:
        return Violation("GP-12", "the purple chip is never placed on a field")
    if not state.hands[5 * state.actor + colour]:
        return not_in_hand("GP-10", event)
    if at is None:
        return unknown("GP-10", "field", event.at)
    if setup.board.block[at] != state.block:
        return Violation(
            "GP-10", f"{event.at} is not in block {state.block}, and chips are not split over blocks"
        )
    if state.fields[at] != EMPTY:
        return Violation("GP-10", f"{event.at} is not free")
    return None


def _purple(state: State, event: ev.Purple) -> Violation | None:
    phase = state.phase
    if phase not in ("chronology", "action", "place"):
        if phase in ("lift", "put") and event.by == state.setup.seats[state.actor]:
            return Violation("GP-A15", "in a movement the purple chip goes back unused")
        return not_due(state)
    setup, actor, fields = state.setup, state.actor, state.fields
    if event.by != setup.seats[actor]:
        return not_on_turn(state, event)
    if not holds_purple(state, actor):
        return Violation("GP-12", f"{who(event.by)} does not have the purple chip")
    board = setup.board
    room = phase == "place" or fits(board, fields, to_place(state))
    if event.at is None:
        if any_loose(board, fields):
            return Violation("GP-A16", "a chip on a white field can be removed, so one must be")
        return None if room else _in_vain(state)
    at = board.index.get(event.at)
    problem = _not_loose(state, "GP-12", event.at, at)
    if problem is not None or room:
        return problem
    assert at is not None
    if free(board, fields, board.block[at]) + 1 >= to_place(state):
        return None
    if can_free(board, fields, to_place(state)):
        return Violation(
            "GP-A12", f"without the chip on {event.at} no block has room yet; another target makes room"
        )
    return _in_vain(state)


def _move_start(state: State, event: ev.MoveStart) -> Violation | None:
    if refused := late(state, event, "action"):
        return refused
    setup, actor = state.setup, state.actor
    if state.cards[actor] not in MOVING_CARDS:
        return Violation("GP-7", f"card {state.cards[actor]} is for placing only")
    if state.purple:
        return Violation("GP-A13", "the purple chip has been used, so this turn is a placement")
    if may_move(state):
        return None
    moves, colour = to_move(state), setup.colours[actor]
    if not moves:
        return Violation("GP-A19", "no chip goes back that counts, and a movement is of one chip at least")
    standing = sum(state.fields.count(colour, first, gray) for first, gray, _ in setup.board.spans)
    if standing < moves:
        return Violation(
            "GP-14", f"{moves} chips go back, and {who(event.by)} has {standing} on white fields"
        )
    return Violation("GP-A18", f"whichever are lifted, no block has room for {moves} chips")


def _lift(state: State, event: ev.Lift) -> Violation | None:
    if refused := late(state, event, "lift"):
        return refused
    setup, actor, fields = state.setup, state.actor, state.fields
    board, colour = setup.board, setup.colours[actor]
    at = board.index.get(event.at)
    problem = _not_loose(state, "GP-13", event.at, at)
    if problem is not None:
        return problem
    assert at is not None
    if fields[at] != colour:
        return Violation("GP-13", f"the chip on {event.at} is {CHIPS[fields[at]]}, and one moves one's own")
    lifted = coloured(state, actor) + 1
    if can_lift(board, put(fields, at, EMPTY), colour, state.moves - lifted, lifted):
        return None
    return Violation(
        "GP-A18", f"with the chip on {event.at} lifted no block would have room for all {state.moves}"
    )


def _put(state: State, event: ev.Put) -> Violation | None:
    if refused := late(state, event, "put"):
        return refused
    board = state.setup.board
    at = board.index.get(event.at)
    if at is None:
        return unknown("GP-13", "field", event.at)
    if state.fields[at] != EMPTY:
        return Violation("GP-13", f"{event.at} is not free")
    block = board.block[at]
    if state.block:
        if block == state.block:
            return None
        return Violation("GP-A30", f"{event.at} is not in block {state.block} with the others")
    room, chips = free(board, state.fields, block), coloured(state, state.actor)
    if room >= chips:
        return None
    return Violation("GP-A30", f"block {block} has {room} free, and {chips} chips come down together")


CHECKS: dict[type[Event], Callable[[State, Any], Violation | None]] = {
    ev.DealCards: _deal_cards,
    ev.Roll: _roll,
    ev.Remove: _remove,
    ev.Draw: _draw,
    ev.Distribute: _distribute,
    ev.Trade: refused,
    ev.Chronology: _chronology,
    ev.ChooseBlock: _choose_block,
    ev.Place: _place,
    ev.Purple: _purple,
    ev.MoveStart: _move_start,
    ev.Lift: _lift,
    ev.Put: _put,
}
"""How an event of each kind is judged."""


def _in_vain(state: State) -> Violation:
    return Violation(
        "GP-A13", f"who uses the purple chip must place, and no block would have room for {to_place(state)}"
    )


def _not_loose(state: State, rule: str, name: str, at: int | None) -> Violation | None:
    """Why the chip on field `at`, called `name`, cannot be taken off; None if it can."""
    if at is None:
        return unknown(rule, "field", name)
    board = state.setup.board
    if at >= board.spans[board.block[at] - 1][1]:
        return Violation("GP-11", f"{name} is gray, and what stands there stays")
    if state.fields[at] == EMPTY:
        return Violation(rule, f"no chip stands on {name}")
    return None


def _not_the_deck(state: State, rule: str, cards: Mapping[str, int]) -> Violation | None:
    """Why `cards` do not give each seat one of the turn cards; None if they do."""
    setup = state.setup
    if sorted(cards.values()) == list(setup.deck) and cards.keys() == set(setup.seats):
        return None
    gone = set(cards.values()) & ({1, 2, 3, 4} - set(setup.deck))
    if gone:
        return Violation("GP-A25", f"with {len(setup.seats)} players card {min(gone)} is out of the game")
    deck = ", ".join(map(str, setup.deck))
    return Violation(rule, f"the cards are {deck}, one for each of {', '.join(map(who, setup.seats))}")
