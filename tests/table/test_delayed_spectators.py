"""A spectator who is kept behind is answered as if the record ended where his knowledge ends."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from gamelog_table.followers import Delay

from gamelog.play.fold import common
from gamelog.play.judging.replay import replay
from gamelog.play.recording.recorder import EventRecorder
from gamelog.record.reading import parse_record, read_record
from tests.samples.__main__ import DIRECTORY
from tests.table.client import Client, Serving, served

TURNS = (
    common.Agree,
    common.Amend,
    common.Claim,
    common.Clock,
    common.Gap,
    common.Ruling,
    common.Substitute,
    common.Takeback,
)
"""Events that change what is said of earlier ones."""


def _running(path: Path) -> list[bytes]:
    """The lines of the record at `path`, the header's first, as long as its game is not over."""
    lines = path.read_bytes().splitlines(keepends=True)
    while len(lines) > 1:
        replayed = replay(parse_record(b"".join(lines), "running"))
        if replayed.fold and replayed.fold.n == len(lines) - 1 and replayed.fold.outcome is None:
            break
        lines.pop()
    return lines


def _moments(lines: list[bytes]) -> list[int]:
    """Events at which a spectator stands: before and behind each that says something of others, and a few more."""
    events = replay(parse_record(b"".join(lines), "moments")).events
    turns = [event.n for event in events if isinstance(event, TURNS)]
    near = {n for turn in turns[:6] + turns[-6:] for n in (turn - 1, turn, turn + 1)}
    return sorted(n for n in near | {0, 1, len(events) // 3, len(events) - 1} if 0 <= n < len(events))


def _answers(spectator: Client, m: int) -> Iterator[tuple[str, Any]]:
    """What a spectator is told by each address, asked about several events."""
    at = [f"?at={n}" for n in sorted({0, max(m - 1, 0), m})]
    asked = [
        *at,
        *(f"/picture{one}" for one in at),
        "/picture",
        "",
        "/table",
        "/choices",
        "/list",
        "/list?to=1",
    ]
    for path in (*asked, "/sheet?at=1", "/walked?cells=[]", "/record", f"?at={m + 1}", f"/sheet?at={m + 1}"):
        answer = spectator.get(path)
        told: Any = answer.body
        if answer.headers["content-type"] == "application/json":
            told = answer.json
        if path == "/choices":
            assert told["clock"].pop("runs") in (False, True)  # nobody runs for who is behind
            told["clock"].pop("since")
        yield path, (answer.status, told)
    if m:
        with spectator.live(m) as events:
            yield f"live {m}", next(events)


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, Serving, Path, Serving]]:
    """Two servers of one record: one knows all of it, one what the other shows."""
    whole, short = (tmp_path_factory.mktemp(name) / "evening.jsonl" for name in ("whole", "short"))
    for path in (whole, short):
        path.write_bytes((DIRECTORY / "slicewars/short.jsonl").read_bytes())
    with served(whole) as knowing, served(short) as ignorant:
        yield whole, knowing, short, ignorant


SAMPLES = sorted(
    path
    for path in DIRECTORY.glob("*/*.jsonl")
    if replay(read_record(path)).fold and path.stat().st_size < 100_000
)


@pytest.mark.grid(keeps=("slicewars/takeback", "slicewars/ruled", "zone_s/takeback"))
@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_who_is_behind_is_told_what_a_record_that_ends_there_tells(
    pair: tuple[Path, Serving, Path, Serving], path: Path
) -> None:
    whole, knowing, short, ignorant = pair
    lines = _running(path)
    whole.write_bytes(b"".join(lines))
    assert knowing.folder is not None
    for m in _moments(lines):
        short.write_bytes(b"".join(lines[: m + 1]))
        knowing.folder.delay = Delay(events=len(lines) - 1 - m)
        expected = dict(_answers(ignorant.spectator, m))
        assert dict(_answers(knowing.spectator, m)) == expected, m


def test_an_open_offer_and_the_present_are_not_told(tmp_path: Path) -> None:
    path = tmp_path / "evening.jsonl"
    path.write_bytes(b"".join(_running(DIRECTORY / "slicewars/takeback.jsonl")))
    recorder = EventRecorder(path)
    recorder.append([{"do": "@agree", "by": "red", "result": {"winners": ["red"], "reason": "secret deal"}}])
    with served(path) as serving:
        assert serving.folder is not None
        serving.folder.delay = Delay(events=20)
        told = serving.spectator.get("/choices")
        assert told.json["n"] == recorder.n - 20
        assert told.json["offers"] == []
        assert b"secret deal" not in told.body
        assert b"secret deal" in serving.scorer.get("/choices").body
