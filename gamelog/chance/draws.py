"""What can be drawn: dice, and things out of a bag.

A chance event that is owed names its draws in the order in which they are written down; a dice
source answers with one tuple for each. Coins are two-sided dice or bags of two; a shuffle or a
deal is a bag drawn to its end.
"""

from __future__ import annotations

from collections import Counter

from msgspec import Struct

Results = tuple[tuple[int | str, ...], ...]
"""One tuple for each draw: faces from 1, or the things drawn, in order."""


class Dice(Struct, frozen=True, tag="dice"):
    """`count` dice with faces 1 to `sides`, thrown by `seat`."""

    count: int
    sides: int = 6
    seat: str | None = None


class Bag(Struct, frozen=True, tag="bag"):
    """`count` things drawn unseen and not put back. ``things`` holds each kind and how many there are."""

    count: int
    things: tuple[tuple[str, int], ...]
    seat: str | None = None


Draw = Dice | Bag


def fits(draws: tuple[Draw, ...], results: Results) -> str | None:
    """Why `results` cannot come from `draws`, or None when they can."""
    if len(draws) != len(results):
        return f"{len(draws)} draws are owed, {len(results)} are given"
    for draw, result in zip(draws, results, strict=True):
        if len(result) != draw.count:
            what = "dice" if isinstance(draw, Dice) else "draws"
            return f"{draw.count} {what} are owed{f' to {draw.seat}' if draw.seat else ''}, {len(result)} given"
        if isinstance(draw, Dice):
            impossible = [face for face in result if not (isinstance(face, int) and 1 <= face <= draw.sides)]
            if impossible:
                return f"a die with {draw.sides} sides cannot show {impossible[0]}"
        else:
            short = Counter(result) - Counter[int | str](dict(draw.things))
            if short:
                return f"the bag does not hold {next(iter(short))}" + (
                    " so often" if dict(draw.things).get(str(next(iter(short)))) else ""
                )
    return None
