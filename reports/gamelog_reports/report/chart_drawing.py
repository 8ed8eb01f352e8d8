"""Drawings of charts as SVG elements whose width follows their place.

Horizontal places are percentages and vertical places are pixels, so text keeps its size in every place. An
element has no script, no style and no reference, so a strict policy admits it. The style sheet of the page
gives the colours by class.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import ceil, floor, log10
from typing import Any
from xml.etree import ElementTree as ET

from markupsafe import Markup
from msgspec import Struct

from gamelog_reports.board_geometry import shapes
from gamelog_reports.seat_style import SeatStyle

ROW_HEIGHT = 26
"""Height of the plot of one row, in pixels."""

_AXIS_HEIGHT = 18
"""Height of a scale, in pixels."""
_MARGIN = 4.0
"""Percentage of the width that is empty at each end of a scale."""

_MAX_STEPS = 5
"""Maximum number of steps between the ticks of a scale, so that labels fit on a phone."""

_BAR = 14
"""Height of a bar, in pixels."""
_MARK_SCALE = "scale(0.72)"


class Scale(Struct, frozen=True):
    """A scale from `low` to `high` across the width of a plot, and the text of its ticks."""

    low: float
    high: float
    text: Callable[[float], str]

    def at(self, value: float) -> str:
        """Return the place of `value`, which is not beyond the ends of the scale."""
        inside = min(max(value, self.low), self.high)
        return f"{_MARGIN + (100 - 2 * _MARGIN) * (inside - self.low) / (self.high - self.low):.2f}%"

    def ticks(self, most: int = _MAX_STEPS, least_step: float = 0) -> list[float]:
        """Return the values of the ticks, at most `most` steps, which are at least `least_step`."""
        step = max(least_step, step_of(self.high - self.low, most))
        return [
            step * multiple
            for multiple in range(ceil(self.low / step - 1e-9), floor(self.high / step + 1e-9) + 1)
        ]


def step_of(span: float, most: int = _MAX_STEPS) -> float:
    """Return the distance of ticks so that `span` has at most `most` steps: 1, 2 or 5 and zeros."""
    least = span / most
    ten = float(10 ** floor(log10(least)))
    return next(ten * factor for factor in (1, 2, 5, 10) if ten * factor >= least * (1 - 1e-9))


def scale_of(values: Sequence[float], text: Callable[[float], str], *, zero: bool = False) -> Scale:
    """Return a scale for `values` that begins and ends at ticks, or at 0 with `zero`."""
    low, high = min(values), max(values)
    if zero:
        low, high = min(low, 0), max(high, 0)
    if low == high:
        high = low + 1
    step = step_of(high - low)
    low, high = floor(low / step + 1e-9) * step, ceil(high / step - 1e-9) * step
    return Scale(low, high, text)


def svg(height: float, name: str = "") -> ET.Element:
    """Return an empty drawing. Without a `name`, screen readers skip it, because the page has its numbers."""
    described = {"role": "img", "aria-label": name} if name else {"aria-hidden": "true"}
    return ET.Element("svg", {"class": "plot", "width": "100%", "height": f"{height:g}"} | described)


def to_markup(root: ET.Element) -> Markup:
    """Return `root` for a page."""
    return Markup(ET.tostring(root, encoding="unicode"))  # ElementTree has escaped it


def add(parent: ET.Element, tag: str, kind: str, **values: Any) -> ET.Element:
    """Add an element to `parent`.

    Args:
        parent: The element around it.
        tag: The name of the element.
        kind: The class of the element.
        values: The attributes of the element.
    """
    return ET.SubElement(parent, tag, {"class": kind} | {name: str(value) for name, value in values.items()})


def grid(root: ET.Element, scale: Scale, height: float) -> None:
    """Add a line at each tick of `scale`."""
    for value in scale.ticks():
        x = scale.at(value)
        add(root, "line", "grid", x1=x, x2=x, y1=0, y2=height)


def axis(scale: Scale) -> Markup:
    """Return the labels of the ticks of `scale`. Every second label is missing if there is little room."""
    root = svg(_AXIS_HEIGHT)
    for index, value in enumerate(scale.ticks()):
        add(root, "text", "minor" if index % 2 else "major", x=scale.at(value), y=13).text = scale.text(value)
    return to_markup(root)


def row(
    scale: Scale,
    value: float,
    *,
    interval: tuple[float, float] | None = None,
    even: float | None = None,
    band: tuple[float, float] | None = None,
    look: SeatStyle | None = None,
    bar: bool = False,
) -> Markup:
    """Return the plot of one row: a mark at `value`, or a `bar` from 0 to it.

    Args:
        scale: The scale of all rows.
        value: The value.
        interval: The ends of the interval of the value.
        even: The value that is expected.
        band: The values that chance alone explains.
        look: The shape and colour of the mark, or None for a dot.
        bar: Whether a bar is drawn instead of a mark.
    """
    root, middle = svg(ROW_HEIGHT), ROW_HEIGHT / 2
    if band:
        left, right = (float(scale.at(end)[:-1]) for end in band)
        add(root, "rect", "band", x=f"{left:.2f}%", y=0, width=f"{right - left:.2f}%", height=ROW_HEIGHT)
    grid(root, scale, ROW_HEIGHT)
    if even is not None:
        x = scale.at(even)
        add(root, "line", "even", x1=x, x2=x, y1=0, y2=ROW_HEIGHT)
    if bar:
        start, end = (float(scale.at(x)[:-1]) for x in (0, value))
        add(
            root, "rect", "bar", x=f"{start:.2f}%", y=middle - _BAR / 2,
            width=f"{end - start:.2f}%", height=_BAR,
        )  # fmt: skip
        return to_markup(root)
    if interval:
        ends = {"x1": scale.at(interval[0]), "x2": scale.at(interval[1])}
        add(root, "line", "interval", y1=middle, y2=middle, **ends)
    if look is None:
        add(root, "circle", "dot", cx=scale.at(value), cy=middle, r=6)
    else:
        place = add(root, "svg", "mark", x=scale.at(value), y=middle, overflow="visible")
        path = shapes()["marks"][look.shape]
        add(place, "path", "dot", d=path, fill=look.colour, transform=_MARK_SCALE)
    return to_markup(root)


def swatch(kind: str) -> Markup:
    """Return the example of a ``dot``, ``interval``, ``even``, ``band`` or ``bar`` for a legend."""
    root = ET.Element("svg", {"class": "swatch", "width": "22", "height": "14", "aria-hidden": "true"})
    match kind:
        case "dot":
            add(root, "circle", kind, cx=11, cy=7, r=5)
        case "interval":
            add(root, "line", kind, x1=1, x2=21, y1=7, y2=7)
        case "even":
            add(root, "line", kind, x1=11, x2=11, y1=0, y2=14)
        case _:
            add(root, "rect", kind, x=1, y=2, width=20, height=10)
    return to_markup(root)
