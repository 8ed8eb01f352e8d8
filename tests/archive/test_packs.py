"""Tests that a pack restores each record byte for byte, or not at all."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from gamelog.archive import Pack, Unpacked, Update, index, pack, unpack
from gamelog.archive.sources import items as sources
from gamelog.archive.sources import packs
from gamelog.archive.sources.compact_records import compact_record, restore_record
from gamelog.archive.workers import judge_batch
from gamelog.errors import ArchiveError, Damaged, NotReadable
from gamelog.play.contract.registry import find
from gamelog.play.recording.series import simulate_game
from gamelog.record import chain
from gamelog.record.reading import parse_record
from gamelog.record.record_file import compose

from .conftest import Table, numbers

Ask = Callable[..., list[tuple[Any, ...]]]
Run = Callable[..., Update]

RED_WINS = [("left", 6, 1), ("right", 2, 2), ("right", 5, 4)]


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return tmp_path / f"club[1]'s*{packs.ENDING}"


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def write_odd_records(table: Table) -> None:
    """Write records that do not follow from their bodies and one head: damaged, torn, unusual or empty ones."""
    whole = table(*RED_WINS, id="odd").read_bytes()
    (table.folder / "odd.jsonl").unlink()
    header, head = chain.chained_line(chain.GENESIS, whole[chain.PREFIX_BYTES : whole.index(b"\n") + 1])
    for name, data in {
        "torn": whole + b'{"h":',
        "damaged": whole.replace(b"left", b"lost"),
        "empty": b"",
        "noise": bytes(range(256)),
        "spaced": header + chain.chained_line(head, b'"do":"pull", "n":1,"t":0,"by":"red","at":"left"}\n')[0],
        "zeros": header + chain.chained_line(head, b'"do":"pull","n":01,"t":0,"by":"red","at":"left"}\n')[0],
        "misnumbered": header
        + chain.chained_line(head, b'"do":"pull","n":2,"t":0,"by":"red","at":"left"}\n')[0],
        "no utf-8": header
        + chain.chained_line(head, b'"do":"pull","n":1,"t":0,"by":"\xff","at":"left"}\n')[0],
        "carriage return": header
        + chain.chained_line(head, b'"do":"pull","n":1,"t":0,"by":"red",\r"at":"left"}\n')[0],
        "no comma": header + chain.chained_line(head, b'"do":"a,b","n":1,"t":0,"by":"red"}\n')[0],
        "later format": chain.chained_line(chain.GENESIS, b'"gamelog":9,"id":"x"}\n')[0],
    }.items():
        (table.folder / f"{name}.jsonl").write_bytes(data)


def test_records_come_back_byte_for_byte(table: Table, shelf: Path, out: Path, tmp_path: Path) -> None:
    table(*RED_WINS, id="a", file="2026/spring/a.jsonl")
    table(*RED_WINS, id="é", file="2026/é \U0001f600.jsonl", tags={"odd": '\x00\u2028"\\'})
    table(id="no events")
    write_odd_records(table)
    assert pack([shelf], out).records == 14
    assert unpack(out, tmp_path / "back") == Unpacked(14)
    assert contents(tmp_path / "back") == contents(shelf)


def test_compressed_records_are_restored_without_compression(
    table: Table, shelf: Path, out: Path, tmp_path: Path
) -> None:
    path = table(*RED_WINS)
    data = path.read_bytes()
    path.with_suffix(".jsonl.zst").write_bytes(zstandard.compress(data))
    with pytest.raises(ArchiveError, match=r"would both have the name game-1.jsonl"):
        pack([shelf], out)
    path.unlink()
    pack([shelf], out)
    unpack(out, tmp_path / "back")
    assert contents(tmp_path / "back") == {"game-1.jsonl": data}


@given(
    st.lists(
        st.binary(max_size=60).map(lambda body: body.replace(b"\n", b"") + b"\n"), min_size=1, max_size=5
    )
)
def test_every_stripped_record_is_restored(bodies: list[bytes]) -> None:
    head, data = chain.GENESIS, b""
    for n, body in enumerate(bodies):
        line, head = chain.chained_line(head, b'"do":"x","n":%d,' % n + body if n % 2 else body)
        data += line
    lines = compact_record(data, parse_record(data))
    assert lines is None or restore_record(lines) == (data, head.decode())


def test_a_game_as_it_is_written_is_stripped() -> None:
    header, events = simulate_game(find("tug"), "pack", 1, players=3)
    data, head = compose(header, events)
    lines = compact_record(data, parse_record(data))
    assert lines is not None
    assert b'"n":' not in lines.encode()
    assert restore_record(lines) == (data, head)


def test_a_pack_can_be_read_by_any_reader_of_parquet(table: Table, shelf: Path, out: Path) -> None:
    import duckdb

    path = table(*RED_WINS, id="a", tags={"event": "Club night"})
    (shelf / "noise.jsonl").write_bytes(b"noise")
    pack([shelf], out)
    head = parse_record(path.read_bytes()).head
    columns = "name, size, head, id, game, players, started::VARCHAR, status, finished, winners, reason, events, tags->>'event'"
    with duckdb.connect() as connection:
        rows = connection.execute(f"SELECT {columns} FROM read_parquet('{out.parent}/club*')").fetchall()
    size = path.stat().st_size
    assert rows[0] == (
        "a.jsonl",
        size,
        head,
        "a",
        "tug",
        2,
        "2026-03-01 20:00:00",
        "ok",
        True,
        ["red"],
        "points",
        6,
        "Club night",
    )
    assert rows[1][:4] == ("noise.jsonl", 5, None, None)


def test_packs_are_not_overwritten(table: Table, shelf: Path, out: Path) -> None:
    table(*RED_WINS)
    out.write_text("here already")
    with pytest.raises(ArchiveError, match="exists already"):
        pack([shelf], out)
    assert out.read_text() == "here already"
    with pytest.raises(ArchiveError, match="Cannot write"):
        pack([shelf], out / "nowhere" / "x")
    assert sorted(path.name for path in out.parent.iterdir()) == sorted(["records", out.name])


def test_an_error_while_records_are_read_does_not_blame_the_pack(
    table: Table, shelf: Path, out: Path, tmp_path: Path
) -> None:
    (shelf / "a.jsonl").write_bytes(bytes(2 << 20))  # more than is written together, so writing has begun
    table(*RED_WINS, id="b", file="b.jsonl")
    log = str(tmp_path / "progress.log")

    def fail(_done: int, _total: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), log)

    with pytest.raises(OSError, match="No space left on device") as caught:
        pack([shelf], out, progress=fail)
    assert caught.value.filename == log
    assert not out.exists()
    assert not list(tmp_path.glob(".gamelog-*"))


def test_there_is_something_to_pack(shelf: Path, out: Path) -> None:
    with pytest.raises(NotReadable, match="no record"):
        pack([shelf], out)
    with pytest.raises(NotReadable, match="does not exist"):
        pack([shelf / "nowhere"], out)
    assert not out.exists()


def test_a_name_that_is_not_utf8_is_reported_and_others_are_packed(
    table: Table, shelf: Path, out: Path, tmp_path: Path
) -> None:
    table(*RED_WINS)
    os.rename(os.fsencode(table(*RED_WINS)), os.fsencode(shelf) + b"/\xff.jsonl")
    done = pack([shelf], out)
    assert (done.records, done.left_out, len(done.unreadable)) == (1, 0, 1)
    assert "\\xff.jsonl: the file's name is not UTF-8" in done.unreadable[0]
    assert pack([shelf], tmp_path / f"anonymous{packs.ENDING}", anonymous=True).records == 2


def test_files_are_not_overwritten(table: Table, shelf: Path, out: Path, tmp_path: Path) -> None:
    table(*RED_WINS, id="a")
    table(*RED_WINS, id="b")
    pack([shelf], out)
    back = tmp_path / "back"
    back.mkdir()
    (back / "b.jsonl").write_text("mine")
    with pytest.raises(ArchiveError, match=r"b.jsonl exists already"):
        unpack(out, back)
    assert contents(back) == {"b.jsonl": b"mine"}


def rewrite(out: Path, change: str) -> None:
    """Write the pack again with another SELECT, as an attacker could."""
    import duckdb

    with duckdb.connect() as connection:
        connection.execute(
            f"COPY (SELECT * REPLACE ({change}) FROM read_parquet('{out.parent}/club*')) TO '{out.parent}/other' "
            "(FORMAT parquet, KV_METADATA {gamelog_pack: '1'})"
        )
    os.replace(out.parent / "other", out)


@pytest.mark.parametrize(
    "name", ["../evil.jsonl", "/tmp/evil.jsonl", "a/../../evil.jsonl", "", "c:evil", "..\\evil", "a\x00b"]
)
def test_a_name_cannot_lead_out_of_the_folder(
    name: str, table: Table, shelf: Path, out: Path, tmp_path: Path
) -> None:
    table(*RED_WINS)
    pack([shelf], out)
    spelled = " || ".join(f"chr({ord(letter)})" for letter in name) or "''"
    rewrite(out, f"{spelled} AS name")
    done = unpack(out, tmp_path / "deep" / "back")
    assert (done.records, len(done.renamed)) == (1, 1)
    assert "not a valid file name" in done.renamed[0]
    assert not list(tmp_path.rglob("evil*"))


def test_a_record_that_was_changed_in_the_pack_is_refused(
    table: Table, shelf: Path, out: Path, tmp_path: Path
) -> None:
    table(*RED_WINS)
    pack([shelf], out)
    rewrite(out, "replace(lines, 'left', 'lift') AS lines")
    [why] = unpack(out, tmp_path / "back").unreadable
    assert "the record game-1.jsonl has the head" in why
    with Pack(out) as records, pytest.raises(Damaged):
        records.read("game-1.jsonl")


def test_a_file_that_is_not_a_pack_is_named(table: Table, shelf: Path, out: Path, tmp_path: Path) -> None:
    import duckdb

    record = table(*RED_WINS)
    with pytest.raises(NotReadable, match="does not exist"):
        Pack(out)
    with pytest.raises(NotReadable, match="is a folder"):
        Pack(shelf)
    with pytest.raises(Damaged, match=r"^The pack .* is damaged: "):
        Pack(record)
    with duckdb.connect() as connection:
        connection.execute(f"COPY (SELECT 1 AS x) TO '{tmp_path}/other.parquet'")
    with pytest.raises(Damaged, match="not a pack of records"):
        Pack(tmp_path / "other.parquet")
    pack([shelf], out)
    out.write_bytes(out.read_bytes()[:-10])
    with pytest.raises(Damaged, match=r"^The pack .* is damaged: "):
        Pack(out)


def test_one_record_is_read_without_the_rest(table: Table, out: Path) -> None:
    game = find("tug")
    for at in range(400):
        header, events = simulate_game(game, "bulk", at, players=2, options={"goal": 60})
        (table.folder / f"{at:04}.jsonl").write_bytes(compose(header, events)[0])
    pack([table.folder], out)
    with Pack(out) as records:
        assert len(records.sizes()) == 400
        before = bytes_read()
        record = records.read("0200.jsonl")
        cost = bytes_read() - before
        assert record.bodies == parse_record((table.folder / "0200.jsonl").read_bytes()).bodies
        assert record.path == f"{out}:0200.jsonl"
        if sys.platform == "linux":
            assert 0 < cost < out.stat().st_size / 2
        with pytest.raises(NotReadable, match=r"has no record 0999.jsonl"):
            records.read("0999.jsonl")


def bytes_read() -> int:
    """Return the bytes that this process has read so far; 0 if the system does not report it."""
    counts = Path("/proc/self/io")
    return int(counts.read_text().split()[1]) if counts.exists() else 0


def test_an_archive_of_a_pack_is_the_archive_of_its_records(
    table: Table, indexed: Run, ask: Ask, archive: Path, out: Path
) -> None:
    for at in range(6):
        table(*RED_WINS, ("left", at + 1, 1), id=f"game-{at}") if at % 2 else table(
            ("left", at + 1, 1), id=f"game-{at}"
        )
    write_odd_records(table)
    pack([table.folder], out)
    sql = "SELECT id, status, events, counted, member FROM games ORDER BY id"
    found = "SELECT member, id, n, code FROM findings ORDER BY ALL"
    index([out], archive)
    packed = ask(sql), ask(found), ask("SELECT count(*) FROM events"), ask("SELECT count(*) FROM files")
    archive.unlink()
    indexed()
    assert [row[:-1] for row in packed[0]] == [row[:-1] for row in ask(sql)]
    assert {row[-1] for row in packed[0]} == {
        row[-1] for row in ask("SELECT id, parse_filename(path) FROM games")
    }
    assert [row[1:] for row in packed[1]] == [
        row[1:] for row in ask("SELECT parse_filename(path), id, n, code FROM findings ORDER BY ALL")
    ]
    assert packed[2:] == (ask("SELECT count(*) FROM events"), ask("SELECT count(*) FROM files"))


def test_a_pack_is_looked_at_once(
    table: Table, archive: Path, out: Path, ask: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    for at in range(3):
        table(("left", at + 1, 1), id=f"game-{at}")
    pack([table.folder], out)
    assert numbers(index([out.parent], archive)) == (4, 0, 0, 0, 3, 3)
    assert ask("SELECT DISTINCT member FROM games") == [("",)]
    monkeypatch.setattr(
        "gamelog.archive.sources.items.Pack", lambda _: pytest.fail("an unchanged pack was read")
    )
    assert index([out.parent], archive).same == 4
    monkeypatch.undo()
    for path in table.folder.iterdir():
        path.unlink()
    assert numbers(index([out.parent], archive, prune=True, allow_empty=True)) == (0, 0, 1, 3, 3, 3)
    assert ask("SELECT member FROM games ORDER BY member") == [
        ("game-0.jsonl",),
        ("game-1.jsonl",),
        ("game-2.jsonl",),
    ]
    assert ask("SELECT count(*) FROM events") == [(6,)]
    out.unlink()
    assert index([out.parent], archive, prune=True, allow_empty=True).records == 0


def test_one_bad_record_in_a_pack_does_not_spoil_the_others(
    table: Table, archive: Path, out: Path, ask: Ask
) -> None:
    for at in range(3):
        table(("left", at + 1, 1), id=f"game-{at}")
    pack([table.folder], out)
    rewrite(out, "CASE id WHEN 'game-1' THEN replace(lines, 'left', 'lift') ELSE lines END AS lines")
    index([out], archive)
    assert ask("SELECT id FROM games ORDER BY id") == [("game-0",), ("game-2",)]
    assert ask("SELECT member, code FROM findings") == [("game-1.jsonl", "record.damaged")]


def test_messages_about_a_packed_record_have_its_name(
    table: Table, archive: Path, out: Path, ask: Ask
) -> None:
    for at in range(3):
        table(("left", at + 1, 1), id=f"game-{at}")
    table(*RED_WINS, id="crash", options={"fault": "crash"})
    table(("left", 2**64 - 1, 1), id="large")
    write_odd_records(table)
    names = sorted(path.name for path in table.folder.iterdir())
    pack([table.folder], out)
    rewrite(out, "CASE id WHEN 'game-1' THEN replace(lines, 'left', 'lift') ELSE lines END AS lines")
    index([out], archive)
    assert ask("SELECT member FROM files WHERE member <> '' ORDER BY ALL") == [(name,) for name in names]
    found: dict[str, str] = dict(ask("SELECT member, min(code) FROM findings GROUP BY member"))
    assert sorted(found) == [name for name in names if name not in ("game-0.jsonl", "game-2.jsonl")]
    codes = {"crash": "play.broken_game", "large": "archive.crashed", "game-1": "record.damaged"}
    assert {name: found[f"{name}.jsonl"] for name in codes} == codes
    assert ask("SELECT member FROM games WHERE id IN ('crash', 'game-0', 'game-2') ORDER BY id") == [
        ("crash.jsonl",), ("game-0.jsonl",), ("game-2.jsonl",),
    ]  # fmt: skip
    given_up = judge_batch.judge_failure(sources.Item(str(out), 100, 0, "game-0.jsonl"), TimeoutError())
    assert given_up.failed_records == [(str(out), "game-0.jsonl")]
    assert [(file.path, file.member, file.size) for file in given_up.files] == [
        (str(out), "game-0.jsonl", 100)
    ]


def test_a_broken_pack_is_a_finding(table: Table, archive: Path, out: Path, ask: Ask) -> None:
    table(*RED_WINS)
    pack([table.folder], out)
    out.write_bytes(out.read_bytes()[:-10])
    index([out], archive)
    ((code, message),) = ask("SELECT code, message FROM findings")
    assert code == "record.damaged"
    assert "is damaged: " in message
