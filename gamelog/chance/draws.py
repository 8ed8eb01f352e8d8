"""What can be drawn: dice, things out of a bag, things of unequal weight, a deck that is shuffled.

A chance event that is owed names its draws in the order in which they are written down; a dice
source answers with one tuple for each. Coins are two-sided dice or bags of two; a deal is a bag that is drawn
from, or drawn to its end.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from math import lcm

from msgspec import Struct

from gamelog.message import Message

Results = tuple[tuple[int | str, ...], ...]
"""One tuple for each draw: faces from 1, or the things drawn, in order."""


class Dice(Struct, frozen=True, tag="dice"):
    """`count` dice with faces 1 to `sides`, thrown by `seat`. ``private``: nobody else sees how they fall."""

    count: int
    sides: int = 6
    seat: str | None = None
    private: bool = False


class Bag(Struct, frozen=True, tag="bag"):
    """`count` things drawn unseen and not put back. ``things`` holds each kind and how many there are.

    ``private``: they are dealt to `seat`, and nobody else sees them; without a seat, each seat sees its part.
    """

    count: int
    things: tuple[tuple[str, int], ...]
    seat: str | None = None
    private: bool = False


class Weighted(Struct, frozen=True, tag="weighted"):
    """`count` times one of `things`, each as often as its weight says: a spinner, weather, an oracle.

    Weights are whole numbers in the proportion of the chances; `of` makes them of fractions.
    """

    count: int
    things: tuple[tuple[str, int], ...]
    seat: str | None = None
    private: bool = False

    @classmethod
    def of(
        cls, chances: Mapping[str, Fraction], count: int = 1, seat: str | None = None, private: bool = False
    ) -> Weighted:
        """The draw in which each thing has this chance. Raises ValueError where these do not add up to 1."""
        if sum(chances.values()) != 1:
            raise ValueError(f"chances add up to 1, and these to {sum(chances.values())}")
        whole = lcm(*(chance.denominator for chance in chances.values()))
        return cls(
            count, tuple((name, int(chance * whole)) for name, chance in chances.items()), seat, private
        )


class Shuffle(Struct, frozen=True, tag="shuffle"):
    """All of `things` in a new order, as one draw. Things that are alike are named alike.

    ``dealt``: only so many from the top are written down, as in a deal that leaves the rest of the deck face
    down; None: all. A seed gives the top the same cards, whatever is dealt.
    """

    things: tuple[str, ...]
    seat: str | None = None
    private: bool = False
    dealt: int | None = None

    @property
    def count(self) -> int:
        """How many things are written down."""
        return len(self.things) if self.dealt is None else self.dealt


Draw = Dice | Bag | Weighted | Shuffle


def kinds_of(draw: Draw) -> dict[str, int]:
    """Each kind that may be drawn, in the order of a draw from the stream, with its number or weight."""
    if isinstance(draw, Bag):
        return dict(draw.things)
    if isinstance(draw, Dice):
        return dict.fromkeys(map(str, range(1, draw.sides + 1)), 1)
    return dict(Counter(draw.things) if isinstance(draw, Shuffle) else draw.things)


def fits(draws: tuple[Draw, ...], results: Results) -> Message | None:
    """Return why `results` cannot come from `draws`, or None if they can."""
    if len(draws) != len(results):
        text = "{n} {n:draw is|draws are} due, but {found} {found:is|are} given"
        return Message.of(text, n=len(draws), found=len(results))
    return next((problem for pair in zip(draws, results, strict=True) if (problem := _misfit(*pair))), None)


def _misfit(draw: Draw, result: tuple[int | str, ...]) -> Message | None:
    """Return why `result` cannot come from `draw`, or None."""
    if len(result) != draw.count:
        text = "{n} {n:draw is|draws are} due, but {found} {found:is|are} given"
        if isinstance(draw, Dice):
            text = "{n} {n:die is|dice are} due, but {found} {found:is|are} given"
        return Message.of(text, n=draw.count, found=len(result))
    if isinstance(draw, Dice):
        impossible = [face for face in result if not (isinstance(face, int) and 1 <= face <= draw.sides)]
        text = "a die with {n} sides cannot show {=face}"
        return Message.of(text, n=draw.sides, face=impossible[0]) if impossible else None
    kinds = kinds_of(draw)
    if isinstance(draw, Weighted):
        strange = [thing for thing in result if not kinds.get(str(thing))]
        if strange:
            possible = ", ".join(name for name in kinds if kinds[name])
            return Message.of(
                "{=thing} cannot be drawn; possible are: {possible}", thing=strange[0], possible=possible
            )
        return None
    short = next(iter(Counter(result) - Counter[int | str](kinds)), None)
    if short is None:
        return None
    has_some = bool(kinds.get(str(short)))
    if isinstance(draw, Bag):
        text = "the bag does not have that many of {=thing}" if has_some else "the bag has no {=thing}"
    else:
        text = "the deck does not have that many of {=thing}" if has_some else "the deck has no {=thing}"
    return Message.of(text, thing=short)
