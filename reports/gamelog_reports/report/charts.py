"""The report's charts: Vega-Lite specifications as plain data, drawn as SVG that stands in a page.

Nothing is told by colour alone: seats have their shapes too, and every chart has its numbers
beside it. The drawing has no script, no style and no reference, so that a strict policy admits it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any
from xml.etree import ElementTree as ET

from markupsafe import Markup

from gamelog.errors import MissingExtra
from gamelog.record.escaping import visible
from gamelog_reports.board_svg import FONT, FORBIDDEN, shapes
from gamelog_reports.palette import INKS
from gamelog_reports.seat_style import SeatStyle

Spec = dict[str, Any]
Rows = Sequence[Mapping[str, Any]]

TEXT, SOFT, LINE, ACCENT = (INKS[name][0] for name in ("text", "soft", "line", "accent"))
PAGE = {INKS[name][0]: f"var(--{name})" for name in ("text", "soft", "line", "accent", "card")}
"""These are the page's own: light on dark where the page is."""

WIDTH = 220
"""Pixels of a plot: with labels and notes it fits most phones."""

_LONGEST = 40
"""Characters of a label."""

SCHEMA = "https://vega.github.io/schema/vega-lite/v5.json"
CONFIG: Spec = {
    "background": None,
    "padding": {"left": 12, "right": 12, "top": 4, "bottom": 4}, # fonts differ from those that were measured
    "font": FONT,
    "view": {"stroke": None},
    "axis": {
        "labelColor": TEXT, "titleColor": SOFT, "titleFontWeight": "normal",
        "labelFontSize": 12, "titleFontSize": 12,
        "gridColor": LINE, "domainColor": SOFT, "tickColor": SOFT, "labelLimit": 240, "labelFlush": False,
    },
    "header": {"labelColor": TEXT, "labelFontSize": 12, "labelFontWeight": "bold"},
    "legend": {"labelColor": TEXT, "titleColor": SOFT, "labelFontSize": 12, "titleFontSize": 12},
    "text": {"color": TEXT, "fontSize": 12},
}  # fmt: skip
LABELS: Spec = {
    "field": "label",
    "type": "nominal",
    "title": None,
    "sort": None,
    "axis": {"labelPadding": 9, "ticks": False},
}
DASHED = {"type": "rule", "strokeDash": [5, 3], "color": TEXT, "strokeWidth": 1.2}

PATH = re.compile("([A-Za-z])([^A-Za-z]*)")
_NUMBER = re.compile(r"-?\d*\.?\d+")

KEPT = {
    "viewBox", "d", "transform", "fill", "fill-opacity", "stroke", "stroke-width", "stroke-dasharray",
    "stroke-opacity", "stroke-linejoin", "stroke-linecap", "opacity", "x", "y", "x1", "x2", "y1",
    "y2", "width", "height", "text-anchor", "font-size", "font-weight", "font-family",
}  # fmt: skip
"""The attributes that draw something. The others speak of the chart's inner parts, or need scripts."""


def draw(spec: Spec, rows: Rows, label: str) -> Markup:
    """`spec` with the data `rows`, as an ``svg`` element that is called `label`. Raises `MissingExtra`."""
    try:
        import vl_convert
    except ImportError:
        raise MissingExtra("The report", "report") from None
    whole = {"$schema": SCHEMA, "config": CONFIG, "data": {"values": [_clean(row) for row in rows]}, **spec}
    drawn = vl_convert.vegalite_to_svg(whole, vl_version="v5.20", allowed_base_urls=[])
    root = ET.fromstring(drawn.replace(' xmlns="http://www.w3.org/2000/svg"', "", 1))
    _strip(root)
    wide, high = root.attrib["viewBox"].split()[2:]
    root.attrib |= {"role": "img", "aria-label": label, "width": wide, "height": high}
    return Markup(ET.tostring(root, encoding="unicode"))  # ElementTree has escaped it


def _clean(row: Mapping[str, Any]) -> dict[str, Any]:
    return {name: short(value) if isinstance(value, str) else value for name, value in row.items()}


def short(text: str) -> str:
    """`text` as a label: without what XML cannot hold, and not too long."""
    fit = FORBIDDEN.sub("\ufffd", visible(text))
    return fit if len(fit) <= _LONGEST else fit[: _LONGEST - 1] + "…"


