"""Tracks of a whole game: boards, points, turns, names and the clock, packed from its steps."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import msgspec

from gamelog.chance.draws import Dice
from gamelog.message import Locale
from gamelog.play.contract.game import Pending
from gamelog.play.contract.scene import BoardLayout, Caption, Cell, Cells
from gamelog.play.view.step import BoardChange, PieceAppearance, StepView
from gamelog_reports.packed import TableWriter
from gamelog_reports.replay_page.tracks import Change, Track

_encode = msgspec.json.Encoder().encode


class PieceTable:
    """The different pieces of a game, numbered in the order in which they appear, cell by cell."""

    def __init__(self, seats: Sequence[str]) -> None:
        self._seats = {seat: index for index, seat in enumerate(seats)}
        self._numbers: dict[PieceAppearance, int] = {}

    def number(self, appearance: PieceAppearance) -> int:
        """Return the number of the pieces with this appearance."""
        return self._numbers.setdefault(appearance, len(self._numbers))

    def plain(self) -> list[list[Any]]:
        """Return kind, seat, text, hidden flag and id of each piece."""
        return [
            [kind, self._seats.get(seat or "", -1), text, int(hidden), id]
            for kind, seat, text, hidden, id in self._numbers
        ]


ON_CELLS = ("pieces", "fills", "marks")
"""The parts of a scene that are on cells."""
_BOARD = (*ON_CELLS, "captions", "score")
_TRACKS = (*_BOARD, "turn", "names", "off", "unplayed")


class SceneTracks:
    """A packer of steps into tracks. The start is step 0.

    Keys are numbers: of cells in the ground, of seats at the table, and of captions in the order in which
    they first appear.
    """

    def __init__(self, ground: BoardLayout, seats: tuple[str, ...], stock: PieceTable) -> None:
        self._stock = stock
        self.cells = Cells((cell.id, index) for index, cell in enumerate(ground.cells))
        self._seats = {seat: index for index, seat in enumerate(seats)}
        self._slots: dict[tuple[str, str | None], int] = {}
        self._dice: set[str] = set()
        self._tracks = {name: Track() for name in _TRACKS}

    def push(self, step: StepView, name_of: Callable[[str, str], str]) -> None:
        """Add the changes of `step`. `name_of` returns the name to show for a seat and its person."""
        n, tracks, seats = step.n, self._tracks, self._seats
        if step.board is not None:
            self.add_board_change(n, step.board)
        if step.score:
            tracks["score"].step(n, [(seats[seat], points, points) for seat, points in step.score.items()])
        if step.pending is not None:
            value = _turn_data(step.pending)
            tracks["turn"].step(n, [(0, repr(value), value)])
        self.push_names(step, name_of)
        off = step.t - step.clock
        tracks["off"].step(n, [(0, str(off), off)])
        tracks["unplayed"].step(n, [(0, str(step.unplayed), step.unplayed)])

    def push_names(self, step: StepView, name_of: Callable[[str, str], str]) -> None:
        """Add the new people of `step`."""
        if step.table is not None and step.table.names:
            names = (
                (self._seats[seat], name_of(seat, name))
                for seat, name in step.table.names.items()
                if seat in self._seats
            )
            self._tracks["names"].step(step.n, [(seat, name, name) for seat, name in names])

    def add_board_change(self, n: int, board: BoardChange) -> None:
        """Add the changes on the board after event `n`."""
        cells, tracks, number = self.cells, self._tracks, self._stock.number
        if board.pieces:
            laid = sorted((cells[cell], looks) for cell, looks in board.pieces.items())
            contents = [(cell, tuple([number(look) for look in looks])) for cell, looks in laid]
            tracks["pieces"].step(n, [(cell, content, list(content)) for cell, content in contents])
        if board.fills:
            fills = [
                (cells[cell], seat or "", self._seats.get(seat or "")) for cell, seat in board.fills.items()
            ]
            tracks["fills"].step(n, sorted(fills))
        if board.marks:
            marks = sorted((cells[cell], looks or None) for cell, looks in board.marks.items())
            tracks["marks"].step(n, [(cell, looks, looks) for cell, looks in marks])
        if board.captions:
            tracks["captions"].step(n, self._captions(board.captions))

    def _captions(self, captions: Iterable[Caption]) -> Iterable[Change]:
        slots, values = self._slots, dict[int, str]()
        for caption in captions:
            values[slots.setdefault((caption.name, caption.seat), len(slots))] = caption.value
            if caption.dice:
                self._dice.add(caption.name)
        return [(key, value, value) for key, value in sorted(values.items())]

    def board(self, names: Iterable[str], cells_by_event: Sequence[Sequence[int]]) -> dict[str, Any]:
        """Return the tracks `names` as plain data. `cells_by_event` has the cells that each event names."""
        return {
            name: self._tracks[name].plain(len(cells_by_event), cells_by_event if name in ON_CELLS else None)
            for name in names
        }

    def write(self, writer: TableWriter, cells_by_event: Sequence[Sequence[int]]) -> dict[str, Any]:
        """Return all tracks as plain data, and add the table of pieces to `writer`."""
        writer.add("pieces", [_encode(piece).decode() for piece in self._stock.plain()])
        return {
            "slots": [
                [name, self._seats.get(seat or "", -1), int(name in self._dice)] for name, seat in self._slots
            ],
            "tracks": self.board(_TRACKS, cells_by_event),
        }


def _turn_data(pending: Pending) -> dict[str, Any]:
    """Return the seats that may act, the chance that is due, or the end of the game."""
    if pending.outcome:
        return {"winners": list(pending.outcome.winners), "reason": pending.outcome.reason}
    if not pending.chance:
        return {"by": list(pending.by)}
    value: dict[str, Any] = {"chance": pending.chance.by}
    if not all(isinstance(draw, Dice) for draw in pending.chance.draws):
        value["bag"] = True
    if pending.by:
        value["by"] = list(pending.by)
    return value


def add_layout(ground: BoardLayout, writer: TableWriter) -> None:
    """Add the cells and links of `ground` to `writer` as tables."""
    writer.add("cells", [_encode(cell).decode() for cell in _cell_data(ground.cells)])
    writer.add("links", [_encode(link).decode() for link in ground.links])


def painted_words(ground: BoardLayout, locale: Locale) -> list[tuple[str, float, float]]:
    """Return the words beside the cells in a language, each with the place of its middle.

    Places are in widths of a cell, to the right and down from the leftmost and the topmost middle of a cell.
    """
    left, top = (
        min((cell.x for cell in ground.cells), default=0),
        min((cell.y for cell in ground.cells), default=0),
    )
    return [
        (locale.word(word.text), round(word.x - left, 2), round(word.y - top, 2)) for word in ground.words
    ]


def _cell_data(cells: Sequence[Cell]) -> list[dict[str, Any]]:
    """Return cells as plain data. Places are thousandths of a cell's width from the left and upper edge."""
    left, top = min((cell.x for cell in cells), default=0), min((cell.y for cell in cells), default=0)
    out = []
    for cell in cells:
        members = msgspec.to_builtins(cell) | {
            "x": round((cell.x - left) * 1000),
            "y": round((cell.y - top) * 1000),
        }
        out.append(members | {side: round(members[side], 3) for side in ("w", "h") if side in members})
    return out
