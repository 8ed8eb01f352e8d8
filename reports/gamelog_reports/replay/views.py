"""What each seat sees of a game that hides things from it, beside the whole: a page can then show either."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gamelog.play.contract.game import AnyGame
from gamelog.play.contract.scene import BoardLayout
from gamelog_reports.replay.scene_tracks import ON_CELLS, SceneTracks, Stock
from gamelog_reports.replay.tracks import Track


class Views:
    """For every seat the board as that seat sees it, as long as that is not all there is to see.

    While nothing is hidden from a seat its tracks stand still; the track ``hidden`` says when
    that is, and the page shows the whole then. Points and captions are not told apart.
    """

    def __init__(self, game: AnyGame, ground: BoardLayout, seats: tuple[str, ...], stock: Stock) -> None:
        self._game = game
        self._ground = ground
        self._seats = seats
        self._stock = stock
        self._views: dict[str, tuple[SceneTracks, Track]] = {}

    def look(self, n: int, state: Any) -> None:
        """The position after event `n`; the start comes first, as event 0."""
        for seat in self._seats:
            seen = self._game.observe(state, seat)
            less = not (seen is state or seen == state)
            if less or seat in self._views:
                painter, hidden = self._view(seat)
                hidden.step(n, [(0, less, int(less))])
                if less:
                    painter.paint(n, self._game.scene(state, seat), {})

    def _view(self, seat: str) -> tuple[SceneTracks, Track]:
        """The view of `seat`, which begins where something is hidden from it for the first time."""
        if seat not in self._views:
            self._views[seat] = SceneTracks(self._ground, self._seats, self._stock), Track()
        return self._views[seat]

    def plain(self, near: Sequence[Sequence[int]]) -> dict[str, Any]:
        """By seat the tracks of what it sees, empty where nothing was ever hidden; ``near`` as in `SceneTracks.board`."""
        views = [(seat, *self._view(seat)) for seat in self._seats] if self._views else []
        return {seat: {"hidden": hidden.plain(len(near)), **painter.board(ON_CELLS, near)} for seat, painter, hidden in views}
