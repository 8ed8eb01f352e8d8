"""Tests that an anonymous pack has the same play and verdicts, with pseudonyms and nothing else about people."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from gamelog_cli.app import app
from msgspec import structs
from typer.testing import CliRunner

from gamelog.archive import Pack, Packing, Pseudonyms, pack, unpack
from gamelog.archive.packing.pseudonyms import anonymise
from gamelog.errors import NotReadable
from gamelog.play.contract.registry import find
from gamelog.play.fold import common_events
from gamelog.play.judging.fold_record import fold_record
from gamelog.play.judging.verdict import Verdict, verdict
from gamelog.play.recording.header import new_header
from gamelog.play.recording.series import simulate_game
from gamelog.record import chain
from gamelog.record.envelope import Parent, Seat
from gamelog.record.reading import Record, parse_record, read_record

from .conftest import EVEN, Table, write

SAMPLES = sorted((Path(__file__).parents[2] / "sample_games").rglob("*.jsonl"))
OWN_TEXTS = ("own-board", "roster", "ended-passes")
"""Samples with a board or roster that people made. Its title is removed, which changes the digest of the play."""

RED_WINS = [("left", 6, 1), ("right", 2, 2), ("right", 5, 4)]
Ask = Callable[..., list[tuple[Any, ...]]]


def verdict_of(data: bytes) -> Verdict:
    return verdict(fold_record(parse_record(data)))


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_every_sample_is_the_same_play_without_its_people(path: Path) -> None:
    record = read_record(path)
    data = anonymise(record, Pseudonyms())
    before = verdict(fold_record(record))
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
    bodies = [line[chain.PREFIX_BYTES :] for line in data.splitlines(keepends=True)][1:]
    assert len(bodies) == len(record.bodies)
    for told, stored in zip(bodies, record.bodies, strict=True):
        assert told == stored or b'"do":"@' in told
    said = b"".join((data.splitlines(keepends=True)[0][chain.PREFIX_BYTES :], *bodies))
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
        common_events.Note(0, 0, "table", secret),
        common_events.Claim(0, 0, "red", secret, intended={"do": "pull", "at": secret}),
        common_events.Ruling(0, 0, "arbiter", 2, "refused", secret, secret),
        common_events.Takeback(0, 0, "red", 0, secret),
        common_events.Amend(
            0, 0, "table", {secret: secret}, {"red": common_events.SeatNames(f"{secret} jr.")}
        ),
        common_events.Substitute(0, 0, "table", "red", secret, f"{secret}@club"),
        common_events.Recovered(0, 0, "table", 3, secret),
        pull(0, 0, "red", "left", id=secret),
    ]
    events = [structs.replace(event, n=n, t=n) for n, event in enumerate(told, 1)]
    naming = Pseudonyms()
    data = anonymise(read_record(write(table.folder / "x.jsonl", header, events)), naming)
    assert data is not None
    assert [line for line in data.decode().splitlines() if secret in line] == []
    assert b"2026-01-01T00:00:00Z" in data
    again = parse_record(data)
    assert again.header
    (name, bot) = (seat.name for seat in again.header.seats)
    assert name == naming.pseudonym_of(f"id:{secret}@club")
    assert bot == "random blue", "a person may have typed what a bot was called"
    assert (
        data.count(name.encode()) == 3
    )  # at first, corrected, and when the same person takes the seat again


def anonymous_records(out: Path, folder: Path) -> list[Record]:
    """Return the records of an anonymous pack, which is unpacked into a folder."""
    unpack(out, folder)
    return [read_record(path) for path in sorted(folder.iterdir())]


def seated(records: list[Record]) -> list[tuple[str, ...]]:
    return [tuple(seat.name for seat in record.header.seats) for record in records if record.header]


def test_people_keep_their_pseudonyms_from_game_to_game(table: Table, tmp_path: Path) -> None:
    table(("left", 1, 1), ("right", 1, 1), id="1", names=("Ana", "Rui"))
    table(("left", 2, 2), id="2", names=("Rui", "Eva"))
    out = tmp_path / "a.gamelog.parquet"
    assert pack([table.folder], out, anonymous=True) == Packing(2, 0, out.stat().st_size)
    long, short = sorted(
        anonymous_records(out, tmp_path / "back"), key=lambda record: len(record.bodies), reverse=True
    )
    [(ana, rui), (same, eva)] = seated([long, short])
    assert rui == same
    assert len({ana, rui, eva}) == 3


NAMES = '[people]\n"Ana Sousa" = ["Ana", "A. Sousa", "ana@club"]\n'


@pytest.mark.parametrize("place", ["beside the records", "named"])
def test_names_of_one_person_have_one_pseudonym(table: Table, tmp_path: Path, place: str) -> None:
    table(*RED_WINS, id="1", names=("Ana", "Rui"))
    table(*RED_WINS, id="2", names=("A. SOUSA", "rui"))
    header = table.header("3")
    seats = (Seat("red", "Ana Sousa", id="ana@club"), Seat("blue", "Rui", id="rui@club"))
    write(table.folder / "3.jsonl", structs.replace(header, seats=seats), [])
    file = table.folder / "people.toml" if place == "beside the records" else tmp_path / "names.toml"
    file.write_text(NAMES)
    out = tmp_path / "a.gamelog.parquet"
    given = [] if place == "beside the records" else ["--people", str(file)]
    words = ["pack", str(table.folder), "-o", str(out), "--anonymous", *given]
    assert CliRunner().invoke(app(["pack"]), words).exit_code == 0
    people = seated(anonymous_records(out, tmp_path / "back"))
    assert len(people) == 3
    assert len(set(people)) == 1
    refused = CliRunner().invoke(app(["pack"]), ["pack", str(table.folder), "-o", "x", "--people", str(file)])
    assert refused.exit_code == 2
    assert "--people works only with --anonymous" in refused.stderr


def test_a_site_uses_the_names_beside_its_records(table: Table, tmp_path: Path) -> None:
    table(*RED_WINS, id="1", names=("Ana", "Rui"))
    table(*RED_WINS, id="2", names=("A. Sousa", "Eva"))
    (table.folder / "people.toml").write_text(NAMES)
    words = ["export", str(table.folder), "-o", str(tmp_path / "site"), "--jobs", "1"]
    assert CliRunner().invoke(app(["export"]), words).exit_code == 0
    html = (tmp_path / "site" / "index.html").read_text(encoding="utf-8")
    people = re.findall(r'<option value="([^"]*)">[^<]* \((\d+)\)</option>', html)
    assert ("Ana Sousa", "2") in people
    assert not {"Ana", "A. Sousa"} & dict(people).keys()


def test_later_names_at_a_seat_are_joined_too(table: Table, tmp_path: Path) -> None:
    header = table.header("x", names=("Ana", "Eva"))
    told = [
        common_events.Amend(1, 1, "table", {}, {"red": common_events.SeatNames("A. Sousa")}),
        common_events.Substitute(2, 2, "table", "blue", "Ana Sousa"),
        common_events.Note(3, 3, "table", '"do":"@substitute"'),
        common_events.Ruling(4, 4, "arbiter", 1, "stands", "because", "a. sousa"),
    ]
    write(table.folder / "x.jsonl", header, told)
    (table.folder / "people.toml").write_text(NAMES)
    out = tmp_path / "a.gamelog.parquet"
    pack([table.folder], out, anonymous=True)
    [record] = anonymous_records(out, tmp_path / "back")
    [(ana, eva)] = seated([record])
    assert ana != eva
    amend, substitute, _, ruling = fold_record(record).events
    assert isinstance(amend, common_events.Amend)
    assert isinstance(substitute, common_events.Substitute)
    assert isinstance(ruling, common_events.Ruling)
    assert [amend.seats["red"].name, substitute.name, ruling.name] == [ana] * 3


def test_records_cannot_be_found_by_their_ids_digests_seeds_or_order(tmp_path: Path) -> None:
    folder = tmp_path / "named"
    folder.mkdir()
    known: set[bytes] = set()
    for at in range(12):
        header, events = simulate_game(find("slicewars"), "anonymity", at, players=2)
        if at == 11:
            first = read_record(folder / "00.jsonl")
            assert first.header
            header = structs.replace(
                header, parents=(Parent(first.header.id, 0, first.header_head.decode()),)
            )
        record = read_record(write(folder / f"{at:02}.jsonl", header, events[: at + 1]))
        assert header.dice.seed
        known |= {header.id.encode(), header.dice.seed.encode(), record.header_head, *record.heads}
    for times in (1, 2):
        out = tmp_path / f"{times}.gamelog.parquet"
        pack([folder], out, anonymous=True)
        records = anonymous_records(out, tmp_path / f"back{times}")
        data = out.read_bytes() + b"".join(
            path.read_bytes() for path in (tmp_path / f"back{times}").iterdir()
        )
        assert [text for text in known if text in data] == []
        sizes = [len(record.bodies) for record in records]
        assert sorted(sizes) == list(range(1, 13))
        assert sizes != sorted(sizes)
        (child,) = (record.header for record in records if record.header and record.header.parents)
        (parent,) = (record.header for record in records if len(record.bodies) == 1)
        assert parent
        assert child.parents[0].id == parent.id
        known |= {record.header.id.encode() for record in records if record.header}


def test_anonymous_records_are_numbered_and_unreadable_ones_left_out(table: Table, tmp_path: Path) -> None:
    table(*RED_WINS, id="ana against rui")
    torn = table(*RED_WINS, id="torn")
    torn.write_bytes(torn.read_bytes() + b"{")
    out = tmp_path / "a.gamelog.parquet"
    done = CliRunner().invoke(app(["pack"]), ["pack", str(table.folder), "-o", str(out), "--anonymous"])
    assert "1 record in" in done.stdout
    assert "1 record was left out" in done.stdout
    with Pack(out) as records:
        (name,) = records.sizes()
        assert name in {"1.jsonl", "2.jsonl"}
    assert unpack(out, tmp_path / "back").records == 1
    assert b"Ana" not in (tmp_path / "back" / name).read_bytes()
    assert b"Ana" not in out.read_bytes()
    with pytest.raises(NotReadable, match="None of these records can be anonymous"):
        pack([torn], tmp_path / "b.gamelog.parquet", anonymous=True)
    assert not (tmp_path / "b.gamelog.parquet").exists()


def test_an_anonymous_pack_has_no_record_that_ends_its_worker(table: Table, tmp_path: Path) -> None:
    table(*EVEN, id="killer", options={"fault": "kill"})
    table(*EVEN, id="whole")
    packed = pack([table.folder], tmp_path / "club.gamelog.parquet", anonymous=True, jobs=2)
    assert (packed.records, packed.left_out) == (1, 1)
