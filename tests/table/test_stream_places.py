"""Places for live streams: no link can keep other links out."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path

import pytest
from gamelog_table import server

from tests.table.client import serve_in_thread
from tests.table.conftest import FIRST

PLACES = 4


def test_each_link_finds_a_place_if_one_link_has_taken_all(
    record: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "MAX_STREAMS", PLACES)
    with serve_in_thread(record) as table, ExitStack() as open_streams:
        crowd = [open_streams.enter_context(table.spectator.live()) for _ in range(PLACES)]
        assert table.spectator.get("/live").code == "table.full"
        own = [
            open_streams.enter_context(table.client(role, seat).live())
            for role, seat in (("scorer", None), ("arbiter", None), ("seat", "red"))
        ]
        assert [list(stream) for stream in crowd[1:]] == [[], [], []], "the newest streams of the link end"
        assert table.client("seat", "blue").get("/live").code == "table.full"
        assert table.scorer.write(FIRST).status == 201
        assert [next(stream)["data"]["n"] for stream in (crowd[0], *own)] == [1] * PLACES


def test_a_stream_that_ends_frees_its_place(record: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "MAX_STREAMS", 1)
    with serve_in_thread(record) as table:
        for _ in range(3):
            with table.spectator.live():
                assert table.spectator.get("/live").code == "table.full"
            while table.folder and any(one.followers for one in table.folder.open_records):
                pass
