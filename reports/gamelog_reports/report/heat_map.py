"""Maps of a board: the more events a cell has, the darker it is. The numbers are on the cells."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from xml.etree import ElementTree as ET

from markupsafe import Markup

from gamelog.play.contract.scene import BoardLayout, Cell
from gamelog_reports.board_geometry import MARGIN, U, borders, extent, outline
from gamelog_reports.board_svg import FONT, FORBIDDEN
from gamelog_reports.palette import INKS
from gamelog_reports.seat_style import ink

_LIGHTEST, DARK = "#fbf9f3", "#7d2a12"
"""The colours of 0 and of the highest number. Lightness falls evenly, so maps work in grey print."""


_KEY_HEIGHT, SHADES = 90, 12
"""The height of the key below a map, in hundredths of a cell, and its steps of colour."""

_MAX_SMALL_ZONE_CELLS = 6
"""Largest number of cells of a zone whose number is small."""


def _english(number: int) -> str:
    return f"{number:,}"


def heat_map(
    ground: BoardLayout,
    counts: Mapping[str, int],
    label: str,
    highest: int = 0,
    number: Callable[[int], str] = _english,
) -> Markup:
    """Return a board with numbers on its cells as an ``svg`` element.

    The count of a zone colours all its cells. Other places are left out, and trays without events.

    Args:
        ground: The board.
        counts: The number of events by the id of a cell or zone.
        label: The name of the picture for screen readers.
        highest: The number of the darkest colour, so that maps side by side share a scale; 0 for the highest
            of `counts`.
        number: Formats a count.
    """
    cells = [cell for cell in ground.cells if cell.shape != "tray" or counts.get(cell.id)]
    cells_by_id = {cell.id: cell for cell in cells}
    zones: dict[str, list[Cell]] = {}
    for cell in cells:
        if zone_of(cell) in counts and cell.id not in counts:
            zones.setdefault(zone_of(cell), []).append(cell)
    highest = highest or max(
        (counts[cell_id] for cell_id in counts if cell_id in cells_by_id or cell_id in zones), default=0
    )
    left, top, width, height = extent(cells)
    box = f"{left:.0f} {top:.0f} {width:.0f} {height + (_KEY_HEIGHT if highest else 0):.0f}"
    described = {"role": "img", "aria-label": FORBIDDEN.sub("\ufffd", label)}
    root = ET.Element("svg", {"viewBox": box, "class": "map", "font-family": FONT} | described)
    lines = ET.SubElement(
        root, "g", {"stroke": INKS["edge"][0], "stroke-width": "9", "stroke-linecap": "round"}
    )
    for link in ground.links:
        a, b = cells_by_id[link.a], cells_by_id[link.b]
        ends = {"x1": a.x, "y1": a.y, "x2": b.x, "y2": b.y}
        ET.SubElement(lines, "line", {name: f"{value * U:.0f}" for name, value in ends.items()})
    grid = ET.SubElement(root, "g", {"stroke": INKS["edge"][0], "stroke-width": "1.5"})
    words = ET.SubElement(root, "g", {"text-anchor": "middle", "font-weight": "600"})
    for cell in cells:
        count = counts.get(cell.id) or counts.get(zone_of(cell), 0)
        _add_cell(grid, cell, count, highest, number)
        if counts.get(cell.id):
            _add_count(words, count, highest, cell.x, cell.y, min(cell.w, cell.h))
    for name, within in zones.items():
        x, y = (sum(getattr(cell, axis) for cell in within) / len(within) for axis in ("x", "y"))
        # a zone may be bent
        middle = min(within, key=lambda cell: ((cell.x - x) ** 2 + (cell.y - y) ** 2, cell.id))
        _add_count(
            words,
            counts[name],
            highest,
            middle.x,
            middle.y,
            2.2 if len(within) > _MAX_SMALL_ZONE_CELLS else 1,
        )
    edge = {"fill": "none", "stroke": INKS["text"][0], "stroke-opacity": "0.65", "stroke-width": "4"}
    ET.SubElement(root, "path", {"d": borders(cells)} | edge)
    if highest:
        _add_colour_key(root, (number(0), number(highest)), left + MARGIN, top + height, width - 2 * MARGIN)
    return Markup(ET.tostring(root, encoding="unicode"))  # ElementTree has escaped it


def _add_colour_key(root: ET.Element, ends: tuple[str, str], x: float, y: float, width: float) -> None:
    """Add the key of the colours: a strip from 0 to the most, with the numbers at its `ends`."""
    for step in range(SHADES):
        attributes = {
            "x": f"{x + width * (0.15 + 0.7 * step / SHADES):.0f}",
            "y": f"{y:.0f}",
            "width": f"{width * 0.7 / SHADES + 1:.0f}",
        }
        ET.SubElement(
            root,
            "rect",
            attributes | {"height": f"{_KEY_HEIGHT * 0.6:.0f}", "fill": mix(step / (SHADES - 1))},
        )
    for text, place, anchor in ((ends[0], 0.13, "end"), (ends[1], 0.87, "start")):
        attributes = {
            "x": f"{x + width * place:.0f}",
            "y": f"{y + _KEY_HEIGHT * 0.45:.0f}",
            "text-anchor": anchor,
            "font-size": f"{_KEY_HEIGHT * 0.5:.0f}",
        }
        ET.SubElement(root, "text", attributes | {"fill": INKS["text"][0]}).text = text


def zone_of(cell: Cell) -> str:
    """Return the zone of a cell as events name it: ``zone 5`` is 5."""
    return cell.zone.removeprefix("zone ")


def _add_count(parent: ET.Element, count: int, highest: int, x: float, y: float, wide: float) -> None:
    """Write `count` at a place that is `wide` cells wide."""
    text = str(count) if count < 1000 else f"{count / 1000:.{1 if count < 9950 else 0}f}k"
    size = wide * U * (0.46 if len(text) < 4 else 0.4)
    attributes = {"x": f"{x * U:.0f}", "y": f"{y * U + size * 0.36:.0f}", "font-size": f"{size:.0f}"}
    ET.SubElement(parent, "text", attributes | {"fill": ink(mix(count / highest))}).text = text


def _add_cell(parent: ET.Element, cell: Cell, count: int, highest: int, number: Callable[[int], str]) -> None:
    """Add the shape of `cell` in the colour of its count."""
    x, y, colour = cell.x * U, cell.y * U, mix(count / highest if highest else 0)
    if cell.shape == "disc":
        attributes = {"cx": x, "cy": y, "rx": cell.w * U / 2, "ry": cell.h * U / 2}
        shape = ET.SubElement(
            parent, "ellipse", {name: f"{value:.0f}" for name, value in attributes.items()} | {"fill": colour}
        )
    else:
        corners = " ".join(f"{x + dx:.0f},{y + dy:.0f}" for dx, dy in outline(cell))
        shape = ET.SubElement(parent, "polygon", {"points": corners, "fill": colour})
    ET.SubElement(shape, "title").text = FORBIDDEN.sub("\ufffd", f"{cell.label or cell.id}: {number(count)}")


def mix(part: float) -> str:
    """Return the colour between `_LIGHTEST` (0) and `DARK` (1)."""
    ends = [(int(_LIGHTEST[begin : begin + 2], 16), int(DARK[begin : begin + 2], 16)) for begin in (1, 3, 5)]
    return "#" + "".join(f"{round(pale + (dark - pale) * part):02x}" for pale, dark in ends)
