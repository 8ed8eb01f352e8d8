"""Who may act, and which rule forbids an event. Ids are those of RULES.md.

An event is first held against what is due (the phase) and whose turn it is, then against its own
rule. What is not due is refused with the rule that says what is.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import assert_never

from gamelog.chance.draws import Bag, Dice
from gamelog.games.gp02a_territory import events as ev
from gamelog.games.gp02a_territory.chips import coloured, hand, holds_purple
from gamelog.games.gp02a_territory.events import Event
from gamelog.games.gp02a_territory.room import any_loose, can_free, can_lift, fits, free, may_move, to_move, to_place
from gamelog.games.gp02a_territory.state import CHIP, CHIPS, EMPTY, LAST_CARD, MOVING_CARDS, PURPLE, State
from gamelog.play.game import Owed, Pending, Violation
from gamelog.record.envelope import TABLE

DUE = {
    "deal_cards": ("GP-2", "the deal of the turn cards"),
    "roll": ("GP-3", "the die of the Main Player"),
    "remove": ("GP-A6", "the removal of a chip from a white field"),
    "draw": ("GP-5", "a draw out of the bag"),
    "distribute": ("GP-6", "the handing out of the turn cards"),
    "chronology": ("GP-9", "the chip for the chronology"),
    "action": ("GP-10", "the choice of a block"),
    "place": ("GP-10", "a chip on a free field of the chosen block"),
    "lift": ("GP-13", "the lifting of an own chip"),
    "put": ("GP-13", "the putting down of a lifted chip"),
}
"""For each phase the rule that says what is due, and the same in words."""

ENDED_BY = {"bag": "GP-15", "chronology": "GP-16", "territory": "GP-17"}


def pending(state: State) -> Pending:
    """Who may act, or what is owed by chance, or the outcome."""
    if state.outcome is not None:
        return Pending(outcome=state.outcome)
    setup, seat = state.setup, state.setup.seats[state.actor]
    if state.phase == "roll":
        return Pending(chance=Owed("roll", seat, (Dice(1, 6, seat),)))
    if state.phase == "draw":
        things = tuple((name, count) for name, count in zip(CHIPS, state.bag, strict=True) if count)
        return Pending(chance=Owed("draw", seat, (Bag(state.rolled, things, seat),)))
    if state.phase == "deal_cards":
        cards = Bag(len(setup.seats), tuple((str(card), 1) for card in setup.deck))
        return Pending(chance=Owed("deal_cards", TABLE, (cards,)))
    if state.phase == "chronology" and setup.options.negotiation and before_first_turn(state) and state.main != state.actor:
        return Pending(by=(seat, setup.seats[state.main]))
    return Pending(by=(seat,))


def before_first_turn(state: State) -> bool:
    """Whether the cards are handed out and the first turn of the round has not begun."""
    return state.phase == "chronology" and state.cards[state.actor] == 1 and not state.purple


def check(state: State, event: Event) -> Violation | None:
    """The rule that forbids `event` in `state`, or None."""
    if type(event) is ev.Place:
        return _place(state, event)
    if type(event) is ev.Draw:
        return _draw(state, event)
    if type(event) is ev.Chronology:
        return _chronology(state, event)
    if type(event) is ev.ChooseBlock:
        return _choose_block(state, event)
    if type(event) is ev.Lift:
        return _lift(state, event)
    if type(event) is ev.Put:
        return _put(state, event)
    if type(event) is ev.Roll:
        return _roll(state, event)
    if type(event) is ev.Remove:
        return _remove(state, event)
    if type(event) is ev.Distribute:
        return _distribute(state, event)
    if type(event) is ev.MoveStart:
        return _move_start(state, event)
    if type(event) is ev.Purple:
        return _purple(state, event)
    if type(event) is ev.DealCards:
        return _deal_cards(state, event)
    if type(event) is ev.Trade:
        return _trade(state, event)
    assert_never(event)


def _place(state: State, event: ev.Place) -> Violation | None:
    if state.phase != "place":
        return _not_due(state)
    setup = state.setup
    if event.by != setup.seats[state.actor]:
        return _not_on_turn(state, event)
    colour, at = CHIP[event.colour], setup.board.index.get(event.at)
    if colour == PURPLE:
        return Violation("GP-12", "the purple chip is never placed on a field")
    if not state.hands[5 * state.actor + colour]:
        return _not_in_hand("GP-10", event)
    if at is None:
        return _unknown("GP-10", event.at)
    if setup.board.block[at] != state.block:
        return Violation("GP-10", f"{event.at} is not in block {state.block}, and chips are not split over blocks")
    if state.fields[at] != EMPTY:
        return Violation("GP-10", f"{event.at} is not free")
    return None


def _chronology(state: State, event: ev.Chronology) -> Violation | None:
    if state.phase != "chronology":
        if state.phase in ("action", "place", "lift", "put") and len(state.chronology) >= state.setup.chronology:
            return Violation("GP-A9", "the chronology is full; who comes later plays without it")
        if state.phase in ("action", "place"):
            return Violation("GP-9", "one chip a turn goes on the chronology")
        return _not_due(state)
    if event.by != state.setup.seats[state.actor]:
        return _not_on_turn(state, event)
    colour = CHIP[event.colour]
    if colour == PURPLE:
        return Violation("GP-9", "the purple chip does not go on the chronology")
    return None if state.hands[5 * state.actor + colour] else _not_in_hand("GP-9", event)


def _choose_block(state: State, event: ev.ChooseBlock) -> Violation | None:
    if state.phase != "action":
        return Violation("GP-10", f"block {state.block} is chosen already") if state.phase == "place" else _not_due(state)
    board, actor = state.setup.board, state.actor
    if event.by != state.setup.seats[actor]:
        return _not_on_turn(state, event)
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


def _purple(state: State, event: ev.Purple) -> Violation | None:
    phase = state.phase
    if phase not in ("chronology", "action", "place"):
        if phase in ("lift", "put") and event.by == state.setup.seats[state.actor]:
            return Violation("GP-A15", "in a movement the purple chip goes back unused")
        return _not_due(state)
    setup, actor, fields = state.setup, state.actor, state.fields
    if event.by != setup.seats[actor]:
        return _not_on_turn(state, event)
    if not holds_purple(state, actor):
        return Violation("GP-12", f"{event.by} does not have the purple chip")
    board = setup.board
    room = phase == "place" or fits(board, fields, to_place(state))
    if event.at is None:
        if any_loose(board, fields):
            return Violation("GP-A16", "a chip on a white field can be removed, so one must be")
        return None if room else _in_vain(state)
    at = board.index.get(event.at)
    wrong = _not_loose(state, "GP-12", event.at, at)
    if wrong is not None or room:
        return wrong
    assert at is not None
    if free(board, fields, board.block[at]) + 1 >= to_place(state):
        return None
    if can_free(board, fields, to_place(state)):
        return Violation("GP-A12", f"without the chip on {event.at} no block has room yet; another target makes room")
    return _in_vain(state)


def _in_vain(state: State) -> Violation:
    return Violation("GP-A13", f"who uses the purple chip must place, and no block would have room for {to_place(state)}")


def _move_start(state: State, event: ev.MoveStart) -> Violation | None:
    if state.phase != "action":
        return _not_due(state)
    setup, actor = state.setup, state.actor
    if event.by != setup.seats[actor]:
        return _not_on_turn(state, event)
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
        return Violation("GP-14", f"{moves} chips go back, and {event.by} has {standing} on white fields")
    return Violation("GP-A18", f"whichever are lifted, no block has room for {moves} chips")


def _lift(state: State, event: ev.Lift) -> Violation | None:
    if state.phase != "lift":
        return _not_due(state)
    setup, actor, fields = state.setup, state.actor, state.fields
    if event.by != setup.seats[actor]:
        return _not_on_turn(state, event)
    board, colour = setup.board, setup.colours[actor]
    at = board.index.get(event.at)
    wrong = _not_loose(state, "GP-13", event.at, at)
    if wrong is not None:
        return wrong
    assert at is not None
    if fields[at] != colour:
        return Violation("GP-13", f"the chip on {event.at} is {CHIPS[fields[at]]}, and one moves one's own")
    lifted = coloured(state, actor) + 1
    if can_lift(board, fields[:at] + EMPTY_BYTE + fields[at + 1 :], colour, state.moves - lifted, lifted):
        return None
    return Violation("GP-A18", f"with the chip on {event.at} lifted no block would have room for all {state.moves}")


def _put(state: State, event: ev.Put) -> Violation | None:
    if state.phase != "put":
        return _not_due(state)
    board, actor = state.setup.board, state.actor
    if event.by != state.setup.seats[actor]:
        return _not_on_turn(state, event)
    at = board.index.get(event.at)
    if at is None:
        return _unknown("GP-13", event.at)
    if state.fields[at] != EMPTY:
        return Violation("GP-13", f"{event.at} is not free")
    block = board.block[at]
    if state.block:
        return None if block == state.block else Violation("GP-A30", f"{event.at} is not in block {state.block} with the others")
    room, chips = free(board, state.fields, block), coloured(state, actor)
    return None if room >= chips else Violation("GP-A30", f"block {block} has {room} free, and {chips} chips come down together")


def _remove(state: State, event: ev.Remove) -> Violation | None:
    if state.phase != "remove":
        return Violation("GP-4", "a further 1 removes nothing") if state.phase == "roll" and state.one else _not_due(state)
    if event.by != state.setup.seats[state.actor]:
        return _not_on_turn(state, event)
    return _not_loose(state, "GP-3", event.at, state.setup.board.index.get(event.at))


def _draw(state: State, event: ev.Draw) -> Violation | None:
    if state.phase != "draw":
        return _not_due(state)
    if event.by != state.setup.seats[state.actor]:
        return _not_on_turn(state, event)
    blue, red, green, yellow, purple = counts = event.chips.counts()
    drawn = blue + red + green + yellow + purple
    if drawn != state.rolled:
        return Violation("GP-5", f"{state.rolled} chips are drawn, not {drawn}")
    bag = state.bag
    if blue <= bag[0] and red <= bag[1] and green <= bag[2] and yellow <= bag[3] and purple <= bag[4]:
        return None
    name, left, count = next(row for row in zip(CHIPS, bag, counts, strict=True) if row[1] < row[2])
    return Violation("GP-5", f"the bag holds {left} {name}, not {count}")


def _roll(state: State, event: ev.Roll) -> Violation | None:
    if state.phase != "roll":
        return _not_due(state)
    main = state.setup.seats[state.main]
    if event.by != main:
        return Violation("GP-8" if state.round > 1 else "GP-2", f"{main} is the Main Player and rolls, not {event.by}")
    return None if 1 <= event.value <= 6 else Violation("GP-3", f"a die cannot show {event.value}")


def _deal_cards(state: State, event: ev.DealCards) -> Violation | None:
    if state.phase != "deal_cards":
        return _not_due(state)
    if event.by != TABLE:
        return Violation("GP-2", f"the deal is recorded by {TABLE}, not by {event.by}")
    return _not_the_deck(state, "GP-2", event.cards)


def _distribute(state: State, event: ev.Distribute) -> Violation | None:
    if state.phase != "distribute":
        return _not_due(state)
    main = state.setup.seats[state.main]
    if event.by != main:
        return Violation("GP-6", f"{main} is the Main Player and hands out the cards, not {event.by}")
    wrong = _not_the_deck(state, "GP-6", event.cards)
    if wrong is None and event.cards[main] == LAST_CARD:
        return Violation("GP-6", f"{main} may not keep card {LAST_CARD}: nobody is Main Player twice in a row")
    return wrong


def _trade(state: State, event: ev.Trade) -> Violation | None:
    setup = state.setup
    if not setup.options.negotiation:
        return Violation("GP-22", "this game is played without negotiation")
    if state.phase != "distribute" and not before_first_turn(state):
        return _not_due(state) if state.outcome else Violation("GP-A27", "trades are made between the draw and the first turn")
    if event.by != setup.seats[state.main]:
        return Violation("GP-22", f"every trade is with the Main Player, {setup.seats[state.main]}")
    if event.seat == event.by or event.seat not in setup.seats:
        return Violation("GP-22", f"{event.by} trades with one of the other players, not with {event.seat}")
    gives, takes = event.gives.counts(), event.takes.counts()
    if not any(gives) and not any(takes):
        return Violation("GP-A27", "no chip changes hands")
    for seat, out, back in ((event.by, gives, takes), (event.seat, takes, gives)):
        held = hand(state, setup.seats.index(seat))
        if any(count > have for count, have in zip(out, held, strict=True)):
            return Violation("GP-A27", f"{seat} does not have these chips")
        if sum(held[:PURPLE]) - sum(out[:PURPLE]) + sum(back[:PURPLE]) < 1:
            return Violation("GP-A27", f"{seat} would keep no coloured chip for the chronology")
    return None


EMPTY_BYTE = bytes([EMPTY])


def _not_due(state: State) -> Violation:
    """Why an event of another phase is illegal: by the rule that says what is due."""
    if state.outcome is not None:
        return Violation(ENDED_BY[state.outcome.reason], "the game is over")
    rule, due = DUE[state.phase]
    if state.phase == "place" and not coloured(state, state.actor):
        rule, due = "GP-A16", "the use of the purple chip"
    return Violation(rule, f"what is due is {due}")


def _not_on_turn(state: State, event: Event) -> Violation:
    rule = "GP-A5" if state.phase in ("remove", "draw") else "GP-7"
    return Violation(rule, f"it is {state.setup.seats[state.actor]}'s turn, not {event.by}'s")


def _not_loose(state: State, rule: str, name: str, at: int | None) -> Violation | None:
    """Why the chip on field `at`, called `name`, cannot be taken off; None if it can."""
    if at is None:
        return _unknown(rule, name)
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
    return Violation(rule, f"the cards are {deck}, one for each of {', '.join(setup.seats)}")


def _not_in_hand(rule: str, event: ev.Place | ev.Chronology) -> Violation:
    return Violation(rule, f"{event.by} has no {event.colour} chip in hand")


def _unknown(rule: str, name: str) -> Violation:
    return Violation(rule, f'the board has no field "{name}"')
