"""The difference between two scenes, cell by cell."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import compress, count
from operator import ne

from gamelog.play.contract.scene import Caption, Mark, Piece, Scene
from gamelog.play.view.step import BoardChange, MarkAppearance, PieceAppearance


def board_change(before: Scene, after: Scene) -> BoardChange | None:
    """Return the difference between the scenes, or None if `after` looks the same."""
    if after is before:
        return None
    pieces = _pieces(before.pieces, after.pieces)
    fills = _fills(before.fills, after.fills) if after.fills != before.fills else {}
    marks = _marks(before.marks, after.marks) if after.marks != before.marks else {}
    captions = _captions(before.captions, after.captions) if after.captions != before.captions else ()
    return BoardChange(pieces, fills, marks, captions) if pieces or fills or marks or captions else None


def _pieces(before: Sequence[Piece], after: Sequence[Piece]) -> dict[str, tuple[PieceAppearance, ...]]:
    """Return the content of the cells on which the pieces differ."""
    if after is before:
        return {}
    shorter = min(len(before), len(after))
    first = _common_length(before, after, shorter)
    last = _common_length(reversed(before), reversed(after), shorter - first)
    was, now = (_by_cell(pieces[first : len(pieces) - last]) for pieces in (before, after))
    changed: dict[str, list[PieceAppearance]] = {
        cell: [] for cell in {**now, **was} if now.get(cell) != was.get(cell)
    }  # the pieces before and after this range are equal in both
    if changed:
        for piece in after:
            if piece.at in changed:
                changed[piece.at].append(_appearance(piece))
    return {cell: tuple(pieces) for cell, pieces in changed.items()}


def _by_cell(pieces: Iterable[Piece]) -> dict[str, list[PieceAppearance]]:
    """Return `pieces` grouped by cell."""
    cells: dict[str, list[PieceAppearance]] = {}
    for piece in pieces:
        cells.setdefault(piece.at, []).append(_appearance(piece))
    return cells


def _appearance(piece: Piece) -> PieceAppearance:
    return piece.kind, piece.seat, piece.text, piece.hidden, piece.id


def _common_length(before: Iterable[Piece], after: Iterable[Piece], limit: int) -> int:
    """Return the number of pieces, at most `limit`, that are the same at the beginning of both."""
    return min(next(compress(count(), map(ne, before, after)), limit), limit)


def _fills(before: Iterable[tuple[str, str]], after: Iterable[tuple[str, str]]) -> dict[str, str | None]:
    """Return the new colour of each cell whose colour changed."""
    was, now = dict(before), dict(after)
    changed: dict[str, str | None] = {cell: seat for cell, seat in now.items() if was.get(cell) != seat}
    return changed | {cell: None for cell in was if cell not in now}


def _marks(before: Iterable[Mark], after: Iterable[Mark]) -> dict[str, tuple[MarkAppearance, ...]]:
    """Return the new marks of each cell whose marks changed."""
    was, now = _marks_by_cell(before), _marks_by_cell(after)
    return {cell: now.get(cell, ()) for cell in sorted({*was, *now}) if was.get(cell) != now.get(cell)}


def _marks_by_cell(marks: Iterable[Mark]) -> dict[str, tuple[MarkAppearance, ...]]:
    """Return the marks of each cell."""
    cells: dict[str, tuple[MarkAppearance, ...]] = {}
    for mark in marks:
        appearance = (mark.kind, mark.text, mark.seat) if mark.seat else (mark.kind, mark.text)
        cells[mark.at] = (*cells.get(mark.at, ()), appearance)
    return cells


def _captions(before: Sequence[Caption], after: Sequence[Caption]) -> tuple[Caption, ...]:
    """Return the captions that changed. A caption that is gone has an empty value."""
    if len(before) == len(after):  # usually only values differ
        changed = [(was, now) for was, now in zip(before, after, strict=True) if was != now]
        if all(was.name == now.name and was.seat == now.seat for was, now in changed):
            return tuple([now for _, now in changed])
    was = {(caption.name, caption.seat): caption for caption in before}
    now = {(caption.name, caption.seat): caption for caption in after}
    removed = (Caption(name, "", seat) for name, seat in was if (name, seat) not in now)
    return (*(caption for key, caption in now.items() if was.get(key) != caption), *removed)
