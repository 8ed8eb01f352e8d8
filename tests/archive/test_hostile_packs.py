"""Tests of malicious and damaged packs: each bad record or pack is a finding, and the others are read."""

from __future__ import annotations

import subprocess
import sys
import tracemalloc
from contextlib import suppress
from pathlib import Path
from typing import Any

import duckdb
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gamelog.archive import Pack, find_items, index, pack, unpack, verdicts
from gamelog.archive.sources import packs
from gamelog.errors import ArchiveError, Damaged, RecordError
from gamelog.record.envelope import MAX_RECORD
from tests.fuzz import packs as fuzz

from .conftest import Table

RED_WINS = [("left", 6, 1), ("right", 2, 2), ("right", 5, 4)]

GOOD = {
    "name": "'x.jsonl'",
    "size": "3",
    "head": "NULL::VARCHAR",
    "lines": "NULL::VARCHAR",
    "raw": "'abc'::BLOB",
}

MALFORMED: dict[str, dict[str, str]] = {
    "no name": {"name": "NULL"},
    "a name that is a number": {"name": "5"},
    "a name that is a list": {"name": "['x']"},
    "a name that is a folder": {"name": "'/'"},
    "a long name": {"name": "repeat('x', 5000)"},
    "no size": {"size": "NULL"},
    "a size that is text": {"size": "'three'"},
    "a negative size": {"size": "-3"},
    "a size that no record has": {"size": f"{MAX_RECORD + 1}"},
    "another size": {"size": "4"},
    "neither lines nor bytes": {"raw": "NULL"},
    "bytes that are a number": {"raw": "7"},
    "lines that are a number": {"lines": "7", "raw": "NULL"},
    "lines without a tag": {"lines": "'{}' || chr(10) || 'x' || chr(10)", "raw": "NULL", "size": "200"},
    "lines of nothing": {"lines": "repeat(chr(10), 300)", "raw": "NULL", "size": "300"},
    "a head that is a number": {"lines": "'x' || chr(10)", "raw": "NULL", "head": "8", "size": "60"},
}

MISSING = ("name", "size", "head", "lines", "raw")


def make_pack(path: Path, rows: list[dict[str, str]], compression: str = "zstd") -> Path:
    """Write a pack of these rows, given as one SQL expression for each column."""
    selects = " UNION ALL ".join(
        "SELECT " + ", ".join(f"{value} AS {name}" for name, value in row.items()) for row in rows
    )
    with duckdb.connect() as connection:
        connection.execute(
            f"COPY ({selects}) TO '{path}' (FORMAT parquet, COMPRESSION {compression}, "
            "KV_METADATA {gamelog_pack: '1'})"
        )
    return path


@pytest.fixture
def hostile(tmp_path: Path) -> Path:
    return tmp_path / "records" / f"hostile{packs.ENDING}"


@pytest.mark.grid
@pytest.mark.parametrize("kind", MALFORMED)
def test_a_malformed_pack_is_a_finding_and_the_folder_goes_on(
    kind: str, table: Table, hostile: Path, archive: Path, tmp_path: Path
) -> None:
    table(*RED_WINS, id="bystander")
    make_pack(hostile, [GOOD | MALFORMED[kind]])
    judged = {verdict.path: str(verdict.status) for verdict in verdicts(find_items([hostile.parent]))}
    assert sorted(judged.values()) == ["damaged", "ok"]
    assert index([hostile.parent], archive).records == 1
    readable = "name" in kind  # it gets another one
    with suppress(RecordError):
        assert unpack(hostile, tmp_path / "back").records == readable


def test_a_record_that_is_shorter_than_its_stated_size_is_damaged(
    hostile: Path, table: Table, tmp_path: Path
) -> None:
    size = table(*RED_WINS).stat().st_size
    pack([table.folder], tmp_path / "sound.gamelog.parquet")
    with duckdb.connect() as connection:
        connection.execute(
            f"COPY (SELECT * REPLACE (size + 9 AS size) FROM '{tmp_path / 'sound.gamelog.parquet'}') "
            f"TO '{hostile}' (FORMAT parquet, KV_METADATA {{gamelog_pack: '1'}})"
        )
    said = f"has {size:,} bytes, but {size + 9:,} bytes were packed"
    with Pack(str(hostile)) as records, pytest.raises(Damaged, match=said):
        records.read(next(iter(records.sizes())))


@pytest.mark.grid
@pytest.mark.parametrize("column", MISSING)
def test_a_pack_without_a_column(column: str, hostile: Path, table: Table) -> None:
    table(*RED_WINS)
    make_pack(hostile, [{name: value for name, value in GOOD.items() if name != column}])
    assert sorted(str(verdict.status) for verdict in verdicts(find_items([hostile.parent]))) == [
        "damaged",
        "ok",
    ]


