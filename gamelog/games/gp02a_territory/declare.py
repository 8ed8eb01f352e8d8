"""Positions that are declared because moves were not written down."""

from __future__ import annotations

from typing import Any, Literal

import msgspec
from msgspec import Struct

from gamelog.game import Message
from gamelog.games.gp02a_territory.chips import coloured, holds_purple
from gamelog.games.gp02a_territory.events import Chip, Chips
from gamelog.games.gp02a_territory.room import can_place, may_move
from gamelog.games.gp02a_territory.state import CHIP, COLOURS, EMPTY, LAST_CARD, PURPLE, SUPPLY, State
from gamelog.games.gp02a_territory.victory import over


class Declared(Struct, frozen=True):
    """What of `gamelog.games.gp02a_territory.scene.describe` can be declared: the start of a round or turn.

    ``phase`` is ``roll`` at the start of a round; at that of a turn ``chronology``, or ``action`` once that
    chip lies.
    """

    main: str
    on_turn: str
    phase: Literal["roll", "chronology", "action"]
    round: int
    fields: dict[str, Chip] | None = None
    chronology: list[Chip] | None = None
    hands: dict[str, Chips] | None = None
    cards: dict[str, int] | None = None
    rolled: int = 0
    one: bool = False
    purple: bool = False


def declare(now: State, words: dict[str, Any]) -> State:
    """The position that `words` describe, over if it is decided.

    Members that they leave out are as in `now`, the bag holds the other chips.

    Raises ValueError, KeyError for a field there is not, or `msgspec.ValidationError`.
    """
    given = msgspec.convert(words, Declared)
    setup = now.setup
    seats, fields, chronology, hands, cards = setup.seats, now.fields, now.chronology, now.hands, now.cards
    if given.fields is not None:
        lying = bytearray([EMPTY]) * len(fields)
        for name, chip in given.fields.items():
            lying[setup.board.index[name]] = CHIP[chip]
        fields = bytes(lying)
    if given.chronology is not None:
        chronology = bytes(CHIP[chip] for chip in given.chronology)
    if given.hands is not None:
        hands = b"".join(bytes(given.hands.get(seat, Chips()).counts()) for seat in seats)
    if given.cards is not None:
        cards = bytes(given.cards.get(seat, 0) for seat in seats)
    bag = [
        supply - fields.count(chip) - chronology.count(chip) - sum(hands[chip::5])
        for chip, supply in enumerate(SUPPLY)
    ]
    if min(bag) < 0:
        raise ValueError(
            Message.of(
                "there are only {n} chips of {colour}",
                n=SUPPLY[bag.index(min(bag))],
                colour=[*COLOURS, "purple"][bag.index(min(bag))],
            )
        )
    state = State(
        setup,
        given.phase,
        given.round,
        seats.index(given.main),
        seats.index(given.on_turn),
        cards,
        hands,
        bytes(bag),
        chronology,
        fields,
        given.rolled,
        given.one,
        purple=given.purple,
    )
    problem = _check_position(state)
    if problem:
        raise ValueError(problem)
    reason = _ended(state)
    return over(state, reason) if reason else state


def _ended(state: State) -> str | None:
    """Why the game is over in a position that nothing else is wrong with, if it is.

    A round does not begin with a full chronology (GP-16), and with ``bag_end=zero`` nothing goes on with an
    empty bag (GP-A7).
    """
    if state.phase == "roll" and len(state.chronology) >= state.setup.chronology:
        return "chronology"
    return "bag" if state.setup.options.bag_end == "zero" and not any(state.bag) else None


def _check_position(state: State) -> Message | None:
    setup, actor, phase = state.setup, state.actor, state.phase
    if PURPLE in state.fields or PURPLE in state.chronology:
        return Message.of("the purple chip lies on no field")
    if state.round < 1 or not 0 <= state.rolled <= 6:
        return Message.of("rounds count from 1, and rolled is 1 to 6")
    if len(state.chronology) > setup.chronology:
        return Message.of("the chronology has {n} fields", n=setup.chronology)
    if phase == "roll":
        if any(state.cards) or any(state.hands) or state.purple or actor != state.main:
            return Message.of(
                "at the start of a round the Main Player is on turn, nobody has cards or chips in hand or "
                "has used the purple one"
            )
        return None
    if sorted(state.cards) != sorted(setup.deck) or state.cards[state.main] == LAST_CARD:
        return Message.of(
            "each seat has one of the cards {cards}, the Main Player not the last",
            cards=", ".join(map(str, setup.deck)),
        )
    chips, purple = coloured(state, actor), holds_purple(state, actor)
    if purple and state.purple:
        return Message.of("whoever has used the purple chip in this turn does not hold it")
    if phase == "chronology":
        full = len(state.chronology) >= setup.chronology
        return (
            Message.of("the player to move has no chip for the chronology, or it is full")
            if full or not chips
            else None
        )
    possible = (chips or purple) and (can_place(setup.board, state.fields, chips, purple) or may_move(state))
    return None if possible else Message.of("the player to move can neither place nor move")
