"""The view of each seat in a game with hidden information, for pages that can show it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from gamelog.play.contract.scene import BoardLayout, Scene
from gamelog.play.view.board_change import board_change
from gamelog.play.view.record_view import RecordView
from gamelog.play.view.step import Fact
from gamelog_reports.replay_page.scene_tracks import ON_CELLS, PieceTable, SceneTracks
from gamelog_reports.replay_page.tracks import Track

_encode = msgspec.json.Encoder(order="deterministic").encode


class SeatTracks:
    """The board as the seat of `view` sees it, while something is hidden from the seat.

    The track ``hidden`` has the events at which this begins and ends. While nothing is hidden, the tracks
    have no changes and the page shows the whole board. For an event that the seat does not see completely,
    the track ``masked`` has the phrase and the members that the seat sees instead. Points and captions are
    left out.
    """

    def __init__(self, view: RecordView, ground: BoardLayout, stock: PieceTable) -> None:
        self.view = view
        self._scene = Scene(ground)
        self._tracks = SceneTracks(ground, view.header.seat_ids, stock)
        self._hidden, self._masked = Track(), Track()
        self.begun = False

    def add_position(self, n: int) -> None:
        """Add the position after event `n`. The start is event 0."""
        less = self.view.hides_at(n)
        if not (less or self.begun):
            return
        self.begun = True
        self._hidden.step(n, [(0, less, int(less))])
        if less:
            before, self._scene = self._scene, self.view.scene(n)
            change = board_change(before, self._scene)
            if change is not None:
                self._tracks.add_board_change(n, change)

    def add_event(self, n: int, full_fact: Fact) -> None:
        """Add the description of event `n` for the seat, if the seat does not see all of `full_fact`.

        Sentences of common events name no member that can be hidden, so the tag is enough for these.
        """
        mask: dict[str, Any] | None = None
        fact = full_fact if self.view.sees_whole(n) else self.view.event_fact(n)
        if fact is not full_fact and not (fact.tag == full_fact.tag and fact.tag.startswith("@")):
            members = full_fact.members
            changed = {
                name: value
                for name, value in fact.members.items()
                if name in members and value != members[name] and name != "do"
            }
            mask = {**changed, "phrase": fact.tag}
        if mask or self.begun:
            self.begun = True
            self._masked.step(n, [(0, _encode(mask), mask)])

    def plain(self, cells_by_event: Sequence[Sequence[int]]) -> dict[str, Any]:
        """Return the tracks as plain data. `cells_by_event` is as in `SceneTracks.board`."""
        return {
            "hidden": self._hidden.plain(len(cells_by_event)),
            "masked": self._masked.plain(len(cells_by_event)),
            **self._tracks.board(ON_CELLS, cells_by_event),
        }
