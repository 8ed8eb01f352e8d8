"""What each seat sees of a game that hides things from it, beside the whole: a page can then show either."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from gamelog.play.contract.scene import BoardLayout, Scene
from gamelog.play.view.board_change import board_change
from gamelog.play.view.record_view import RecordView
from gamelog.play.view.step import Fact
from gamelog_reports.replay.scene_tracks import ON_CELLS, PieceTable, SceneTracks
from gamelog_reports.replay.tracks import Track

_encode = msgspec.json.Encoder(order="deterministic").encode


class SeatTracks:
    """The board as the seat of `view` sees it, as long as that is not all there is to see.

    While nothing is hidden from the seat the tracks stand still; the track ``hidden`` says when that is, and
    the page shows the whole then. The track ``masked`` has the phrase by which an event is told that the seat
    does not see whole, and the members that it sees otherwise. Points and captions are left out.
    """

    def __init__(self, view: RecordView, ground: BoardLayout, stock: PieceTable) -> None:
        self.view = view
        self._scene = Scene(ground)
        self._tracks = SceneTracks(ground, view.header.seat_ids, stock)
        self._hidden, self._masked = Track(), Track()
        self.begun = False

    def look(self, n: int) -> None:
        """Add the position after event `n`; the start comes first, as event 0."""
        less = self.view.hides_at(n)
        if not (less or self.begun):
            return
        self.begun = True
        self._hidden.step(n, [(0, less, int(less))])
        if less:
            before, self._scene = self._scene, self.view.scene(n)
            change = board_change(before, self._scene)
            if change is not None:
                self._tracks.draw(n, change)

    def hear(self, n: int, whole: Fact) -> None:
        """Add what the seat is told of event `n`, which is `whole`, if that is not all of it."""
        told: dict[str, Any] | None = None
        if not self.view.sees_whole(n):
            fact, known = self.view.event_fact(n), whole.members
            other = {
                name: value
                for name, value in fact.members.items()
                if name in known and value != known[name] and name != "do"
            }
            told = {**other, "phrase": fact.tag}
        if told or self.begun:
            self.begun = True
            self._masked.step(n, [(0, _encode(told), told)])

    def plain(self, near: Sequence[Sequence[int]]) -> dict[str, Any]:
        """Return the tracks as plain data; ``near`` as in `SceneTracks.board`."""
        return {
            "hidden": self._hidden.plain(len(near)),
            "masked": self._masked.plain(len(near)),
            **self._tracks.board(ON_CELLS, near),
        }