def _strip(element: ET.Element) -> None:
    """Leave what draws something and nothing else."""
    for child in list(element):
        _strip(child)
        idle = child.tag == "g" and not len(child)
        if idle or child.get("display") == "none" or child.get("d") in ("M0,0h0v0h0Z", ""):
            element.remove(child)
    for name in list(element.attrib):
        if name not in KEPT or (name, element.get(name)) in (
            ("opacity", "1"),
            ("transform", "translate(0,0)"),
        ):
            del element.attrib[name]
        elif element.attrib[name] in PAGE:
            element.attrib[name] = PAGE[element.attrib[name]]


def _symbols(looks: Mapping[str, SeatStyle]) -> Spec:
    """Colour and shape of each seat."""
    names = [short(name) for name in looks]
    marks = shapes()["marks"]
    return {
        "color": {
            "field": "label", "type": "nominal", "legend": None,
            "scale": {"domain": names, "range": [look.colour for look in looks.values()]},
        },
        "shape": {
            "field": "label", "type": "nominal", "legend": None,
            "scale": {"domain": names, "range": [_symbol(marks[look.shape]) for look in looks.values()]},
        },
    }  # fmt: skip


def _symbol(path: str) -> str:
    """A form of the pages, about 20 wide, as Vega takes it: 2 wide."""
    out: list[str] = []
    for command, numbers in PATH.findall(path):
        sizes = [float(number) for number in _NUMBER.findall(numbers)]
        # an arc's third to fifth numbers are not lengths
        told = [
            f"{n:g}" if command in "aA" and at % 7 in (2, 3, 4) else f"{n / 10:g}"
            for at, n in enumerate(sizes)
        ]
        out.append(command + " ".join(told))
    return "".join(out)


def shares(
    rows: Rows, title: str, *, looks: Mapping[str, SeatStyle] | None = None, zero: bool = True
) -> Spec:
    """A dot for each share with its interval, and a dashed line where all would be equal.

    Rows: ``label``, ``share``, ``low``, ``high``, ``even`` (parts of 1), ``note`` and ``group``, which parts
    the rows in panels.
    """
    x: Spec = {
        "type": "quantitative",
        "title": title,
        "axis": {"format": ".0%" if zero else ".2~%", "tickCount": 5},
    }
    x["scale"] = {"zero": zero}
    y = LABELS
    mark: Spec = {
        "type": "point",
        "filled": True,
        "size": 190,
        "opacity": 1,
        "stroke": TEXT,
        "strokeWidth": 1,
    }
    layers: list[Spec] = [
        {"mark": DASHED, "encoding": {"x": {"field": "even", **x}}},
        {
            "mark": {"type": "rule", "strokeWidth": 2.5, "color": SOFT},
            "encoding": {"x": {"field": "low", **x}, "x2": {"field": "high"}, "y": y},
        },
        {
            "mark": mark if looks else mark | {"color": ACCENT},
            "encoding": {"x": {"field": "share", **x}, "y": y, **(_symbols(looks) if looks else {})},
        },
        {
            "mark": {"type": "text", "align": "left", "dx": 10},
            "encoding": {"x": {"field": "high", **x}, "y": y, "text": {"field": "note"}},
        },
    ]
    return panels({"width": WIDTH, "height": {"step": 30}, "layer": layers}, rows)


def panels(spec: Spec, rows: Rows) -> Spec:
    """`spec`, one below the other for each ``group`` of `rows`."""
    groups = list(dict.fromkeys(row["group"] for row in rows))
    if len(groups) < 2:
        return spec
    row: Spec = {
        "field": "group",
        "type": "nominal",
        "title": None,
        "sort": [short(group) for group in groups],
    }
    header = {"labelAngle": 0, "labelAlign": "left", "labelOrient": "top", "labelAnchor": "start"}
    return {
        "facet": {"row": row | {"header": header}},
        "spec": spec,
        "resolve": {"scale": {"y": "independent"}},
        "spacing": 12,
    }


def integers(most: int) -> Spec:
    """The axis of a count that goes from 0 to `most`."""
    return {
        "tickCount": max(1, min(6, most)),
        "labelExpr": "datum.value % 1 ? '' : format(datum.value, ',d')",
    }


def bars(rows: Rows, title: str) -> Spec:
    """A bar for each row: ``label``, ``count`` and ``note``."""
    y = LABELS
    x: Spec = {
        "field": "count",
        "type": "quantitative",
        "title": title,
        "axis": integers(max(row["count"] for row in rows)),
    }
    return {
        "width": WIDTH,
        "height": {"step": 28},
        "layer": [
            {"mark": {"type": "bar", "color": ACCENT, "height": 16}, "encoding": {"x": x, "y": y}},
            {
                "mark": {"type": "text", "align": "left", "dx": 5},
                "encoding": {"x": x, "y": y, "text": {"field": "note"}},
            },
        ],
    }


