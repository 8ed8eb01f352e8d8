"""The report's charts: Vega-Lite specifications as plain data.

Colour never carries information alone: seats also have shapes, and every chart has its numbers beside it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from gamelog_reports.board_geometry import shapes
from gamelog_reports.palette import INKS
from gamelog_reports.report.chart_drawing import SOFT, TEXT, Rows, Spec, short
from gamelog_reports.seat_style import SeatStyle

_ACCENT = INKS["accent"][0]

_WIDTH = 220
"""Pixels of a plot. With labels and notes it fits most phones."""

_LABELS: Spec = {
    "field": "label",
    "type": "nominal",
    "title": None,
    "sort": None,
    "axis": {"labelPadding": 9, "ticks": False},
}
_DOT: Spec = {"type": "point", "filled": True, "opacity": 1, "stroke": TEXT}
_STALK: Spec = {"type": "rule", "strokeWidth": 2.5, "color": SOFT}
_NOTE: Spec = {"type": "text", "align": "left"}
_NOTE_FIELD: Spec = {"field": "note"}
_DASHED: Spec = {"type": "rule", "strokeDash": [5, 3], "color": TEXT, "strokeWidth": 1.2}

_PATH = re.compile("([A-Za-z])([^A-Za-z]*)")
_NUMBER = re.compile(r"-?\d*\.?\d+")


def _symbols(looks: Mapping[str, SeatStyle]) -> Spec:
    """Return the colour and shape of each seat."""
    names, marks = [short(name) for name in looks], shapes()["marks"]
    ranges = {
        "color": [look.colour for look in looks.values()],
        "shape": [_symbol(marks[look.shape]) for look in looks.values()],
    }
    label = {"field": "label", "type": "nominal", "legend": None}
    return {channel: label | {"scale": {"domain": names, "range": of}} for channel, of in ranges.items()}


def _symbol(path: str) -> str:
    """Return a shape of the pages, about 20 units wide, in Vega's measure: 2 units wide."""
    out: list[str] = []
    for command, numbers in _PATH.findall(path):
        sizes = [float(number) for number in _NUMBER.findall(numbers)]
        # an arc's third to fifth numbers are not lengths
        scaled = [
            f"{n:g}" if command in "aA" and at % 7 in (2, 3, 4) else f"{n / 10:g}"
            for at, n in enumerate(sizes)
        ]
        out.append(command + " ".join(scaled))
    return "".join(out)


def _number_scale(title: str, **more: Any) -> Spec:
    """Return a scale of numbers."""
    return {"type": "quantitative", "title": title, **more}


def _layer(mark: Spec, **encoding: Any) -> Spec:
    return {"mark": mark, "encoding": encoding}


def _rows_of(layers: list[Spec], step: int = 28) -> Spec:
    """Return a chart with a line for each label."""
    return {"width": _WIDTH, "height": {"step": step}, "layer": layers}


def shares(
    rows: Rows, title: str, *, looks: Mapping[str, SeatStyle] | None = None, zero: bool = True
) -> Spec:
    """Return a chart with a dot and an interval for each share, and a dashed line at the even share.

    Args:
        rows: The data, with the members ``label``, ``share``, ``low``, ``high`` and ``even`` (parts of 1),
            ``note``, and ``group``, which divides the rows into panels.
        title: The title of the axis.
        looks: The symbol and colour of each label, or None for dots of one colour.
        zero: Whether the axis begins at 0. Then its numbers are whole percentages.
    """
    axis = {"format": ".0%" if zero else ".2~%", "tickCount": 5}
    x = _number_scale(title, axis=axis, scale={"zero": zero})
    mark = _DOT | {"size": 190, "strokeWidth": 1}
    layers = [
        _layer(_DASHED, x={"field": "even", **x}),
        _layer(_STALK, x={"field": "low", **x}, x2={"field": "high"}, y=_LABELS),
        _layer(
            mark if looks else mark | {"color": _ACCENT},
            x={"field": "share", **x},
            y=_LABELS,
            **(_symbols(looks) if looks else {}),
        ),
        _layer(_NOTE | {"dx": 10}, x={"field": "high", **x}, y=_LABELS, text=_NOTE_FIELD),
    ]
    return panels(_rows_of(layers, 30), rows)


def panels(spec: Spec, rows: Rows) -> Spec:
    """Return `spec` once for each ``group`` of `rows`, one below the other."""
    groups = list(dict.fromkeys(row["group"] for row in rows))
    if len(groups) < 2:
        return spec
    header = {"labelAngle": 0, "labelAlign": "left", "labelOrient": "top", "labelAnchor": "start"}
    sort = [short(group) for group in groups]
    row = {"field": "group", "type": "nominal", "title": None, "sort": sort, "header": header}
    return {
        "facet": {"row": row},
        "spec": spec,
        "resolve": {"scale": {"y": "independent"}},
        "spacing": 12,
    }


