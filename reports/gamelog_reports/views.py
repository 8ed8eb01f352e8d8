"""What each seat sees of a game that hides things from it, beside the whole: a page can then show either."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gamelog.play.game import AnyGame
from gamelog_reports.painter import ON_CELLS, Painter, Stock
from gamelog_reports.track import Track


class Views:
    """For every seat the board as that seat sees it, as long as that is not all there is to see.

    While nothing is hidden from a seat its tracks stand still; the track ``hidden`` says when
    that is, and the page shows the whole then. Points and captions are not told apart.
    """

    def __init__(self, game: AnyGame, state: Any, seats: tuple[str, ...], stock: Stock) -> None:
        self._game = game
        self._views = {seat: (Painter(game.scene(state, seat).ground, seats, stock), Track()) for seat in seats}
        self._hidden = False

    def look(self, state: Any) -> None:
        """The position after an event; the start comes first, as event 0."""
        for seat, (painter, hidden) in self._views.items():
            seen = self._game.observe(state, seat)
            less = not (seen is state or seen == state)
            hidden.step([(0, less, int(less))])
            if less:
                self._hidden = True
                painter.paint(self._game.scene(state, seat), {})
            else:
                painter.still()

    def plain(self, near: Sequence[Sequence[int]]) -> dict[str, Any]:
        """By seat the tracks of what it sees, empty where nothing was ever hidden; ``near`` as in `Painter.board`."""
        if not self._hidden:
            return {}
        return {
            seat: {"hidden": hidden.plain(), **painter.board(ON_CELLS, near)} for seat, (painter, hidden) in self._views.items()
        }
