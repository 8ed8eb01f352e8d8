"""What is due: who may act, which chance is owed, and why anything else is not."""

from __future__ import annotations

from gamelog.game import TABLE, Bag, ChanceDue, Dice, Message, Pending, Violation, forbids
from gamelog.games.gp02a_territory.chips import coloured
from gamelog.games.gp02a_territory.events import Chronology, Event, Place
from gamelog.games.gp02a_territory.state import CHIPS, State
from gamelog.games.kit import phases

DUE = {
    "deal_cards": ("GP-2", "the deal of the turn cards is due"),
    "roll": ("GP-3", "the die of the Main Player is due"),
    "remove": ("GP-A6", "the removal of a chip from a white field is due"),
    "draw": ("GP-5", "a draw out of the bag is due"),
    "distribute": ("GP-6", "the handing out of the turn cards is due"),
    "chronology": ("GP-9", "the chip for the chronology is due"),
    "action": ("GP-10", "the choice of a block is due"),
    "place": ("GP-10", "a chip on a free field of the chosen block is due"),
    "lift": ("GP-13", "the lifting of an own chip is due"),
    "put": ("GP-13", "the putting down of a lifted chip is due"),
}
"""For each phase the rule that says what is due, and the same in words."""

ENDED_BY = {"bag": "GP-15", "chronology": "GP-16", "territory": "GP-17"}
"""For each reason of an outcome the rule that decided the game."""


def pending(state: State) -> Pending:
    """Who may act, or what is owed by chance, or the outcome."""
    if state.outcome is not None:
        return Pending(outcome=state.outcome)
    setup, seat = state.setup, state.setup.seats[state.actor]
    if state.phase == "roll":
        return Pending(chance=ChanceDue("roll", seat, (Dice(1, 6, seat),)))
    if state.phase == "draw":
        things = tuple([thing for thing in zip(CHIPS, state.bag, strict=True) if thing[1]])
        return Pending(chance=ChanceDue("draw", seat, (Bag(state.rolled, things, seat),)))
    if state.phase == "deal_cards":
        cards = Bag(len(setup.seats), tuple((str(card), 1) for card in setup.deck))
        return Pending(chance=ChanceDue("deal_cards", TABLE, (cards,)))
    if (
        state.phase == "chronology"
        and setup.options.negotiation
        and before_first_turn(state)
        and state.main != state.actor
    ):
        return Pending(by=(seat, setup.seats[state.main]))
    return Pending(by=(seat,))


CHIPS_LEFT = {
    "place": Message.of("{n} {n:chip|chips} left to place"),
    "lift": Message.of("{n} {n:chip|chips} left to lift"),
    "put": Message.of("{n} {n:chip|chips} left to put down"),
}
"""Texts for the phases in which chips are handled one by one."""


def left(state: State) -> str | Message:
    """Return how many chips of the turn are left to place, lift or put down."""
    if state.phase not in CHIPS_LEFT:
        return ""
    chips = coloured(state, state.actor)
    chips = state.moves - chips if state.phase == "lift" else chips
    return Message.of(CHIPS_LEFT[state.phase].text, n=chips) if chips else ""


def before_first_turn(state: State) -> bool:
    """Whether the cards are handed out and the first turn of the round has not begun."""
    return state.phase == "chronology" and state.cards[state.actor] == 1 and not state.purple


def late(state: State, event: Event, phase: str) -> Violation | None:
    """Why an event of `phase` cannot come now, or not from `event`'s seat."""
    if state.phase != phase:
        return not_due(state)
    return None if event.by == state.setup.seats[state.actor] else not_on_turn(state, event)


def not_due(state: State) -> Violation:
    """Why an event of another phase is illegal: by the rule that says what is due."""
    if state.phase == "place" and not coloured(state, state.actor):
        return forbids("GP-A16", "the use of the purple chip is due")
    return phases.not_due(DUE, state.phase, ENDED_BY, state.outcome)


def not_on_turn(state: State, event: Event) -> Violation:
    """Why an event of a seat is illegal while it is not its turn."""
    rule = "GP-A5" if state.phase in ("remove", "draw") else "GP-7"
    return phases.not_on_turn(rule, state.setup.seats[state.actor], event)


def not_in_hand(rule: str, event: Place | Chronology) -> Violation:
    """That the seat does not hold such a chip, against `rule`."""
    return forbids(rule, "{@by} has no {colour} chip in hand", by=event.by, colour=event.colour)
