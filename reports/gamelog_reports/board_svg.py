"""One position as an SVG picture without scripts, style sheets or network requests.

The picture looks like the board of the replay page, with the same shapes (``shapes.json``) and colours
(`palette`, `seat_style`). Each element has its own colours, so that any program can
display the picture.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from xml.etree import ElementTree as ET

from gamelog.play.contract.growing_board import visible_scene
from gamelog.play.contract.scene import Cell, Cells, Piece, Scene
from gamelog.record.escaping import escape_invisible
from gamelog_reports.board_geometry import (
    Fan,
    Group,
    U,
    borders,
    extent,
    find_groups,
    group_outline,
    outer_side,
    outline,
    place_pieces,
    shapes,
    tenths,
    wedge,
)
from gamelog_reports.board_tags import (
    TAG_HEIGHT,
    Box,
    boxes_on,
    cell_box,
    place_badge,
    place_tag,
)
from gamelog_reports.palette import INKS, Theme, cell_colour
from gamelog_reports.seat_style import COLOURS, seat_styles
from gamelog_reports.seat_style import ink as ink_on

FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML does not allow."""

FONT = "system-ui, 'Segoe UI', Roboto, 'Noto Sans', sans-serif"
"""Fonts of the picture, in order of preference."""

_WIDE = 2.6
"""Largest width of a text in a piece, as a multiple of the height of its letters."""

_LABELS = {
    "die": (30, 0, _WIDE),
    "disc": (24, 0, _WIDE),
    "pawn": (21, 12, 1.7),
    "token": (26, 0, _WIDE),
    "diamond": (22, 0, 1.9),
    "flag": (22, -13, 1.7),
}
"""By kind of piece: the size of its text, its place below the middle, and its width in sizes."""

_OUTLINES = ("group", "badge")
"""Kinds of marks that do not colour their cells."""


def scene_svg(
    scene: Scene,
    *,
    seats: Sequence[str],
    title: str = "",
    theme: Theme = "light",
    word: Callable[[str], str] = str,
) -> str:
    """Return `scene` as an SVG document. A cell is 100 units wide, and the picture has no fixed size.

    Args:
        scene: The position.
        seats: All seats of the game (`Game.all_seats`), whose order gives them their colours.
        title: The title for screen readers.
        theme: The colours.
        word: A function that translates the names of cells and tiles.

    Raises:
        ValueError: A piece, mark or link is on a cell that the ground does not have.
    """
    return ET.tostring(_Picture(visible_scene(scene), seats, theme, word).draw(title), encoding="unicode")


def _element(parent: ET.Element, tag: str, text: str = "", /, **values: object) -> ET.Element:
    """Return a new element in `parent`. Underscores in names become hyphens, and None omits an attribute."""
    attributes = {
        name.rstrip("_").replace("_", "-"): tenths(value) if isinstance(value, float) else str(value)
        for name, value in values.items()
        if value is not None
    }
    element = ET.SubElement(parent, tag, attributes)
    if text:
        element.text = FORBIDDEN.sub("\ufffd", escape_invisible(text))
    return element


