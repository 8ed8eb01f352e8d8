"""Scenes in characters, for terminals and tests.

Each cell is placed by its coordinates. A cell shows its pieces, each as the first letter of its seat and its
text (``r4``; ``R`` without a text; ``r:rock`` for a word). On a small board each cell shows its label. On a
large board, the columns and rows have their names at the edge. Trays with names, captions and groups follow
on lines of their own. A line is a list of runs of text, each with its seat, so that a terminal can colour it.
The letters give the same information without colour.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from itertools import groupby

from msgspec import structs

from gamelog.message import IN_ENGLISH, Message, Renderer
from gamelog.play.contract.growing_board import visible_scene
from gamelog.play.contract.scene import Cell, Piece, Scene
from gamelog.play.rendering.board_lines import (
    CHANGED_MARK,
    BoardText,
    Lines,
    Run,
    display_width,
    lines_width,
)
from gamelog.play.rendering.coordinates import cell_name, find_grids

_TILE_LETTERS = 3
"""Number of letters shown of the word on a tile, so that a large board of tiles fits on a screen."""

_MAX_CELLS_WITH_WORDS = 12
"""Largest number of cells of a board whose tiles show their whole words."""

_FREE_CHARACTERS = 3
"""Number of characters kept free after a label.

The board then keeps its width when a piece comes to that cell.
"""

_MAX_LABELLED_CELLS = 80
"""Largest number of cells for which every cell shows its label."""

_MAX_STACK_PIECES = 3
"""Number of pieces of a stack that are shown, from the highest one. A higher stack also has its number."""

_MAX_EQUAL_PIECES = 3
"""Number of equal pieces that are shown one by one. More pieces have their number."""

_MIN_HEIGHT = 8
"""Minimum number of lines for the board, even on a low terminal."""

_MAX_NAMED = 8
"""Maximum number of changed places that are named below the board."""


def ascii_board(
    scene: Scene,
    letters: dict[str, str],
    width: int | None = None,
    renderer: Renderer = IN_ENGLISH,
    *,
    height: int | None = None,
    hint: str = "",
    changed: Collection[str] = (),
) -> Lines:
    """Return `scene` as lines of runs.

    Args:
        scene: The scene.
        letters: The letter of each seat (`initials`).
        width: The width of the terminal. A wider board is drawn in parts, from left to right.
        renderer: The renderer for the words of captions and trays.
        height: The number of lines for everything. Of a larger board, only the part with the changes is
            drawn.
        hint: How to see the rest, if only a part is drawn.
        changed: The ids of the cells that look different than before. They are marked.
    """
    scene = visible_scene(scene)
    pieces_on: dict[str, list[Piece]] = {}
    has_words = sum(not _is_listed(cell) for cell in scene.ground.cells) <= _MAX_CELLS_WITH_WORDS
    for piece in scene.pieces:
        is_cut = piece.kind == "tile" and not has_words
        shown = structs.replace(piece, text=piece.text[:_TILE_LETTERS]) if is_cut else piece
        pieces_on.setdefault(piece.at, []).append(shown)
    below = [
        *_tray_lines(scene, pieces_on, letters, renderer, changed),
        *_caption_lines(scene, letters, renderer),
    ]
    below += _changes(scene, changed, renderer)
    board = _board_text(scene, pieces_on, letters, changed)
    groups = _group_lines(scene, pieces_on, letters, renderer)
    if height is None or _wrapped_line_count([*board.draw(board.cells), *below, *groups], width) <= height:
        below += groups
    room = height and max(_MIN_HEIGHT, height - _wrapped_line_count(below, width))
    return [*_fit_lines(board, width, room, changed, renderer, hint), *below]


def _changes(scene: Scene, changed: Collection[str], renderer: Renderer) -> Lines:
    """Return a line with the meaning of the mark and the names of the places that have it."""
    names = [cell_name(cell) for cell in scene.ground.cells if cell.id in changed and not _is_listed(cell)]
    more = ["…"] if len(names) > _MAX_NAMED else []
    text = Message.of(
        "{mark} changed: {places}", mark=CHANGED_MARK, places=", ".join(names[:_MAX_NAMED] + more)
    )
    return [[(renderer.text(text), None)]] if names else []


def _wrapped_line_count(lines: Lines, width: int | None) -> int:
    """Return the number of lines of the screen for `lines` that are wrapped at `width`."""
    return sum(max(1, -(-lines_width([line]) // width)) if width else 1 for line in lines)


def _fit_lines(
    board: BoardText,
    width: int | None,
    height: int | None,
    focus: Collection[str],
    renderer: Renderer,
    hint: str,
) -> Lines:
    """Return the lines of the board, or of the part of it that fits, with a sentence on the rest."""
    lines = board.draw(board.cells)
    if height is not None and (len(lines) > height or (width is not None and lines_width(lines) > width)):
        visible = board.window(width or lines_width(lines), height - 1, focus)
        text = "{n} of {all} places are shown. {=hint}"
        note = renderer.text(Message.of(text, n=len(visible), all=len(board.cells), hint=hint))
        return [*board.draw(visible), [(note.rstrip(), None)]]
    if width is None or lines_width(lines) <= width:
        return lines
    bands = board.bands(width)
    head = Message.of("The board is drawn in {n} parts, from left to right.", n=len(bands))
    drawn: Lines = [[(renderer.text(head), None)]]
    for band in bands:
        drawn += [[], *board.draw(band)]
    return [*drawn, []]


def _board_text(
    scene: Scene, pieces_on: dict[str, list[Piece]], letters: dict[str, str], changed: Collection[str]
) -> BoardText:
    """Return the board of `scene` as text."""
    cells = [cell for cell in scene.ground.cells if not _is_listed(cell)]
    fills = dict(scene.fills)
    labelled = len(cells) <= _MAX_LABELLED_CELLS and all(cell.label for cell in cells)
    grids = [] if labelled else find_grids(cells)
    squares = frozenset[str]().union(*(grid.squares for grid in grids))
    has_words = bool(scene.ground.words)
    texts: dict[str, str] = {}
    badges = {mark.at: mark.tag for mark in scene.marks if mark.kind == "badge"}
    for cell in cells:
        shown = _text(cell, pieces_on.get(cell.id, []), letters, fills.get(cell.id))
        name = "" if cell.id in squares else _name(cell, has_words and not grids)
        keeps_name = name and shown and cell.label and not grids
        texts[cell.id] = (
            f"{name}:{shown}" if keeps_name else shown or badges.get(cell.id) or name or cell.kind[:1] or "."
        )
    room = max((display_width(cell.label) + _FREE_CHARACTERS for cell in cells), default=0) if labelled else 0
    seats = {cell.id: _seat(pieces_on.get(cell.id, []), fills.get(cell.id)) for cell in cells}
    words = () if grids or not cells else scene.ground.words
    return BoardText(cells, texts, seats, grids, words, room, changed)


def _name(cell: Cell, has_words: bool) -> str:
    """Return the name of a cell that is in no grid; if words beside the board name places, only its label."""
    return cell.label if has_words else cell_name(cell).rpartition(".")[2]


def _is_listed(cell: Cell) -> bool:
    """Return whether a cell has its own line below the board: a tray with a name."""
    return cell.shape == "tray" and bool(cell.label)


def _tray_lines(
    scene: Scene,
    pieces_on: dict[str, list[Piece]],
    letters: dict[str, str],
    renderer: Renderer,
    changed: Collection[str],
) -> Lines:
    """Return a line for each tray with a name and pieces."""
    lines: Lines = []
    for cell in scene.ground.cells:
        pieces = pieces_on.get(cell.id, [])
        if _is_listed(cell) and pieces:
            name = renderer.locale.word(cell.label or cell.id)
            owned = Message.of("{=tray} of {=seat}: ", tray=name, seat=cell.seat)
            head = renderer.text(owned) if cell.seat else f"{name}: "
            mark = f"{CHANGED_MARK} " if cell.id in changed else ""
            lines.append(
                [(mark + head, None), *((text + " ", seat) for text, seat in _count_pieces(pieces, letters))]
            )
    return lines


def _group_lines(
    scene: Scene, pieces_on: dict[str, list[Piece]], letters: dict[str, str], renderer: Renderer
) -> Lines:
    """Return a line for each seat with its groups and with the badges of cells with pieces."""
    named = {cell.id: cell_name(cell) for cell in scene.ground.cells}
    groups: dict[tuple[str | None, str], list[str]] = {}
    by_seat: dict[str | None, list[str]] = {}
    for mark in scene.marks:
        if mark.kind == "group":
            groups.setdefault((mark.seat, mark.text), []).append(named[mark.at])
        elif mark.kind == "badge" and mark.at in pieces_on:
            by_seat.setdefault(mark.seat, []).append(f"{named[mark.at]}: {renderer.locale.word(mark.text)}")
    for (seat, text), names in groups.items():
        few = names if len(names) <= _MAX_NAMED else [names[0], "…", names[-1]]
        by_seat.setdefault(seat, []).append(f"{renderer.locale.word(text)} ({' '.join(few)})".lstrip())
    return [
        [(f"{seat} ({letters.get(seat, '')}): " if seat else "", seat), ("; ".join(texts), None)]
        for seat, texts in by_seat.items()
    ]


def _caption_lines(scene: Scene, letters: dict[str, str], renderer: Renderer) -> Lines:
    """Return a line with the captions of each seat, and one with the captions of no seat."""
    word = renderer.locale.word
    lines: Lines = []
    for seat in dict.fromkeys(caption.seat for caption in scene.captions):
        captions = [caption for caption in scene.captions if caption.seat == seat]
        values = ", ".join(f"{word(caption.name)} {word(caption.value)}" for caption in captions)
        lines.append([(f"{seat} ({letters.get(seat, '')}): {values}" if seat else values, seat)])
    return lines


def initials(seats: Iterable[str]) -> dict[str, str]:
    """Return one letter for each seat: the first of its name that no earlier seat has."""
    letters: dict[str, str] = {}
    for seat in seats:
        free = [letter for letter in seat if letter not in letters.values()]
        letters[seat] = free[0] if free else str(len(letters) + 1)
    return letters


def plain_lines(lines: Lines) -> str:
    """Return `lines` as text without colours."""
    return "\n".join("".join(run for run, _ in line).rstrip() for line in lines)


def _seat(pieces: list[Piece], fill: str | None) -> str | None:
    return fill or next((piece.seat for piece in pieces), None)


def _piece(piece: Piece, letters: dict[str, str]) -> str:
    letter = letters.get(piece.seat, "") if piece.seat else ""
    text = "?" if piece.hidden else piece.text
    if letter and piece.kind == "tile" and len(text) >= _TILE_LETTERS:
        return f"{letter}:{text}"  # two letters after a seat are a name, such as r4; more letters are a word
    return letter + text if text else letter.upper() or piece.kind[0]


def _count_pieces(pieces: Iterable[Piece], letters: dict[str, str]) -> list[Run]:
    """Return the text of each piece with its seat. Several equal pieces in a row can have their number."""
    runs: list[Run] = []
    for (text, seat), same in groupby((_piece(piece, letters), piece.seat) for piece in pieces):
        count = sum(1 for _ in same)
        runs += [(f"{text}×{count}", seat)] if count > _MAX_EQUAL_PIECES else [(text, seat)] * count
    return runs


def _text(cell: Cell, pieces: list[Piece], letters: dict[str, str], fill: str | None) -> str:
    """Return the `pieces` on a cell, after the letter of the seat in whose colour the cell is.

    The highest piece of a stack comes first.
    """
    if cell.stacked:
        shown = "/".join(_piece(piece, letters) for piece in pieces[: -_MAX_STACK_PIECES - 1 : -1])
    else:
        shown = "+".join(text for text, _ in _count_pieces(pieces, letters))
    if cell.stacked and len(pieces) > _MAX_STACK_PIECES:
        shown += f"×{len(pieces)}"
    if fill and not any(piece.seat for piece in pieces):
        shown = letters.get(fill, "") + shown
    return shown
