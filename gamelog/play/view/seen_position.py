"""A position as a viewer sees it, with each part computed when it is needed."""

from __future__ import annotations

from typing import Any

from gamelog.play.contract.game import Pending
from gamelog.play.contract.scene import Scene
from gamelog.play.fold.fold import Fold
from gamelog.play.view.board_change import board_change
from gamelog.play.view.step import BoardChange
from gamelog.play.visibility.viewer import Viewer, observe_as, pending_for


class SeenPosition:
    """A position as a viewer sees it. Each part is computed on first use."""

    __slots__ = (
        "_before",
        "_fold",
        "_n",
        "_pending",
        "_scene",
        "_score",
        "_viewer",
        "state",
        "visible_state",
    )

    def __init__(self, fold: Fold, n: int, viewer: Viewer, before: SeenPosition | None) -> None:
        """Prepare the position after an event.

        Args:
            fold: The fold of the record.
            n: The number of the event, up to the last one of the fold; 0 is the start.
            viewer: The viewer.
            before: The position before the event, or None. If the state is the same, unchanged
                parts come from it.
        """
        self._fold, self._n, self._viewer = fold, n, viewer
        self.state = state = fold.states[n]
        self._before = before if before is not None and before.state is state else None
        self._scene: Scene | None = None
        self._score: dict[str, int] | None = None
        self._pending: Pending | None = None
        if self._before:
            self.visible_state: Any = self._before.visible_state
        else:
            self.visible_state = (
                observe_as(fold.game, state, viewer) if viewer.seats and fold.game.hides else state
            )

    @property
    def scene(self) -> Scene:
        """The scene of the position."""
        if self._scene is None:
            before, self._before = self._before, None
            self._scene = (
                before.scene if before else self._fold.game.scene(self.visible_state, self._viewer.seat)
            )
        return self._scene

    @property
    def score(self) -> dict[str, int]:
        """The points, with the penalties at that time."""
        if self._score is None:
            self._score = self.visible_score(self._fold.score_at(self._n))
        return self._score

    def visible_score(self, score: dict[str, int]) -> dict[str, int]:
        """Return `score`, the points in the position with penalties, as far as the viewer can know them."""
        if self.visible_state is self.state:
            return score
        game = self._fold.game
        full, visible = game.score(self.state), game.score(self.visible_state)
        return {name: points - full.get(name, 0) + visible.get(name, 0) for name, points in score.items()}

    @property
    def pending(self) -> Pending:
        """The next possible events, or the outcome."""
        if self._pending is None:
            fold = self._fold
            self._pending = pending_for(fold.game, self.state, fold.pending_at(self._n), self.visible_state)
        return self._pending

    def changes_since(
        self, before: SeenPosition
    ) -> tuple[BoardChange | None, dict[str, int] | None, Pending | None]:
        """Return the changed board, points and next possible events since `before`, or None for each."""
        if self is before:
            return None, None, None
        board, was = board_change(before.scene, self.scene), before.score
        score = {seat: points for seat, points in self.score.items() if was.get(seat) != points}
        return board, score or None, self.pending if self.pending != before.pending else None
