"""Scenes in characters, for terminals and tests.

Each cell is placed by its coordinates. A cell shows its pieces, each as the first letter of its seat and its
text (``r4``; ``R`` without a text). An empty cell shows its label if the board is small enough for labels.
Trays and captions follow on lines of their own. A line is a list of runs of text, each with its seat, so that
a terminal can colour it. The letters give the same information without colour.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

from gamelog.message import IN_ENGLISH, Message, Renderer
from gamelog.play.contract.scene import Cell, Piece, Scene

Run = tuple[str, str | None]
"""A part of a line, and the seat in whose colour it can be shown."""

_TILE = 3
"""Number of letters shown of the word on a tile, so that a board of tiles fits on a screen."""

_ROOM = 3
"""Number of characters kept free after a label.

The board then keeps its width when a piece comes to that cell.
"""

_LABELS_UP_TO = 80
"""Largest number of cells for which every cell shows its label."""


def display_width(text: str) -> int:
    """Return the number of terminal columns of `text`: 2 for a wide letter, 0 for a combining mark."""
    if text.isascii():
        return len(text)
    from wcwidth import wcswidth

    return max(0, wcswidth(text))


def ascii_board(
    scene: Scene,
    letters: dict[str, str],
    width: int | None = None,
    renderer: Renderer = IN_ENGLISH,
) -> list[list[Run]]:
    """Return `scene` as lines of runs, with the letter of each seat (`initials`).

    If the board is wider than `width` columns, lines list the pieces of each seat instead. `renderer`
    translates the words of captions and trays.
    """
    word = renderer.locale.word
    board = [cell for cell in scene.ground.cells if cell.shape != "tray"]
    trays = [cell for cell in scene.ground.cells if cell.shape == "tray"]
    lying: dict[str, list[Piece]] = {}
    for piece in scene.pieces:
        lying.setdefault(piece.at, []).append(piece)
    fills = dict(scene.fills)
    labelled = len(board) <= _LABELS_UP_TO
    texts = {
        cell.id: _text(cell, lying.get(cell.id, []), letters, fills.get(cell.id), labelled) for cell in board
    }
    lines = _grid(
        board, texts, {cell.id: _seat(lying.get(cell.id, []), fills.get(cell.id)) for cell in board}
    )
    needed = max((sum(display_width(run) for run, _ in line) for line in lines), default=0)
    if width is not None and needed > width:
        text = "The board needs {n} columns, but the terminal has {width}. The pieces on it are:"
        note = renderer.text(Message.of(text, n=needed, width=width))
        lines = [[(note, None)], *_piece_lists(board, lying, fills, letters, renderer)]
    for cell in trays:
        pieces = lying.get(cell.id, [])
        if pieces:
            name = word(cell.label or cell.id)
            owned = Message.of("{=tray} of {=seat}: ", tray=name, seat=cell.seat)
            runs: list[Run] = [(renderer.text(owned) if cell.seat else f"{name}: ", None)]
            runs += [(_piece(piece, letters) + " ", piece.seat) for piece in pieces]
            lines.append(runs)
    for seat in dict.fromkeys(caption.seat for caption in scene.captions):
        captions = [caption for caption in scene.captions if caption.seat == seat]
        values = ", ".join(f"{word(caption.name)} {word(caption.value)}" for caption in captions)
        lines.append([(f"{seat} ({letters.get(seat, '')}): {values}" if seat else values, seat)])
    return lines


def _piece_lists(
    board: list[Cell],
    lying: dict[str, list[Piece]],
    fills: dict[str, str],
    letters: dict[str, str],
    renderer: Renderer,
) -> list[list[Run]]:
    """Return a line for each seat with its pieces and the cells filled in its colour."""
    word = renderer.locale.word
    labels: dict[str | None, list[str]] = {}
    for cell in board:
        pieces = lying.get(cell.id, [])
        for piece in pieces:
            label = "?" if piece.hidden else piece.text or ("" if piece.seat else word(piece.kind))
            labels.setdefault(piece.seat, []).append(f"{label} {cell.id}".strip())
        if cell.id in fills and not any(piece.seat for piece in pieces):
            labels.setdefault(fills[cell.id], []).append(cell.id)
    lines: list[list[Run]] = []
    for seat in (*(seat for seat in letters if seat in labels), *([None] if None in labels else [])):
        head = f"{seat} ({letters[seat]}): " if seat else f"{word('no one')}: "
        lines.append(
            [(head, None), *((f"{label}, ", seat) for label in labels[seat][:-1]), (labels[seat][-1], seat)]
        )
    return lines


def initials(seats: Iterable[str]) -> dict[str, str]:
    """Return one letter for each seat: the first of its name that no earlier seat has."""
    letters: dict[str, str] = {}
    for seat in seats:
        free = [letter for letter in seat if letter not in letters.values()]
        letters[seat] = free[0] if free else str(len(letters) + 1)
    return letters


def plain_lines(lines: list[list[Run]]) -> str:
    """Return `lines` as text without colours."""
    return "\n".join("".join(run for run, _ in line).rstrip() for line in lines)


def _seat(pieces: list[Piece], fill: str | None) -> str | None:
    return fill or next((piece.seat for piece in pieces), None)


def _piece(piece: Piece, letters: dict[str, str]) -> str:
    letter = letters.get(piece.seat, "") if piece.seat else ""
    text = "?" if piece.hidden else piece.text[:_TILE] if piece.kind == "tile" else piece.text
    return letter + text if text else letter.upper() or piece.kind[0]


def _text(cell: Cell, pieces: list[Piece], letters: dict[str, str], fill: str | None, labelled: bool) -> str:
    shown = "+".join(_piece(piece, letters) for piece in pieces)
    if fill and not any(piece.seat for piece in pieces):
        shown = letters.get(fill, "") + shown
    if labelled and cell.label:
        return f"{cell.label}:{shown}" if shown else cell.label
    return shown or (cell.kind[:1] if cell.kind else ".")


def _grid(ground: list[Cell], texts: dict[str, str], seats: dict[str, str | None]) -> list[list[Run]]:
    """Return the texts of the cells: a line for each y, with columns so wide that no two texts touch."""
    rows: dict[float, list[Cell]] = {}
    for cell in ground:
        rows.setdefault(round(cell.y, 2), []).append(cell)
    left = min((cell.x for cell in ground), default=0.0)
    room = (
        max((display_width(cell.label) + _ROOM for cell in ground), default=0)
        if len(ground) <= _LABELS_UP_TO
        else 0
    )
    scale = 1.0
    for row in rows.values():
        row.sort(key=lambda cell: cell.x)
        for cell, right in pairwise(row):
            if right.x > cell.x:
                scale = max(scale, (max(display_width(texts[cell.id]), room) + 1) / (right.x - cell.x))
    lines: list[list[Run]] = []
    for y in sorted(rows):
        line: list[Run] = []
        column = 0
        for cell in rows[y]:
            at = int((cell.x - left) * scale + 0.5)
            if at > column:
                line.append((" " * (at - column), None))
                column = at
            line.append((texts[cell.id], seats[cell.id]))
            column += display_width(texts[cell.id])
        lines.append(line)
    return lines
