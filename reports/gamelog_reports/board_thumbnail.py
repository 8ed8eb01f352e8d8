"""The small picture of a position, for a list of games: cells and pieces in the colours of the board.

The picture has the places and colours of `board_svg`, but no texts, marks and patterns. It is a list of paths
for the page's `thumbnails.js`. Paths of the empty board are separate, because all games on it share them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from sys import intern
from typing import Literal

import msgspec
from msgspec import Struct, structs

from gamelog.play.contract.growing_board import visible_scene
from gamelog.play.contract.scene import Cell, Cells, Piece, Scene
from gamelog_reports.board_geometry import (
    U,
    extent,
    outer_side,
    outline,
    place_pieces,
    wedge,
)
from gamelog_reports.palette import KINDS, slug, tint
from gamelog_reports.seat_style import COLOURS, seat_styles

_SCALE = 0.12
"""Units of the small picture in a unit of the large one. All coordinates are whole numbers."""

_NEUTRAL = "#c9c4b6"
"""The colour of pieces that belong to no seat."""

_WIDTHS = {"die": 58, "token": 60, "pawn": 44, "flag": 44}
"""The widths of pieces in units of the large picture."""

_DISC = 58
"""The width of all other pieces."""


Form = Literal["link", "cell", "owner", "round", "square"]
"""Links, cells, cells of an owner, or points that are drawn as round or square pieces."""

_Shape = tuple[Form, str, int, str]
"""The form, look, width and path of one shape."""


class Layer(Struct, frozen=True, array_like=True):
    """Shapes of one look as one path.

    Attributes:
        look: Colour, or the class of the kind of a cell.
        width: Width of a piece.
        path: Data of the SVG path.
    """

    form: Form
    look: str
    width: int
    path: str


class Thumbnail(Struct, frozen=True):
    """A small picture as JSON texts.

    Attributes:
        board: Area (x, y, width, height), and the layers of the empty board.
        position: The layers of the position.
    """

    board: str
    position: str

    def __post_init__(self) -> None:
        """Share the text of the board between all pictures of it."""
        structs.force_setattr(self, "board", intern(self.board))


def thumbnail(scene: Scene, seats: Sequence[str]) -> Thumbnail:
    """Return the small picture of `scene`. The order of all `seats` gives them their colours."""
    scene = visible_scene(scene)
    layout = scene.ground
    full = extent(layout.cells)
    cells = Cells((cell.id, cell) for cell in layout.cells)
    looks = {seat: style.colour for seat, style in zip(seats, seat_styles(seats), strict=True)}
    colours = {word: COLOURS[name] for word, name in layout.colours if name in COLOURS}
    links = "".join(_line(cells[link.a], cells[link.b]) for link in layout.links)
    board = [
        *([Layer("link", "", 0, links)] if links else []),
        *_layers(shape for cell in layout.cells for shape in _cell(cell, outer_side(cell, full))),
    ]
    owned: Iterable[_Shape] = (
        ("owner", looks[seat], 0, _cell_path(cells[cell_id]))
        for cell_id, seat in scene.fills
        if seat in looks
    )
    laid: dict[str, list[Piece]] = defaultdict(list)
    for piece in scene.pieces:
        laid[piece.at].append(piece)
    position = [
        *_layers(owned),
        *_layers(
            ("cell", "soft" if piece.hidden else kind_class(piece.text), 0, _cell_path(cells[cell_id]))
            for cell_id, pieces in laid.items()
            for piece in pieces
            if piece.kind == "tile"
        ),
        *_layers(
            shape
            for cell_id, pieces in laid.items()
            for shape in _pieces(cells[cell_id], pieces, outer_side(cells[cell_id], full), looks, colours)
        ),
    ]
    area = [round(length * _SCALE) for length in full]
    return Thumbnail(_json([area, board]), _json(position))


def kind_class(kind: str) -> str:
    """Return the class that colours a cell or tile of `kind` in the style sheets of all pages."""
    if not kind:
        return "land"
    return f"k-{slug(kind)}" if kind in KINDS else f"tint{tint(kind)}"


def _json(value: object) -> str:
    return msgspec.json.encode(value).decode()


def _layers(shapes: Iterable[_Shape]) -> list[Layer]:
    """Return the shapes as layers, one for each look, in the order of their first shapes."""
    paths: dict[tuple[Form, str, int], list[str]] = defaultdict(list)
    for form, look, width, path in shapes:
        paths[form, look, width].append(path)
    return [Layer(*key, "".join(parts)) for key, parts in paths.items()]


def _pieces(
    cell: Cell, pieces: Iterable[Piece], side: int, looks: dict[str, str], colours: dict[str, str]
) -> Iterable[_Shape]:
    """Yield the shapes of the pieces on `cell`, on a `side` of the board, without its tiles."""
    others = [piece for piece in pieces if piece.kind != "tile"]
    for piece, _, (x, y, scale) in place_pieces(others, cell, side):
        own = looks.get(piece.seat) if piece.seat else None
        tone = None if piece.hidden else colours.get(piece.text.partition(" ")[0])
        form: Form = "square" if piece.kind in ("die", "token") else "round"
        width = max(2, round(_WIDTHS.get(piece.kind, _DISC) * scale * _SCALE))
        yield form, own or tone or _NEUTRAL, width, f"M{_place(cell.x * U + x, cell.y * U + y)}h.01"


def _place(x: float, y: float) -> str:
    return f"{round(x * _SCALE)} {round(y * _SCALE)}"


def _line(a: Cell, b: Cell) -> str:
    return f"M{_place(a.x * U, a.y * U)}L{_place(b.x * U, b.y * U)}"


def _cell(cell: Cell, side: int) -> Iterable[_Shape]:
    """Yield the shapes of a cell on a `side` of the board: its outline, and the triangle of a ``point``."""
    is_point = cell.shape == "point"
    yield "cell", kind_class("" if is_point else cell.kind), 0, _cell_path(cell)
    if is_point:
        yield "cell", kind_class(cell.kind), 0, _polygon(cell, wedge(cell, side))


def _cell_path(cell: Cell) -> str:
    """Return the outline of a cell as the data of a path."""
    if cell.shape == "disc":
        wide, high = (round(side * U * _SCALE / 2) for side in (cell.w, cell.h))
        arc = f"a{wide} {high} 0 1 0"
        return f"M{_place((cell.x - cell.w / 2) * U, cell.y * U)}{arc} {2 * wide} 0{arc} {-2 * wide} 0z"
    return _polygon(cell, outline(cell))


def _polygon(cell: Cell, around: Iterable[tuple[float, float]]) -> str:
    """Return a polygon with corners `around` the centre of a cell as the data of a path."""
    corners = [(round((cell.x * U + x) * _SCALE), round((cell.y * U + y) * _SCALE)) for x, y in around]
    path, (before_x, before_y) = f"M{corners[0][0]} {corners[0][1]}", corners[0]
    for x, y in corners[1:]:
        path += f"h{x - before_x}" if y == before_y else f"v{y - before_y}" if x == before_x else (
            f"l{x - before_x} {y - before_y}"
        )  # fmt: skip
        before_x, before_y = x, y
    return f"{path}z"
