"""The next event: who may act, which chance is due, and the refusals of any other event."""

from __future__ import annotations

from gamelog.game import TABLE, Bag, ChanceDue, Dice, Message, Pending, Violation, forbids
from gamelog.games.gp02a_territory.chips import count_coloured
from gamelog.games.gp02a_territory.events import Chronology, Event, Place
from gamelog.games.gp02a_territory.state import CHIPS, State
from gamelog.games.kit import phases

DUE = {
    "deal_cards": ("GP-2", "the turn cards must be dealt first"),
    "roll": ("GP-3", "the Main Player must roll first"),
    "remove": ("GP-A6", "the player to move must remove a chip from a white field"),
    "draw": ("GP-5", "the player to move must draw chips from the bag"),
    "distribute": ("GP-6", "the Main Player must first hand out the turn cards"),
    "chronology": ("GP-9", "the player to move must first put a chip on the chronology"),
    "action": ("GP-10", "the player to move must choose a block"),
    "place": ("GP-10", "the player to move must place a chip on a free field of the chosen block"),
    "lift": ("GP-13", "the player to move must lift one of their own chips"),
    "put": ("GP-13", "the player to move must put down a lifted chip"),
}
"""The next event of each phase: the rule that asks for it, and the words of a refusal."""

ENDED_BY = {"bag": "GP-15", "chronology": "GP-16", "territory": "GP-17"}
"""The rule that decides the game, for each reason of an outcome."""


def pending(state: State) -> Pending:
    """Return the seats that may act, the chance that is due, or the outcome."""
    if state.outcome is not None:
        return Pending(outcome=state.outcome)
    setup, seat = state.setup, state.setup.seats[state.actor]
    if state.phase == "roll":
        return Pending(chance=ChanceDue("roll", seat, (Dice(1, 6, seat),)))
    if state.phase == "draw":
        things = tuple([thing for thing in zip(CHIPS, state.bag, strict=True) if thing[1]])
        return Pending(chance=ChanceDue("draw", seat, (Bag(state.rolled, things, seat, ordered=False),)))
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


_CHIPS_LEFT = {
    "place": Message("{n} {n:chip|chips} left to place"),
    "lift": Message("{n} {n:chip|chips} left to lift"),
    "put": Message("{n} {n:chip|chips} left to put down"),
}
"""The texts of the phases in which chips are handled one by one."""

_TO_CHOOSE = {
    "remove": Message.of("remove a chip from a white field"),
    "distribute": Message.of("hand out the turn cards"),
    "chronology": Message.of("choose the chip for the chronology"),
    "action": Message.of("choose a block"),
}
"""The texts of the phases with one choice."""


def remaining_text(state: State) -> str | Message:
    """Return in words what is to choose, or the number of chips of the turn that are still to be handled."""
    if state.phase not in _CHIPS_LEFT:
        return _TO_CHOOSE.get(state.phase, "")
    chips = count_coloured(state, state.actor)
    chips = state.moves - chips if state.phase == "lift" else chips
    return Message.of(_CHIPS_LEFT[state.phase].text, n=chips) if chips else ""


def before_first_turn(state: State) -> bool:
    """Return whether the cards are handed out and the first turn of the round has not begun."""
    return state.phase == "chronology" and state.cards[state.actor] == 1 and not state.purple


def turn_refusal(state: State, event: Event, phase: str) -> Violation | None:
    """Return why `event`, an event of `phase`, is too early or too late, or from the wrong seat."""
    if state.phase != phase:
        return not_due(state)
    return None if event.by == state.setup.seats[state.actor] else out_of_turn(state, event)


def not_due(state: State) -> Violation:
    """Return the violation of an event that belongs to another phase."""
    if state.phase == "place" and not count_coloured(state, state.actor):
        return forbids("GP-A16", "the player to move must use the purple chip")
    return phases.not_due(DUE, state.phase, ENDED_BY, state.outcome)


def out_of_turn(state: State, event: Event) -> Violation:
    """Return the violation of an event from a seat that is not to move."""
    rule = "GP-A5" if state.phase in ("remove", "draw") else "GP-7"
    return phases.out_of_turn(rule, state.setup.seats[state.actor], event)


def not_in_hand(rule: str, event: Place | Chronology) -> Violation:
    """Return the violation of `rule` by an event whose chip is not in the hand of its seat."""
    return forbids(rule, "{@by} has no {colour} chip in hand", by=event.by, colour=event.colour)
