"""The curve of the chances as SVG: a line and a band for each seat, and a mark for each turning point.

The picture needs no script: each mark is a link to its event. Places across are percentages of the width, and
heights are pixels, so letters and marks keep their size. Lines differ in their dashes too, as in the chart of
points (``chart.js``).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple
from xml.etree import ElementTree as ET

from markupsafe import Markup

DASHES = ("", "8 3", "4 2", "10 3 3 3", "2 2", "6 2 2 2", "14 4", "3 3 8 3")
"""The dashes of the lines, in the order of the seats, as in the chart of points."""

_WIDTH, _HEIGHT = 300, 100
"""Number of places across and upwards. More would not be visible on a page and make the file larger."""

_TOP = 24
"""Height of the room for the marks above the lines, in pixels."""

_NEAR = 0.125
"""Marks that are nearer than this part of the width are one mark, so that fingers find each on a phone."""

_LABEL = 18
"""Height of the label of a line, in pixels."""


class SeatCurve(NamedTuple):
    """The curve of a seat.

    Attributes:
        name: Name of the player.
        colour: Colour of the seat, as CSS.
        chances: Chance after each event; the first is the start.
        margins: Margin of error of each chance.
    """

    name: str
    colour: str
    chances: Sequence[float]
    margins: Sequence[float]


def chance_curve(seats: Sequence[SeatCurve], marks: Mapping[int, str], label: str) -> Markup:
    """Return the curve of all `seats`, with links to the events of `marks`.

    Args:
        seats: The seats, in their order.
        marks: The sentence about each turning point, by event.
        label: The name of the picture for screen readers.
    """
    last = max(1, len(seats[0].chances) - 1)
    root = ET.Element(
        "svg", {"class": "plot", "height": str(_TOP + _HEIGHT), "aria-label": label, "role": "group"}
    )
    for chance, text in ((1.0, "1"), (0.5, "½"), (0.0, "0")):
        y = _TOP + _HEIGHT * (1 - chance)
        _add(root, "line", "axis", x1="0", x2="100%", y1=y, y2=y)
        _add(root, "text", "scale", x=-6, y=y + 4).text = text
    box = {"viewBox": f"0 0 {_WIDTH} {_HEIGHT}", "preserveAspectRatio": "none", "y": str(_TOP)}
    inner = ET.SubElement(
        root, "svg", {**box, "width": "100%", "height": str(_HEIGHT), "aria-hidden": "true"}
    )
    for seat in seats:
        if any(seat.margins):
            _add(inner, "path", "band", d=_band(seat), color=seat.colour)
    for kind in ("casing", "line"):
        for index, seat in enumerate(seats):
            own = {"stroke-dasharray": DASHES[index % len(DASHES)], "color": seat.colour}
            _add(inner, "path", kind, d=_line(seat.chances), **(own if kind == "line" else {}))
    for n in marks:
        x = f"{100 * n / last:.2f}%"
        _add(root, "line", "tick", x1=x, x2=x, y1=_TOP - 4, y2=_TOP + _HEIGHT)
    for group in _near_groups(sorted(marks), _NEAR * last):
        name = " ".join(f"◆ {n} {marks[n]}" for n in group)
        link = ET.SubElement(root, "a", {"href": f"#n={group[0]}", "aria-label": name})
        ET.SubElement(link, "title").text = "\n".join(f"{n}. {marks[n]}" for n in group)
        x = f"{100 * group[0] / last:.2f}%"
        place = ET.SubElement(link, "svg", {"x": x, "overflow": "visible", "aria-hidden": "true"})
        _add(place, "rect", "target", x=-10, width=24, height=_TOP)
        _add(place, "path", "sign", d="M-7 12l7-8 7 8-7 8Z")
        if len(group) > 1:
            _add(place, "text", x=7, y=11).text = str(len(group))
    return Markup(ET.tostring(root, encoding="unicode"))  # ElementTree has escaped it


def _near_groups(events: Sequence[int], distance: float) -> list[list[int]]:
    """Return sorted `events` in groups: an event less than `distance` after the first of a group is in it."""
    groups: list[list[int]] = []
    for n in events:
        if groups and n - groups[-1][0] < distance:
            groups[-1].append(n)
        else:
            groups.append([n])
    return groups


def mean_chances(chances: Sequence[float], jumps: Collection[int], width: int) -> list[float]:
    """Return for each event the mean of its chance and the chances after the changes before it.

    Estimates often depend on the seat to move, so a line through all of them would go up and down with each
    move. The mean does not mix chances before and after one of the `jumps`, or the last event with others. An
    event without a change of the chance does not change the mean.

    Args:
        chances: The chances after each event.
        jumps: The events whose changes stay as they are.
        width: The largest number of changes of a mean.
    """
    means, recent = list[float](), deque[float](maxlen=width)
    for n, chance in enumerate(chances):
        if n in jumps or n == len(chances) - 1:
            recent.clear()
        if not recent or chance != chances[n - 1]:
            recent.append(chance)
        means.append(sum(recent) / len(recent))
    return means


def curve_labels(seats: Sequence[SeatCurve]) -> Markup:
    """Return the names of the `seats` beside the ends of their lines. They do not overlap."""
    height = _TOP + _HEIGHT + _LABEL / 2
    root = ET.Element("svg", {"class": "names", "height": f"{height:.0f}", "aria-hidden": "true"})
    order = sorted(range(len(seats)), key=lambda index: -seats[index].chances[-1])
    free = 0.0
    for place, index in enumerate(order):
        seat, below = seats[index], len(seats) - place
        wanted = _TOP + _HEIGHT * (1 - seat.chances[-1]) - _LABEL / 2
        top = max(free, min(wanted, height - _LABEL * below))
        free = top + _LABEL
        dashes = DASHES[index % len(DASHES)]
        _add(root, "path", "line", d=f"M6 {top + 9:.0f}h22", color=seat.colour, stroke_dasharray=dashes)
        _add(root, "text", x=33, y=f"{top + 13:.0f}").text = seat.name
    return Markup(ET.tostring(root, encoding="unicode"))  # ElementTree has escaped it


def _add(parent: ET.Element, tag: str, kind: str = "", **given: object) -> ET.Element:
    """Add an element with a class, if `kind` is not empty, and return it."""
    attributes = {name.replace("_", "-"): str(value) for name, value in given.items() if value != ""}
    return ET.SubElement(parent, tag, ({"class": kind} if kind else {}) | attributes)


def _columns(values: Sequence[float]) -> list[list[int]]:
    """Return the heights from the top in each place across: the height before it, then after its events."""
    last = max(1, len(values) - 1)
    columns: list[list[int]] = [[] for _ in range(_WIDTH + 1)]
    for n, value in enumerate(values):
        columns[round(n * _WIDTH / last)].append(round(_HEIGHT * (1 - value)))
    before = columns[0][0]
    for column in columns:
        column.insert(0, before)
        before = column[-1]
    return columns


def _line(values: Sequence[float]) -> str:
    """Return the path of a line, which is level until an event changes the chance."""
    columns = _columns(values)
    path = _Path(columns[0][0])
    for x, column in enumerate(columns):
        path.step(x, min(column), max(column), column[-1])
    path.go_level(_WIDTH)
    return path.text


def _band(seat: SeatCurve) -> str:
    """Return the path around the chances with their margins of error."""
    pairs = [*zip(seat.chances, seat.margins, strict=True)]
    upper = [min(column) for column in _columns([min(1.0, chance + margin) for chance, margin in pairs])]
    lower = [max(column) for column in _columns([max(0.0, chance - margin) for chance, margin in pairs])]
    path = _Path(upper[0])
    for x, y in enumerate(upper):
        path.step(x, y)
    path.go_level(_WIDTH)
    for x, y in reversed([*enumerate(lower)]):
        path.step(x, y)
    path.go_level(0)
    return f"{path.text}Z"


class _Path:
    """A path of level and upright lines, as text with the differences between its places."""

    def __init__(self, y: int) -> None:
        self.text, self._x, self._y = f"M0 {y}", 0, y

    def step(self, x: int, *heights: int) -> None:
        """Go level to `x` and then to each of the `heights`, if they differ from the height before."""
        for y in heights:
            if y != self._y:
                self.go_level(x)
                self.text += f"v{y - self._y}"
                self._y = y

    def go_level(self, x: int) -> None:
        """Go level to `x`."""
        if x != self._x:
            self.text += f"h{x - self._x}"
            self._x = x
