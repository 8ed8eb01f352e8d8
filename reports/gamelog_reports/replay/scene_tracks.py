"""Scenes, points, turns and names of a whole game, as tracks of what changes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from operator import ne
from typing import Any

import msgspec

from gamelog.chance.draws import Dice
from gamelog.play.contract.game import Pending
from gamelog.play.contract.scene import BoardLayout, Caption, Cell, Cells, Mark, Piece, Scene
from gamelog_reports.replay.columns import Writer
from gamelog_reports.replay.tracks import Change, Track

_encode = msgspec.json.Encoder().encode

Marks = dict[int, tuple[tuple[str, str], ...]]
"""Of each marked cell, kind and text of its marks."""


class Stock:
    """The different pieces of a game, numbered as they appear."""

    def __init__(self, seats: Sequence[str]) -> None:
        self._seats = {seat: at for at, seat in enumerate(seats)}
        self._numbers: dict[tuple[Any, ...], int] = {}

    def number(self, piece: Piece) -> int:
        """Its number; pieces that differ only in where they are have the same."""
        look = (piece.kind, piece.seat, piece.text, piece.hidden, piece.id)
        return self._numbers.setdefault(look, len(self._numbers))

    def plain(self) -> list[list[Any]]:
        """Kind, seat, text, whether it is hidden, and id of each."""
        return [
            [kind, self._seats.get(seat or "", -1), text, int(hidden), id]
            for kind, seat, text, hidden, id in self._numbers
        ]


ON_CELLS = ("pieces", "fills", "marks")
BOARD = (*ON_CELLS, "captions", "score")
TRACKS = (*BOARD, "turn", "names", "off")


class SceneTracks:
    """Turns what is seen after each event into tracks; the start comes first, as event 0.

    Cells, seats and captions go by their number: in the ground, round the table, and in the
    order in which captions first appear.
    """

    def __init__(self, ground: BoardLayout, seats: tuple[str, ...], stock: Stock) -> None:
        self.ground = ground
        self._stock = stock
        self.cells = Cells((cell.id, at) for at, cell in enumerate(ground.cells))
        self._seats = {seat: at for at, seat in enumerate(seats)}
        self._slots: dict[tuple[str, str | None], int] = {}
        self._dice: set[str] = set()
        self._tracks = {name: Track() for name in TRACKS}
        self._scene = Scene(ground)
        self._marked: Marks = {}
        self._pending: Pending | None = None

    def paint(self, n: int, scene: Scene, score: dict[str, int]) -> None:
        """The position after event `n`, and each seat's points; not asked for if the board is as before."""
        before, self._scene = self._scene, scene
        self._tracks["pieces"].step(n, self._lay(before.pieces, scene.pieces))
        if scene.fills != before.fills:
            self._tracks["fills"].step(n, self._fill(dict(before.fills), dict(scene.fills)))
        if scene.marks != before.marks:
            self._tracks["marks"].step(n, self._mark(scene.marks))
        if scene.captions != before.captions:
            self._tracks["captions"].step(n, self._caption(scene.captions))
        self._tracks["score"].step(n, [(self._seats[seat], points, points) for seat, points in score.items()])

    def _lay(self, before: Sequence[Piece], pieces: Sequence[Piece]) -> Iterable[Change]:
        """The contents of cells that may have changed: the pieces from the first to the last that differ."""
        shorter = min(len(before), len(pieces))
        first = _alike(before, pieces, shorter)
        last = _alike(reversed(before), reversed(pieces), shorter - first)
        touched = {piece.at for some in (before, pieces) for piece in some[first : len(some) - last]}
        if not touched:
            return ()
        laid: dict[str, list[int]] = {at: [] for at in touched}
        for piece in pieces:
            if piece.at in touched:
                laid[piece.at].append(self._stock.number(piece))
        return sorted((self.cells[at], tuple(content), content) for at, content in laid.items())

    def _fill(self, before: dict[str, str], filled: dict[str, str]) -> Iterable[Change]:
        cells, seats = self.cells, self._seats
        changes: list[Change] = [
            (cells[at], seat, seats.get(seat)) for at, seat in filled.items() if before.get(at) != seat
        ]
        return sorted(changes + [(cells[at], "", None) for at in before if at not in filled])

    def _mark(self, marks: Iterable[Mark]) -> Iterable[Change]:
        before, marked = self._marked, Marks()
        for mark in marks:
            at = self.cells[mark.at]
            marked[at] = (*marked.get(at, ()), (mark.kind, mark.text))
        self._marked = marked
        return [(at, marked.get(at), marked.get(at)) for at in sorted({*marked, *before})]

    def _caption(self, captions: Iterable[Caption]) -> Iterable[Change]:
        slots = self._slots
        values: dict[int, str] = dict.fromkeys(slots.values(), "")
        for caption in captions:
            values[slots.setdefault((caption.name, caption.seat), len(slots))] = caption.value
            if caption.dice:
                self._dice.add(caption.name)
        return [(key, value, value) for key, value in sorted(values.items())]

    def turn(self, n: int, pending: Pending) -> None:
        """Who may act after event `n`, which chance is owed, or how the game ended."""
        if pending is self._pending:
            return
        self._pending = pending
        if pending.outcome:
            value: dict[str, Any] = {
                "winners": list(pending.outcome.winners),
                "reason": pending.outcome.reason,
            }
        elif pending.chance:
            value = {"chance": pending.chance.by}
            if not all(isinstance(draw, Dice) for draw in pending.chance.draws):
                value["bag"] = True
            if pending.by:
                value["by"] = list(pending.by)
        else:
            value = {"by": list(pending.by)}
        self._tracks["turn"].step(n, [(0, repr(value), value)])

    def clock(self, n: int, off: int) -> None:
        """By how many ms the time of play is less than the time since the start, at event `n`."""
        self._tracks["off"].step(n, [(0, str(off), off)])

    def names(self, n: int, name: dict[str, str]) -> None:
        """Who sits where after event `n`."""
        self._tracks["names"].step(n, [(self._seats[seat], person, person) for seat, person in name.items()])

    def board(self, names: Iterable[str], near: Sequence[Sequence[int]]) -> dict[str, Any]:
        """The tracks `names` as plain data; ``near`` are the cells each event names, from the start on."""
        return {
            name: self._tracks[name].plain(len(near), near if name in ON_CELLS else None) for name in names
        }

    def write(self, writer: Writer, near: Sequence[Sequence[int]]) -> dict[str, Any]:
        """Everything that changes as plain data, tables of lines by way of `writer`."""
        writer.add("pieces", [_encode(piece).decode() for piece in self._stock.plain()])
        return {
            "slots": [
                [name, self._seats.get(seat or "", -1), int(name in self._dice)] for name, seat in self._slots
            ],
            "tracks": self.board(TRACKS, near),
        }


