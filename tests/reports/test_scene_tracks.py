"""Tests that the packed board after every event is the board of the game."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from gamelog_reports.replay_page.page_data import page_data
from gamelog_reports.replay_page.shown_record import ShownRecord

from gamelog.play.judging.fold_record import FoldedRecord, fold_record
from gamelog.play.visibility.viewer import Viewer
from gamelog.record.reading import read_record
from tests.reports.payload import lines, numbers
from tests.reports.toy import folded, game

SAMPLES = Path(__file__).parents[2] / "sample_games"
RECORDS = sorted(SAMPLES.glob("*/short.jsonl")) + sorted(SAMPLES.glob("*/takeback.jsonl"))


def texts(value: Any) -> list[str]:
    return (
        [value]
        if isinstance(value, str)
        else [text for item in value for text in texts(item)]
        if isinstance(value, list)
        else []
    )


def boards(stage: dict[str, Any], data: dict[str, Any], track: str) -> list[dict[str, Any]]:
    """Return the content of each cell after each event, read by the documented format."""
    cells = [json.loads(cell)["id"] for cell in lines(stage, "cells")]
    events = [json.loads("{" + line) for line in lines(data, "lines", stage)]
    effects = [json.loads(line) for line in lines(data, "effects", stage)]
    track_data, now, out = data["tracks"][track], dict[str, Any](), list[dict[str, Any]]()
    keys, values = iter(numbers(track_data["keys"])), iter(numbers(track_data["values"]))
    counting = dict.fromkeys(numbers(track_data["counting"]), 0)
    for n, count in enumerate(numbers(track_data["counts"])):
        things = [events[n - 1], *effects[n - 1]] if n else []
        told = [
            value
            for thing in things
            for name, value in thing.items()
            if name not in ("do", "effect", "by", "text", "reason")
        ]
        near = list(dict.fromkeys(cells.index(text) for text in texts(told) if text in cells))
        for _ in range(count):
            code, value = next(keys), next(values)
            key = near[code] if code < 8 else code - 8
            if key in counting:
                counting[key] += -(value + 1) // 2 if value & 1 else value // 2
            now[cells[key]] = counting[key] if key in counting else track_data["table"][value]
        out.append({cell: what for cell, what in now.items() if what not in (None, [])})
    return out


def check(judged: FoldedRecord, seat: str | None) -> None:
    fold = judged.fold
    assert fold
    stage, data = page_data(ShownRecord(judged, Viewer.of(seat)))
    stock = [json.loads(piece) for piece in lines(data, "pieces", stage)]
    pieces, fills, marks = (boards(stage, data, track) for track in ("pieces", "fills", "marks"))
    seats = {name: at for at, name in enumerate(fold.header.seat_ids)}
    for n, state in enumerate(fold.states):
        scene = fold.game.scene(state, seat)
        laid: dict[str, list[Any]] = {}
        for piece in scene.pieces:
            look = [piece.kind, seats.get(piece.seat or "", -1), piece.text, int(piece.hidden), piece.id]
            laid.setdefault(piece.at, []).append(look)
        assert {cell: [stock[at] for at in content] for cell, content in pieces[n].items()} == laid
        assert fills[n] == {cell: seats[owner] for cell, owner in scene.fills}
        assert set(marks[n]) == {mark.at for mark in scene.marks}


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_the_board_after_every_event_is_the_games_board(path: Path) -> None:
    judged = fold_record(read_record(path))
    assert judged.record.header
    for seat in (None, judged.record.header.seat_ids[0]):
        check(judged, seat)


def test_the_board_of_a_game_with_all_features() -> None:
    for seat in (None, "red", "N"):
        check(folded(game()), seat)
