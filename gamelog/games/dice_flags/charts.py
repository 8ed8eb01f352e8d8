"""What a player can know of a board before the war: how far it is, and which counts lead where."""

from __future__ import annotations

from gamelog.games.dice_flags.board import Board
from gamelog.games.dice_flags.ways import LONGEST, ways_of


class Charts:
    """Distances and counts on one board, found when first asked for. Men in the way do not count."""

    def __init__(self, board: Board) -> None:
        self._board = board
        self._steps: list[bytes | None] = [None] * len(board.names)
        self._counts: list[bytes | None] = [None] * len(board.names)

    def steps(self, goal: int) -> bytes:
        """For each space the number of steps from there to `goal`."""
        found = self._steps[goal]
        if found is None:
            far = bytearray([255]) * len(self._board.names)
            far[goal] = 0
            ahead = [goal]
            for at in ahead:  # grows while it is walked
                for there in self._board.neighbours[at]:
                    if far[there] == 255:
                        far[there] = far[at] + 1
                        ahead.append(there)
            found = self._steps[goal] = bytes(far)
        return found

    def counts(self, start: int) -> bytes:
        """For each space the counts that lead there from `start`: bit 0 for a one, bit 5 for a six."""
        found = self._counts[start]
        if found is None:
            masks = bytearray(len(self._board.names))
            for count in range(1, LONGEST + 1):
                for end, _, _ in ways_of(self._board).of(count, start):
                    masks[end] |= 1 << count - 1
            found = self._counts[start] = bytes(masks)
        return found


_charts: dict[str, Charts] = {}


def charts_of(board: Board) -> Charts:
    """The charts of `board`, kept for all games on it."""
    found = _charts.get(board.key)
    if found is None:
        found = _charts[board.key] = Charts(board)
    return found
