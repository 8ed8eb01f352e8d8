"""Scenes, points, turns and names of a whole game, as tracks of what changes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from gamelog.play.game import Pending
from gamelog.play.scene import Cell, Ground, Piece, Scene
from gamelog.play.table import Table
from gamelog_reports.columns import Writer
from gamelog_reports.track import Track

_encode = msgspec.json.Encoder().encode

Marks = dict[int, tuple[tuple[str, str], ...]]
"""Of each marked cell, kind and text of its marks."""

BOARD = ("pieces", "fills", "marks", "captions", "score")
TRACKS = (*BOARD, "turn", "names")


class Painter:
    """Turns what is seen after each event into tracks; the start comes first, as event 0.

    Cells, seats and captions go by their number: in the ground, round the table, and in the
    order in which captions first appear.
    """

    def __init__(self, ground: Ground, seats: tuple[str, ...]) -> None:
        self.ground = ground
        self._cells = {cell.id: at for at, cell in enumerate(ground.cells)}
        self._seats = {seat: at for at, seat in enumerate(seats)}
        self._slots: dict[tuple[str, str | None], int] = {}
        self._tracks = {name: Track() for name in TRACKS}
        self._laid: dict[str, list[Piece]] = {}
        self._filled: dict[str, str] = {}
        self._marked: Marks = {}
        self._pending: Pending | None = None
        self._table: Table | None = None

    def paint(self, scene: Scene, score: dict[str, int]) -> None:
        """The position after an event, and the points of each seat."""
        self._lay(scene.pieces)
        self._fill(dict(scene.fills))
        marked: Marks = {}
        for mark in scene.marks:
            at = self._cells[mark.at]
            marked[at] = (*marked.get(at, ()), (mark.kind, mark.text))
        self._tracks["marks"].step((at, marked.get(at), marked.get(at)) for at in sorted({*marked, *self._marked}))
        self._marked = marked
        self._caption(scene)
        self._tracks["score"].step((self._seats[seat], points, points) for seat, points in score.items())

    def still(self) -> None:
        """Nothing on the board has changed."""
        for name in BOARD:
            self._tracks[name].step(())

    def _lay(self, pieces: Iterable[Piece]) -> None:
        laid: dict[str, list[Piece]] = {}
        for piece in pieces:
            laid.setdefault(piece.at, []).append(piece)
        old = self._laid
        changed = [at for at, content in laid.items() if old.get(at) != content]
        changed += [at for at in old if at not in laid]
        self._tracks["pieces"].step(sorted(self._content(at, laid.get(at, ())) for at in changed))
        self._laid = laid

    def _content(self, at: str, pieces: Iterable[Piece]) -> tuple[int, str, list[Any]]:
        rows = [[p.kind, self._seats.get(p.seat or "", -1), p.text, int(p.hidden), p.id] for p in pieces]
        return self._cells[at], repr(rows), rows

    def _fill(self, filled: dict[str, str]) -> None:
        cells, seats = self._cells, self._seats
        changes = [(cells[at], seat, seats.get(seat)) for at, seat in filled.items() if self._filled.get(at) != seat]
        changes += [(cells[at], "", None) for at in self._filled if at not in filled]
        self._tracks["fills"].step(sorted(changes))
        self._filled = filled

    def _caption(self, scene: Scene) -> None:
        slots = self._slots
        values: dict[int, str] = dict.fromkeys(slots.values(), "")
        for caption in scene.captions:
            values[slots.setdefault((caption.name, caption.seat), len(slots))] = caption.value
        self._tracks["captions"].step((key, value, value) for key, value in sorted(values.items()))

    def turn(self, pending: Pending) -> None:
        """Who may act, which chance is owed, or how the game ended."""
        if pending is self._pending:
            self._tracks["turn"].step(())
            return
        self._pending = pending
        if pending.outcome:
            value: dict[str, Any] = {"winners": list(pending.outcome.winners), "reason": pending.outcome.reason}
        elif pending.chance:
            value = {"chance": pending.chance.by}
        else:
            value = {"by": list(pending.by)}
        self._tracks["turn"].step([(0, repr(value), value)])

    def names(self, table: Table, name: dict[str, str]) -> None:
        """Who sits where, as `name` has it; asked for again only when `table` is another."""
        changes = () if table is self._table else ((self._seats[seat], person, person) for seat, person in name.items())
        self._tracks["names"].step(changes)
        self._table = table

    def write(self, writer: Writer) -> dict[str, Any]:
        """Everything as plain data, tables of lines by way of `writer`."""
        writer.add("cells", [_encode(cell).decode() for cell in _placed(self.ground.cells)])
        writer.add("links", [_encode(link).decode() for link in self.ground.links])
        tracks = {name: track.plain() for name, track in self._tracks.items()}
        writer.add("contents", [_encode(content).decode() for content in tracks["pieces"].pop("table")])
        return {
            "remark": self.ground.remark,
            "slots": [[name, self._seats.get(seat or "", -1)] for name, seat in self._slots],
            "tracks": tracks,
        }


def _placed(cells: Sequence[Cell]) -> list[dict[str, Any]]:
    """Cells as plain data, their places in thousandths of a cell's width from the left and upper edge."""
    left, top = min((cell.x for cell in cells), default=0), min((cell.y for cell in cells), default=0)
    return [msgspec.to_builtins(cell) | {"x": round((cell.x - left) * 1000), "y": round((cell.y - top) * 1000)} for cell in cells]
