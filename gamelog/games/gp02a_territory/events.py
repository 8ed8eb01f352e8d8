"""What is written down of a game of Territory: decisions, cards, dice and draws."""

from __future__ import annotations

from typing import Annotated, Literal, final

from msgspec import Meta, Struct

from gamelog.record import envelope

Chip = Literal["blue", "red", "green", "yellow", "purple"]
Count = Annotated[int, Meta(ge=0, le=101)]


class Chips(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """So many chips of each colour; colours that are missing are left out: ``{"blue": 2, "green": 1}``."""

    blue: Count = 0
    red: Count = 0
    green: Count = 0
    yellow: Count = 0
    purple: Count = 0

    def counts(self) -> tuple[int, int, int, int, int]:
        """The counts in the order of `gamelog.games.gp02a_territory.state.CHIPS`."""
        return self.blue, self.red, self.green, self.yellow, self.purple

    def words(self) -> str:
        """``2 blue, 1 green``, or ``nothing``."""
        told = [
            f"{count} {name}"
            for name, count in zip(self.__struct_fields__, self.counts(), strict=True)
            if count
        ]
        return ", ".join(told) or "nothing"


@final
class DealCards(envelope.Event, frozen=True, tag="deal_cards"):
    """Each seat's turn card out of the shuffled ones, by the table;
    card 4 makes the first Main Player (GP-2).
    """

    cards: dict[str, int]


@final
class Roll(envelope.Event, frozen=True, tag="roll"):
    """The Main Player's die (GP-3)."""

    value: int


@final
class Remove(envelope.Event, frozen=True, tag="remove"):
    """After the round's first 1, a seat takes the chip off a white field (GP-3)."""

    at: str


@final
class Draw(envelope.Event, frozen=True, tag="draw"):
    """The chips that a seat drew out of the bag (GP-5)."""

    chips: Chips


@final
class Distribute(envelope.Event, frozen=True, tag="distribute"):
    """The Main Player hands out the turn cards: seat to number (GP-6)."""

    cards: dict[str, int]


@final
class Trade(envelope.Event, frozen=True, tag="trade"):
    """The Main Player gives chips to `seat` and takes chips from it, as both have agreed (GP-22)."""

    seat: str
    gives: Chips
    takes: Chips


@final
class Chronology(envelope.Event, frozen=True, tag="chronology"):
    """The first chip of a turn, on the next chronology field (GP-9)."""

    colour: Chip


@final
class ChooseBlock(envelope.Event, frozen=True, tag="choose_block"):
    """The block in which all chips will be placed, counted from 1 (GP-10)."""

    block: int


@final
class Place(envelope.Event, frozen=True, tag="place"):
    """One chip of the hand on a free field of the chosen block (GP-10)."""

    colour: Chip
    at: str


@final
class Purple(envelope.Event, frozen=True, tag="purple"):
    """The purple chip takes the chip off the white field `at`, and both go back;
    no `at` where nothing can be taken (GP-12).
    """

    at: str | None = None


@final
class MoveStart(envelope.Event, frozen=True, tag="move_start"):
    """The rest of the hand goes back into the bag; as many own chips will be moved (GP-13)."""


@final
class Lift(envelope.Event, frozen=True, tag="lift"):
    """An own chip is taken off a white field, to be put elsewhere (GP-13)."""

    at: str


@final
class Put(envelope.Event, frozen=True, tag="put"):
    """A lifted chip comes down on a free field; the first one settles the block (GP-13)."""

    at: str


Decision = Remove | Distribute | Trade | Chronology | ChooseBlock | Place | Purple | MoveStart | Lift | Put
Chance = DealCards | Roll | Draw
Event = Decision | Chance

EVENTS = (
    DealCards,
    Roll,
    Remove,
    Draw,
    Distribute,
    Trade,
    Chronology,
    ChooseBlock,
    Place,
    Purple,
    MoveStart,
    Lift,
    Put,
)
CHANCE = (DealCards, Roll, Draw)
ORDERLESS = {DealCards: ("cards",), Distribute: ("cards",)}
"""Members that have no order: to whom the cards go. Chips have none anyway; all else has one."""
