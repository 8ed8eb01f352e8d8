"""Declared positions, for records in which moves are missing."""

from __future__ import annotations

from typing import Any, Literal

import msgspec
from msgspec import Struct

from gamelog.game import Message
from gamelog.games.gp02a_territory.chips import count_coloured, has_purple
from gamelog.games.gp02a_territory.events import Chip, Chips
from gamelog.games.gp02a_territory.room import can_move, can_place
from gamelog.games.gp02a_territory.state import CHIP, COLOURS, EMPTY, LAST_CARD, PURPLE, SUPPLY, State
from gamelog.games.gp02a_territory.victory import end_game


class Declared(Struct, frozen=True):
    """The members of `gamelog.games.gp02a_territory.scene.describe` that can be declared.

    Attributes:
        phase: ``roll`` for the start of a round; ``chronology``, or ``action`` after the chip for the
            chronology, for the start of a turn.
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
    """Return the position that `words` describe. If it is decided, the game is over.

    Members that `words` leave out stay as in `now`. All other chips are in the bag.

    Raises:
        ValueError: The position is impossible.
        KeyError: The board has no such field.
        msgspec.ValidationError: A member is missing or has a wrong type.
    """
    given = msgspec.convert(words, Declared)
    setup = now.setup
    seats, fields, chronology, hands, cards = setup.seats, now.fields, now.chronology, now.hands, now.cards
    if given.fields is not None:
        placed = bytearray([EMPTY]) * len(fields)
        for name, chip in given.fields.items():
            placed[setup.board.index[name]] = CHIP[chip]
        fields = bytes(placed)
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
                "there are only {n} {colour} {n:chip|chips}",
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
    problem = _position_problem(state)
    if problem:
        raise ValueError(problem)
    reason = _end_reason(state)
    return end_game(state, reason) if reason else state


def _end_reason(state: State) -> str | None:
    """Return the reason why the game is over in a valid position, or None.

    A round does not begin with a full chronology (GP-16). With ``bag_end=zero``, the game does not continue
    with an empty bag (GP-A7).
    """
    if state.phase == "roll" and len(state.chronology) >= state.setup.chronology:
        return "chronology"
    return "bag" if state.setup.options.bag_end == "zero" and not any(state.bag) else None


def _position_problem(state: State) -> Message | None:
    """Return the reason why `state` is impossible, or None."""
    setup, actor, phase = state.setup, state.actor, state.phase
    if PURPLE in state.fields or PURPLE in state.chronology:
        return Message.of("the purple chip cannot be on a field or on the chronology")
    if state.round < 1 or not 0 <= state.rolled <= 6:
        return Message.of(
            "the round must be at least 1, and the number of chips that each player draws must be from 0 to 6"
        )
    if len(state.chronology) > setup.chronology:
        return Message.of("the chronology has only {n} {n:field|fields}", n=setup.chronology)
    if phase == "roll":
        if any(state.cards) or any(state.hands) or state.purple or actor != state.main:
            return Message.of(
                "at the start of a round, the Main Player must be to move, all hands must be "
                "empty, and the purple chip must not be used yet"
            )
        return None
    if sorted(state.cards) != sorted(setup.deck) or state.cards[state.main] == LAST_CARD:
        return Message.of(
            "each seat must have one of the cards {cards}, and the Main Player cannot have the last of them",
            cards=", ".join(map(str, setup.deck)),
        )
    chips, purple = count_coloured(state, actor), has_purple(state, actor)
    if purple and state.purple:
        return Message.of("a player who has used the purple chip cannot still hold it")
    if phase == "chronology":
        full = len(state.chronology) >= setup.chronology
        return (
            Message.of("the player to move has no chip for the chronology, or the chronology is full")
            if full or not chips
            else None
        )
    possible = (chips or purple) and (can_place(setup.board, state.fields, chips, purple) or can_move(state))
    return None if possible else Message.of("the player to move can neither place chips nor move them")
