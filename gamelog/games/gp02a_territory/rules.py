"""The judge: finds the rule that forbids an event, by the ids in RULES.md.

An event must first fit the phase and come from the player to move; then its own rule is checked. A refusal
for the phase names the rule that asks for the next event.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from gamelog.game import TABLE, Message, Violation, forbids
from gamelog.games.gp02a_territory import events as ev
from gamelog.games.gp02a_territory.chips import count_coloured, has_purple
from gamelog.games.gp02a_territory.due import not_due, not_in_hand, out_of_turn, turn_refusal
from gamelog.games.gp02a_territory.events import Event
from gamelog.games.gp02a_territory.room import (
    can_free,
    can_lift,
    can_move,
    count_free,
    has_loose,
    has_room_for,
    to_move,
    to_place,
)
from gamelog.games.gp02a_territory.state import CHIP, CHIPS, EMPTY, LAST_CARD, MOVING_CARDS, PURPLE, State
from gamelog.games.gp02a_territory.trades import trade_violation
from gamelog.games.kit.cells import put
from gamelog.games.kit.dice import face_violation
from gamelog.games.kit.phases import unknown_place


def check(state: State, event: Event) -> Violation | None:
    """Return a violation, or None if the rules allow `event` in `state`."""
    return CHECKS[type(event)](state, event)


def _deal_cards(state: State, event: ev.DealCards) -> Violation | None:
    if state.phase != "deal_cards":
        return not_due(state)
    if event.by != TABLE:
        return forbids("GP-2", "the table must record the deal, not {@by}", by=event.by)
    return _deck_violation(state, "GP-2", event.cards)


def _roll(state: State, event: ev.Roll) -> Violation | None:
    """Return the violation of the Main Player's roll (GP-2, GP-3, GP-8), or None."""
    if state.phase != "roll":
        return not_due(state)
    main = state.setup.seats[state.main]
    if event.by != main:
        return forbids(
            "GP-8" if state.round > 1 else "GP-2",
            "{@main} is the Main Player and rolls, not {@by}",
            main=main,
            by=event.by,
        )
    return face_violation("GP-3", (event.value,))


def _remove(state: State, event: ev.Remove) -> Violation | None:
    if state.phase == "roll" and state.one:
        return forbids("GP-4", "another 1 in the same round does not remove a chip")
    if refused := turn_refusal(state, event, "remove"):
        return refused
    return _loose_violation(state, "GP-3", event.at, state.setup.board.index.get(event.at))


def _draw(state: State, event: ev.Draw) -> Violation | None:
    """Return the violation of a draw from the bag (GP-5), or None."""
    if state.phase != "draw" or event.by != state.setup.seats[state.actor]:
        return turn_refusal(state, event, "draw")
    blue, red, green, yellow, purple = counts = event.chips.counts()
    drawn = blue + red + green + yellow + purple
    if drawn != state.rolled:
        return forbids("GP-5", "{n} {n:chip|chips} must be drawn, not {found}", n=state.rolled, found=drawn)
    bag = state.bag
    if blue <= bag[0] and red <= bag[1] and green <= bag[2] and yellow <= bag[3] and purple <= bag[4]:
        return None
    name, left, count = next(row for row in zip(CHIPS, bag, counts, strict=True) if row[1] < row[2])
    return forbids(
        "GP-5", "the bag has {n} {colour} {n:chip|chips}, not {found}", n=left, colour=name, found=count
    )


def _distribute(state: State, event: ev.Distribute) -> Violation | None:
    """Return the violation of a distribution of the cards (GP-6), or None."""
    if state.phase != "distribute":
        return not_due(state)
    main = state.setup.seats[state.main]
    if event.by != main:
        return forbids(
            "GP-6", "{@main} is the Main Player and hands out the cards, not {@by}", main=main, by=event.by
        )
    problem = _deck_violation(state, "GP-6", event.cards)
    if problem is None and event.cards[main] == LAST_CARD:
        return forbids(
            "GP-6",
            "{@main} may not keep card {n}, because no player is the Main Player twice in a row",
            main=main,
            n=LAST_CARD,
        )
    return problem


def _chronology(state: State, event: ev.Chronology) -> Violation | None:
    """Return the violation of putting a chip on the chronology (GP-9, GP-A9), or None."""
    full = len(state.chronology) >= state.setup.chronology
    if full and state.phase in ("action", "place", "lift", "put"):
        return forbids("GP-A9", "the chronology is full, so no chip can be put on it in this turn")
    if state.phase in ("action", "place"):
        return forbids("GP-9", "only one chip can be put on the chronology in each turn")
    if state.phase != "chronology" or event.by != state.setup.seats[state.actor]:
        return turn_refusal(state, event, "chronology")
    colour = CHIP[event.colour]
    if colour == PURPLE:
        return forbids("GP-9", "the purple chip cannot be put on the chronology")
    return None if state.hands[5 * state.actor + colour] else not_in_hand("GP-9", event)


