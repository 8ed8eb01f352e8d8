"""The looks of seats: a colour, and for people who cannot see it a pattern, a shape and a letter.

A seat that is named by a colour has this colour. The colours differ in lightness and in hue, so that they are
different under every common colour blindness and in grey print.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

COLOURS = {
    "red": "#b92f28",
    "blue": "#2b6cc4",
    "green": "#4cbf82",
    "yellow": "#f4c42e",
    "purple": "#4b1c70",
    "orange": "#d5650f",
    "teal": "#1a8f9c",
    "pink": "#e58ab8",
    "brown": "#7d5032",
    "black": "#30343b",
    "white": "#f6f3ea",
    "grey": "#8b929c",
}
"""The colours by which seats are named."""
_ALIASES = {"violet": "purple", "gray": "grey", "cyan": "teal", "gold": "yellow", "magenta": "pink"}
ORDER = (
    "blue",
    "orange",
    "green",
    "purple",
    "yellow",
    "white",
    "grey",
    "red",
    "black",
    "teal",
    "pink",
    "brown",
)
"""Colours for seats whose names are not colours. Neighbours in this list differ most."""

_PATTERNS = ("plain", "slashes", "dots", "bars", "grid", "backslashes", "rings", "waves")
SHAPES = ("circle", "diamond", "triangle", "square", "pentagon", "star", "cross", "drop")
"""The shapes of the marks of seats, in the order of the seats."""


class SeatStyle(Struct, frozen=True):
    """The look of a seat.

    Attributes:
        colour: Colour of areas, as CSS.
        ink: Black or white, depending on the contrast with ``colour``.
        pattern: Pattern of areas, for readers who do not see colours.
        shape: Shape of marks.
        letter: Letter of the seat.
    """

    colour: str
    ink: str
    pattern: str
    shape: str
    letter: str


def seat_styles(seats: Sequence[str]) -> list[SeatStyle]:
    """Return a look for each of `seats`. Up to eight looks are all different."""
    names: list[str | None] = []
    for seat in seats:
        name = _colour_name(seat)
        names.append(None if name in names else name)
    free = [name for name in ORDER if name not in names]
    letters = _letters(seats)
    out: list[SeatStyle] = []
    for index, name in enumerate(names):
        colour = COLOURS[name or free.pop(0) if name or free else ORDER[index % len(ORDER)]]
        out.append(
            SeatStyle(
                colour,
                ink(colour),
                _PATTERNS[index % len(_PATTERNS)],
                SHAPES[index % len(SHAPES)],
                letters[index],
            )
        )
    return out


def _colour_name(seat: str) -> str | None:
    word = seat.lower()
    word = _ALIASES.get(word, word)
    return word if word in COLOURS else None


def _letters(seats: Sequence[str]) -> list[str]:
    """Return for each seat its first letter that no earlier seat has, or else its number."""
    letters: list[str] = []
    for number, seat in enumerate(seats, 1):
        free = [letter for letter in seat.upper() if letter.isalnum() and letter not in letters]
        letters.append(free[0] if free else str(number))
    return letters


def luminance(colour: str) -> float:
    """Return the relative luminance of ``#rrggbb``, 0 to 1, as WCAG 2 defines it."""
    parts = [int(colour[begin : begin + 2], 16) / 255 for begin in (1, 3, 5)]
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def ink(colour: str) -> str:
    """Return black or white, whichever has more contrast with `colour`."""
    light = luminance(colour)
    return "#ffffff" if 1.05 / (light + 0.05) >= (light + 0.05) / 0.05 else "#000000"