def histogram(rows: Rows, title: str) -> Spec:
    """How many games lie ``from`` … ``to``; ``middle`` is the median, ``group`` parts the rows in panels."""
    x: Spec = {"type": "quantitative", "title": title, "scale": {"zero": False, "nice": False}}
    span = max(row["to"] for row in rows) - min(row["from"] for row in rows)
    x["axis"] = integers(span) | {"grid": False, "labelOverlap": True}
    y: Spec = {
        "field": "count",
        "type": "quantitative",
        "title": "games",
        "axis": integers(max(row["count"] for row in rows)),
    }
    layers: list[Spec] = [
        {
            "mark": {"type": "bar", "color": ACCENT, "stroke": INKS["card"][0], "strokeWidth": 1},
            "encoding": {"x": {"field": "from", "bin": "binned", **x}, "x2": {"field": "to"}, "y": y},
        },
        {"mark": DASHED, "encoding": {"x": {"field": "middle", **x}}},
    ]
    return panels({"width": WIDTH, "height": 110, "layer": layers}, rows)


def against_odds() -> Spec:
    """What happened (``rate``, ``low``, ``high``) over what was to be expected (``odds``);
    ``count`` makes dots large.
    """
    x: Spec = {
        "field": "odds", "type": "quantitative", "title": "won if the exact odds hold",
        "axis": {"format": ".0%"}, "scale": {"domain": [0, 1]},
    }  # fmt: skip
    y: Spec = {"type": "quantitative", "title": "won", "axis": {"format": ".0%"}, "scale": {"domain": [0, 1]}}
    size = {
        "field": "count",
        "type": "quantitative",
        "legend": {"title": "contests"},
        "scale": {"range": [25, 260]},
    }
    edges = {"values": [{"odds": 0, "rate": 0}, {"odds": 1, "rate": 1}]}
    return {
        "width": WIDTH,
        "height": WIDTH,
        "layer": [
            {
                "data": edges,
                "mark": DASHED | {"type": "line"},
                "encoding": {"x": x, "y": {"field": "rate", **y}},
            },
            {
                "mark": {"type": "rule", "strokeWidth": 1.5, "color": SOFT},
                "encoding": {"x": x, "y": {"field": "low", **y}, "y2": {"field": "high"}},
            },
            {
                "mark": {
                    "type": "point",
                    "filled": True,
                    "opacity": 0.85,
                    "color": ACCENT,
                    "stroke": TEXT,
                    "strokeWidth": 0.7,
                },
                "encoding": {"x": x, "y": {"field": "rate", **y}, "size": size},
            },
            *_notes("odds", 0.5, {"x": x, "y": {"field": "rate", **y}}, right="<", left=">="),
        ],
    }


def deviations(rows: Rows, title: str, band: float) -> Spec:
    """A stalk from 0 to each ``value``, by ``label``, with ``note`` beside all of it;
    dashed lines at plus and minus `band`.
    """
    far = 1.1 * max(band, *(abs(row["value"]) for row in rows))
    x: Spec = {"type": "quantitative", "title": title, "scale": {"domain": [-far, far], "nice": False}}
    y = LABELS
    value = {"field": "value", **x}
    return {
        "width": WIDTH,
        "height": {"step": 28},
        "layer": [
            {
                "data": {"values": [{"at": -band}, {"at": band}]},
                "mark": DASHED,
                "encoding": {"x": {"field": "at", **x}},
            },
            {
                "mark": {"type": "rule", "strokeWidth": 2.5, "color": SOFT},
                "encoding": {"x": value, "x2": {"datum": 0}, "y": y},
            },
            {
                "mark": {
                    "type": "point",
                    "filled": True,
                    "size": 150,
                    "opacity": 1,
                    "color": ACCENT,
                    "stroke": TEXT,
                },
                "encoding": {"x": value, "y": y},
            },
            {
                "mark": {"type": "text", "align": "left"},
                "encoding": {"x": {"value": WIDTH + 8}, "y": y, "text": {"field": "note"}},
            },
        ],
    }


def _notes(field: str, middle: float, places: Spec, *, right: str, left: str) -> list[Spec]:
    """The rows' ``note`` beside their dots: to the right where `field` is `right` (``<``, say) of `middle`,
    else to the left.
    """
    return [
        {
            "transform": [{"filter": f"datum.{field} {side} {middle}"}],
            "mark": {"type": "text", "align": align, "dx": dx},
            "encoding": {**places, "text": {"field": "note"}},
        }
        for side, align, dx in ((right, "left", 10), (left, "right", -10))
    ]
