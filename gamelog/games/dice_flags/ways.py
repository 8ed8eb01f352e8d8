"""Ways: where a soldier can come in a count, the board being empty but for what he must not enter.

A way is a walk of exactly so many steps that enters no space twice (DF-6, DF-7). Many ways lead
to the same end; they differ for the rules only by the road spaces they pass, because nothing but
a blockade stops a soldier on his way (DF-13). So of all ways with the same end over the same road
spaces one is kept. They are found when they are first asked for and then known for the board.
"""

from __future__ import annotations

from collections.abc import Iterator

from gamelog.games.dice_flags.board import FLAG, GRID, Board

LONGEST = 6
"""The longest count: the highest face of a die."""

Way = tuple[int, bytes, bytes]
"""Where it ends, the road spaces it passes on the way there, and all its spaces in order, the end included.
"""


class Ways:
    """The ways of one board; `known` holds by count and start those that have been asked for."""

    def __init__(self, board: Board) -> None:
        self._board = board
        self.known: list[list[tuple[Way, ...] | None]] = [
            [None] * len(board.names) for _ in range(LONGEST + 1)
        ]

    def of(self, count: int, start: int) -> tuple[Way, ...]:
        """The ways of `count` steps, 1 to 6, from space `start`: those over no road first."""
        found = self.known[count][start]
        if found is None:
            found = self.known[count][start] = self._find(count, start)
        return found

    def _find(self, count: int, start: int) -> tuple[Way, ...]:
        kinds = self._board.kinds
        kept: dict[tuple[int, bytes], Way] = {}
        for path in walks(self._board, count, start, b""):
            roads = bytes(sorted(at for at in path[:-1] if kinds[at] != GRID))
            kept.setdefault((path[-1], roads), (path[-1], roads, path))
        return tuple(sorted(kept.values(), key=lambda way: len(way[1])))


def walks(board: Board, count: int, start: int, barred: bytes) -> Iterator[bytes]:
    """All walks of `count` steps from `start` that enter no space twice, and none of `barred`.

    Flag squares are entered at the end only (DF-A13); blockades are not looked at.
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


_ways: dict[str, Ways] = {}


def ways_of(board: Board) -> Ways:
    """The ways of `board`, kept for all games on it."""
    found = _ways.get(board.key)
    if found is None:
        found = _ways[board.key] = Ways(board)
    return found
