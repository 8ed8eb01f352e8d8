"""Positions of Territory from words, for scenarios and tests."""

from __future__ import annotations

from fnmatch import fnmatchcase
from typing import Any

import msgspec
from msgspec import Struct

from gamelog.games.gp02a_territory.events import Chip, Chips
from gamelog.games.gp02a_territory.state import CHIP, CHIPS, EMPTY, SUPPLY, Phase, State
from gamelog.play.contract.outcome import Outcome


class Given(Struct, frozen=True, forbid_unknown_fields=True):
    """The words of `gamelog.games.gp02a_territory.scene.describe`, with short forms.

    A key of ``fields`` is one or more names or patterns (``"a? b1"``). A later key overrides an earlier one, and
    ``free`` empties fields again. ``chronology`` is a list of chips in order, or the number of each. The bag has all
    other chips; a given ``bag`` must agree with this.
    """

    fields: dict[str, str] = {}
    chronology: list[Chip] | dict[Chip, int] = []
    hands: dict[str, Chips] = {}
    bag: Chips | None = None
    cards: dict[str, int] = {}
    phase: Phase = "action"
    round: int = 2
    main: str | None = None
    on_turn: str | None = None
    rolled: int = 0
    one: bool = False
    block: int | None = None
    moves: int = 0
    purple: bool = False
    outcome: Outcome | None = None


def arrange(start: State, words: dict[str, Any]) -> State:
    """Return the position that `words` describe, on the board and for the seats of `start`.

    Raises:
        ValueError: The words name an unknown field, seat or member, or too many chips.
    """
    given = msgspec.convert(words, Given)
    setup = start.setup
    board, seats = setup.board, setup.seats
    fields = bytearray(start.fields)
    for patterns, chip in given.fields.items():
        for pattern in patterns.split():
            found = [at for at, name in enumerate(board.names) if fnmatchcase(name, pattern)]
            if not found:
                raise ValueError(f"no field of {board.name} is called {pattern}")
            for at in found:
                fields[at] = EMPTY if chip == "free" else CHIPS.index(chip)
    counted = given.chronology
    named = (
        counted
        if isinstance(counted, list)
        else [chip for chip, count in counted.items() for _ in range(count)]
    )
    chronology = bytes(CHIP[chip] for chip in named)
    hands = b"".join(bytes(given.hands.get(seat, Chips()).counts()) for seat in seats)
    bag = [
        supply - fields.count(chip) - chronology.count(chip) - sum(hands[chip::5])
        for chip, supply in enumerate(SUPPLY)
    ]
    if min(bag) < 0:
        raise ValueError(f"there are not so many chips: {bag} would be left in the bag")
    if given.bag is not None and given.bag.counts() != tuple(bag):
        raise ValueError(f"the bag would hold {bag}")
    actor = seats.index(given.on_turn) if given.on_turn else 0
    return State(
        setup=setup,
        phase=given.phase,
        round=given.round,
        main=seats.index(given.main) if given.main else 0,
        actor=actor,
        cards=bytes(given.cards.get(seat, 0) for seat in seats),
        hands=hands,
        bag=bytes(bag),
        chronology=chronology,
        fields=bytes(fields),
        rolled=given.rolled,
        one=given.one,
        block=given.block or 0,
        moves=given.moves,
        purple=given.purple,
        outcome=given.outcome,
    )
