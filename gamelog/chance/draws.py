"""Kinds of draws: dice, things from a bag, weighted things, a shuffled deck.

A chance event that is due lists its draws in recorded order. A dice source answers with one tuple for each
draw. A coin is a die with two sides or a bag of two things. A deal is a draw from a bag, possibly until it is
empty.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from math import lcm

from msgspec import Struct

from gamelog.message import Message

Results = tuple[tuple[int | str, ...], ...]
"""One tuple for each draw: faces from 1, or the drawn things, in the order of drawing."""


class Dice(Struct, frozen=True, tag="dice"):
    """Dice that are thrown together.

    Attributes:
        count: Number of dice.
        sides: Number of sides; the faces are 1 to this number.
        seat: Seat that throws the dice, or None.
        private: Whether only this seat sees the result.
        summed: Whether only the sum matters: all throws with this sum lead to equal states.
        ordered: Whether the order of the dice matters. If not, all orders lead to equal states.
    """

    count: int
    sides: int = 6
    seat: str | None = None
    private: bool = False
    summed: bool = False
    ordered: bool = True


class Bag(Struct, frozen=True, tag="bag"):
    """Some things drawn from a bag without putting them back.

    Attributes:
        count: Number of the things that are drawn.
        things: Each kind of thing in the bag and its number.
        private: Whether only `seat` sees the things that it is dealt. Without a seat, each seat sees its own
            part.
        ordered: Whether the order of the things matters. If not, all orders lead to equal states.
    """

    count: int
    things: tuple[tuple[str, int], ...]
    seat: str | None = None
    private: bool = False
    ordered: bool = True


class Weighted(Struct, frozen=True, tag="weighted"):
    """Draws of one of several things, each as likely as its weight: a spinner, weather, an oracle.

    Weights are whole numbers in proportion to the chances; `of` computes them from fractions.

    Attributes:
        count: Number of draws. Each draw is from all things.
        things: Name and weight of each thing.
        seat: Seat that draws, or None.
        private: Whether only this seat sees the result.
        ordered: Whether the order of the draws matters. If not, all orders lead to equal states.
    """

    count: int
    things: tuple[tuple[str, int], ...]
    seat: str | None = None
    private: bool = False
    ordered: bool = True

    @classmethod
    def of(
        cls, chances: Mapping[str, Fraction], count: int = 1, seat: str | None = None, private: bool = False
    ) -> Weighted:
        """Return the draw in which each thing has the given chance.

        Args:
            chances: The chance of each thing, as an exact part of 1.
            count: The number of draws. Nothing is removed between them.
            seat: The seat that draws, or None for the table.
            private: Whether only `seat` may see the result.

        Raises:
            ValueError: The chances do not add up to 1.
        """
        if sum(chances.values()) != 1:
            raise ValueError(f"The chances add up to {sum(chances.values())} instead of 1.")
        whole = lcm(*(chance.denominator for chance in chances.values()))
        return cls(
            count, tuple((name, int(chance * whole)) for name, chance in chances.items()), seat, private
        )


class Shuffle(Struct, frozen=True, tag="shuffle"):
    """Things in a new order, as one draw. Equal things have equal names.

    Attributes:
        things: Names of all things.
        seat: Seat that shuffles, or None.
        private: Whether only this seat sees the result.
        dealt: Number of things from the top that are recorded; the rest of the deck stays face down. None
            records all. For one seed, the top cards are the same for every number dealt.
    """

    things: tuple[str, ...]
    seat: str | None = None
    private: bool = False
    dealt: int | None = None

    @property
    def count(self) -> int:
        """Number of recorded things."""
        return len(self.things) if self.dealt is None else self.dealt


Draw = Dice | Bag | Weighted | Shuffle


def kinds_of(draw: Draw) -> dict[str, int]:
    """Return the number or weight of each kind that can be drawn, in the order that the stream uses."""
    if isinstance(draw, Bag):
        return dict(draw.things)
    if isinstance(draw, Dice):
        return dict.fromkeys(map(str, range(1, draw.sides + 1)), 1)
    return dict(Counter(draw.things) if isinstance(draw, Shuffle) else draw.things)


def possible_result(draw: Draw) -> tuple[int | str, ...]:
    """Return a possible result of `draw` with as many different faces or things as possible."""
    if isinstance(draw, Dice):
        return tuple(n % draw.sides + 1 for n in range(draw.count))
    counts, refills = kinds_of(draw), isinstance(draw, Weighted)
    rounds = draw.count if refills else max(counts.values())
    spread = (kind for n in range(rounds) for kind, count in counts.items() if count > n or refills)
    return tuple(spread)[: draw.count]


def results_problem(draws: tuple[Draw, ...], results: Results) -> Message | None:
    """Return the message that says why `results` cannot come from `draws`, or None."""
    if len(draws) != len(results):
        text = "{n} {n:draw is|draws are} due, but {found} {found:is|are} given"
        return Message.of(text, n=len(draws), found=len(results))
    return next(
        (problem for pair in zip(draws, results, strict=True) if (problem := _result_problem(*pair))), None
    )


def _result_problem(draw: Draw, result: tuple[int | str, ...]) -> Message | None:
    """Return the message that says why `result` cannot come from `draw`, or None."""
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
                "{=thing} cannot be drawn; the possible results are: {possible}",
                thing=strange[0],
                possible=possible,
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
