"""Numbers in words, and what may and may not be concluded from them."""

from __future__ import annotations

from collections.abc import Iterable

MIN_GAMES = 20
"""Below so many games an interval spans about half of all possible shares, so that nothing can be said of it.
"""

MIN_DRAWN = 5
"""Fewer games than these are not drawn: a picture says more than they can."""

LEVEL = 0.05
"""The probability below which something is called unlikely to be chance alone, as is usual."""


def percent(part: float) -> str:
    """A part of 1 as a percentage, with a decimal only where it is close to nothing or all."""
    return f"{part:.1%}" if 0 < part < 0.01 or 0.99 < part < 1 else f"{part:.0%}"


def probability(p: float | None) -> str:
    """``p = 0.03``, never with more digits than mean something; nothing where nothing can be tested."""
    if p is None:
        return ""
    return "p < 0.001" if p < 0.001 else f"p = {p:.3f}" if p < 0.1 else f"p = {p:.2f}"


def spaced(word: str | None) -> str:
    """A game's own word, ``roll_off`` say, as it is read."""
    return (word or "").replace("_", " ")


def several_tests(found: Iterable[float | None]) -> str:
    """What the p-values of comparisons side by side say together, multiplied by their number (Bonferroni).

    None stands for what cannot be tested, and is left out.
    """
    ps = [p for p in found if p is not None]
    if not ps:
        return ""
    k, least = len(ps), min(ps)
    low = sum(p < LEVEL for p in ps)
    if k == 1:
        if low:
            return f"The difference is larger than chance alone usually makes ({probability(least)})."
        return (
            f"Chance alone makes such a difference often enough ({probability(least)}): no sign of anything."
        )
    expected = (
        f"Of {k} comparisons, about {k * LEVEL:.1f} would fall below 0.05 by chance alone; here "
        f"{low or 'none'} did."
    )
    if least * k < LEVEL:
        return (
            f"{expected} The least, {probability(least)}, is still below it when multiplied by {k}: it "
            "is hardly chance."
        )
    if low:
        return (
            f"{expected} Multiplied by {k}, even the least of them ({probability(least)}) is not below "
            "it: it may be chance."
        )
    return f"{expected} No sign of anything but chance."
