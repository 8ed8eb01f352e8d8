"""The game up to now in the format of a replay page, for one viewer at the table."""

from __future__ import annotations

from typing import Any

import msgspec
from gamelog_reports import packed
from gamelog_reports.replay_page.page_data import page_data
from gamelog_reports.replay_page.shown_record import ShownRecord

from gamelog.play.judging.fold_record import FoldedRecord
from gamelog.play.view.record_view import RecordView


def packed_game(view: RecordView, folded: FoldedRecord, language: str) -> dict[str, Any]:
    """Return the stage and the data of the page of `folded`, which contains everything that `view` knows.

    The facts about the last event are only for the table's page.
    """
    stage, data = page_data(ShownRecord(folded, view.viewer), language)
    known = msgspec.json.encode(stage)
    return {
        "stage": packed.embedded_text(known),
        "page_data": packed.embedded_text(msgspec.json.encode(data), known),
        "game": view.game.title,
        "started": view.header.started,
        "takebacks": view.header.takebacks,
        "rolls": view.header.rolls or "scorer",
        "dice": view.header.dice.source,
        "running": view.is_running,
        "unplayed": view.idle_time(view.last_number),
        "declared": view.is_declared,
        "pending": msgspec.to_builtins(view.current.pending),
    }
