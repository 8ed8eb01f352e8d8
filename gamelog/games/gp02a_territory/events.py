"""The events of Territory: decisions, cards, dice and draws."""

from __future__ import annotations

from typing import Annotated, Literal, final

from msgspec import Meta, Struct

from gamelog.game import Event as BaseEvent

Chip = Literal["blue", "red", "green", "yellow", "purple"]
Count = Annotated[int, Meta(ge=0, le=101)]


class Chips(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A number of chips of each colour. Colours without chips are left out: ``{"blue": 2, "green": 1}``."""

    blue: Count = 0
    red: Count = 0
    green: Count = 0
    yellow: Count = 0
    purple: Count = 0

    def counts(self) -> tuple[int, int, int, int, int]:
        """Return the counts in the order of `gamelog.games.gp02a_territory.state.CHIPS`."""
        return self.blue, self.red, self.green, self.yellow, self.purple

    def words(self) -> str:
        """Return the counts in words: ``2 blue, 1 green``, or ``nothing``."""
        parts = [
            f"{count} {name}"
            for name, count in zip(self.__struct_fields__, self.counts(), strict=True)
            if count
        ]
        return ", ".join(parts) or "nothing"


@final
class DealCards(BaseEvent, frozen=True, tag="deal_cards"):
    """The turn card of each seat, dealt by the table. Card 4 makes the first Main Player (GP-2)."""

    cards: dict[str, int]


@final
class Roll(BaseEvent, frozen=True, tag="roll"):
    """The Main Player's die (GP-3)."""

    value: int


@final
class Remove(BaseEvent, frozen=True, tag="remove"):
    """The removal of a chip from a white field, after the first 1 of a round (GP-3)."""

    at: str


@final
class Draw(BaseEvent, frozen=True, tag="draw"):
    """The chips that a seat drew from the bag (GP-5)."""

    chips: Chips


@final
class Distribute(BaseEvent, frozen=True, tag="distribute"):
    """The turn cards as the Main Player hands them out: seat to number (GP-6)."""

    cards: dict[str, int]


@final
class Trade(BaseEvent, frozen=True, tag="trade"):
    """An agreed trade: the Main Player gives chips to `seat` and takes chips from it (GP-22)."""

    seat: str
    gives: Chips
    takes: Chips


@final
class Chronology(BaseEvent, frozen=True, tag="chronology"):
    """The first chip of a turn, on the next chronology field (GP-9)."""

    colour: Chip


@final
class ChooseBlock(BaseEvent, frozen=True, tag="choose_block"):
    """The block in which the player places all chips, counted from 1 (GP-10)."""

    block: int


@final
class Place(BaseEvent, frozen=True, tag="place"):
    """One chip of the hand on a free field of the chosen block (GP-10)."""

    colour: Chip
    at: str


@final
class Purple(BaseEvent, frozen=True, tag="purple"):
    """The use of the purple chip, which returns to the bag with the chip on the white field `at` (GP-12).

    Without `at`, no chip could be removed.
    """

    at: str | None = None


@final
class MoveStart(BaseEvent, frozen=True, tag="move_start"):
    """The start of a movement: the rest of the hand returns to the bag (GP-13)."""


@final
class Lift(BaseEvent, frozen=True, tag="lift"):
    """An own chip that is lifted from a white field (GP-13)."""

    at: str


@final
class Put(BaseEvent, frozen=True, tag="put"):
    """A lifted chip that is put down on a free field. The first such chip decides the block (GP-13)."""

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
"""Types of the game's events."""
CHANCE = (DealCards, Roll, Draw)
"""Types of the events that record chance: dealt cards, dice and drawn chips."""
ORDERLESS = {DealCards: ("cards",), Distribute: ("cards",)}
"""Members without an order: the deal of the cards. Numbers of chips have no order by themselves."""