class _Picture:
    """The drawing of one scene."""

    def __init__(self, scene: Scene, seats: Sequence[str], theme: Theme, word: Callable[[str], str]) -> None:
        self.scene, self.word = scene, word
        self.theme: Theme = theme
        self.looks = dict(zip(seats, seat_styles(seats), strict=True))
        self.numbers = {seat: number for number, seat in enumerate(seats)}
        self.tones = {word: COLOURS[name] for word, name in scene.ground.colours if name in COLOURS}
        self.icons = dict(scene.ground.icons)
        self.cells = Cells((cell.id, cell) for cell in scene.ground.cells)

    def ink(self, name: str) -> str:
        """Return the colour `name` in the theme."""
        return INKS[name][0 if self.theme == "light" else 1]

    def draw(self, title: str) -> ET.Element:
        """Return the whole picture."""
        cells = self.scene.ground.cells
        words = self.scene.ground.words
        left, top, width, height = self.area = area = extent(cells, words)
        box = " ".join(map(tenths, area))
        root = ET.Element(
            "svg", {"xmlns": "http://www.w3.org/2000/svg", "viewBox": box, "role": "img", "font-family": FONT}
        )
        if title:
            _element(root, "title", title)
        self._patterns(root)
        _element(root, "rect", x=left, y=top, width=width, height=height, fill=self.ink("sea"))
        for link in self.scene.ground.links:
            a, b = self.cells[link.a], self.cells[link.b]
            _element(
                root, "line", x1=a.x * U, y1=a.y * U, x2=b.x * U, y2=b.y * U,
                stroke=self.ink("edge"), stroke_width=9, stroke_linecap="round",
            )  # fmt: skip
        owners = dict(self.scene.fills)
        for cell in cells:
            self._cell(root, cell, owners.get(cell.id))
        _element(
            root,
            "path",
            d=borders(cells),
            fill="none",
            stroke=self.ink("text"),
            stroke_opacity=0.65,
            stroke_width=4,
        )
        for mark in self.scene.marks:
            if mark.kind not in _OUTLINES:
                cell = self.cells[mark.at]
                self._form(
                    self._at(root, cell),
                    cell,
                    fill=self.ink("text"),
                    fill_opacity="0.2",
                    stroke=self.ink("text"),
                    stroke_width=3,
                )
        groups = find_groups(self.scene.marks)
        for group in groups:
            self._group(root, group)
        self._pieces(root)
        self._tags(root, groups)
        covered = [self.cells[piece.at] for piece in self.scene.pieces]
        for word in words:
            if not any(abs(word.x - cell.x) < 0.5 and abs(word.y - cell.y) < 0.5 for cell in covered):
                self._word(root, word.text, 24, self.ink("text"), word.y * U + 8, x=word.x * U)
        return root

    def _patterns(self, root: ET.Element) -> None:
        """Add the pattern of each seat, which marks its pieces in addition to its colour."""
        defs = _element(root, "defs")
        for seat, look in self.looks.items():
            weave = _element(
                defs,
                "pattern",
                id=f"weave{self.numbers[seat]}",
                width=16,
                height=16,
                patternUnits="userSpaceOnUse",
            )
            _element(
                weave, "path", d=shapes()["patterns"][look.pattern], fill="none",
                stroke=look.ink, stroke_opacity="0.3", stroke_width="2.6", stroke_linecap="round",
            )  # fmt: skip

    def _at(self, parent: ET.Element, cell: Cell) -> ET.Element:
        return _element(parent, "g", transform=f"translate({tenths(cell.x * U)} {tenths(cell.y * U)})")

    def _form(self, parent: ET.Element, cell: Cell, scale: float = 0.985, /, **given: object) -> None:
        if cell.shape == "disc":
            _element(parent, "ellipse", rx=cell.w * U / 2, ry=cell.h * U / 2, **given)
        else:
            corners = " ".join(f"{tenths(x * scale)},{tenths(y * scale)}" for x, y in outline(cell))
            _element(parent, "polygon", points=corners, stroke_linejoin="round", **given)

    def _cell(self, root: ET.Element, cell: Cell, owner: str | None) -> None:
        group = self._at(root, cell)
        edge = {"stroke": self.ink("edge"), "stroke_width": "1.5"}
        is_point = cell.shape == "point"
        self._form(group, cell, fill=cell_colour("" if is_point else cell.kind, self.theme), **edge)
        if is_point:
            corners = " ".join(
                f"{tenths(x)},{tenths(y)}" for x, y in wedge(cell, outer_side(cell, self.area))
            )
            _element(group, "polygon", points=corners, fill=cell_colour(cell.kind, self.theme), **edge)
        if owner is not None:
            self._form(group, cell, fill=self.looks[owner].colour, fill_opacity="0.42", **edge)
            self._form(group, cell, fill=f"url(#weave{self.numbers[owner]})")
        self._label(group, cell)

    def _label(self, group: ET.Element, cell: Cell) -> None:
        if cell.label:
            label = self.word(f"{cell.label} · {cell.seat}" if cell.seat else cell.label)
            most = 15 if cell.shape in ("disc", "hex") else 20 if len(label) < 3 else 17
            size = min(most, cell.w * U * 1.5 / len(label))
            top = -cell.h * U / 2 * (0.866 if cell.shape == "hex" else 1) + 3
            self._word(group, label, size, self.ink("text"), top + size * 0.82)

    def _word(
        self,
        parent: ET.Element,
        text: str,
        size: float,
        fill: str,
        y: float,
        anchor: str = "middle",
        x: float | None = None,
        *,
        halo: str | None = None,
    ) -> None:
        """Add a text in bold type, with an outline in the colour `halo`."""
        around = (
            {"stroke": halo, "stroke_width": 7, "stroke_linejoin": "round", "paint_order": "stroke"}
            if halo
            else {}
        )
        _element(
            parent,
            "text",
            text,
            x=x,
            y=y,
            fill=fill,
            font_size=size,
            font_weight=700,
            text_anchor=anchor,
            **around,
        )

    def _pieces(self, root: ET.Element) -> None:
        """Add the pieces of each cell. Equal pieces of a crowded cell become one piece with their number."""
        laid: dict[str, list[Piece]] = {}
        for piece in self.scene.pieces:
            laid.setdefault(piece.at, []).append(piece)
        for cell_id, pieces in laid.items():
            cell = self.cells[cell_id]
            group = self._at(root, cell)
            tiles = [piece for piece in pieces if piece.kind == "tile"]
            if len(tiles) > 1 or (tiles and cell.shape == "tray"):
                self._fan(group, cell, tiles)
            elif tiles:
                self._tile(group, cell, tiles[0])
                if not tiles[0].seat:
                    self._label(group, cell)  # because the tile covers the cell's label
            others = [piece for piece in pieces if piece.kind != "tile"]
            for piece, count, (x, y, scale) in place_pieces(others, cell, outer_side(cell, self.area)):
                shift = f"translate({tenths(x)} {tenths(y)}) scale({scale:.3f})"
                body = _element(group, "g", transform=shift)
                self._piece(body, piece)
                if count > 1:
                    right, low = (47, -20) if cell.stacked else (34, 36)
                    self._word(
                        body, f"×{count}", 24, self.ink("text"), low, "end", right, halo=self.ink("card")
                    )

    def _group(self, root: ET.Element, group: Group) -> None:
        """Add the outline of a group, on a wider line that separates the outline from the cells."""
        path = group_outline([self.cells[cell] for cell in group.cells], group.depth)
        look = self.looks.get(group.mark.seat or "")
        for stroke, width in ((self.ink("card"), 10), (look.colour if look else self.ink("text"), 6)):
            _element(
                root, "path", d=path, fill="none", stroke=stroke, stroke_width=width, stroke_linecap="round"
            )

    def _tags(self, root: ET.Element, groups: Sequence[Group]) -> None:
        """Add the tags of groups and badges where they cover nothing."""
        placed: list[Box] = []
        for group in groups:
            if not group.mark.tag:
                continue
            cells, text, depth = [self.cells[at] for at in group.cells], self.word(group.mark.tag), 0
            obstacles = self._content(cells) + placed
            for other in groups:
                if {*group.cells}.isdisjoint(other.cells):
                    continue
                if len(other.cells) < len(cells):  # the tag would seem to be of the group inside this group
                    obstacles += [cell_box(self.cells[at]) for at in other.cells]
                else:
                    depth = max(depth, other.depth)
            box = place_tag(cells, text, obstacles, depth)
            self._tag(root, box, text, group.mark.seat)
            placed.append(box)
        for mark in self.scene.marks:
            if mark.kind == "badge" and mark.tag:
                cell, text = self.cells[mark.at], self.word(mark.tag)
                zone = [one for one in self.cells.values() if cell.zone and one.zone == cell.zone]
                cells = sorted(zone or [cell], key=lambda one: one is not cell)
                box = place_badge(cells, text, self._content(cells) + placed)
                self._tag(root, box, text, mark.seat)
                placed.append(box)

    def _content(self, cells: Sequence[Cell]) -> list[Box]:
        """Return the boxes of the words and pieces on cells."""
        found: list[Box] = []
        for cell in cells:
            pieces = [piece for piece in self.scene.pieces if piece.at == cell.id]
            tiles = [piece for piece in pieces if piece.kind == "tile"]
            others = [piece for piece in pieces if piece.kind != "tile"]
            found += boxes_on(cell, tiles, place_pieces(others, cell, outer_side(cell, self.area)))
        return found

    def _tag(self, root: ET.Element, box: Box, text: str, seat: str | None) -> None:
        """Add a tag in a box."""
        look, (left, top, right, _) = self.looks.get(seat or ""), box
        body = _element(root, "g", transform=f"translate({tenths(left)} {tenths(top)})")
        fill = look.colour if look else self.ink("card")
        size = {"width": right - left, "height": TAG_HEIGHT, "rx": 7}
        _element(body, "rect", fill=fill, stroke=self.ink("card"), stroke_width=2, **size)
        self._word(body, text, 19, look.ink if look else self.ink("text"), 17.5, x=(right - left) / 2)

    def _tile(self, group: ET.Element, cell: Cell, tile: Piece) -> None:
        """Add a tile, or below the name of the cell a seat's tile, for example a played card.

        The word of a seat's tile is large, because no piece is on it.
        """
        word = "?" if tile.hidden else self.word(tile.text)
        if tile.seat not in self.looks:
            self._card(group, tile, lambda at, **given: self._form(at, cell, 0.95, **given))
            self._tile_word(group, tile, word, 11, cell.h * U * 0.4)
            return
        top, size = 20 if cell.label else 0, min(44, 120 / max(len(word), 1))
        shift = f"translate(0 {top / 2:g}) scale({1 - top / (cell.h * U):.3f})"
        played = _element(group, "g", transform=shift)
        self._card(played, tile, lambda at, **given: self._form(at, cell, 0.95, **given))
        part = min(cell.w - 0.08, cell.h)
        if tile.text in self.icons and not tile.hidden:
            place = f"translate(0 {tenths(-12 * part)}) scale({1.2 * part:.3f})"
            _element(
                played,
                "path",
                d=self.icons[tile.text],
                fill=self.ink("text"),
                fill_rule="evenodd",
                transform=place,
            )
            self._tile_word(played, tile, word, min(20, size), cell.h * U * 0.38)
        else:
            self._tile_word(played, tile, word, size, size * 0.36)

    def _card(self, group: ET.Element, tile: Piece, form: Callable[..., object]) -> None:
        """Add a tile in the colour of its text, or a card with edge and back in its seat's colours.

        Args:
            group: The element for the tile.
            tile: The tile.
            form: A function that adds the form of the tile to an element.
        """
        look = self.looks.get(tile.seat or "")
        if look is None:
            fill = self.ink("soft") if tile.hidden else cell_colour(tile.text, self.theme)
            form(group, fill=fill, stroke="#00000059", stroke_width="1.5")
            return
        form(group, fill=self.ink("card" if tile.hidden else "land"), stroke=look.colour, stroke_width="5")
        if tile.hidden:
            back = _element(group, "g", transform="scale(0.86)")
            form(back, fill=look.colour)
            form(back, fill=f"url(#weave{self.numbers[tile.seat or '']})")

    def _tile_word(
        self, group: ET.Element, tile: Piece, text: str, size: float, y: float, x: float | None = None
    ) -> None:
        """Add the word of a tile. The suits of cards that are red have this colour."""
        look = self.looks.get(tile.seat or "")
        if tile.hidden:
            fill = look.ink if look else self.ink("card")
        else:
            fill = self.ink("bad" if set(text) & set("\u2665\u2666") else "text")
        self._word(group, text, size, fill, y, x=x, halo=look.colour if look and tile.hidden else None)

    def _fan(self, group: ET.Element, cell: Cell, tiles: Sequence[Piece]) -> None:
        """Add several tiles of one cell. The last face-down tile shows the number of face-down tiles."""
        fan = Fan.of(cell, tiles)
        hidden = sum(tile.hidden for tile in tiles)
        last = len(fan.tiles) - 1
        counted = max((at for at, tile in enumerate(fan.tiles) if tile.hidden), default=-1)
        box = {"x": -fan.width / 2, "y": -fan.height / 2, "width": fan.width, "height": fan.height}
        for index, tile in enumerate(fan.tiles):
            place = index - last / 2
            shift = f"translate({tenths(place * fan.step)} {tenths(fan.top / 2)})"
            body = _element(group, "g", transform=f"{shift} rotate({tenths(place * fan.turn)})")
            self._card(body, tile, lambda at, **given: _element(at, "rect", **box, rx=fan.width / 9, **given))
            text = self.word(tile.text)
            if tile.hidden:
                text = f"×{hidden}" if index == counted and hidden > 1 else ""
            if not text:
                continue
            if fan.is_spread or (tile.hidden and index == last):
                size = min(fan.width * 0.5, fan.width * 1.2 / len(text))
                self._tile_word(body, tile, text, size, size * 0.36, 0.0)
            else:
                size = min(fan.width * 0.36, fan.step * 1.2 / len(text))
                x, y = (fan.step - fan.width) / 2, size - fan.height * 0.44
                self._tile_word(body, tile, text, size, y, x)

    def _piece(self, group: ET.Element, piece: Piece) -> None:
        """Add one piece in the colours of its seat, with its text or the dots of a die."""
        look = self.looks.get(piece.seat) if piece.seat else None
        text = "?" if piece.hidden else piece.text or (look.letter if look else "")
        tone = "" if look or piece.hidden else self.tones.get(text.partition(" ")[0], "")
        colour = look.colour if look else tone or "#c9c4b6"
        ink = look.ink if look else ink_on(tone) if tone else "#22252b"
        shape = shapes()["pieces"].get(piece.kind, shapes()["pieces"]["disc"])
        _element(group, "path", d=shape, fill=colour, stroke="#000000", stroke_opacity="0.6", stroke_width=2)
        if look and piece.seat:
            _element(group, "path", d=shape, fill=f"url(#weave{self.numbers[piece.seat]})")
        if piece.kind == "die" and not piece.hidden and piece.text in tuple("123456789"):
            dots = "".join(
                f"M{int(spot) % 3 * 15 - 15} {int(spot) // 3 * 15 - 15}h.01"
                for spot in shapes()["pips"][int(text)]
            )
            _element(
                group, "path", d=dots, fill="none", stroke=ink, stroke_width="11.5", stroke_linecap="round"
            )
            return
        size, down, wide = _LABELS.get(piece.kind, _LABELS["disc"])
        if piece.kind != "die" and text in self.icons and not piece.hidden:
            place = f"translate(0 {down}) scale({0.6 if wide < _WIDE else 1})"
            _element(group, "path", d=self.icons[text], fill=ink, fill_rule="evenodd", transform=place)
            return
        shown = text if len(text) <= 14 else text[:13] + "…"
        fit = min(size, size * wide * 1.05 / max(len(shown), 1))
        self._word(group, shown, fit, ink, fit * 0.36 + down)
