"""A scene in characters, for terminals and tests: any game's, with no code of the game's.

Cells stand where their coordinates put them. A cell shows its pieces, each as its seat's first
letter and its text (``r4``; ``R`` without a text), or its label while the board is small enough for labels.
Trays and captions follow as lines of their own. Lines come as runs of text with the seat they belong to, so
that a terminal may colour them; the letters say the same without colour.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

from gamelog.message import IN_ENGLISH, Message, Renderer
from gamelog.play.contract.scene import Cell, Piece, Scene

Run = tuple[str, str | None]
"""A piece of a line, and the seat whose colour it may take."""

TILE = 3
"""Letters of a tile's word that are shown, so that a board of tiles fits on a screen."""

_ROOM = 3
"""Characters kept free behind a label, so that the board does not change its width when a piece comes to lie
there.
"""

LABELS_UP_TO = 80
"""Boards with more cells than this show labels at their edges only, if at all."""


def cells(text: str) -> int:
    """How many columns of a terminal `text` takes: two for a wide letter or emoji, none for a mark."""
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
    labelled = len(board) <= LABELS_UP_TO
    texts = {
        cell.id: _text(cell, lying.get(cell.id, []), letters, fills.get(cell.id), labelled) for cell in board
    }
    lines = _grid(
        board, texts, {cell.id: _seat(lying.get(cell.id, []), fills.get(cell.id)) for cell in board}
    )
    needed = max((sum(cells(run) for run, _ in line) for line in lines), default=0)
    if width is not None and needed > width:
        text = "The board needs {n} columns, but the terminal has {width}. The pieces on it are:"
        note = renderer.text(Message.of(text, n=needed, width=width))
        lines = [[(note, None)], *_told(board, lying, fills, letters, renderer)]
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
        told = ", ".join(f"{word(caption.name)} {word(caption.value)}" for caption in captions)
        lines.append([(f"{seat} ({letters.get(seat, '')}): {told}" if seat else told, seat)])
    return lines


def _told(
    board: list[Cell],
    lying: dict[str, list[Piece]],
    fills: dict[str, str],
    letters: dict[str, str],
    renderer: Renderer,
) -> list[list[Run]]:
    """Return a line for each seat with its pieces and the cells filled in its colour."""
    word = renderer.locale.word
    whose: dict[str | None, list[str]] = {}
    for cell in board:
        pieces = lying.get(cell.id, [])
        for piece in pieces:
            what = "?" if piece.hidden else piece.text or ("" if piece.seat else word(piece.kind))
            whose.setdefault(piece.seat, []).append(f"{what} {cell.id}".strip())
        if cell.id in fills and not any(piece.seat for piece in pieces):
            whose.setdefault(fills[cell.id], []).append(cell.id)
    lines: list[list[Run]] = []
    for seat in (*(seat for seat in letters if seat in whose), *([None] if None in whose else [])):
        head = f"{seat} ({letters[seat]}): " if seat else f"{word('nobody')}: "
        lines.append(
            [(head, None), *((f"{what}, ", seat) for what in whose[seat][:-1]), (whose[seat][-1], seat)]
        )
    return lines


def initials(seats: Iterable[str]) -> dict[str, str]:
    """One letter for each seat: the first of its own that no earlier seat has taken."""
    letters: dict[str, str] = {}
    for seat in seats:
        free = [letter for letter in seat if letter not in letters.values()]
        letters[seat] = free[0] if free else str(len(letters) + 1)
    return letters


def plain_lines(lines: list[list[Run]]) -> str:
    """The lines without colours."""
    return "\n".join("".join(run for run, _ in line).rstrip() for line in lines)


def _seat(pieces: list[Piece], fill: str | None) -> str | None:
    return fill or next((piece.seat for piece in pieces), None)


def _piece(piece: Piece, letters: dict[str, str]) -> str:
    who = letters.get(piece.seat, "") if piece.seat else ""
    shown = "?" if piece.hidden else piece.text[:TILE] if piece.kind == "tile" else piece.text
    return who + shown if shown else who.upper() or piece.kind[0]


def _text(cell: Cell, pieces: list[Piece], letters: dict[str, str], fill: str | None, labelled: bool) -> str:
    shown = "+".join(_piece(piece, letters) for piece in pieces)
    if fill and not any(piece.seat for piece in pieces):
        shown = letters.get(fill, "") + shown
    if labelled and cell.label:
        return f"{cell.label}:{shown}" if shown else cell.label
    return shown or (cell.kind[:1] if cell.kind else ".")


def _grid(ground: list[Cell], texts: dict[str, str], seats: dict[str, str | None]) -> list[list[Run]]:
    """The cells' texts on lines: one line for each y, columns wide enough that no two texts touch."""
    rows: dict[float, list[Cell]] = {}
    for cell in ground:
        rows.setdefault(round(cell.y, 2), []).append(cell)
    left = min((cell.x for cell in ground), default=0.0)
    room = (
        max((cells(cell.label) + _ROOM for cell in ground), default=0) if len(ground) <= LABELS_UP_TO else 0
    )
    scale = 1.0
    for row in rows.values():
        row.sort(key=lambda cell: cell.x)
        for cell, right in pairwise(row):
            if right.x > cell.x:
                scale = max(scale, (max(cells(texts[cell.id]), room) + 1) / (right.x - cell.x))
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
            column += cells(texts[cell.id])
        lines.append(line)
    return lines