def _choose_block(state: State, event: ev.ChooseBlock) -> Violation | None:
    """Return the violation of the choice of a block (GP-10, GP-A16), or None."""
    if state.phase == "place":
        return forbids("GP-10", "block {block} has already been chosen", block=state.block)
    if state.phase != "action" or event.by != state.setup.seats[state.actor]:
        return turn_refusal(state, event, "action")
    board, actor = state.setup.board, state.actor
    if not 1 <= event.block <= len(board.spans):
        return forbids(
            "GP-10", "the board has blocks 1 to {n}, not {block}", n=len(board.spans), block=event.block
        )
    chips, room = count_coloured(state, actor), count_free(board, state.fields, event.block)
    if not chips:
        return forbids("GP-A16", "only the purple chip is left, and it needs no block")
    if room >= chips:
        return None
    full = Message.of(
        "block {block} has {n} free {n:field|fields}, but {chips} {chips:chip|chips} must be placed",
        block=event.block,
        n=room,
        chips=chips,
    )
    if has_purple(state, actor) and room + 1 == chips:
        return forbids(
            "GP-10", "{problem}; use the purple chip to free a field before choosing the block", problem=full
        )
    return Violation("GP-10", full.text, full.args)


def _place(state: State, event: ev.Place) -> Violation | None:
    """Return the violation of the placement of a chip (GP-10, GP-12), or None."""
    if state.phase != "place" or event.by != state.setup.seats[state.actor]:
        return turn_refusal(state, event, "place")
    setup = state.setup
    colour, at = CHIP[event.colour], setup.board.index.get(event.at)
    if colour == PURPLE:
        return forbids("GP-12", "the purple chip is never placed on a field")
    if not state.hands[5 * state.actor + colour]:
        return not_in_hand("GP-10", event)
    if at is None:
        return unknown_place("GP-10", "field", event.at)
    if setup.board.block[at] != state.block:
        return forbids(
            "GP-10",
            "{at} is not in block {block}, and chips may not be split over blocks",
            at=event.at,
            block=state.block,
        )
    if state.fields[at] != EMPTY:
        return forbids("GP-10", "{at} is not free", at=event.at)
    return None


def _purple(state: State, event: ev.Purple) -> Violation | None:
    """Return the violation of a use of the purple chip (GP-12, GP-A12, GP-A15, GP-A16), or None."""
    phase = state.phase
    if phase not in ("chronology", "action", "place"):
        if phase in ("lift", "put") and event.by == state.setup.seats[state.actor]:
            return forbids(
                "GP-A15",
                "the player is making a movement, in which the purple chip returns to the bag unused",
            )
        return not_due(state)
    setup, actor, fields = state.setup, state.actor, state.fields
    if event.by != setup.seats[actor]:
        return out_of_turn(state, event)
    if not has_purple(state, actor):
        return forbids("GP-12", "{@by} does not hold the purple chip", by=event.by)
    board = setup.board
    room = phase == "place" or has_room_for(board, fields, to_place(state))
    if event.at is None:
        if has_loose(board, fields):
            return forbids(
                "GP-A16",
                "at least one chip on a white field can be removed, so you must remove a chip "
                "with the purple chip",
            )
        return None if room else _makes_no_room(state)
    at = board.index.get(event.at)
    problem = _loose_violation(state, "GP-12", event.at, at)
    if problem is not None or room:
        return problem
    assert at is not None
    if count_free(board, fields, board.block[at]) + 1 >= to_place(state):
        return None
    if can_free(board, fields, to_place(state)):
        return forbids(
            "GP-A12",
            "removing the chip on {at} makes no room for a placement; remove another chip",
            at=event.at,
        )
    return _makes_no_room(state)


def _move_start(state: State, event: ev.MoveStart) -> Violation | None:
    """Return the violation of the start of a movement, or None.

    Its rules are GP-7, GP-14, GP-A13, GP-A18 and GP-A19.
    """
    if refused := turn_refusal(state, event, "action"):
        return refused
    setup, actor = state.setup, state.actor
    if state.cards[actor] not in MOVING_CARDS:
        return forbids(
            "GP-7", "a player with card {card} can only place chips, not move them", card=state.cards[actor]
        )
    if state.purple:
        return forbids("GP-A13", "the player has used the purple chip, so they must place chips in this turn")
    if can_move(state):
        return None
    moves, colour = to_move(state), setup.colours[actor]
    if not moves:
        return forbids(
            "GP-A19", "a movement needs at least one chip, but no chip that counts returns to the bag"
        )
    standing = sum(state.fields.count(colour, first, grey) for first, grey, _ in setup.board.spans)
    if standing < moves:
        return forbids(
            "GP-14",
            "the movement needs {n} of the player's own chips on white fields, but {@by} has "
            "only {standing} there",
            n=moves,
            by=event.by,
            standing=standing,
        )
    return forbids("GP-A18", "no block would have room for {n} lifted {n:chip|chips}", n=moves)


