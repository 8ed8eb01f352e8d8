"""Charts drawn as SVG elements of a page.

An element has no script, no style and no reference, so that a strict policy admits it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from xml.etree import ElementTree as ET

from markupsafe import Markup

from gamelog.errors import MissingExtra
from gamelog.record.escaping import ISOLATED, escape_invisible
from gamelog_reports.board_svg import FONT, FORBIDDEN
from gamelog_reports.palette import INKS

Spec = dict[str, Any]
Rows = Sequence[Mapping[str, Any]]

TEXT, SOFT, _LINE = (INKS[name][0] for name in ("text", "soft", "line"))
_PAGE = {INKS[name][0]: f"var(--{name})" for name in ("text", "soft", "line", "accent", "card")}
"""Colours that are replaced by the page's variables, so that charts follow its theme."""

_LONGEST = 40
"""Maximum number of characters of a label."""

_SCHEMA = "https://vega.github.io/schema/vega-lite/v5.json"
_CONFIG: Spec = {
    "background": None,
    "padding": {"left": 12, "right": 12, "top": 4, "bottom": 4}, # fonts differ from those that were measured
    "font": FONT,
    "view": {"stroke": None},
    "axis": {
        "labelColor": TEXT, "titleColor": SOFT, "titleFontWeight": "normal",
        "labelFontSize": 12, "titleFontSize": 12,
        "gridColor": _LINE, "domainColor": SOFT, "tickColor": SOFT, "labelLimit": 240, "labelFlush": False,
    },
    "header": {"labelColor": TEXT, "labelFontSize": 12, "labelFontWeight": "bold"},
    "legend": {"labelColor": TEXT, "titleColor": SOFT, "labelFontSize": 12, "titleFontSize": 12},
    "text": {"color": TEXT, "fontSize": 12},
}  # fmt: skip

KEPT = {
    "viewBox", "d", "transform", "fill", "fill-opacity", "stroke", "stroke-width", "stroke-dasharray",
    "stroke-opacity",
    "stroke-linejoin", "stroke-linecap", "opacity", "x", "y", "x1", "x2", "y1", "y2", "width", "height",
    "text-anchor", "font-size", "font-weight", "font-family",
}  # fmt: skip
"""The attributes that affect the drawing. The others describe inner parts of the chart or need scripts."""


_FORMATS: dict[str, Spec] = {
    "pt": {
        "decimal": ",",
        "thousands": "\u00a0",
        "grouping": [3],
        "currency": ["", "\u00a0€"],
        "percent": "\u00a0%",
    }
}
"""The formats of numbers in other languages than English, as d3-format takes them."""


def draw(spec: Spec, rows: Rows, label: str, language: str = "en") -> Markup:
    """Return a chart as an ``svg`` element.

    Args:
        spec: The chart in Vega-Lite, without data.
        rows: The data.
        label: The name of the picture for screen readers.
        language: The language in which numbers are formatted.

    Raises:
        MissingExtra: The package that draws charts is not installed.
    """
    try:
        import vl_convert
    except ImportError:
        raise MissingExtra("The report", "report") from None
    full_spec = {
        "$schema": _SCHEMA,
        "config": _CONFIG,
        "data": {"values": [_clean(row) for row in rows]},
        **spec,
    }
    svg = vl_convert.vegalite_to_svg(
        full_spec, vl_version="v5.20", allowed_base_urls=[], format_locale=_FORMATS.get(language)
    )
    root = ET.fromstring(svg.replace(' xmlns="http://www.w3.org/2000/svg"', "", 1))
    _strip(root)
    wide, high = root.attrib["viewBox"].split()[2:]
    root.attrib |= {"role": "img", "aria-label": label, "width": wide, "height": high}
    return Markup(ET.tostring(root, encoding="unicode"))  # ElementTree has escaped it


def _clean(row: Mapping[str, Any]) -> dict[str, Any]:
    return {name: short(value) if isinstance(value, str) else value for name, value in row.items()}


def short(text: str) -> str:
    """Return `text` as a label: short, and without direction marks and characters that XML forbids."""
    fit = FORBIDDEN.sub("\ufffd", escape_invisible("".join(ISOLATED.split(text))))
    return fit if len(fit) <= _LONGEST else fit[: _LONGEST - 1] + "…"


def _strip(element: ET.Element) -> None:
    """Remove everything that does not affect the drawing."""
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
        elif element.attrib[name] in _PAGE:
            element.attrib[name] = _PAGE[element.attrib[name]]
