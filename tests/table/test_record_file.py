"""Tests that only links to which a record hides nothing can save its file."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from gamelog_table.access.links import Grant

import gamelog
from gamelog.play.judging.fold_record import fold_record
from gamelog.play.view.record_view import RecordView
from gamelog.play.visibility.viewer import WHOLE_TABLE, Viewer
from gamelog.record.reading import read_record
from tests.samples.__main__ import DIRECTORY
from tests.table.client import Client, Serving, serve_in_thread

FINISHED = sorted(
    path
    for path in DIRECTORY.glob("*/*.jsonl")
    if path.stat().st_size < 60_000 and (fold := fold_record(read_record(path)).fold) and fold.outcome
)


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, Serving]]:
    """A server of a record that the tests replace."""
    path = tmp_path_factory.mktemp("served") / "evening.jsonl"
    path.write_bytes((DIRECTORY / "slicewars/short.jsonl").read_bytes())
    with serve_in_thread(path) as serving:
        yield path, serving


@pytest.mark.grid(keeps=("slicewars/short", "zone_s/short"))
@pytest.mark.parametrize("path", FINISHED, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_after_the_game_the_file_is_for_viewers_who_have_seen_everything(
    table: tuple[Path, Serving], path: Path
) -> None:
    served, serving = table
    served.write_bytes(path.read_bytes())
    fold = fold_record(read_record(path)).fold
    assert fold
    assert serving.folder is not None
    seats = fold.header.seat_ids
    tokens = {seat: serving.folder.links.token(Grant("seat", seat, fold.header.id)) for seat in seats}
    clients = [
        *((serving.client(role), WHOLE_TABLE) for role in ("scorer", "arbiter")),
        (serving.spectator, Viewer(seats)),
        *(
            (
                Client({"role": "seat", "seat": seat, "api": serving.scorer.api, "token": token}),
                Viewer((seat,)),
            )
            for seat, token in tokens.items()
        ),
    ]
    for client, viewer in clients:
        view = RecordView(fold, viewer)
        hidden = any(view.state(n) != fold.states[n] for n in range(view.last_number + 1)) or any(
            fold.game.seen(event, fold.states[event.n - 1], seat) != event
            for event in fold.events
            for seat in viewer.seats
            if isinstance(event, fold.game.events)
        )
        answer = client.get("/record")
        assert answer.status == (403 if hidden else 200), viewer
        if hidden:
            assert answer.code == "table.hidden"
        else:
            assert answer.body == path.read_bytes()


def test_a_spectator_of_a_game_without_secrets_waits_for_its_end(tmp_path: Path) -> None:
    path = tmp_path / "evening.jsonl"
    recorder = gamelog.create(path, "slicewars", seats={"red": "Ana", "blue": "Rui"})
    recorder.append({"do": "start_roll", "rolls": {"red": 5, "blue": 2}})
    with serve_in_thread(path) as serving:
        assert (serving.spectator.get("/record").status, serving.spectator.get("/record").code) == (
            403,
            "table.role",
        )
        recorder.append({"do": "@agree", "by": "red", "result": {"winners": ["red"], "reason": "agreed"}})
        recorder.append({"do": "@accept", "by": "blue", "about": 2})
        assert serving.spectator.get("/record").body == path.read_bytes()