def _lift(state: State, event: ev.Lift) -> Violation | None:
    """Return the violation of lifting a chip (GP-13, GP-A18), or None."""
    if refused := turn_refusal(state, event, "lift"):
        return refused
    setup, actor, fields = state.setup, state.actor, state.fields
    board, colour = setup.board, setup.colours[actor]
    at = board.index.get(event.at)
    problem = _loose_violation(state, "GP-13", event.at, at)
    if problem is not None:
        return problem
    assert at is not None
    if fields[at] != colour:
        return forbids(
            "GP-13",
            "the chip on {at} is {colour}, and players move only their own chips",
            at=event.at,
            colour=CHIPS[fields[at]],
        )
    lifted = count_coloured(state, actor) + 1
    if can_lift(board, put(fields, at, EMPTY), colour, state.moves - lifted, lifted):
        return None
    return forbids(
        "GP-A18",
        "without the chip on {at}, no block would have room for all {n} chips",
        at=event.at,
        n=state.moves,
    )


def _put(state: State, event: ev.Put) -> Violation | None:
    """Return the violation of putting a lifted chip down (GP-13, GP-A30), or None."""
    if refused := turn_refusal(state, event, "put"):
        return refused
    board = state.setup.board
    at = board.index.get(event.at)
    if at is None:
        return unknown_place("GP-13", "field", event.at)
    if state.fields[at] != EMPTY:
        return forbids("GP-13", "{at} is not free", at=event.at)
    block = board.block[at]
    if state.block:
        if block == state.block:
            return None
        return forbids(
            "GP-A30",
            "{at} is not in block {block}, where the other chips are",
            at=event.at,
            block=state.block,
        )
    room, chips = count_free(board, state.fields, block), count_coloured(state, state.actor)
    if room >= chips:
        return None
    return forbids(
        "GP-A30",
        "block {block} has {n} free {n:field|fields}, but {chips} lifted {chips:chip|chips} must fit in it",
        block=block,
        n=room,
        chips=chips,
    )


CHECKS: dict[type[Event], Callable[[State, Any], Violation | None]] = {
    ev.DealCards: _deal_cards,
    ev.Roll: _roll,
    ev.Remove: _remove,
    ev.Draw: _draw,
    ev.Distribute: _distribute,
    ev.Trade: trade_violation,
    ev.Chronology: _chronology,
    ev.ChooseBlock: _choose_block,
    ev.Place: _place,
    ev.Purple: _purple,
    ev.MoveStart: _move_start,
    ev.Lift: _lift,
    ev.Put: _put,
}
"""The function that judges each kind of event."""


def _makes_no_room(state: State) -> Violation:
    """Return the violation of a purple chip that cannot make the placement possible."""
    return forbids(
        "GP-A13",
        "a player who uses the purple chip must place, but no block would have room for {n} {n:chip|chips}",
        n=to_place(state),
    )


def _loose_violation(state: State, rule: str, name: str, at: int | None) -> Violation | None:
    """Return a violation, or None if the field `at`, called `name`, has a chip that can be removed."""
    if at is None:
        return unknown_place(rule, "field", name)
    board = state.setup.board
    if at >= board.spans[board.block[at] - 1][1]:
        return forbids("GP-11", "{at} is grey, so the chip on it stays", at=name)
    if state.fields[at] == EMPTY:
        return forbids(rule, "{at} has no chip", at=name)
    return None


def _deck_violation(state: State, rule: str, cards: Mapping[str, int]) -> Violation | None:
    """Return a violation, or None if `cards` gives each seat one of the turn cards."""
    setup = state.setup
    if sorted(cards.values()) == list(setup.deck) and cards.keys() == set(setup.seats):
        return None
    gone = set(cards.values()) & ({1, 2, 3, 4} - set(setup.deck))
    if gone:
        return forbids(
            "GP-A25", "with {n} players, card {card} is not used", n=len(setup.seats), card=min(gone)
        )
    deck = ", ".join(map(str, setup.deck))
    return forbids(
        rule, "the cards must be {cards}, one for each of {@seats}", cards=deck, seats=list(setup.seats)
    )
