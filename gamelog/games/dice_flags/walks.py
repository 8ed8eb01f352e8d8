"""The walks of a soldier in one count on an empty board.

A walk has exactly as many steps as the count and enters no space twice (DF-6, DF-7). Many walks lead
to the same end. For the rules they differ only in the road spaces that they pass, because only a
blockade stops a soldier on its way (DF-13). So one walk is kept for each end and each set of road
spaces. Walks are computed when they are first asked for, and then kept for the board.
"""

from __future__ import annotations

from collections.abc import Iterator

from gamelog.games.dice_flags.board import FLAG, GRID, Board

MAX_COUNT = 6
"""The longest count: the highest face of a die."""

Walk = tuple[int, bytes, bytes]
"""A kept walk: its end, the road spaces that it passes, and all its spaces in order, the end included."""


class WalkTable:
    """The kept walks of one board. `cache` has the walks by count and start that have been asked for."""

    def __init__(self, board: Board) -> None:
        self._board = board
        self.cache: list[list[tuple[Walk, ...] | None]] = [
            [None] * len(board.names) for _ in range(MAX_COUNT + 1)
        ]

    def walks_from(self, count: int, start: int) -> tuple[Walk, ...]:
        """Return the kept walks of `count` steps, 1 to 6, from `start`: walks without road spaces first."""
        walks = self.cache[count][start]
        if walks is None:
            walks = self.cache[count][start] = self._find(count, start)
        return walks

    def _find(self, count: int, start: int) -> tuple[Walk, ...]:
        kinds = self._board.kinds
        kept: dict[tuple[int, bytes], Walk] = {}
        for path in walks(self._board, count, start, b""):
            roads = bytes(sorted(at for at in path[:-1] if kinds[at] != GRID))
            kept.setdefault((path[-1], roads), (path[-1], roads, path))
        return tuple(sorted(kept.values(), key=lambda walk: len(walk[1])))


def walks(board: Board, count: int, start: int, barred: bytes) -> Iterator[bytes]:
    """Yield all walks of `count` steps from `start` that enter no space twice and no space of `barred`.

    Flag squares are entered only at the end (DF-A13). Blockades are not considered.

    Args:
        board: The board.
        count: The number of steps, at least 1.
        start: The space where the walk begins. A walk does not contain it.
        barred: Spaces that a walk may not enter, one byte each.
    """
    neighbours, kinds = board.neighbours, board.kinds
    ahead = [bytes([start])]
    while ahead:
        path = ahead.pop()
        last = len(path) == count
        for there in neighbours[path[-1]]:
            if there in path or there in barred:
                continue
            if last:
                yield path[1:] + bytes([there])
            elif kinds[there] != FLAG:
                ahead.append(path + bytes([there]))


_walk_tables: dict[str, WalkTable] = {}


def walk_table_of(board: Board) -> WalkTable:
    """Return the cached walks of `board`, shared by all games on that board."""
    table = _walk_tables.get(board.key)
    if table is None:
        table = _walk_tables[board.key] = WalkTable(board)
    return table
