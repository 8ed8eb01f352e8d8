"""What each seat sees of a game that hides things from it, beside the whole: a page can then show either."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from gamelog.play.contract.game import AnyGame
from gamelog.play.contract.scene import BoardLayout
from gamelog.play.fold.fold import Fold
from gamelog.play.telling.seeing import seen_data, seen_in, told_as
from gamelog.record.envelope import Event
from gamelog_reports.replay.scene_tracks import ON_CELLS, SceneTracks, Stock
from gamelog_reports.replay.tracks import Track

_encode = msgspec.json.Encoder(order="deterministic").encode


class Views:
    """For every seat the board as that seat sees it, as long as that is not all there is to see.

    While nothing is hidden from a seat its tracks stand still; the track ``hidden`` says when
    that is, and the page shows the whole then. The track ``masked`` has the phrase by which an event is told
    that the seat does not see whole, and the members that it sees otherwise. Points and captions are not told
    apart.
    """

    def __init__(self, game: AnyGame, ground: BoardLayout, seats: tuple[str, ...], stock: Stock) -> None:
        self._game = game
        self._ground = ground
        self._seats = seats
        self._stock = stock
        self._views: dict[str, tuple[SceneTracks, Track, Track]] = {}

    def look(self, n: int, state: Any) -> None:
        """The position after event `n`; the start comes first, as event 0."""
        for seat in self._seats:
            seen = self._game.observe(state, seat)
            less = not (seen is state or seen == state)
            if less or seat in self._views:
                painter, hidden, _ = self._view(seat)
                hidden.step(n, [(0, less, int(less))])
                if less:
                    painter.paint(n, self._game.scene(seen, seat), {})

    def hear(self, fold: Fold, event: Event) -> None:
        """What each seat is told of `event`, where that is not all of it."""
        for seat in self._seats:
            seen = seen_in(fold, event, seat)
            told: dict[str, Any] | None = None
            if seen is not event:
                whole = msgspec.to_builtins(event)
                other = {
                    name: value
                    for name, value in seen_data(event, seen).items()
                    if name in whole and value != whole[name] and name != "do"
                }
                told = {**other, "phrase": told_as(fold.game, event, seen)}
            if told or seat in self._views:
                self._view(seat)[2].step(event.n, [(0, _encode(told), told)])

    def _view(self, seat: str) -> tuple[SceneTracks, Track, Track]:
        """The view of `seat`, which begins where something is hidden from it for the first time."""
        if seat not in self._views:
            self._views[seat] = SceneTracks(self._ground, self._seats, self._stock), Track(), Track()
        return self._views[seat]

    def plain(self, near: Sequence[Sequence[int]]) -> dict[str, Any]:
        """By seat the tracks of what it sees, empty where nothing was ever hidden;
        ``near`` as in `SceneTracks.board`.
        """
        views = [(seat, *self._view(seat)) for seat in self._seats] if self._views else []
        return {
            seat: {
                "hidden": hidden.plain(len(near)),
                "masked": masked.plain(len(near)),
                **painter.board(ON_CELLS, near),
            }
            for seat, painter, hidden, masked in views
        }