def lay_out(ground: BoardLayout, writer: Writer) -> None:
    """The cells and links of `ground` as tables of `writer`."""
    writer.add("cells", [_encode(cell).decode() for cell in _placed(ground.cells)])
    writer.add("links", [_encode(link).decode() for link in ground.links])


def painted_words(ground: BoardLayout) -> list[tuple[str, float, float]]:
    """The words of `ground` with their places, measured as those of the cells are."""
    left, top = (
        min((cell.x for cell in ground.cells), default=0),
        min((cell.y for cell in ground.cells), default=0),
    )
    return [(word.text, round(word.x - left, 2), round(word.y - top, 2)) for word in ground.words]


def _alike(one: Iterable[Piece], other: Iterable[Piece], most: int) -> int:
    """How many pieces at the beginning of both are the same, at most so many."""
    return min(next((at for at, differ in enumerate(map(ne, one, other)) if differ), most), most)


def _placed(cells: Sequence[Cell]) -> list[dict[str, Any]]:
    """Cells as plain data, their places in thousandths of a cell's width from the left and upper edge."""
    left, top = min((cell.x for cell in cells), default=0), min((cell.y for cell in cells), default=0)
    out = []
    for cell in cells:
        plain = msgspec.to_builtins(cell) | {
            "x": round((cell.x - left) * 1000),
            "y": round((cell.y - top) * 1000),
        }
        out.append(plain | {side: round(plain[side], 3) for side in ("w", "h") if side in plain})
    return out