def test_a_bad_record_among_good_ones_is_the_only_one_that_is_lost(hostile: Path, tmp_path: Path) -> None:
    hostile.parent.mkdir(exist_ok=True)
    bad = [kind for kind, change in MALFORMED.items() if change.keys() <= {"size"} and "text" not in kind]
    rows = [GOOD | MALFORMED[kind] | {"name": f"'bad-{at}.jsonl'"} for at, kind in enumerate(bad)]
    make_pack(
        hostile,
        [*rows, GOOD, GOOD | {"raw": "'def'::BLOB"}, GOOD | {"name": "'../x'"}, GOOD | {"name": "'y.jsonl'"}],
    )
    done = unpack(hostile, tmp_path / "back")
    assert done.records == 4
    assert (len(done.unreadable), len(done.renamed)) == (len(bad), 2)
    assert {path.name: path.read_bytes() for path in (tmp_path / "back").iterdir()} == {
        "x.jsonl": b"abc",
        "y.jsonl": b"abc",
        f"record-{len(bad) + 2}.jsonl": b"def",
        f"record-{len(bad) + 3}.jsonl": b"abc",
    }
    assert [item.member for item in find_items([hostile])][-3:] == [
        f":{len(bad) + 2}",
        f":{len(bad) + 3}",
        "y.jsonl",
    ]


@pytest.mark.parametrize(
    "bomb",
    [
        {"raw": "repeat('a', 30000000)::BLOB", "size": "1"},
        {"lines": "repeat('a', 30000000)", "raw": "NULL", "size": "1"},
        {"lines": "repeat(chr(10), 30000000)", "raw": "NULL", "size": "30000000"},
        {"name": "repeat('a', 30000000)"},
    ],
)
def test_a_small_pack_does_not_unpack_without_bound(
    bomb: dict[str, str], hostile: Path, tmp_path: Path
) -> None:
    hostile.parent.mkdir(exist_ok=True)
    rows = [GOOD | {"name": f"'{at:02}.jsonl'"} | bomb for at in range(8)]
    make_pack(hostile, rows)
    assert hostile.stat().st_size < 300_000
    tracemalloc.start()
    try:
        assert unpack(hostile, tmp_path / "back").records == (8 if "name" in bomb else 0)
        assert tracemalloc.get_traced_memory()[1] < 100_000_000
    finally:
        tracemalloc.stop()


PEAK = """
import sys
from gamelog.archive import find_items, verdicts
import duckdb
duckdb.connect().execute("SELECT 1")
held = lambda: int(next(line.split()[1] for line in open("/proc/self/status") if line.startswith("VmHWM"))) >> 10
begin = held()
assert {verdict.status for verdict in verdicts(find_items([sys.argv[1]]))} == {"damaged"}
print(held() - begin)
"""
"""Prints the MiB that reading took, without the libraries, but with DuckDB's own memory."""


@pytest.mark.grid
@pytest.mark.skipif(
    not Path("/proc/self/status").exists(), reason="Linux says there what a process held at most"
)
@pytest.mark.parametrize(
    ("row", "rows", "most"),
    [
        ({"raw": "repeat('a', 200000000)::BLOB", "size": "1"}, 20, 400),  # one value at a time
        ({"raw": "repeat('a', 200000000)::BLOB", "size": "200000000"}, 20, 50),  # refused for what it says
        ({"lines": "repeat(chr(10), 30000000)", "raw": "NULL", "size": "30000000"}, 60, 50),
        ({"name": "'x' || range"}, 300_000, 100),
    ],
)
def test_cost_of_a_process_for_a_small_pack(row: dict[str, str], rows: int, most: int, hostile: Path) -> None:
    hostile.parent.mkdir(exist_ok=True)
    told = ", ".join(
        f"{value} AS {name}" for name, value in (GOOD | {"name": "format('{:02d}', range)"} | row).items()
    )
    with duckdb.connect() as connection:
        connection.execute(
            f"COPY (SELECT {told} FROM range({rows})) TO '{hostile}' "
            "(FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE 1000000, KV_METADATA {gamelog_pack: '1'})"
        )
    took = subprocess.run(
        [sys.executable, "-c", PEAK, str(hostile)], check=True, capture_output=True, text=True
    )
    assert int(took.stdout) < most


def test_the_stated_content_of_a_pack_is_bounded_by_its_bytes(hostile: Path) -> None:
    hostile.parent.mkdir(exist_ok=True)
    make_pack(hostile, [GOOD | {"name": f"'{at}.jsonl'", "size": f"{MAX_RECORD}"} for at in range(20)])
    with Pack(hostile) as opened, pytest.raises(Damaged, match="far more data than"):
        opened.sizes()


def test_a_name_has_at_most_4096_characters(hostile: Path) -> None:
    hostile.parent.mkdir(exist_ok=True)
    make_pack(hostile, [GOOD | {"name": f"repeat('x', {length})"} for length in (4096, 4097)])
    assert [item.member for item in find_items([hostile])] == ["x" * 4096, ":2"]


