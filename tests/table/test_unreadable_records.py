"""Tests that a record that cannot be read shows its reasons only to links that may see everything."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from gamelog_table.live.followers import NO_DELAY, Delay
from gamelog_table.net.denied import UNREADABLE

from gamelog.play.contract.registry import find
from gamelog.record.chain import chained_line
from gamelog.record.reading import read_record
from tests.table.alike import attempts, pairs, write
from tests.table.client import Client, serve_in_thread

ASKED = ("", "?at=1", "/table", "/choices", "/live", "/record", '/walked?cells=["a1"]')

LINES: dict[str, tuple[bytes, bytes]] = {
    "an event with wrong members": (b'"do":"draw_tile","hidden":7}\n', b'"do":"draw_tile","hidden":11}\n'),
    "an unknown event": (b'"do":"seven"}\n', b'"do":"eleven"}\n'),
    "a line that is not JSON": (b"seven\n", b"eleven\n"),
}
"""Ends of two records that look alike: lines with a valid digest that cannot be read."""


def answers(client: Client, tried: list[dict[str, Any]]) -> Iterator[tuple[str, int, bytes]]:
    """Yield the answers to all requests about a record that cannot be read."""
    for path in ASKED:
        answer = client.get(path)
        yield path, answer.status, answer.body
    for event in tried:
        for path in ("/would", "/events"):
            answer = client.ask("POST", path, event)
            yield f"{path} {event}", answer.status, answer.body


@pytest.mark.parametrize("chained", [True, False])
@pytest.mark.parametrize("kind", LINES)
@pytest.mark.parametrize("delay", [NO_DELAY, Delay(events=3)])
def test_the_reason_is_for_those_who_see_everything(
    tmp_path: Path, kind: str, chained: bool, delay: Delay
) -> None:
    seat, header, *records = next(pairs(find("zone_s"), 1))
    paths = [tmp_path / name / "evening.jsonl" for name in ("one", "other")]
    for path, events in zip(paths, records, strict=True):
        path.parent.mkdir()
        write(path, header, events)
    with serve_in_thread(paths[0]) as table, serve_in_thread(paths[1]) as twin:
        for serving in (table, twin):
            assert serving.folder is not None
            serving.folder.delay = delay
            assert serving.scorer.get().status == 200
        for path, line in zip(paths, LINES[kind], strict=True):
            whole = chained_line(str(read_record(path).head).encode(), line)[0]
            path.write_bytes(
                path.read_bytes() + (whole if chained else whole.replace(b'"h":"', b'"h":"x', 1))
            )
        for role, whose in (("seat", seat), ("spectator", None)):
            clients = [serving.client(role, whose) for serving in (table, twin)]
            tried = attempts(seat, *records)[:4]
            for found, alike in zip(*(list(answers(client, tried)) for client in clients), strict=True):
                assert found == alike, role
                assert found[1] in (403, 503), found
                assert found[1] == 403 or UNREADABLE.encode() in found[2], found
        for client in (table.scorer, table.client("arbiter")):
            assert client.get().code != "table.unreadable"
            assert UNREADABLE not in client.get().json["error"]["message"]
