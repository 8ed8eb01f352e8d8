"""Tests that an anonymous pack has the same play and verdicts, with pseudonyms and nothing else about people."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from gamelog_cli.app import app
from gamelog_reports.report.source import People
from msgspec import structs
from typer.testing import CliRunner

from gamelog.archive import Pack, Packing, Pseudonyms, Reader, index, pack, unpack
from gamelog.archive.packing.pseudonyms import anonymise
from gamelog.errors import NotReadable
from gamelog.play.contract.registry import find
from gamelog.play.fold import common
from gamelog.play.judging.replay import replay
from gamelog.play.judging.verdict import Verdict, verdict
from gamelog.play.recording.header import new_header
from gamelog.record import chain
from gamelog.record.envelope import Seat
from gamelog.record.reading import parse_record, read_record

from .conftest import Table, write

SAMPLES = sorted((Path(__file__).parents[2] / "sample_games").rglob("*.jsonl"))
OWN_TEXTS = ("own-board", "roster", "ended-passes")
"""Samples with a board or roster that people made. Its title is removed, which changes the digest of the play."""

RED_WINS = [("left", 6, 1), ("right", 2, 2), ("right", 5, 4)]
Ask = Callable[..., list[tuple[Any, ...]]]


def verdict_of(data: bytes) -> Verdict:
    return verdict(replay(parse_record(data)))


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_every_sample_is_the_same_play_without_its_people(path: Path) -> None:
    record = read_record(path)
    data = anonymise(record, Pseudonyms([record.head]))
    before = verdict(replay(record))
    if path.stem in ("bit-flipped", "torn", "reordered", "spliced"):
        assert data is None
        return
    assert data is not None
    assert record.header
    after = verdict_of(data)
    if path.stem != "signed-forged":  # the forgery goes with the signature
        assert (after.status, after.outcome) == (before.status, before.outcome)
        if path.stem not in OWN_TEXTS:
            assert after.play == before.play
    bodies = [line[chain.PREFIX :] for line in data.splitlines(keepends=True)][1:]
    assert len(bodies) == len(record.bodies)
    for told, stored in zip(bodies, record.bodies, strict=True):
        assert told == stored or b'"do":"@' in told
    said = b"".join((data.splitlines(keepends=True)[0][chain.PREFIX :], *bodies))
    words = {
        word
        for seat in record.header.seats
        if not seat.bot
        for word in (seat.name, seat.id, seat.key)
        if word
    }
    words |= {tag for tag in record.header.tags.values() if len(tag) > 4}  # a round's number stands anywhere
    assert not [word for word in words if re.search(rf"\b{re.escape(word)}\b", said.decode())]


def test_texts_of_people_are_left_out(table: Table) -> None:
    secret = "Zacharias"
    pull = find("tug").events[0]
    people = [Seat("red", secret, id=f"{secret}@club", key=secret), Seat("blue", "Bot 7", bot="random")]
    header = new_header(find("tug"), people, id="x", started="2026-03-01T20:00:00Z", tags={secret: secret})
    told = [
        common.Note(0, 0, "table", secret),
        common.Claim(0, 0, "red", secret, intended={"do": "pull", "at": secret}),
        common.Ruling(0, 0, "arbiter", 2, "refused", secret, secret),
        common.Takeback(0, 0, "red", 0, secret),
        common.Amend(0, 0, "table", {secret: secret}, {"red": common.SeatNames(f"{secret} jr.")}),
        common.Substitute(0, 0, "table", "red", secret, f"{secret}@club"),
        common.Recovered(0, 0, "table", 3, secret),
        pull(0, 0, "red", "left", id=secret),
    ]
    events = [structs.replace(event, n=n, t=n) for n, event in enumerate(told, 1)]
    data = anonymise(read_record(write(table.folder / "x.jsonl", header, events)), Pseudonyms([]))
    assert data is not None
    assert [line for line in data.decode().splitlines() if secret in line] == []
    assert b"2026-01-01T00:00:00Z" in data
    again = parse_record(data)
    assert again.header
    (name, bot) = (seat.name for seat in again.header.seats)
    assert name == Pseudonyms([]).of(f"{secret}@club")
    assert bot == "random blue", "a person may have typed what a bot was called"
    assert (
        data.count(name.encode()) == 3
    )  # at first, corrected, and when the same person takes the seat again


def test_people_keep_their_pseudonyms_from_game_to_game_and_in_the_report(
    table: Table, tmp_path: Path, archive: Path, ask: Ask
) -> None:
    one, two = (str(UUID(int=number)) for number in (1, 2))
    table(*RED_WINS, id=one, names=("Ana", "Rui"))
    table(*RED_WINS, id=two, names=("Rui", "Eva"))
    out = tmp_path / "a.gamelog.parquet"
    assert pack([table.folder], out, anonymous=True) == Packing(2, 0, out.stat().st_size)
    index([out], archive)
    rows = {(id, seat): player for id, seat, player in ask("SELECT id, seat, player FROM seats")}
    assert rows[one, "blue"] == rows[two, "red"] != rows[one, "red"]
    archive.unlink()
    index([table.folder], archive)
    with Reader(archive) as reader:
        people = People(reader, anonymous=True)
        assert [people.name(name) for name in ("Ana", "Rui", "Eva")] == [
            rows[one, "red"], rows[one, "blue"], rows[two, "blue"],
        ]  # fmt: skip


def test_anonymous_records_are_numbered_and_unreadable_ones_left_out(table: Table, tmp_path: Path) -> None:
    table(*RED_WINS, id="ana against rui")
    torn = table(*RED_WINS, id="torn")
    torn.write_bytes(torn.read_bytes() + b"{")
    out = tmp_path / "a.gamelog.parquet"
    done = CliRunner().invoke(app(["pack"]), ["pack", str(table.folder), "-o", str(out), "--anonymous"])
    assert "1 record in" in done.stdout
    assert "1 record was left out" in done.stdout
    with Pack(out) as records:
        assert list(records.sizes()) == ["1.jsonl"]
    assert unpack(out, tmp_path / "back").records == 1
    assert b"Ana" not in (tmp_path / "back" / "1.jsonl").read_bytes()
    assert b"Ana" not in out.read_bytes()
    with pytest.raises(NotReadable, match="None of these records can be anonymous"):
        pack([torn], tmp_path / "b.gamelog.parquet", anonymous=True)
    assert not (tmp_path / "b.gamelog.parquet").exists()
