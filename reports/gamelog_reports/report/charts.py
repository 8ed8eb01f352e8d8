"""The charts of a report.

A chart is a table: each row has a label, a plot and the numbers of the plot. So no number is only in a
picture, and colour never carries information alone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import ceil
from xml.etree import ElementTree as ET

from markupsafe import Markup
from msgspec import Struct

from gamelog_reports.report import chart_drawing
from gamelog_reports.report.chart_drawing import Scale, add, step_of, svg, swatch, to_markup
from gamelog_reports.seat_style import SeatStyle

_MAX_LABEL = 18
"""Maximum number of characters of a label that is not broken into lines."""

_HISTOGRAM_HEIGHT = 122
"""Height of a histogram without its scale, in pixels."""
_MAX_TICKS = 6
"""Maximum number of ticks of a scale."""
_TOP, _LABEL_ROOM = 30, 16
"""Pixels above and below the columns of a histogram."""


class ChartMark(Struct, frozen=True):
    """A row of a chart.

    Attributes:
        label: Text before the plot.
        value: The value.
        cells: Numbers beside the plot, as text.
        interval: Lower and upper limit of the value, or None.
        even: The value that is expected.
        look: The shape and colour of the mark, or None for a dot.
    """

    label: str
    value: float
    cells: tuple[str, ...]
    interval: tuple[float, float] | None = None
    even: float | None = None
    look: SeatStyle | None = None


class ChartRow(Struct, frozen=True):
    """A row that is ready for the page."""

    label: str
    plot: Markup
    cells: tuple[str, ...]


class ChartGroup(Struct, frozen=True):
    """Rows with a name, which can be empty."""

    name: str
    rows: tuple[ChartRow, ...]


class Chart(Struct, frozen=True):
    """A chart that is ready for the page.

    Attributes:
        head: Heading of the labels.
        scale_title: Name and unit of the scale.
        heads: Headings of the numbers.
        axis: Drawing of the scale.
        legend: Example of each kind of mark, and its meaning.
        is_long: Whether a label is too long for one line.
    """

    head: str
    scale_title: str
    heads: tuple[str, ...]
    groups: tuple[ChartGroup, ...]
    axis: Markup
    legend: tuple[tuple[Markup, str], ...]
    is_long: bool


def chart(
    groups: Sequence[tuple[str, Sequence[ChartMark]]],
    scale: Scale,
    *,
    heads: Sequence[str],
    legend: Sequence[tuple[str, str]],
    band: tuple[float, float] | None = None,
    bars: bool = False,
) -> Chart:
    """Return the chart of `groups` of rows, each with a name.

    Args:
        groups: The rows.
        scale: The scale of all rows.
        heads: The headings of the labels, of the scale and of the numbers.
        legend: The kind of each mark that has a meaning (`chart_drawing.swatch`), and the meaning.
        band: The values that chance alone explains.
        bars: Whether values are bars.
    """
    head, scale_title, *others = heads
    return Chart(
        head,
        scale_title,
        tuple(others),
        tuple(
            ChartGroup(name, tuple(_row(mark, scale, band, bars) for mark in marks)) for name, marks in groups
        ),
        chart_drawing.axis(scale),
        tuple((swatch(kind), meaning) for kind, meaning in legend),
        any(len(mark.label) > _MAX_LABEL for _, marks in groups for mark in marks),
    )


def _row(mark: ChartMark, scale: Scale, band: tuple[float, float] | None, bars: bool) -> ChartRow:
    plot = chart_drawing.row(
        scale, mark.value, interval=mark.interval, even=mark.even, band=band, look=mark.look, bar=bars
    )
    return ChartRow(mark.label, plot, mark.cells)


def histogram(
    columns: Sequence[tuple[float, float, int]],
    scale: Scale,
    *,
    middle: tuple[float, str],
    number: Callable[[float], str],
    units: tuple[str, str],
    label: str,
) -> Markup:
    """Return a histogram.

    Args:
        columns: The start, the end and the count of each column.
        scale: The scale of the starts and ends.
        middle: The median and its name, which are drawn as a line.
        number: A function that formats a number.
        units: The units of the two scales.
        label: The name of the picture for screen readers.
    """
    root = svg(_HISTOGRAM_HEIGHT + _LABEL_ROOM + 2, label)
    most = max(count for _, _, count in columns)
    step = max(1, ceil(step_of(most, 3)))
    highest = ceil(most / step) * step

    def height(count: float) -> float:
        return _HISTOGRAM_HEIGHT - (_HISTOGRAM_HEIGHT - _TOP) * count / highest

    counts = range(step, highest + 1, step)
    for count in counts:
        line_y = f"{height(count):.1f}"
        add(root, "line", "grid", x1=0, x2="100%", y1=line_y, y2=line_y)
    for start, end, count in columns:
        left, right = (float(scale.at(place)[:-1]) for place in (start, end))
        top = height(count)
        add(
            root, "rect", "bar column", x=f"{left:.2f}%", y=f"{top:.1f}",
            width=f"{right - left:.2f}%", height=f"{_HISTOGRAM_HEIGHT - top:.1f}",
        )  # fmt: skip
    for count in counts:
        text = f"{number(count)} {units[1]}" if count == highest else number(count)
        add(root, "text", "start", x=0, y=f"{height(count) - 3:.1f}").text = text
    _ticks(root, scale, number, units[0])
    line_x = scale.at(middle[0])
    add(root, "line", "even", x1=line_x, x2=line_x, y1=4, y2=_HISTOGRAM_HEIGHT)
    kind, beside = ("note", 5) if float(line_x[:-1]) < 55 else ("note end", -5)
    add(root, "text", kind, x=line_x, y=11, dx=beside).text = middle[1]
    return to_markup(root)


def _ticks(root: ET.Element, scale: Scale, number: Callable[[float], str], unit: str) -> None:
    """Add the horizontal axis of a histogram. The last tick has the unit."""
    add(root, "line", "axis", x1=0, x2="100%", y1=_HISTOGRAM_HEIGHT, y2=_HISTOGRAM_HEIGHT)
    last, *others = reversed(scale.ticks(_MAX_TICKS, least_step=1))
    y = _HISTOGRAM_HEIGHT + _LABEL_ROOM
    for index, tick in enumerate(others):
        add(root, "text", "major" if index % 2 else "spare", x=scale.at(tick), y=y).text = number(tick)
    add(root, "text", "end", x="100%", y=y).text = f"{number(last)} {unit}"
