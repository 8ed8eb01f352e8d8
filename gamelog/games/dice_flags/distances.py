"""Distances on a board, and the counts that lead from space to space, for bots."""

from __future__ import annotations

from gamelog.games.dice_flags.board import Board
from gamelog.games.dice_flags.walks import MAX_COUNT, walk_table_of


class BoardDistances:
    """Distances and counts on one empty board, computed when they are first asked for."""

    def __init__(self, board: Board) -> None:
        self._board = board
        self._steps: list[bytes | None] = [None] * len(board.names)
        self._counts: list[bytes | None] = [None] * len(board.names)

    def steps(self, goal: int) -> bytes:
        """Return for each space the number of steps from there to `goal`."""
        steps = self._steps[goal]
        if steps is None:
            far = bytearray([255]) * len(self._board.names)
            far[goal] = 0
            ahead = [goal]
            for at in ahead:  # the loop appends to `ahead`
                for there in self._board.neighbours[at]:
                    if far[there] == 255:
                        far[there] = far[at] + 1
                        ahead.append(there)
            steps = self._steps[goal] = bytes(far)
        return steps

    def counts(self, start: int) -> bytes:
        """Return for each space the counts that lead there from `start`: bit 0 for a one, bit 5 for a six."""
        counts = self._counts[start]
        if counts is None:
            masks = bytearray(len(self._board.names))
            for count in range(1, MAX_COUNT + 1):
                for end, _, _ in walk_table_of(self._board).walks_from(count, start):
                    masks[end] |= 1 << count - 1
            counts = self._counts[start] = bytes(masks)
        return counts


_distances: dict[str, BoardDistances] = {}


def distances_of(board: Board) -> BoardDistances:
    """Return the distances on `board`, kept for all games on it."""
    distances = _distances.get(board.key)
    if distances is None:
        distances = _distances[board.key] = BoardDistances(board)
    return distances