def test_a_pack_of_any_size_may_have_10000_records_and_one_more_for_each_16_bytes(hostile: Path) -> None:
    """All records of this pack are nameless and equal, so that one more does not change its size."""
    hostile.parent.mkdir(exist_ok=True)

    def size(rows: int) -> int:
        columns = ", ".join(
            f"{value} AS {name}" for name, value in (GOOD | {"name": "NULL::VARCHAR"}).items()
        )
        with duckdb.connect() as connection:
            connection.execute(
                f"COPY (SELECT {columns} FROM range({rows})) TO '{hostile}' (FORMAT parquet, COMPRESSION zstd, "
                "ROW_GROUP_SIZE 1000000, KV_METADATA {gamelog_pack: '1'})"
            )
        return hostile.stat().st_size

    most = 10_000
    while most != 10_000 + size(most) // 16:
        most = 10_000 + size(most) // 16
    with Pack(hostile) as opened:
        assert len(opened.index) == most
    assert size(most + 1) // 16 == most - 10_000
    with Pack(hostile) as opened, pytest.raises(Damaged, match="far more data than"):
        opened.sizes()


def test_a_sound_pack_on_this_machine_is_not_read_a_second_time(
    hostile: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hostile.parent.mkdir(exist_ok=True)
    make_pack(hostile, [GOOD])
    monkeypatch.delattr("gamelog.archive.sources.pack_files.LocalFile.confirm")
    assert unpack(hostile, tmp_path / "back").records == 1


def test_a_pack_with_one_bad_record_is_opened_once(
    table: Table, archive: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for at in range(6):
        table(*RED_WINS, id=f"game-{at}")
    out = tmp_path / f"club{packs.ENDING}"
    pack([table.folder], out)
    with duckdb.connect() as connection:
        changed = "CASE id WHEN 'game-3' THEN replace(lines, 'left', 'lift') ELSE lines END"
        connection.execute(
            f"COPY (SELECT * REPLACE ({changed} AS lines) FROM read_parquet('{out}')) TO '{out}.new' "
            "(FORMAT parquet, KV_METADATA {gamelog_pack: '1'})"
        )
    Path(f"{out}.new").replace(out)
    opened: list[Any] = []

    def counted(path: Any) -> Pack:
        opened.append(path)
        return Pack(path)

    monkeypatch.setattr("gamelog.archive.sources.items.Pack", counted)
    assert index([out], archive).records == 5
    assert len(opened) == 2, "once to see what is in it, once to read it"


def test_an_unreadable_record_does_not_end_packing(table: Table, tmp_path: Path) -> None:
    table(*RED_WINS, id="good")
    (table.folder / "nowhere.jsonl").symlink_to(tmp_path / "nothing")
    done = pack([table.folder], tmp_path / f"club{packs.ENDING}")
    assert done.records == 1
    assert "nowhere.jsonl" in done.unreadable[0]


def test_unpacking_follows_no_link_below_its_folder(table: Table, tmp_path: Path) -> None:
    table(*RED_WINS, id="a", file="sub/deep/a.jsonl")
    table(*RED_WINS, id="b", file="b.jsonl")
    out = tmp_path / f"club{packs.ENDING}"
    pack([table.folder], out)
    for planted in ("sub", "sub/deep"):
        back, elsewhere = tmp_path / f"back-{len(planted)}", tmp_path / f"elsewhere-{len(planted)}"
        elsewhere.mkdir()
        (back / planted).parent.mkdir(parents=True)
        (back / planted).symlink_to(elsewhere)
        with pytest.raises(ArchiveError, match="leads elsewhere"):
            unpack(out, back)
        assert list(elsewhere.iterdir()) == []


@settings(max_examples=1)
@given(st.integers(0, 1_000_000))
def test_spoiled_packs(seed: int) -> None:
    assert fuzz.run(40, seed)["records whole"] > 0


def test_damaged_content_is_reported_for_each_record_and_not_quoted(hostile: Path, tmp_path: Path) -> None:
    hostile.parent.mkdir(exist_ok=True)
    rows = [
        GOOD | {"name": f"'{at}.jsonl'", "lines": f"'secret note {at}'", "raw": "NULL::BLOB", "size": "300"}
        for at in range(3)
    ]
    make_pack(hostile, rows, compression="uncompressed")
    hostile.write_bytes(hostile.read_bytes().replace(b"secret note", b"\xc4ecret note"))
    done = unpack(hostile, tmp_path / "back")
    assert done.unreadable == tuple(
        f"{hostile}: the record {at}.jsonl cannot be read: Invalid string encoding found in Parquet file. "
        "Copy the pack again from its source."
        for at in range(3)
    )