def integers(highest: int) -> Spec:
    """Return the axis of a count from 0 to `highest`."""
    label_expression = "datum.value % 1 ? '' : format(datum.value, ',d')"
    return {"tickCount": max(1, min(6, highest)), "labelExpr": label_expression}


def _count_scale(rows: Rows, title: str) -> Spec:
    """Return the scale of a number of games."""
    most = max(row["count"] for row in rows)
    return {"field": "count", **_number_scale(title, axis=integers(most))}


def bars(rows: Rows, games: str) -> Spec:
    """Return a chart with a bar for each row: ``label``, ``count`` and ``note``. `games` names the axis."""
    x = _count_scale(rows, games)
    bar = {"type": "bar", "color": _ACCENT, "height": 16}
    return _rows_of(
        [_layer(bar, x=x, y=_LABELS), _layer(_NOTE | {"dx": 5}, x=x, y=_LABELS, text=_NOTE_FIELD)]
    )


def histogram(rows: Rows, events: str, games: str) -> Spec:
    """Return a histogram of games with ``from`` … ``to`` events. `events` and `games` name the axes.

    ``middle`` is the median, ``group`` a panel.
    """
    span = max(row["to"] for row in rows) - min(row["from"] for row in rows)
    axis = integers(span) | {"grid": False, "labelOverlap": True}
    x = _number_scale(events, scale={"zero": False, "nice": False}, axis=axis)
    bar = {"type": "bar", "color": _ACCENT, "stroke": INKS["card"][0], "strokeWidth": 1}
    layers = [
        _layer(
            bar, x={"field": "from", "bin": "binned", **x}, x2={"field": "to"}, y=_count_scale(rows, games)
        ),
        _layer(_DASHED, x={"field": "middle", **x}),
    ]
    return panels({"width": _WIDTH, "height": 110, "layer": layers}, rows)


def against_odds(expected: str, won: str, contests: str) -> Spec:
    """Return a chart of results (``rate``, ``low``, ``high``) over ``odds``. ``count`` is the size of a dot.

    The texts name the two axes and the sizes.
    """
    percent: Spec = {"axis": {"format": ".0%"}, "scale": {"domain": [0, 1]}}
    x = {"field": "odds", **_number_scale(expected, **percent)}
    y = _number_scale(won, **percent)
    rate = {"field": "rate", **y}
    legend, scale = {"title": contests}, {"range": [25, 260]}
    size = {"field": "count", "type": "quantitative", "legend": legend, "scale": scale}
    edges = {"values": [{"odds": 0, "rate": 0}, {"odds": 1, "rate": 1}]}
    dot = _DOT | {"opacity": 0.85, "color": _ACCENT, "strokeWidth": 0.7}
    layers = [
        {"data": edges, **_layer(_DASHED | {"type": "line"}, x=x, y=rate)},
        _layer(_STALK | {"strokeWidth": 1.5}, x=x, y={"field": "low", **y}, y2={"field": "high"}),
        _layer(dot, x=x, y=rate, size=size),
    ]
    for side, align, dx in (
        ("<", "left", 10),
        (">=", "right", -10),
    ):  # the notes are beside their dots, inside
        side_filter = [{"filter": f"datum.odds {side} 0.5"}]
        layers.append(
            {
                "transform": side_filter,
                **_layer(_NOTE | {"align": align, "dx": dx}, x=x, y=rate, text=_NOTE_FIELD),
            }
        )
    return {"width": _WIDTH, "height": _WIDTH, "layer": layers}


def deviations(rows: Rows, band: float, title: str) -> Spec:
    """Return a chart with a stalk from 0 to each ``value``, by ``label``, and dashed lines at `band`.

    ``note`` is beside the stalk, and `title` names the axis.
    """
    limit = 1.1 * max(band, *(abs(row["value"]) for row in rows))
    x = _number_scale(title, scale={"domain": [-limit, limit], "nice": False})
    value = {"field": "value", **x}
    band_edges = {"values": [{"at": -band}, {"at": band}]}
    return _rows_of(
        [
            {"data": band_edges, **_layer(_DASHED, x={"field": "at", **x})},
            _layer(_STALK, x=value, x2={"datum": 0}, y=_LABELS),
            _layer(_DOT | {"size": 150, "color": _ACCENT}, x=value, y=_LABELS),
            _layer(_NOTE, x={"value": _WIDTH + 8}, y=_LABELS, text=_NOTE_FIELD),
        ]
    )
